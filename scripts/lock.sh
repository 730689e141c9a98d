#!/usr/bin/env bash
# Pins each requirements*.in, with hashes, in a .lock file. Arguments go on: `scripts/lock.sh --upgrade`.
set -euo pipefail
cd "$(dirname "$0")/.."

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
python3 -m venv "$tools"
"$tools/bin/pip" install --quiet uv

# uv's pip-compile, because one lock must serve every Python from 3.10 up.
for name in requirements requirements-docs requirements-partners; do
  "$tools/bin/uv" pip compile --universal --python-version 3.10 --generate-hashes \
    --no-emit-find-links --custom-compile-command scripts/lock.sh "$@" \
    --quiet --output-file $name.lock $name.in
done
