# Builds programs that write objects of their own classes, with ROOT's wheel (scripts/setup-root.sh).
# A script sources this file with the folder of the wheel's environment, such as build/root-venv. It
# then works in a temporary folder with the sources beside the script.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$("$1/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')/ROOT"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
export LD_LIBRARY_PATH="$root/lib:$root/../root.libs"
cp "$here"/*.h "$here"/make.cpp "$work"
cd "$work"

build() { # build HEADER FLAG...: the program `make` with the classes of a header
  "$root/bin/rootcling" -f Dictionary.cpp "${@:2}" "$1" LinkDef.h
  g++ -std=c++17 "${@:2}" -I. -I"$root/include" make.cpp Dictionary.cpp -o make \
    -L"$root/lib" -lCore -lRIO -lTree -Wl,-rpath,"$root/lib" -Wl,-rpath,"$root/../root.libs"
}
