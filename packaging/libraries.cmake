# Builds the libraries that kaon needs, static, where the system's are too old or missing: in the images that build wheels,
# and on macOS. Takes three minutes on two processors.
# usage: cmake -D PREFIX=DIR -P packaging/libraries.cmake
#
# Then CMAKE_PREFIX_PATH=DIR, as a variable of the environment, makes CMake find them.
# KAON_ARCHIVES may name a folder with archives that were fetched before, as lz4-v1.10.0.tar.gz.

cmake_minimum_required(VERSION 3.25)
if(NOT PREFIX)
  message(FATAL_ERROR "usage: cmake -D PREFIX=DIR -P packaging/libraries.cmake")
endif()
cmake_path(ABSOLUTE_PATH PREFIX NORMALIZE)
include("${CMAKE_CURRENT_LIST_DIR}/../cmake/KaonBuildLibrary.cmake")
set(CMAKE_OSX_DEPLOYMENT_TARGET "$ENV{MACOSX_DEPLOYMENT_TARGET}")

function(build name)
  kaon_build_library(${name} PREFIX "${PREFIX}" ${ARGN})
  if(kaon_build_library_error)
    message(FATAL_ERROR "${kaon_build_library_error}")
  endif()
endfunction()

build(lz4 SUBFOLDER build/cmake URLS https://github.com/lz4/lz4/archive/v1.10.0.tar.gz
  SHA256 537512904744b35e232912055ccf8ec66d768639ff3abe5788d90d792ec5f48b
  OPTIONS -DLZ4_BUILD_CLI=OFF)
build(zstd SUBFOLDER build/cmake URLS https://github.com/facebook/zstd/archive/v1.5.7.tar.gz
  SHA256 37d7284556b20954e56e1ca85b80226768902e2edabd3b649e9e72c0c9012ee3
  OPTIONS -DZSTD_BUILD_PROGRAMS=OFF -DZSTD_BUILD_SHARED=OFF -DZSTD_BUILD_STATIC=ON)
build(libdeflate URLS https://github.com/ebiggers/libdeflate/archive/v1.25.tar.gz
  SHA256 d11473c1ad4c57d874695e8026865e38b47116bbcb872bfc622ec8f37a86017d
  OPTIONS -DLIBDEFLATE_BUILD_SHARED_LIB=OFF -DLIBDEFLATE_BUILD_GZIP=OFF)
build(highway URLS https://github.com/google/highway/archive/refs/tags/1.2.0.tar.gz
  SHA256 7e0be78b8318e8bdbf6fa545d2ecb4c90f947df03f7aadc42c1967f019e63343
  OPTIONS -DHWY_ENABLE_CONTRIB=OFF -DHWY_ENABLE_EXAMPLES=OFF -DHWY_ENABLE_TESTS=OFF)
build(tbb URLS https://github.com/uxlfoundation/oneTBB/archive/v2022.1.0.tar.gz
  SHA256 ed067603ece0dc832d2881ba5c516625ac2522c665d95f767ef6304e34f961b5
  OPTIONS -DTBB_TEST=OFF -DTBB_STRICT=OFF -DTBBMALLOC_BUILD=OFF)
build(xxhash SUBFOLDER cmake_unofficial URLS https://github.com/Cyan4973/xxHash/archive/v0.8.3.tar.gz
  SHA256 aae608dfe8213dfd05d909a57718ef82f30722c392344583d3f39050c7f29a80
  OPTIONS -DXXHASH_BUILD_XXHSUM=OFF)
build(json URLS https://github.com/nlohmann/json/archive/v3.11.3.tar.gz
  SHA256 0d8ef5af7f9794e3263480193c491549b2ba6cc74bb018906202ada498a79406
  OPTIONS -DJSON_BuildTests=OFF)
build(boost URLS https://archives.boost.io/release/1.87.0/source/boost_1_87_0.tar.bz2
  SHA256 af57be25cb4c4f4b413ed692fe378affb4352ea50fbe294a11ef548f4d527d89
  HEADERS boost)
# kaon decompresses chunks itself, so libhdf5 needs neither zlib nor libaec, and small code instead of fast code.
build(hdf5 URLS https://support.hdfgroup.org/releases/hdf5/v1_14/v1_14_5/downloads/hdf5-1.14.5.tar.gz
  SHA256 ec2e13c52e60f9a01491bb3158cb3778c985697131fc6a342262d32a26e58e44
  OPTIONS -DCMAKE_BUILD_TYPE=MinSizeRel -DHDF5_BUILD_CPP_LIB=OFF -DHDF5_BUILD_EXAMPLES=OFF -DHDF5_BUILD_HL_LIB=OFF -DHDF5_BUILD_TOOLS=OFF
    -DHDF5_ENABLE_SZIP_SUPPORT=OFF -DHDF5_ENABLE_Z_LIB_SUPPORT=OFF -DHDF5_ENABLE_ROS3_VFD=OFF -DHDF5_EXTERNALLY_CONFIGURED=ON)
