"""Writes replay buffers with zarr 2 and the sum of every array's rows, for zarr.test.ts.

Usage: zarr_files.py FOLDER
"""

import json
import sys
from pathlib import Path

import numcodecs
import numpy as np
import zarr

folder = Path(sys.argv[1])
random = np.random.default_rng(7)
rows = 700
walk = np.cumsum(random.normal(size=(rows, 7)), axis=0)
ends = np.array([161, 322, 500, rows])

compressors = {"none": None, "zlib": numcodecs.Zlib(1), "gzip": numcodecs.GZip(1), "zstd": numcodecs.Zstd(3), "lz4": numcodecs.LZ4()}
for inner in ("lz4", "lz4hc", "zlib", "zstd"):
    for shuffle in (0, 1, 2):
        compressors[f"blosc_{inner}_{shuffle}"] = numcodecs.Blosc(inner, 5, shuffle)
dtypes = ("<f4", "<f8", "<f2", ">f4", ">f8", "<i8", "<i4", "<i2", "|i1", "|u1", "<u2", "<u4", "<u8", "|b1")


def write(store, name):
    """One buffer with an array for every codec, type, order and filter; the truth beside it."""
    root = zarr.group(store, overwrite=True)
    data, meta = root.create_group("data"), root.create_group("meta")
    for label, compressor in compressors.items():
        data.array(f"state_{label}", walk.astype("<f4"), chunks=(100, 7), compressor=compressor)
    for dtype in dtypes:
        data.array(f"state_{dtype[1:]}_{'big' if dtype[0] == '>' else 'little'}", np.abs(walk * 3).astype(dtype), chunks=(64, 3))
    data.array("state_fortran", walk, chunks=(50, 4), order="F")
    data.array("state_delta", walk.round(), chunks=(50, 7), filters=[numcodecs.Delta("<f8")])
    data.array("state_shuffled", walk, chunks=(50, 7), filters=[numcodecs.Delta("<f8"), numcodecs.Shuffle(8)])
    data.array("state_int_delta", walk.astype("<i4"), chunks=(50, 7), filters=[numcodecs.Delta("<i4")])
    data.array("state_tensor", walk[:, :6].reshape(rows, 2, 3), chunks=(33, 1, 2))
    data.array("state_whole", walk[:, 0], chunks=(rows * 2,))
    data.array("img", (walk[:, :1, None, None] + np.arange(300).reshape(1, 10, 10, 3)).astype("u1"), chunks=(16, 10, 10, 3))
    meta.array("episode_ends", ends, compressor=None)
    truth = {key: np.nansum(np.asarray(array[:], dtype="f8").reshape(rows, -1), axis=1).tolist() for key, array in data.arrays()}
    (folder / f"{name}.json").write_text(json.dumps({"ends": ends.tolist(), "sums": truth}))


write(zarr.DirectoryStore(str(folder / "plain.zarr")), "plain.zarr")
write(zarr.NestedDirectoryStore(str(folder / "nested.zarr")), "nested.zarr")
for compression in (0, 8):
    path = folder / f"packed{compression}.zarr.zip"
    path.unlink(missing_ok=True)
    with zarr.ZipStore(str(path), mode="w", compression=compression) as packed:
        write(packed, path.name)
