# Finds ROOT for this directory: ROOT_DIR, CMAKE_PREFIX_PATH, or the wheel that scripts/setup-root.sh installs.
# Sets KAON_ROOT_FOUND.

set(KAON_ROOT_FOUND FALSE)
if(KAON_BUILD_ROOT)
  file(GLOB kaon_root_wheel CONFIGURE_DEPENDS
    "${PROJECT_SOURCE_DIR}/build/root-venv/lib/python3.*/mock_site_packages/ROOT/cmake")
  find_package(ROOT 6.36 CONFIG QUIET COMPONENTS ROOTDataFrame PATHS ${kaon_root_wheel})
  set(KAON_ROOT_FOUND ${ROOT_FOUND})
  unset(kaon_root_wheel)
endif()
