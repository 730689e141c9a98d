# kaon_warnings(<target>): our own code compiles without a warning. The presets make warnings errors;
# a plain build does not, so that a newer compiler's opinion never stops a user.
function(kaon_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
endfunction()
