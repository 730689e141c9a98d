#!/usr/bin/env bash
# Installs ROOT's wheel (248 MB) from PyPI into a venv unless it is there.
# usage: scripts/setup-root.sh build/root-venv [PYTHON]
set -euo pipefail
venv="$1"
python="${2:-python3}"
wheel="root==0.1a12"

[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check "$wheel"
# The wheel's CMake files name a folder of the machine that built them; link it to ours.
packages=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
ln -sfn "$(basename "$packages")" "$(dirname "$packages")/mock_site_packages"
