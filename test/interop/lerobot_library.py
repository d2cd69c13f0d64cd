"""The real LeRobot library on the other side of the tests.

  lerobot_library.py write FOLDER   records a small v3.0 set with the library's own writer, video included
  lerobot_library.py read FOLDER [STEP]   opens FOLDER with the library's own loader and reads every STEP-th row

Both print one JSON object: episodes, frames, and for each episode its length, its task, and sums of what was read,
so that another reader can be held against it.
"""

import json
import os
import sys

os.environ["HF_HUB_OFFLINE"] = "1"

import numpy as np
import torch

torch.set_num_threads(1)

import torchvision_operators  # noqa: E402, F401
from lerobot.datasets.lerobot_dataset import LeRobotDataset  # noqa: E402

CAMERA = "observation.images.front"


def write(folder: str) -> LeRobotDataset:
    features = {
        "observation.state": {"dtype": "float32", "shape": (6,), "names": [f"joint_{i}.pos" for i in range(6)]},
        "action": {"dtype": "float32", "shape": (6,), "names": [f"joint_{i}.pos" for i in range(6)]},
        CAMERA: {"dtype": "video", "shape": (96, 128, 3), "names": ["height", "width", "channels"]},
    }
    dataset = LeRobotDataset.create("assay/interop", fps=30, features=features, root=folder, use_videos=True)
    random = np.random.default_rng(7)
    for episode in range(5):
        for frame in range(40 + 10 * episode):
            phase = frame / 30 + episode
            picture = random.integers(0, 40, (96, 128, 3), dtype=np.uint8)
            picture[:, (frame * 2) % 118 : (frame * 2) % 118 + 10] += 180
            dataset.add_frame(
                {
                    "observation.state": np.sin(phase + np.arange(6)).astype(np.float32),
                    "action": np.sin(phase + 0.05 + np.arange(6)).astype(np.float32),
                    CAMERA: picture,
                    "task": f"move block {episode % 2} to the tray",
                }
            )
        dataset.save_episode()
    dataset.finalize()
    return LeRobotDataset("assay/interop", root=folder, video_backend="torchcodec")


def finite(total: float) -> float | None:
    return total if np.isfinite(total) else None


def summarise(dataset: LeRobotDataset, step: int = 1) -> dict:
    episodes: dict[int, dict] = {}
    cameras = dataset.meta.camera_keys
    for i in range(0, len(dataset), step):
        item = dataset[i]
        row = episodes.setdefault(
            int(item["episode_index"]),
            {"length": 0, "task": item["task"], "state_sum": 0.0, "action_sum": 0.0, "cameras": {c: [] for c in cameras}},
        )
        row["length"] += 1
        row["state_sum"] += float(item["observation.state"].double().sum())
        row["action_sum"] += float(item["action"].double().sum())
        for camera in cameras:
            red, green, blue = item[camera].double().mean(dim=(1, 2)).tolist()
            row["cameras"][camera].append(255 * (0.299 * red + 0.587 * green + 0.114 * blue))
    for row in episodes.values():
        row["state_sum"], row["action_sum"] = finite(row["state_sum"]), finite(row["action_sum"])
    return {
        "episodes": [episodes[i] for i in sorted(episodes)],
        "total_episodes": dataset.meta.total_episodes,
        "total_frames": len(dataset),
    }


if __name__ == "__main__":
    verb, folder = sys.argv[1], sys.argv[2]
    opened = write(folder) if verb == "write" else LeRobotDataset("assay/read", root=folder, video_backend="torchcodec")
    print(json.dumps(summarise(opened, int(sys.argv[3]) if len(sys.argv) > 3 else 1), allow_nan=False))
