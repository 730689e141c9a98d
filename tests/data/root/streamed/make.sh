#!/usr/bin/env bash
# Makes ttree_streamed.root with ROOT's wheel (scripts/setup-root.sh): streamed/make.sh build/root-venv
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$("$1/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')/ROOT"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
export LD_LIBRARY_PATH="$root/lib:$root/../root.libs"
cp "$here"/*.h "$here"/make.cpp "$work"
cd "$work"
"$root/bin/rootcling" -f Dictionary.cpp Streamed.h LinkDef.h
g++ -std=c++17 -I. -I"$root/include" make.cpp Dictionary.cpp -o make \
  -L"$root/lib" -lCore -lRIO -lTree -Wl,-rpath,"$root/lib" -Wl,-rpath,"$root/../root.libs"
./make "$here/../ttree_streamed.root"
