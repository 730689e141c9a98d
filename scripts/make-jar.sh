#!/usr/bin/env bash
# Makes what Maven knows as org.kaon:kaon, of the folder of a build with a JDK: a jar that has kaon's library for C inside, with the
# libraries that it needs but for those that are the system's, its sources, its documentation, and the pom.
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

# What any Linux with this C library has, and no program brings along.
of_the_system='^(linux-vdso|ld-linux.*|lib(c|m|dl|rt|pthread|resolv))\.so'

# The folder is called as in Library.java. Libraries come before those that need them, as ldd has them the other way round.
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
