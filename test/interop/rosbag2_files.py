"""rosbags in both directions: `definitions` prints what it knows of ROS 2's types, `write FOLDER` makes bags."""

import json
import sys
from pathlib import Path

import numpy as np
from rosbags.rosbag2 import CompressionFormat, CompressionMode, StoragePlugin, Writer
from rosbags.typesys import Stores, get_typestore

RELEASES = ["dashing", "eloquent", "foxy", "galactic", "humble", "iron", "jazzy", "kilted", "lyrical"]


def plain(name: str) -> str:
    return name.replace("/msg/", "/")


def in_words(field) -> str:
    kind, value = field
    if kind.name == "BASE":
        return {"octet": "byte"}.get(value[0], value[0])
    if kind.name == "NAME":
        return plain(value)
    return in_words(value[0]) + (f"[{value[1]}]" if kind.name == "ARRAY" else "[]")


def definitions() -> None:
    known = {}
    for release in RELEASES:
        store = get_typestore(getattr(Stores, f"ROS2_{release.upper()}"))
        known[release] = {
            plain(name): [f"{in_words(kind)} {field}" for field, kind in fields if field != "structure_needs_at_least_one_member"]
            for name, (_, fields) in store.fielddefs.items()
        }
    print(json.dumps(known))


def write(folder: Path) -> None:
    """The same hundred messages on two topics in every way that rosbags stores them in SQLite."""
    store = get_typestore(Stores.ROS2_HUMBLE)
    kind = store.types
    joints, image = kind["sensor_msgs/msg/JointState"], kind["sensor_msgs/msg/Image"]
    time, header = kind["builtin_interfaces/msg/Time"], kind["std_msgs/msg/Header"]
    packed = {"none": None, "file": CompressionMode.FILE, "message": CompressionMode.MESSAGE}
    for version in (8, 9):
        for how, mode in packed.items():
            with_mode = Writer(folder / f"v{version}-{how}", version=version, storage_plugin=StoragePlugin.SQLITE3)
            if mode is not None:
                with_mode.set_compression(mode, CompressionFormat.ZSTD)
            with with_mode as bag:
                arm = bag.add_connection("/joint_states", joints.__msgtype__, typestore=store)
                eye = bag.add_connection("/camera", image.__msgtype__, typestore=store)
                for i in range(100):
                    at = 1_700_000_000_000_000_000 + i * 10_000_000
                    head = header(time(at // 10**9, at % 10**9), "base")
                    wave = np.array([i, i / 2, -i], dtype=np.float64)
                    message = joints(head, ["a", "b", "c"], wave, wave * 2, wave * 3)
                    bag.write(arm, at, store.serialize_cdr(message, joints.__msgtype__))
                    pixels = np.full(64 * 48 * 3, i, dtype=np.uint8)
                    picture = image(head, 48, 64, "rgb8", 0, 192, pixels)
                    bag.write(eye, at, store.serialize_cdr(picture, image.__msgtype__))


if __name__ == "__main__":
    definitions() if sys.argv[1] == "definitions" else write(Path(sys.argv[2]))
