"""Every message that pymavlink's DFReader reads from a DataFlash log, binary or text. pymavlink_messages.py LOG"""

import json
import sys

from pymavlink import DFReader

path = sys.argv[1]
log = DFReader.DFReader_text(path) if path.endswith(".log") else DFReader.DFReader_binary(path)
messages = []
while True:
    message = log.recv_msg()
    if message is None:
        break
    name = message.get_type()
    cells = message.to_dict()
    del cells["mavpackettype"]
    cells = {key: list(value) if hasattr(value, "tolist") else value for key, value in cells.items()}
    units = message.fmt.units
    messages.append({"name": name, "cells": cells, "time_s": message._timestamp, "units": units})
print(json.dumps(messages))
