# kaon_hide_libraries(<target>): hides the names of the static libraries in a shared one, because a program may have others.
# The linker of macOS does not need it: its programs look up a name in one library only.
function(kaon_hide_libraries target)
  if(NOT APPLE)
    target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL)
  endif()
endfunction()
