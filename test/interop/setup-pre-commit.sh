#!/usr/bin/env bash
# Virtual environment with pre-commit, which runs the hook of .pre-commit-hooks.yaml: $1 is its folder. Done once; a stamp file tells.
set -euo pipefail
folder=$1
[ -f "$folder/.ready-1" ] && exit 0
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check pre-commit
touch "$folder/.ready-1"
