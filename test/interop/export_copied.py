"""Frames of a LeRobot set whose video was copied, as LeRobot's own loader gives them, beside those of the source.

  export_copied.py FOLDER CAMERA VIDEO FIRST   prints {"rows", "different"}: row k shows frame FIRST + k of VIDEO
"""

import json
import sys

import torch
from lerobot_library import LeRobotDataset
from torchcodec.decoders import VideoDecoder


def main(folder: str, camera: str, video: str, first: str) -> dict:
    dataset = LeRobotDataset("assay/export", root=folder, video_backend="torchcodec")
    source = VideoDecoder(video)
    rows = len(dataset)
    wrong = sum(
        not torch.equal((dataset[row][camera] * 255).round().to(torch.uint8), source.get_frame_at(int(first) + row).data)
        for row in range(rows)
    )
    return {"rows": rows, "different": wrong}


real, sys.stdout = sys.stdout, sys.stderr
found = main(*sys.argv[1:])
print(json.dumps(found), file=real)
