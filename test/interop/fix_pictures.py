"""Statistics of pictures, as the real LeRobot library computes them.

  fix_pictures.py strip FOLDER     takes the camera's statistics out of a v3.0 set, of its episodes and of the set
  fix_pictures.py compare FOLDER   prints for each episode what the set says (`said`), and what the library's own functions
                                   make of the decoded pictures (`found`); and what the set says of all, with the pool

0.4.4 squares bytes as bytes, which run over, so that `std` is taken from 0.3.3, in the folder v21 of the environment.
"""

import importlib.util
import json
import pathlib
import sys
import tempfile

import numpy as np
import PIL.Image
import pyarrow.parquet

from lerobot_library import CAMERA, LeRobotDataset
from lerobot.datasets import compute_stats


def strip(folder: pathlib.Path) -> None:
    for path in folder.glob("meta/episodes/*/*.parquet"):
        table = pyarrow.parquet.read_table(path)
        own = [name for name in table.column_names if name.startswith(f"stats/{CAMERA}/")]
        pyarrow.parquet.write_table(table.drop_columns(own), path)
    path = folder / "meta/stats.json"
    stats = json.loads(path.read_text())
    del stats[CAMERA]
    path.write_text(json.dumps(stats))


def rows_of(folder: pathlib.Path) -> list[dict]:
    paths = sorted(folder.glob("meta/episodes/*/*.parquet"))
    return [row for path in paths for row in pyarrow.parquet.read_table(path).to_pylist()]


def before_quantiles():
    path = pathlib.Path(sys.prefix) / "v21/lerobot/datasets/compute_stats.py"
    spec = importlib.util.spec_from_file_location("compute_stats_033", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def plain(entry: dict) -> dict:
    return {name: np.asarray(value).tolist() for name, value in entry.items()}


def compare(folder: pathlib.Path) -> dict:
    dataset = LeRobotDataset("assay/fixed", root=folder, video_backend="torchcodec")
    older = before_quantiles()
    said, found = [], []
    with tempfile.TemporaryDirectory() as scratch:
        for row in rows_of(folder):
            paths = []
            for index in range(row["dataset_from_index"], row["dataset_to_index"]):
                picture = (dataset[index][CAMERA].numpy().transpose(1, 2, 0) * 255).round().astype(np.uint8)
                paths.append(f"{scratch}/{index}.png")
                PIL.Image.fromarray(picture).save(paths[-1])
            features = {CAMERA: {"dtype": "video"}}
            entry = compute_stats.compute_episode_stats({CAMERA: paths}, features)[CAMERA]
            entry["std"] = older.compute_episode_stats({CAMERA: paths}, features)[CAMERA]["std"]
            found.append(entry)
            said.append({name: np.asarray(row[f"stats/{CAMERA}/{name}"], dtype=np.float64) for name in entry})
    return {
        "said": [plain(entry) for entry in said],
        "found": [plain(entry) for entry in found],
        "all": plain(dataset.meta.stats[CAMERA]),
        "pooled": plain(compute_stats.aggregate_feature_stats(said)),
    }


if __name__ == "__main__":
    verb, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    print(json.dumps(compare(folder)) if verb == "compare" else json.dumps(strip(folder)))
