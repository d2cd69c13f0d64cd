#!/usr/bin/env bash
# Virtual environment with what the Python client stands on and is tested by: $1 is its folder. Done once; a stamp file tells.
set -euo pipefail
folder=$1
[ -f "$folder/.ready-1" ] && exit 0
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check httpx typing-extensions mypy pytest pytest-asyncio hatchling build
touch "$folder/.ready-1"
