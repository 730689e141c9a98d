# Installs kaon and builds and runs this directory's project against it, as its users do.
file(REMOVE_RECURSE "${work}")
file(MAKE_DIRECTORY "${work}")
set(ENV{PYTHONPATH} "${generator}") # stands for a kaon that pip installed

function(run)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY "${work}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run("${CMAKE_COMMAND}" --install "${kaon_build}" --prefix prefix)
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B build -D "CMAKE_PREFIX_PATH=${work}/prefix"
  -D "CMAKE_CXX_COMPILER=${cxx}" -D "KAON_PYTHON=${python}")
run("${CMAKE_COMMAND}" --build build)
run(build/downstream)
