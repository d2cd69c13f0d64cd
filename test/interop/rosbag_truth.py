"""What rosbags reads from a bag: counts, times, and every number of joint states. rosbag_truth.py BAG"""

import json
import sys
from pathlib import Path

from rosbags.rosbag1 import Reader
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

store = get_typestore(Stores.EMPTY)
with Reader(Path(sys.argv[1])) as bag:
    for connection in bag.connections:
        store.register(get_types_from_msg(connection.msgdef.data, connection.msgtype))
    counts: dict[str, int] = {}
    positions: list[float] = []
    for connection, _, data in bag.messages():
        counts[connection.topic] = counts.get(connection.topic, 0) + 1
        message = store.deserialize_ros1(data, connection.msgtype)
        if connection.topic == "/joint_states":
            positions += [float(value) for value in message.position]
    said = {"counts": counts, "start_ns": str(bag.start_time), "duration_ns": bag.duration - 1, "positions": positions}
print(json.dumps(said))
