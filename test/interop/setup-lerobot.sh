#!/usr/bin/env bash
# Virtual environment with the real LeRobot library (CPU): 0.4.4, and beside it 0.3.3 for v2.1 and 0.6.1 for language columns: $1 is its folder. Done once; a stamp file tells.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
[ -f "$folder/.ready-5" ] && exit 0
[ -f "$folder/.ready-1" ] || python3 -m venv "$folder"
pip=("$folder/bin/pip" install --quiet --disable-pip-version-check)
if [ ! -f "$folder/.ready-4" ]; then
  "${pip[@]}" torch==2.13.0
  "${pip[@]}" --no-deps torchvision==0.28.0 lerobot==0.4.4 torchcodec==0.13.0
  "${pip[@]}" 'datasets>=4,<5' 'huggingface-hub<0.36' einops 'opencv-python-headless<4.13' 'av<16' jsonlines \
    draccus==0.10.0 'gymnasium<2' 'deepdiff<9' 'imageio[ffmpeg]' termcolor accelerate 'diffusers<0.36' \
    safetensors 'setuptools<81' pandas pyarrow
  # Canonical readers of other formats, which need torch as well.
  "${pip[@]}" --no-deps robomimic==0.3.0 ultralytics==8.4.190 h5py psutil
  "${pip[@]}" matplotlib
  # 0.3.3 reads v2.1, with the version of datasets that it asks for; its folder goes before the others when it is wanted.
  "${pip[@]}" --no-deps --upgrade --target "$folder/v21" lerobot==0.3.3 datasets==3.6.0 dill==0.3.8 multiprocess==0.70.16
  touch "$folder/.ready-1" "$folder/.ready-4"
fi
# 0.6 has language columns. It is written for Python 3.12.
rm -rf "$folder/v06"
"${pip[@]}" --no-deps --ignore-requires-python --target "$folder/v06" lerobot==0.6.1 draccus==0.11.6
"${pip[@]}" --target "$folder/v06" huggingface-hub==1.6.0 2>/dev/null
"$folder/bin/python" "$here/lerobot_backport.py" "$folder/v06"
touch "$folder/.ready-5"
