# Finds the libraries that kaon links: Threads::Threads, and a target kaon::<name> for each below. Lists missing ones in
# `kaon_missing`. This file is installed, because programs that link the static library need them, too.

set(kaon_missing "")
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# Codecs, Google Highway (hwy) for SIMD instructions chosen at run time, and oneTBB (tbb) for threads.
set(kaon_header_lz4 lz4.h)
set(kaon_header_zstd zstd.h)
set(kaon_header_deflate libdeflate.h)
set(kaon_header_lzma lzma.h)
set(kaon_header_hwy hwy/highway.h)
set(kaon_header_tbb oneapi/tbb/task_group.h)
foreach(kaon_library IN ITEMS lz4 zstd deflate lzma hwy tbb)
  if(TARGET kaon::${kaon_library})
    continue()
  endif()
  find_path(KAON_${kaon_library}_INCLUDE_DIR ${kaon_header_${kaon_library}})
  find_library(KAON_${kaon_library}_LIBRARY ${kaon_library})
  mark_as_advanced(KAON_${kaon_library}_INCLUDE_DIR KAON_${kaon_library}_LIBRARY)
  if(NOT KAON_${kaon_library}_INCLUDE_DIR OR NOT KAON_${kaon_library}_LIBRARY)
    list(APPEND kaon_missing ${kaon_library})
  else()
    add_library(kaon::${kaon_library} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(kaon::${kaon_library} PROPERTIES
      IMPORTED_LOCATION "${KAON_${kaon_library}_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${KAON_${kaon_library}_INCLUDE_DIR}")
  endif()
  unset(kaon_header_${kaon_library})
endforeach()
unset(kaon_library)

# Optional libraries: HDF5's serial C library and c-blosc for KAON_HDF5, libcurl for KAON_HTTP. An installed kaon has the
# values of these options from its build, and then needs the libraries.
function(kaon_find_optional name header library)
  find_path(KAON_${name}_INCLUDE_DIR ${header} PATH_SUFFIXES hdf5/serial)
  find_library(KAON_${name}_LIBRARY NAMES ${library})
  mark_as_advanced(KAON_${name}_INCLUDE_DIR KAON_${name}_LIBRARY)
  if(KAON_${name}_INCLUDE_DIR AND KAON_${name}_LIBRARY AND NOT TARGET kaon::${name})
    add_library(kaon::${name} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(kaon::${name} PROPERTIES
      IMPORTED_LOCATION "${KAON_${name}_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${KAON_${name}_INCLUDE_DIR}")
  endif()
endfunction()
if(KAON_HDF5)
  kaon_find_optional(hdf5 hdf5.h "hdf5_serial;hdf5")
  if(TARGET kaon::hdf5) # a static libhdf5 loads plugins
    set_target_properties(kaon::hdf5 PROPERTIES INTERFACE_LINK_LIBRARIES "${CMAKE_DL_LIBS}")
  endif()
  kaon_find_optional(blosc blosc.h blosc)
  if(KAON_HDF5 STREQUAL "REQUIRED" AND NOT TARGET kaon::hdf5)
    list(APPEND kaon_missing hdf5)
  endif()
endif()
if(KAON_HTTP)
  kaon_find_optional(curl curl/curl.h curl)
endif()
