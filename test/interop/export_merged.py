"""A merge of Assay beside the LeRobot v3.0 sets that it was made from, and beside LeRobot's own merge of them.

  export_merged.py EXPORT SET..   prints {"episodes", "rows", "different": [..], "statistics": [..], "tasks", "library_tasks"}

Every row of the merge is read with the library's loader and held against the row of the set that the lineage names, read
by the same loader. Statistics are held against those of the library's `aggregate_datasets`.
"""

import json
import pathlib
import sys
import tempfile

import numpy as np

from lerobot_library import LeRobotDataset
from lerobot.datasets.aggregate import aggregate_datasets

RENUMBERED = {"episode_index", "index", "task_index"}


def main(export: pathlib.Path, sources: list[pathlib.Path]) -> dict:
    lineage = json.loads((export / "assay-lineage.json").read_text())
    merged = LeRobotDataset("assay/export", root=export, video_backend="torchcodec")
    sets = {path.name: LeRobotDataset("assay/source", root=path, video_backend="torchcodec") for path in sources}
    different = []
    row = 0
    for kept in lineage["kept"]:
        source = sets[kept["source"]]
        meta = source.meta.episodes[kept["source_index"]]
        for at in range(meta["dataset_from_index"], meta["dataset_to_index"]):
            own, theirs = merged[row], source[at]
            if (int(own["index"]), int(own["episode_index"])) != (row, kept["index"]):
                different.append(f"row {row} is counted wrongly")
            for key, value in theirs.items():
                if key in RENUMBERED:
                    continue
                same = own[key] == value if isinstance(value, str) else np.array_equal(own[key].numpy(), value.numpy())
                if not same:
                    different.append(f"{kept['source']} {kept['id']} row {at} {key}")
            row += 1
    statistics, tasks = beside_library(merged, sources)
    return {
        "episodes": merged.meta.total_episodes,
        "rows": len(merged),
        "compared": row,
        "different": different[:10],
        "statistics": statistics[:10],
        "tasks": list(merged.meta.tasks.index),
        "library_tasks": tasks,
    }


def beside_library(merged: LeRobotDataset, sources: list[pathlib.Path]) -> tuple[list[str], list[str]]:
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / "aggregate"
        aggregate_datasets([f"assay/{path.name}" for path in sources], "assay/aggregate", sources, root)
        library = LeRobotDataset("assay/aggregate", root=root, video_backend="torchcodec").meta
        apart = []
        for key, values in library.stats.items():
            if key in RENUMBERED:
                continue
            for name in ("min", "max", "mean", "std", "count"):
                own = np.asarray(merged.meta.stats[key][name], dtype=float)
                theirs = np.asarray(values[name], dtype=float)
                if own.shape != theirs.shape or not np.allclose(own, theirs, rtol=1e-5, atol=1e-6):
                    apart.append(f"{key} {name}: {own.ravel().tolist()} {theirs.ravel().tolist()}")
        return apart, list(library.tasks.index)


print(json.dumps(main(pathlib.Path(sys.argv[1]), [pathlib.Path(path) for path in sys.argv[2:]])))
