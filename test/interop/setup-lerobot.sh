#!/usr/bin/env bash
# Virtual environment with the real LeRobot library (CPU): $1 is its folder. Done once; a stamp file tells.
set -euo pipefail
folder=$1
[ -f "$folder/.ready-1" ] && exit 0
python3 -m venv "$folder"
pip=("$folder/bin/pip" install --quiet --disable-pip-version-check)
"${pip[@]}" torch==2.13.0
"${pip[@]}" --no-deps torchvision==0.28.0 lerobot==0.4.4 torchcodec==0.13.0
"${pip[@]}" 'datasets>=4,<5' 'huggingface-hub<0.36' einops 'opencv-python-headless<4.13' 'av<16' jsonlines \
  draccus==0.10.0 'gymnasium<2' 'deepdiff<9' 'imageio[ffmpeg]' termcolor accelerate 'diffusers<0.36' \
  safetensors 'setuptools<81' pandas pyarrow
touch "$folder/.ready-1"
