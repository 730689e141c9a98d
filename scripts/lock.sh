#!/usr/bin/env bash
# Pins each requirements*.in, with hashes, in a .lock file. Passes its
# arguments on: `scripts/lock.sh --upgrade`.
set -euo pipefail
cd "$(dirname "$0")/.."

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
python3 -m venv "$tools"
"$tools/bin/pip" install --quiet uv

# Use uv's pip-compile: its lock files serve all Python versions from 3.10.
for name in requirements requirements-docs requirements-partners requirements-checks; do
  "$tools/bin/uv" pip compile --universal --python-version 3.10 --generate-hashes \
    --no-emit-find-links --custom-compile-command scripts/lock.sh "$@" \
    --quiet --output-file $name.lock $name.in
done
