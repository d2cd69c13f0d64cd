"""Counts the messages of a mended log by its index, with the libraries that people read it with.

  fix_logs.py PATH...    a line of JSON a file or folder of a ROS 2 bag: messages as read, and as its index says
"""

import json
import os
import sys

from mcap.reader import SeekingReader
from rosbags.rosbag1 import Reader
from rosbags.rosbag2 import Reader as BagReader

for path in sys.argv[1:]:
    if os.path.isdir(path):
        with BagReader(path) as bag:
            print(json.dumps([sum(1 for _ in bag.messages()), bag.message_count]))
    elif path.endswith(".bag"):
        with Reader(path) as bag:
            print(json.dumps([sum(1 for _ in bag.messages()), bag.message_count]))
    else:
        with open(path, "rb") as file:
            log = SeekingReader(file, validate_crcs=True)
            print(json.dumps([sum(1 for _ in log.iter_messages()), log.get_summary().statistics.message_count]))
