# Installs kaon, and a project with models and a library of them. Then builds and runs projects as users do: that of
# this directory against both, the examples and a program with plugins against kaon. Installed files may be moved, and need no sources.
file(REMOVE_RECURSE "${work}")
file(COPY "${CMAKE_CURRENT_LIST_DIR}/upstream" DESTINATION "${work}")
set(ENV{PYTHONPATH} "${generator}") # replaces a kaon that pip installed

function(run)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY "${work}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()
set(options -D "CMAKE_CXX_COMPILER=${cxx}" -D "KAON_PYTHON=${python}")

run("${CMAKE_COMMAND}" --install "${kaon_build}" --prefix first)
run("${CMAKE_COMMAND}" -S upstream -B upstream/build ${options} -D "CMAKE_PREFIX_PATH=${work}/first")
run("${CMAKE_COMMAND}" --build upstream/build)
run("${CMAKE_COMMAND}" --install upstream/build --prefix first)
file(RENAME "${work}/first" "${work}/prefix")
file(REMOVE_RECURSE "${work}/upstream")
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B build ${options} -D "CMAKE_PREFIX_PATH=${work}/prefix")
run("${CMAKE_COMMAND}" --build build)
run(build/downstream)

run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/../../examples/project" -B example ${options}
  -D "CMAKE_PREFIX_PATH=${work}/prefix")
run("${CMAKE_COMMAND}" --build example)
run(example/simulate)
run("${python}" -m kaon verify tracks.kaon)

# Plugins by name, in threads, with many outputs.
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/../../examples/framework" -B framework ${options}
  -D "CMAKE_PREFIX_PATH=${work}/prefix")
run("${CMAKE_COMMAND}" --build framework)
run(framework/framework 500 outputs simulate cluster sort)
file(GLOB outputs "${work}/outputs/*.kaon")
list(LENGTH outputs count)
if(NOT count EQUAL 16)
  message(FATAL_ERROR "the framework should write 16 files, not ${count}")
endif()
run("${python}" -m kaon verify ${outputs})

# A program and its plugin, which share kaon and a model.
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/plugins" -B plugins ${options} -D "CMAKE_PREFIX_PATH=${work}/prefix")
run("${CMAKE_COMMAND}" --build plugins)
run(plugins/host plugins/libsums.so)
run(plugins/host plugins/libown_sums.so --keep)
file(GLOB configuration "${work}/prefix/lib*/pkgconfig" "${work}/prefix/lib/*/pkgconfig")
find_program(pkg_config NAMES pkg-config pkgconf)
if(pkg_config)
  run(sh -c "PKG_CONFIG_PATH='${configuration}'; export PKG_CONFIG_PATH
    '${cxx}' -std=c++20 '${CMAKE_CURRENT_LIST_DIR}/plugins/categories.cpp' -o categories \
    $('${pkg_config}' --cflags --libs kaon) -Wl,-rpath,$('${pkg_config}' --variable=libdir kaon) && ./categories")
endif()

# The error for a Python without kaon differs from that for a model with mistakes.
file(WRITE "${work}/bare-python" "#!/bin/sh\nexec '${python}' -I -S \"$@\"\n")
file(CHMOD "${work}/bare-python" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/../../examples/project" -B bare
  -D "CMAKE_CXX_COMPILER=${cxx}" -D "KAON_PYTHON=${work}/bare-python" -D "CMAKE_PREFIX_PATH=${work}/prefix"
  WORKING_DIRECTORY "${work}" OUTPUT_QUIET ERROR_VARIABLE said RESULT_VARIABLE failed)
string(REGEX REPLACE "[ \n]+" " " said "${said}") # CMake breaks long lines
if(NOT failed OR NOT said MATCHES "bare-python cannot run kaon's generator" OR NOT said MATCHES "KAON_PYTHON=")
  message(FATAL_ERROR "a Python without kaon should be named, and what to do: ${failed}: ${said}")
endif()

foreach(file IN ITEMS LICENSE NOTICE)
  if(NOT EXISTS "${work}/prefix/share/licenses/kaon/${file}")
    message(FATAL_ERROR "${file} is not installed")
  endif()
endforeach()
