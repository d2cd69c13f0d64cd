"""Messages of a telemetry log as pymavlink reads them, and a log that pymavlink writes.

  pymavlink_telemetry.py write LOG   writes messages of two vehicles in MAVLink 2 and 1
  pymavlink_telemetry.py read LOG    prints {"MESSAGE system": [{"time_s", field: value}]}
"""

import json
import math
import os
import struct
import sys

os.environ["MAVLINK20"] = "1"

from pymavlink import mavutil
from pymavlink.dialects.v20 import ardupilotmega as mavlink


def write(path: str) -> None:
    out = open(path, "wb")
    start_us = 1_750_000_000_000_000

    def log(time_us: int, message, system: int, old: bool = False) -> None:
        link = mavlink.MAVLink(None, srcSystem=system, srcComponent=1)
        out.write(struct.pack(">Q", time_us) + message.pack(link, force_mavlink1=old))

    for i in range(50):
        at, boot = start_us + i * 100_000, 7000 + i * 100
        old = i % 3 == 0
        log(at, mavlink.MAVLink_attitude_message(boot, math.sin(i), 0.25, -1.5, 0.1, 0.2, 0.3), 1, old)
        log(at, mavlink.MAVLink_scaled_imu2_message(boot, i, -5, -1000, 10, -20, 30, 400, -500, 600), 1, old)
        log(at, mavlink.MAVLink_gps_raw_int_message(
            boot * 1000, 3, 472_000_000 + i, -85_000_000, 500_000 + i, 85, 120, 250, 9000, 12), 1, old)
        log(at, mavlink.MAVLink_servo_output_raw_message(
            boot * 1000, 0, 1100 + i, 1200, 1300, 1400, 0, 0, 0, 0), 1, old)
        log(at, mavlink.MAVLink_highres_imu_message(
            boot * 1000, 0.1, 0.2, -9.8, 0.01, 0.02, 0.03, 0.2, 0.0, 0.4, 1013.0, 0.0, 12.5, 25.0, 7), 2, old)
        log(at, mavlink.MAVLink_heartbeat_message(2, 3, 0x81 if i > 20 else 1, 5, 4, 3), 1, old)
    out.close()


def read(path: str) -> dict:
    found = {}
    log = mavutil.mavlink_connection(path, dialect="ardupilotmega")
    while (message := log.recv_match()) is not None:
        if message.get_type() == "BAD_DATA":
            continue
        row = {key: value for key, value in message.to_dict().items() if isinstance(value, (int, float))}
        key = f"{message.get_type()} {message.get_srcSystem()}"
        found.setdefault(key, []).append({"time_s": message._timestamp, **row})
    return found


real, sys.stdout = sys.stdout, sys.stderr
command, path = sys.argv[1:3]
answer = write(path) if command == "write" else read(path)
print(json.dumps(answer), file=real)
