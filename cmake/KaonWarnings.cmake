# kaon_warnings(<target>): turns on warnings for kaon's own code. Presets make them errors. Plain builds do not, so that
# new warnings of later compilers do not stop users.
function(kaon_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
endfunction()
