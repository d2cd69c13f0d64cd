"""What real consumers read of an export, as hashes that a test compares with the source's.

  export_rows.py webdataset|zarr FOLDER   prints {"rows", "ends", "numbers": {key: sha256}, "pictures": {key: sha256}}

Numbers are hashed as float64, rows in order; pictures as the bytes of their files (webdataset) or their pixels (zarr).
"""

import hashlib
import io
import json
import pathlib
import sys

import numpy as np


def webdataset(folder: pathlib.Path) -> dict:
    import webdataset

    shards = sorted(str(path) for path in folder.glob("shard-*.tar"))
    numbers, pictures, ends, rows = {}, {}, [], 0
    for sample in webdataset.WebDataset(shards, shardshuffle=False):
        about = json.loads(sample["json"])
        rows += 1
        if about["row"] == about["rows"] - 1:
            ends.append(rows)
        for name, value in sample.items():
            if name.endswith(".npy"):
                own = np.load(io.BytesIO(value)).astype("<f8").tobytes()
                numbers.setdefault(name[:-4], hashlib.sha256()).update(own)
            elif name.endswith((".jpg", ".png")) or name in ("jpg", "png"):
                pictures.setdefault(name.rpartition(".")[0], hashlib.sha256()).update(value)
    return summary(rows, ends, numbers, pictures)


def zarr(folder: pathlib.Path) -> dict:
    """As diffusion_policy's ReplayBuffer.create_from_path opens it."""
    import zarr

    root = zarr.open(str(folder), "r")
    ends = root["meta"]["episode_ends"][:].tolist()
    numbers, pictures = {}, {}
    for name, array in root["data"].items():
        assert array.shape[0] == ends[-1], (name, array.shape, ends[-1])
        if array.dtype == np.uint8:
            pictures[name] = hashlib.sha256(array[:].tobytes())
        else:
            numbers[name] = hashlib.sha256(array[:].astype("<f8").tobytes())
    return summary(ends[-1], ends, numbers, pictures)


def summary(rows, ends, numbers, pictures) -> dict:
    digests = lambda hashes: {name: one.hexdigest() for name, one in hashes.items()}
    return {"rows": rows, "ends": ends, "numbers": digests(numbers), "pictures": digests(pictures)}


print(json.dumps({"webdataset": webdataset, "zarr": zarr}[sys.argv[1]](pathlib.Path(sys.argv[2]))))
