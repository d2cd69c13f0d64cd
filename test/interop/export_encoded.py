"""A LeRobot export whose videos were encoded again, beside its source, both read by the library.

  export_encoded.py SOURCE EXPORT   prints {"rows", "fps", "shape", "codecs", "different": [..], "least_psnr"}

A row at t seconds of its episode is the last row of the source at or before t (from the first row that was kept): numbers
are equal, pictures nearly so.
"""

import json
import pathlib
import sys

import av
import numpy as np
import torch

from lerobot_library import CAMERA, LeRobotDataset


def main(source: pathlib.Path, export: pathlib.Path) -> dict:
    lineage = json.loads((export / "assay-lineage.json").read_text())
    before = LeRobotDataset("assay/source", root=source, video_backend="torchcodec")
    after = LeRobotDataset("assay/export", root=export, video_backend="torchcodec")
    different, psnr, row = [], [], 0
    for kept in lineage["kept"]:
        meta = after.meta.episodes[kept["index"]]
        first = before.meta.episodes[kept["source_index"]]["dataset_from_index"] + kept.get("rows", {}).get("from", 0)
        for at in range(meta["length"]):
            own = after[row]
            last = before.meta.episodes[kept["source_index"]]["dataset_to_index"] - 1
            theirs = before[min(last, first + int(at * before.fps / after.fps + 1e-6))]
            for key in ("action", "observation.state"):
                if not np.array_equal(own[key].numpy(), theirs[key].numpy()):
                    different.append(f"{kept['id']} row {at} {key}")
            if abs(float(own["timestamp"]) - at / after.fps) > 1e-6 or own["task"] != theirs["task"]:
                different.append(f"{kept['id']} row {at} time or task")
            wanted = theirs[CAMERA]
            if wanted.shape != own[CAMERA].shape:
                wanted = torch.nn.functional.interpolate(wanted[None], own[CAMERA].shape[1:], mode="area")[0]
            error = float(((own[CAMERA] - wanted) ** 2).mean())
            psnr.append(99.0 if error == 0 else -10 * np.log10(error))
            row += 1
    codecs = set()
    for path in sorted((export / "videos").rglob("*.mp4")):
        with av.open(str(path)) as container:
            codecs.add(container.streams.video[0].codec_context.name)
    return {
        "rows": row,
        "total": len(after),
        "fps": after.fps,
        "shape": list(after[0][CAMERA].shape),
        "declared": after.meta.info["features"][CAMERA]["info"].get("video.codec"),
        "codecs": sorted(codecs),
        "different": different[:10],
        "least_psnr": min(psnr),
        "statistics_count": int(after.meta.stats[CAMERA]["count"][0]),
    }


print(json.dumps(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))))
