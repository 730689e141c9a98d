#!/usr/bin/env bash
# Pins requirements.in, with hashes, in requirements.lock. Arguments go on: `scripts/lock.sh --upgrade`.
set -euo pipefail
cd "$(dirname "$0")/.."

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
python3 -m venv "$tools"
"$tools/bin/pip" install --quiet uv

# uv's pip-compile, because one lock must serve every Python from 3.10 up.
"$tools/bin/uv" pip compile --universal --python-version 3.10 --generate-hashes \
  --no-emit-find-links --custom-compile-command scripts/lock.sh "$@" \
  --quiet --output-file requirements.lock requirements.in
