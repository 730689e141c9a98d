# kaon_hide_libraries(<target>): hides the symbols of static libraries inside a shared one, because a program may use other
# versions of them. macOS does not need this: its programs look up each symbol in one library only.
function(kaon_hide_libraries target)
  if(NOT APPLE)
    target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL)
  endif()
endfunction()
