"""rosbags as the peer of the ROS 1 reader: `write BAG SECONDS COMPRESSION PICTURE_BYTES` makes one, `read BAG` reads it."""

import json
import math
import sys
import time
from pathlib import Path

import numpy as np
from rosbags.rosbag1 import Reader, Writer
from rosbags.typesys import Stores, get_typestore


def write(path: Path, seconds: int, compression: str, picture_bytes: int) -> None:
    """IMU at 200 Hz, joints and commands at 100 Hz, odometry at 50 Hz, and pictures at 20 Hz where they have a size."""
    store = get_typestore(Stores.ROS1_NOETIC)
    kind = store.types
    stamp_type, header_type = kind["builtin_interfaces/msg/Time"], kind["std_msgs/msg/Header"]
    vector, quaternion = kind["geometry_msgs/msg/Vector3"], kind["geometry_msgs/msg/Quaternion"]
    imu, joints = kind["sensor_msgs/msg/Imu"], kind["sensor_msgs/msg/JointState"]
    picture = kind["sensor_msgs/msg/CompressedImage"]
    odometry, point = kind["nav_msgs/msg/Odometry"], kind["geometry_msgs/msg/Point"]
    pose, posed = kind["geometry_msgs/msg/Pose"], kind["geometry_msgs/msg/PoseWithCovariance"]
    twist, twisted = kind["geometry_msgs/msg/Twist"], kind["geometry_msgs/msg/TwistWithCovariance"]
    names = [f"joint_{i}" for i in range(7)]
    covariance = np.zeros(9)
    random = np.random.default_rng(7)
    writer = Writer(path)
    if compression != "none":
        writer.set_compression(Writer.CompressionFormat[compression.upper()])
    with writer as bag:
        topics = {
            topic: bag.add_connection(topic, message.__msgtype__, typestore=store)
            for topic, message in [
                ("/imu", imu), ("/joint_states", joints), ("/joint_command", joints), ("/odom", odometry),
                ("/camera/compressed", picture),
            ]
        }
        for tick in range(seconds * 200):
            now = 1_700_000_000_000_000_000 + tick * 5_000_000
            header = header_type(tick, stamp_type(now // 10**9, now % 10**9), "robot")
            wave = np.array([math.sin(tick / 200 + j) for j in range(7)])
            due = [("/imu", imu(header, quaternion(*wave[:4]), covariance, vector(*wave[:3]), covariance,
                                vector(*wave[3:6]), covariance))]
            if tick % 2 == 0:
                for topic in ("/joint_states", "/joint_command"):
                    due.append((topic, joints(header, names, wave, wave * 2, wave * 3)))
            if tick % 4 == 0:
                where = posed(pose(point(*wave[:3]), quaternion(*wave[3:7])), np.zeros(36))
                motion = twisted(twist(vector(*wave[:3]), vector(*wave[3:6])), np.zeros(36))
                due.append(("/odom", odometry(header, "base", where, motion)))
            if tick % 10 == 0 and picture_bytes > 0:
                data = random.integers(0, 255, picture_bytes, dtype=np.uint8)
                due.append(("/camera/compressed", picture(header, "jpeg", data)))
            for topic, message in due:
                connection = topics[topic]
                bag.write(connection, now + 150_000, store.serialize_ros1(message, connection.msgtype))


def read(path: Path) -> None:
    """Reads and deserialises every message, as users of rosbags do."""
    store = get_typestore(Stores.ROS1_NOETIC)
    started, cpu = time.perf_counter(), time.process_time()
    messages = 0
    with Reader(path) as bag:
        for connection, _, data in bag.messages():
            store.deserialize_ros1(data, connection.msgtype)
            messages += 1
    cpu_s = time.process_time() - cpu
    print(json.dumps({"messages": messages, "cpu_s": cpu_s, "read_s": time.perf_counter() - started}))


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4], int(sys.argv[5]))
    else:
        read(Path(sys.argv[2]))
