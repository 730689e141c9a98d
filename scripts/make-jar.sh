#!/usr/bin/env bash
# Makes the Maven artefacts of org.kaon:kaon in the folder `maven` of a build that has a JDK: a jar,
# its sources, its documentation and the pom. The jar contains kaon's C library and the libraries
# that it needs, except those of the system.
# usage: scripts/make-jar.sh BUILD
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "$0")/.."

value() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
jdk=$(value KAON_JAVA_HOME)/bin
version=$(value CMAKE_PROJECT_VERSION)
out=$build/maven
name=$out/kaon-$version
rm -rf "$out"

# Libraries of every Linux system with this C library.
of_the_system='^(linux-vdso|ld-linux.*|lib(c|m|dl|rt|pthread|resolv))\.so'

# Library.java expects this folder's name, and libraries before those that need them. ldd lists
# them in the opposite order.
folder=$out/classes/kaon/native/$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)
mkdir -p "$folder" "$out/classes/META-INF/maven"
library=$build/src/kaon-c/libkaon_c.so
{ echo "$library"; ldd "$library" | awk '$2 == "=>" { print $3 }'; } | tac | while read -r path; do
  file=$(basename "$path")
  [[ $file =~ $of_the_system ]] && continue
  strip --strip-unneeded -o "$folder/$file" "$(realpath "$path")"
  patchelf --set-rpath '$ORIGIN' "$folder/$file"
  echo "$file" >>"$folder/libraries"
done

sed "s/@VERSION@/$version/" java/pom.xml.in >"$name.pom"
cp "$name.pom" "$out/classes/META-INF/maven/pom.xml"
cp LICENSE NOTICE "$out/classes/META-INF/"
(cd "$out/classes" && "$jdk/jar" xf "$build/java/kaon.jar" && rm -f META-INF/MANIFEST.MF)
printf 'Enable-Native-Access: ALL-UNNAMED\nAutomatic-Module-Name: kaon\n' >"$out/manifest"
"$jdk/jar" cfm "$name.jar" "$out/manifest" -C "$out/classes" .
"$jdk/jar" cf "$name-sources.jar" -C java kaon
"$jdk/javadoc" -quiet -Xdoclint:all -Werror -d "$out/javadoc" java/kaon/*.java
"$jdk/jar" cf "$name-javadoc.jar" -C "$out/javadoc" .
rm -rf "$out/classes" "$out/javadoc" "$out/manifest"
ls -l "$name"*
