#!/usr/bin/env bash
# Virtual environment with what shows MCAP files: Rerun's reader, and Foxglove's schemas: $1 is its folder. Done once; a
# stamp file tells.
set -euo pipefail
folder=$1
[ -f "$folder/.ready-1" ] && exit 0
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check 'rerun-sdk>=0.41' mcap mcap-protobuf-support foxglove-schemas-protobuf
touch "$folder/.ready-1"
