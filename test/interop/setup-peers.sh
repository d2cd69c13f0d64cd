#!/usr/bin/env bash
# Virtual environment with the Python peers and consumers: $1 is its folder. Done once; a stamp file tells.
set -euo pipefail
folder=$1
[ -f "$folder/.ready-4" ] && exit 0
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check \
  lerobot-doctor cleanvision rosbags pyarrow mcap pycocotools h5py pyulog pymavlink "zarr<3" "numcodecs<0.16" rfc8785 opencv-python-headless av schemathesis
touch "$folder/.ready-4"
