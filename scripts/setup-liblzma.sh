#!/usr/bin/env bash
# Builds liblzma 5.8 if the system's version is older than 5.6, which reads at 0.6 of its speed.
# usage: scripts/setup-liblzma.sh PREFIX
set -euo pipefail
prefix=$(realpath -m "$1")
source=http://deb.debian.org/debian/pool/main/x/xz-utils/xz-utils_5.8.1.orig.tar.xz # the release of https://tukaani.org/xz
sha256=0b54f79df85912504de0b14aec7971e3f964491af1812d83447005807513cd9e

printf '#include <lzma.h>\n#if LZMA_VERSION < UINT32_C(50060002)\n#error\n#endif\n' | c++ -E -x c++ - &>/dev/null && exit 0
[ -e "$prefix/lib/liblzma.a" ] && exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! curl --silent --show-error --fail --location --retry 3 --output "$work/xz.tar.xz" "$source"; then
  echo "kaon takes the system's liblzma, as a newer one cannot be fetched: LZMA is read at 0.6 of its speed."
  exit 0
fi
if ! echo "$sha256  $work/xz.tar.xz" | sha256sum --check --status; then
  echo "$source is not the archive that kaon knows: its SHA-256 differs from $sha256. Try again, or install liblzma 5.6 or newer." >&2
  exit 1
fi
tar -C "$work" -xf "$work/xz.tar.xz" --strip-components 1

run() { "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }; }
run cmake -S "$work" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
  -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_TESTING=OFF -DXZ_NLS=OFF -DXZ_DOC=OFF \
  -DXZ_TOOL_{XZ,XZDEC,LZMADEC,LZMAINFO,SCRIPTS}=OFF
run cmake --build "$work/build"
run cmake --install "$work/build"
