#!/usr/bin/env bash
# Virtual environment with the Python peers and consumers: $1 is its folder. Done once; a stamp file tells.
set -euo pipefail
folder=$1
[ -f "$folder/.ready-9" ] && exit 0
python3 -m venv "$folder"
pip=("$folder/bin/pip" install --quiet --disable-pip-version-check)
"${pip[@]}" \
  lerobot-doctor cleanvision rosbags pyarrow mcap pycocotools h5py pyulog pymavlink "zarr<3" "numcodecs<0.16" rfc8785 opencv-python-headless av schemathesis webdataset mcap-protobuf-support onnx onnxruntime
# Canonical readers of recordings of driving; the second asks for an older numpy than it needs.
"${pip[@]}" --no-deps pykitti==0.3.1 nuscenes-devkit==1.2.0
# Trackers and what scores them; the first asks for a second build of OpenCV.
"${pip[@]}" --no-deps supervision==0.26.1 trackeval==1.3.0 defusedxml
"${pip[@]}" scipy pyyaml requests pandas matplotlib pillow tqdm pyquaternion cachetools scikit-learn
touch "$folder/.ready-9"
