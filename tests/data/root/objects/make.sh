#!/usr/bin/env bash
# Makes ttree_objects.root, ttree_branch_clones.root, ttree_counted.root, ttree_unread.root and ttree_split.root with ROOT's wheel (scripts/setup-root.sh): objects/make.sh build/root-venv
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$("$1/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')/ROOT"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
export LD_LIBRARY_PATH="$root/lib:$root/../root.libs"
cp "$here"/*.h "$here"/make.cpp "$work"
cd "$work"
for version in 1 2; do
  "$root/bin/rootcling" -f Dictionary.cpp -DVERSION=$version Objects.h LinkDef.h
  g++ -std=c++17 -DVERSION=$version -I. -I"$root/include" make.cpp Dictionary.cpp -o make$version \
    -L"$root/lib" -lCore -lRIO -lTree -Wl,-rpath,"$root/lib" -Wl,-rpath,"$root/../root.libs"
  ./make$version "$([ $version = 1 ] && echo old || echo new)" "$here/../ttree_objects.root" \
    "$here/../ttree_branch_clones.root" "$here/../ttree_counted.root" "$here/../ttree_unread.root" \
    "$here/../ttree_split.root"
done
