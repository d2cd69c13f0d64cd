"""A v2.1 export of Assay beside the LeRobot set that it was made from.

  export_v21_beside_source.py SOURCE EXPORT   prints {"episodes", "rows", "pictures", "different": [..], "batch": {..}}

Every row of the export is read with the loader of LeRobot 0.3.3, the last that reads v2.1. Its numbers are compared with
the source's Parquet, its pictures with the source's video as torchcodec decodes it.
"""

import json
import pathlib
import sys

# LeRobot 0.3.3 and the version of `datasets` that it asks for lie in a folder of their own.
sys.path.insert(0, str(pathlib.Path(sys.prefix) / "v21"))

import numpy as np
import torch
from torchcodec.decoders import VideoDecoder

from lerobot_library import LeRobotDataset
from source_set import source_rows, source_window

RENUMBERED = {"episode_index", "index", "task_index"}


def main(source: pathlib.Path, export: pathlib.Path) -> dict:
    lineage = json.loads((export / "assay-lineage.json").read_text())
    dataset = LeRobotDataset("assay/export", root=export, video_backend="torchcodec")
    assert dataset.meta.info["codebase_version"] == "v2.1"
    different: list[str] = []
    pictures = 0
    row = 0
    for kept in lineage["kept"]:
        before = source_rows(source, kept["source_index"])
        rows = len(before["index"])
        windows = {camera: source_window(source, camera, kept["source_index"]) for camera in dataset.meta.video_keys}
        films = {camera: (VideoDecoder(str(path)), from_s) for camera, (path, from_s) in windows.items()}
        for at in range(rows):
            item = dataset[row + at]
            if (int(item["episode_index"]), int(item["frame_index"]), int(item["index"])) != (kept["index"], at, row + at):
                different.append(f"{kept['id']} row {at} is counted wrongly")
            for key, values in before.items():
                if key in RENUMBERED or key not in item:
                    continue
                if not np.array_equal(np.asarray(item[key]), np.asarray(values[at], dtype=np.asarray(item[key]).dtype)):
                    different.append(f"{kept['id']} row {at} {key}")
            for camera, (film, from_s) in films.items():
                theirs = film.get_frame_played_at(from_s + float(item["timestamp"]) + 1e-4).data
                pictures += 1
                if not torch.equal(item[camera], theirs.type(torch.float32) / 255):
                    different.append(f"{kept['id']} row {at} {camera}")
        row += rows
    deltas = {"action": [0.0, 1 / dataset.fps]}
    windows = LeRobotDataset("assay/export", root=export, video_backend="torchcodec", delta_timestamps=deltas)
    batch = next(iter(torch.utils.data.DataLoader(windows, batch_size=4, shuffle=True)))
    return {
        "episodes": len(lineage["kept"]),
        "rows": len(dataset),
        "pictures": pictures,
        "different": different[:10],
        "batch": {key: list(value.shape) for key, value in batch.items() if hasattr(value, "shape")},
    }


if __name__ == "__main__":
    print(json.dumps(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))))
