#!/usr/bin/env bash
# Virtual environment with robovet, a peer with a show-case of common defects: $1 is its folder. Done once; a stamp file
# tells.
set -euo pipefail
folder=$1
[ -f "$folder/.ready-1" ] && exit 0
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check 'robovet[video]==0.2.2'
touch "$folder/.ready-1"
