# kaon_add_datamodel(<target> <model.yaml> [NAME <name>] [OUTPUT <dir>] [UPSTREAM <target>...]
#                    [DATAMODEL_VERSION <version>] [EVOLUTION <migrations.yaml>] [OUTSIDE_FILES] [LIST_RANGES]
#                    [SHARED])
#
# Makes a library of the classes that kaon generates from a model. Programs include them as "<name>/Type.h".
#
#   NAME               the name of the library's folder of headers; by default, the stem of the model file's name
#   OUTPUT             the folder to generate the classes in; by default, the current binary directory
#   UPSTREAM           targets of models whose types this one uses; their own upstream models are added
#   DATAMODEL_VERSION  the version that files state for the model
#   EVOLUTION          a file of migrations, in addition to those in the model
#   OUTSIDE_FILES      the model may take extra code from files outside its folder
#   LIST_RANGES        structs have podio's members <list>_begin and <list>_end
#   SHARED             makes a shared library. This needs find_package(kaon COMPONENTS shared), so that a program and its
#                      plugins share one kaon.
#
# install(TARGETS <target> EXPORT <export> FILE_SET HEADERS) installs the library and its headers. The model itself,
# <name>/<name>.model.yaml, is one of them, so that the imported target can be UPSTREAM, too.
#
# The generator runs while CMake configures, because the model decides which files are generated. It runs again when the
# model or the generator changes. It needs a Python that has kaon: the first one found, or KAON_PYTHON.

set(KAON_PYTHON "" CACHE FILEPATH "The Python that runs kaon's generator; if empty, the first one found")

# Sets <variable> to the Python that runs the generator.
function(kaon_find_python variable)
  set(python "${KAON_PYTHON}")
  if(NOT python)
    find_package(Python 3.10 REQUIRED COMPONENTS Interpreter)
    set(python "${Python_EXECUTABLE}")
  endif()
  set(${variable} "${python}" PARENT_SCOPE)
endfunction()

# Appends the model of a target to <list> as NAME:FILE, after its upstream models. Appends nothing if the target has none.
function(_kaon_append_models list target)
  get_target_property(files ${target} HEADER_SET)
  list(FILTER files INCLUDE REGEX "\\.model\\.yaml$")
  if(files)
    get_target_property(libraries ${target} INTERFACE_LINK_LIBRARIES)
    foreach(library IN LISTS libraries)
      if(TARGET ${library})
        _kaon_append_models(${list} ${library})
      endif()
    endforeach()
    cmake_path(GET files FILENAME name)
    string(REGEX REPLACE "\\.model\\.yaml$" "" name "${name}")
    list(APPEND ${list} "${name}:${files}")
    set(${list} "${${list}}" PARENT_SCOPE)
  endif()
endfunction()

# Stops with an error if a Python cannot run the generator for any model. The other arguments are the command line.
function(_kaon_check_generator python)
  list(FIND ARGN kaon.modelgen last)
  math(EXPR length "${last} + 1")
  list(SUBLIST ARGN 0 ${length} generator)
  execute_process(COMMAND ${generator} --help OUTPUT_QUIET ERROR_VARIABLE said RESULT_VARIABLE failed)
  if(failed)
    string(STRIP "${said}" said)
    message(FATAL_ERROR "${python} cannot run kaon's generator of classes:\n  ${said}\n"
      "Install kaon's Python package for it, or name a Python that has it: -D KAON_PYTHON=/path/to/python")
  endif()
endfunction()

