"""An export of Assay beside the LeRobot set that it was made from.

  export_beside_source.py SOURCE EXPORT   prints {"episodes", "rows", "frames", "different": [..], "batch": {..}}

Every row of the export is read with the library's own loader. Its numbers are compared with the source's Parquet, its
pictures, bit by bit, with the source's video as PyAV decodes it.
"""

import json
import pathlib
import sys

import av
import numpy as np
import torch

from lerobot_library import LeRobotDataset
from source_set import source_rows, source_window

RENUMBERED = {"episode_index", "index", "task_index"}


def decoded(path: pathlib.Path, from_s: float, rows: int, fps: float) -> list[np.ndarray]:
    frames = []
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            if frame.time > from_s - 0.5 / fps and len(frames) < rows:
                frames.append(frame.to_ndarray())
    return frames


def main(source: pathlib.Path, export: pathlib.Path) -> dict:
    lineage = json.loads((export / "assay-lineage.json").read_text())
    dataset = LeRobotDataset("assay/export", root=export, video_backend="torchcodec")
    cameras = dataset.meta.video_keys
    different: list[str] = []
    frames = 0
    row = 0
    for kept in lineage["kept"]:
        before = source_rows(source, kept["source_index"])
        rows = len(before["index"])
        for at in range(rows):
            item = dataset[row + at]
            if (int(item["episode_index"]), int(item["frame_index"]), int(item["index"])) != (kept["index"], at, row + at):
                different.append(f"{kept['id']} row {at} is counted wrongly")
            for key, values in before.items():
                if key in RENUMBERED or key not in item:
                    continue
                if not np.array_equal(np.asarray(item[key]), np.asarray(values[at], dtype=np.asarray(item[key]).dtype)):
                    different.append(f"{kept['id']} row {at} {key}")
        for camera in cameras:
            meta = dataset.meta.episodes[kept["index"]]
            own = decoded(
                export / dataset.meta.get_video_file_path(kept["index"], camera),
                meta[f"videos/{camera}/from_timestamp"], rows, dataset.fps,
            )
            path, from_s = source_window(source, camera, kept["source_index"])
            theirs = decoded(path, from_s, rows, dataset.fps)
            frames += len(own)
            if len(own) != len(theirs) or not all(np.array_equal(a, b) for a, b in zip(own, theirs)):
                different.append(f"{kept['id']} {camera}")
        row += rows
    deltas = {"action": [0.0, 1 / dataset.fps]}
    windows = LeRobotDataset("assay/export", root=export, video_backend="torchcodec", delta_timestamps=deltas)
    batch = next(iter(torch.utils.data.DataLoader(windows, batch_size=4, shuffle=True)))
    return {
        "episodes": len(lineage["kept"]),
        "rows": len(dataset),
        "frames": frames,
        "different": different[:10],
        "batch": {key: list(value.shape) for key, value in batch.items() if hasattr(value, "shape")},
    }


print(json.dumps(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))))
