"""h5py as the peer of the HDF5 reader: `write FILE LAYOUT MEGABYTES` makes a file, `read FILE` reads every number."""

import json
import sys
import time

import h5py
import numpy as np

TIMES = 3


def write(path: str, layout: str, megabytes: int) -> None:
    """Demonstrations of 4,000 steps and 60 numbers a step, as robomimic lays them out."""
    random = np.random.default_rng(7)
    widths = {"actions": 7, "states": 32, "obs/joint_pos": 14, "obs/eef_pose": 7}
    options = {} if layout == "contiguous" else {"compression": "gzip", "shuffle": True}
    steps = 4000
    demos = max(1, round(megabytes * 1e6 / (steps * 8 * sum(widths.values()))))
    with h5py.File(path, "w") as file:
        for demo in range(demos):
            group = file.create_group(f"data/demo_{demo}")
            for name, width in widths.items():
                walk = np.round(np.cumsum(random.normal(size=(steps, width)), axis=0), 3)
                group.create_dataset(name, data=walk, **options)


def read(path: str) -> None:
    """Opens the file and reads every array whole, three times over; the median counts."""
    reads = []
    for _ in range(TIMES):
        count = 0
        started = time.perf_counter()
        with h5py.File(path) as file:

            def look(_, item):
                nonlocal count
                if isinstance(item, h5py.Dataset):
                    count += item[()].nbytes

            file.visititems(look)
        reads.append(time.perf_counter() - started)
    print(json.dumps({"bytes": count, "cpu_s": time.process_time(), "read_s": sorted(reads)[TIMES // 2]}))


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        read(sys.argv[2])
