# The headers that are installed: those that users include, and what they include in turn. All others are the library's own
# business.

# Sets <out> to the headers under <base>, which <headers>, relative to it, include, themselves among them.
function(kaon_with_included out base headers)
  set(known ${headers})
  while(headers)
    list(POP_FRONT headers header)
    file(STRINGS "${base}/${header}" lines REGEX "^#include <kaon/")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^#include <(kaon/[^>]+)>.*" "\\1" included "${line}")
      if(NOT included IN_LIST known)
        list(APPEND known "${included}")
        list(APPEND headers "${included}")
      endif()
    endforeach()
  endwhile()
  list(SORT known)
  set(${out} ${known} PARENT_SCOPE)
endfunction()
