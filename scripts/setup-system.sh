#!/usr/bin/env bash
# Installs the missing system packages that kaon needs. Without apt-get, prints their names.
# usage: scripts/setup-system.sh [build] [format] [tidy] [docs] [instructions] [shells]
set -euo pipefail

# All packages: group, Debian package, and a check that tells whether it is installed.
needs='
build   g++               program c++
build   cmake             program cmake
build   ninja-build       program ninja
build   make              program make
build   git               program git
build   curl              program curl
build   python3-venv      python  import ensurepip, venv
build   python3-dev       python  import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")
build   python3-yaml      python  import yaml
build   python3-jinja2    python  import jinja2
build   liblz4-dev        header  lz4.h
build   libzstd-dev       header  zstd.h
build   libdeflate-dev    header  libdeflate.h
build   libhdf5-dev       program h5cc
build   libblosc-dev      header  blosc.h
build   libcurl4-openssl-dev program curl-config
build   liblzma-dev       header  lzma.h
build   libhwy-dev        header  hwy/highway.h
build   libtbb-dev        header  oneapi/tbb/task_group.h
build   libboost-dev      header  boost/histogram.hpp
build   libxxhash-dev     header  xxhash.h
build   nlohmann-json3-dev header nlohmann/json.hpp
build   libgtest-dev      header  gtest/gtest.h
format  clang-format-16   program clang-format-16
tidy    clang-16          program clang++-16
tidy    clang-tidy-16     program clang-tidy-16
docs    doxygen           program doxygen
docs    python3-venv      python  import ensurepip, venv
instructions valgrind     header  valgrind/callgrind.h
shells  zsh               program zsh
shells  fish              program fish
'

program() { command -v "$1"; }
python() { "${PYTHON:-python3}" -c "$1"; }
header() { printf '#if !__has_include(<%s>)\n#error\n#endif\n' "$1" | c++ -E -x c++ -; }

missing() {
  local group package check what
  while read -r group package check what; do
    [[ " ${groups[*]} " == *" $group "* ]] || continue
    "$check" "$what" &>/dev/null </dev/null || echo "$package"
  done <<<"$needs"
}

groups=("${@:-build}")
mapfile -t packages < <(missing)
((${#packages[@]})) || exit 0

if ! command -v apt-get >/dev/null; then
  echo "kaon needs the packages that Debian calls ${packages[*]}. Install them with the package manager of this system." >&2
  exit 1
fi

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "Installing packages needs root or sudo: apt-get install ${packages[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "Installing system packages: ${packages[*]}"
"${as_root[@]}" apt-get update -qq >/dev/null
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -qq -o Dpkg::Use-Pty=0 --no-install-recommends "${packages[@]}" >/dev/null

mapfile -t packages < <(missing)
if ((${#packages[@]})); then
  echo "These packages are installed, but the first compiler or ${PYTHON:-python3} in PATH does not find them: ${packages[*]}" >&2
  exit 1
fi
