#!/usr/bin/env bash
# Fetches JUnit, which runs the Java tests: scripts/setup-junit.sh JAR
set -euo pipefail
jar=$(realpath -m "$1")
version=1.11.4
source=https://repo1.maven.org/maven2/org/junit/platform/junit-platform-console-standalone/$version/junit-platform-console-standalone-$version.jar
sha256=b016ef6b1c3454d6d7c2c88ce081dabf289699686af6622d6e4e2e1b54b4a2fc

mkdir -p "$(dirname "$jar")"
partial=$(mktemp "$jar.XXXXXX")
trap 'rm -f "$partial"' EXIT
curl --silent --show-error --fail --location --retry 3 --output "$partial" "$source"
if ! echo "$sha256  $partial" | sha256sum --check --status; then
  echo "$source: the SHA-256 differs from $sha256, so this is not the expected archive. Try again." >&2
  exit 1
fi
chmod 644 "$partial"
mv "$partial" "$jar"
