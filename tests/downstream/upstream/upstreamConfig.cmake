include(CMakeFindDependencyMacro)
find_dependency(kaon)
include("${CMAKE_CURRENT_LIST_DIR}/upstreamTargets.cmake")
