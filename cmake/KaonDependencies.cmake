# What the library links: kaon::lz4, kaon::zstd, Threads::Threads. Also installed, because whoever links the
# static library needs them too. Names what is absent in `kaon_missing`.

set(kaon_missing "")
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

foreach(kaon_codec IN ITEMS lz4 zstd)
  find_path(KAON_${kaon_codec}_INCLUDE_DIR ${kaon_codec}.h)
  find_library(KAON_${kaon_codec}_LIBRARY ${kaon_codec})
  mark_as_advanced(KAON_${kaon_codec}_INCLUDE_DIR KAON_${kaon_codec}_LIBRARY)
  if(NOT KAON_${kaon_codec}_INCLUDE_DIR OR NOT KAON_${kaon_codec}_LIBRARY)
    list(APPEND kaon_missing ${kaon_codec})
  elseif(NOT TARGET kaon::${kaon_codec})
    add_library(kaon::${kaon_codec} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(kaon::${kaon_codec} PROPERTIES
      IMPORTED_LOCATION "${KAON_${kaon_codec}_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${KAON_${kaon_codec}_INCLUDE_DIR}")
  endif()
endforeach()
unset(kaon_codec)
