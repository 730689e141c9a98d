# liblzma 5.6 and newer decode LZMA, which CMS's files use, 1.6 times as fast as older ones. If the system's is older or
# missing, this builds a static one in <build>/liblzma; without a network, kaon uses the system's. Sets
# kaon_bundled_lzma to the library that was built, or to "".

option(KAON_FETCH_LZMA "Fetch and build liblzma 5.8 if the system has none, or one older than 5.6" ON)

set(kaon_lzma_5_8
  SHA256 0b54f79df85912504de0b14aec7971e3f964491af1812d83447005807513cd9e
  URLS https://github.com/tukaani-project/xz/releases/download/v5.8.1/xz-5.8.1.tar.xz
    http://deb.debian.org/debian/pool/main/x/xz-utils/xz-utils_5.8.1.orig.tar.xz
  OPTIONS -DXZ_NLS=OFF -DXZ_DOC=OFF -DXZ_TOOL_XZ=OFF -DXZ_TOOL_XZDEC=OFF -DXZ_TOOL_LZMADEC=OFF -DXZ_TOOL_LZMAINFO=OFF
    -DXZ_TOOL_SCRIPTS=OFF)

function(kaon_find_lzma)
  include(KaonBuildLibrary)
  set(kaon_bundled_lzma "" PARENT_SCOPE)
  set(prefix "${PROJECT_BINARY_DIR}/liblzma")
  set(built "${prefix}/lib/${CMAKE_STATIC_LIBRARY_PREFIX}lzma${CMAKE_STATIC_LIBRARY_SUFFIX}")
  find_path(KAON_lzma_INCLUDE_DIR lzma.h)
  set(version 0)
  if(KAON_lzma_INCLUDE_DIR)
    file(STRINGS "${KAON_lzma_INCLUDE_DIR}/lzma/version.h" lines REGEX "define LZMA_VERSION_(MAJOR|MINOR) ")
    string(REGEX MATCHALL "[0-9]+" version "${lines}")
    list(JOIN version . version)
  endif()
  if(KAON_FETCH_LZMA AND version VERSION_LESS 5.6)
    kaon_build_library(liblzma PREFIX "${prefix}" ${kaon_lzma_5_8})
    if(kaon_build_library_error)
      message(WARNING "kaon reads LZMA at 0.6 of its speed, because the system's liblzma ${version} is older than 5.6, "
        "and a newer one cannot be built here (${kaon_build_library_error})")
    else()
      set(KAON_lzma_INCLUDE_DIR "${prefix}/include" CACHE PATH "" FORCE)
      set(KAON_lzma_LIBRARY "${built}" CACHE FILEPATH "" FORCE)
    endif()
  endif()
  if(KAON_lzma_LIBRARY STREQUAL built)
    set(kaon_bundled_lzma "${built}" PARENT_SCOPE)
  endif()
endfunction()
kaon_find_lzma()
