"""rosbags as the peer of the SQLite reader: `write FOLDER MESSAGES PICTURE_BYTES` makes a bag, `read FOLDER` reads it."""

import json
import math
import sys
import time
from pathlib import Path

import numpy as np
from rosbags.highlevel import AnyReader
from rosbags.rosbag2 import StoragePlugin, Writer
from rosbags.typesys import Stores, get_typestore


def write(folder: Path, messages: int, picture_bytes: int) -> None:
    """IMU at 200 Hz, joints and commands at 100 Hz, and pictures at 25 Hz where they have a size."""
    store = get_typestore(Stores.ROS2_HUMBLE)
    kind = store.types
    stamp_type, header_type = kind["builtin_interfaces/msg/Time"], kind["std_msgs/msg/Header"]
    vector, quaternion = kind["geometry_msgs/msg/Vector3"], kind["geometry_msgs/msg/Quaternion"]
    imu, joints = kind["sensor_msgs/msg/Imu"], kind["sensor_msgs/msg/JointState"]
    picture = kind["sensor_msgs/msg/CompressedImage"]
    names = [f"joint_{i}" for i in range(7)]
    covariance = np.zeros(9)
    random = np.random.default_rng(7)
    with Writer(folder, version=8, storage_plugin=StoragePlugin.SQLITE3) as bag:
        topics = {
            topic: bag.add_connection(topic, message.__msgtype__, typestore=store)
            for topic, message in [
                ("/imu", imu), ("/joint_states", joints), ("/joint_command", joints), ("/camera/compressed", picture),
            ]
        }
        written = 0
        tick = 0
        while written < messages:
            now = 1_700_000_000_000_000_000 + tick * 5_000_000
            header = header_type(stamp_type(now // 10**9, now % 10**9), "robot")
            wave = np.array([math.sin(tick / 200 + j) for j in range(7)])
            due = [("/imu", imu(header, quaternion(*wave[:4]), covariance, vector(*wave[:3]), covariance,
                                vector(*wave[3:6]), covariance))]
            if tick % 2 == 0:
                for topic in ("/joint_states", "/joint_command"):
                    due.append((topic, joints(header, names, wave, wave * 2, wave * 3)))
            if tick % 8 == 0 and picture_bytes > 0:
                data = random.integers(0, 255, picture_bytes, dtype=np.uint8)
                due.append(("/camera/compressed", picture(header, "jpeg", data)))
            for topic, message in due:
                connection = topics[topic]
                bag.write(connection, now + 150_000, store.serialize_cdr(message, connection.msgtype))
            written += len(due)
            tick += 1


def read(folder: Path) -> None:
    """Reads and deserialises every message, as users of rosbags do."""
    started, cpu = time.perf_counter(), time.process_time()
    messages = 0
    with AnyReader([folder]) as bag:
        for connection, _, data in bag.messages():
            bag.deserialize(data, connection.msgtype)
            messages += 1
    cpu_s = time.process_time() - cpu
    print(json.dumps({"messages": messages, "cpu_s": cpu_s, "read_s": time.perf_counter() - started}))


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
    else:
        read(Path(sys.argv[2]))
