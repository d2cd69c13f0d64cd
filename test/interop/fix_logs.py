"""Counts the messages of a mended log by its index, with the libraries that people read it with.

  fix_logs.py FILE...    a line of JSON a file: messages as read, and as its index says
"""

import json
import sys

from mcap.reader import SeekingReader
from rosbags.rosbag1 import Reader

for path in sys.argv[1:]:
    if path.endswith(".bag"):
        with Reader(path) as bag:
            print(json.dumps([sum(1 for _ in bag.messages()), bag.message_count]))
    else:
        with open(path, "rb") as file:
            log = SeekingReader(file, validate_crcs=True)
            print(json.dumps([sum(1 for _ in log.iter_messages()), log.get_summary().statistics.message_count]))
