"""A LeRobot set that was made of other recordings, as LeRobot's own loader gives it.

  export_recorded.py FOLDER   prints {"rows", "ends", "numbers": {feature: sha256}, "pictures": {camera: [mean of each row]},
                              "batch": {key: shape}}

Numbers are hashed as float64, rows in order. A picture is told by the mean of each of 4 x 4 blocks of its grey levels.
"""

import hashlib
import json
import sys

import numpy as np
import torch
from lerobot_library import LeRobotDataset

COUNTS = {"timestamp", "frame_index", "episode_index", "index", "task_index"}


def blocks(picture: torch.Tensor) -> list[float]:
    grey = picture.float().mean(0) * 255
    return torch.nn.functional.adaptive_avg_pool2d(grey[None], 4).flatten().round(decimals=1).tolist()


def main(folder: str) -> dict:
    dataset = LeRobotDataset("assay/export", root=folder, video_backend="torchcodec")
    cameras = dataset.meta.video_keys
    numbers, pictures, ends = {}, {}, []
    for row in range(len(dataset)):
        item = dataset[row]
        assert int(item["index"]) == row
        for key, feature in dataset.meta.features.items():
            if key in cameras:
                pictures.setdefault(key, []).append(blocks(item[key]))
            elif key not in COUNTS:
                own = np.asarray(item[key], dtype="<f8").reshape(-1)
                assert len(own) == feature["shape"][0]
                numbers.setdefault(key, hashlib.sha256()).update(own.tobytes())
    for episode in dataset.meta.episodes:
        ends.append(episode["dataset_to_index"])
    delta = {"action": [0.0, 1 / dataset.fps]} if "action" in dataset.meta.features else None
    batch = next(iter(torch.utils.data.DataLoader(
        LeRobotDataset("assay/export", root=folder, delta_timestamps=delta, video_backend="torchcodec"), batch_size=4)))
    shapes = {key: list(value.shape) for key, value in batch.items() if isinstance(value, torch.Tensor)}
    digests = {key: one.hexdigest() for key, one in numbers.items()}
    return {"rows": len(dataset), "ends": ends, "numbers": digests, "pictures": pictures, "batch": shapes}


real, sys.stdout = sys.stdout, sys.stderr
found = main(sys.argv[1])
print(json.dumps(found), file=real)