function(kaon_add_datamodel target model)
  cmake_parse_arguments(PARSE_ARGV 2 arg "OUTSIDE_FILES;LIST_RANGES;SHARED" "NAME;OUTPUT;DATAMODEL_VERSION;EVOLUTION" "UPSTREAM")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "kaon_add_datamodel(${target}): unknown argument, or keyword without a value: "
      "${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  cmake_path(ABSOLUTE_PATH model)
  if(NOT arg_NAME)
    cmake_path(GET model STEM arg_NAME)
  endif()
  if(NOT arg_OUTPUT)
    set(arg_OUTPUT "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  cmake_path(ABSOLUTE_PATH arg_OUTPUT BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE)

  kaon_find_python(python)
  set(generator "${python}" -m kaon.modelgen "${model}" -o "${arg_OUTPUT}" --name "${arg_NAME}")
  set(upstream "")
  foreach(other IN LISTS arg_UPSTREAM)
    set(models "")
    if(TARGET ${other})
      _kaon_append_models(models ${other})
    endif()
    if(NOT models)
      message(FATAL_ERROR "kaon_add_datamodel(${target}): ${other} is no target of kaon_add_datamodel")
    endif()
    list(APPEND upstream ${models})
  endforeach()
  list(REMOVE_DUPLICATES upstream)
  foreach(other IN LISTS upstream)
    list(APPEND generator --upstream "${other}")
  endforeach()
  if(arg_DATAMODEL_VERSION)
    list(APPEND generator --datamodel-version "${arg_DATAMODEL_VERSION}")
  endif()
  if(arg_EVOLUTION)
    cmake_path(ABSOLUTE_PATH arg_EVOLUTION)
    list(APPEND generator --evolution-file "${arg_EVOLUTION}")
  endif()
  if(arg_OUTSIDE_FILES)
    list(APPEND generator --outside-files)
  endif()
  if(arg_LIST_RANGES)
    list(APPEND generator --list-ranges)
  endif()
  # In kaon's own sources, the generator is beside this file. For an installed kaon, it is in the Python package.
  cmake_path(SET sources NORMALIZE "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../python")
  if(EXISTS "${sources}/kaon/modelgen")
    list(PREPEND generator "${CMAKE_COMMAND}" -E env "PYTHONPATH=${sources}")
    file(GLOB_RECURSE generator_files CONFIGURE_DEPENDS
      "${sources}/kaon/modelgen/*.py" "${sources}/kaon/modelgen/*.jinja2")
  endif()
  # This comes before anything can fail: after a correction of the model, building again is enough.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${model}" ${arg_EVOLUTION} ${generator_files})

  execute_process(COMMAND ${generator} OUTPUT_QUIET RESULT_VARIABLE failed)
  if(failed)
    _kaon_check_generator("${python}" ${generator})
    message(FATAL_ERROR "kaon could not generate the classes of ${model}: see above (${python}: ${failed})")
  endif()
  execute_process(COMMAND ${generator} --list
    OUTPUT_VARIABLE files OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" files "${files}")
  execute_process(COMMAND ${generator} --sources
    OUTPUT_VARIABLE sources OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" sources "${sources}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})

  set(headers ${files})
  list(FILTER headers EXCLUDE REGEX "\\.cc$")
  list(REMOVE_ITEM files ${headers})
  set(kind STATIC)
  if(arg_SHARED)
    set(kind SHARED)
    get_target_property(kind_of_kaon kaon::kaon TYPE)
    if(NOT kind_of_kaon STREQUAL "SHARED_LIBRARY")
      message(FATAL_ERROR "kaon_add_datamodel(${target}): SHARED needs find_package(kaon COMPONENTS shared)")
    endif()
  endif()
  add_library(${target} ${kind} ${files})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS "${arg_OUTPUT}" FILES ${headers})
  set(installed "include") # where CMake installs headers
  if(CMAKE_INSTALL_INCLUDEDIR)
    set(installed "${CMAKE_INSTALL_INCLUDEDIR}")
  endif()
  target_include_directories(${target} PUBLIC
    "$<BUILD_INTERFACE:${arg_OUTPUT}/${arg_NAME}>" "$<INSTALL_INTERFACE:${installed}/${arg_NAME}>")
  target_link_libraries(${target} PUBLIC kaon::kaon ${arg_UPSTREAM})
  # Links the model even if no object file of a program names its classes, because its files may have them.
  string(REGEX REPLACE "[^A-Za-z0-9_]" "_" symbol "kaonModel_${arg_NAME}")
  target_link_options(${target} INTERFACE "LINKER:-u,$<$<PLATFORM_ID:Darwin>:_>${symbol}")
endfunction()
