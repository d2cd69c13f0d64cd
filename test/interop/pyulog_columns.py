"""Every number that pyulog reads from a log: an index as JSON on standard output, the columns as float64 in a file.

pyulog_columns.py LOG COLUMNS
"""

import json
import sys

import numpy as np
from pyulog import ULog

log = ULog(sys.argv[1])
index = []
with open(sys.argv[2], "wb") as out:
    for data in log.data_list:
        timed = data.data["timestamp"] != 0
        if not timed.any():
            timed[:] = True
        fields = [name for name, values in data.data.items()]
        texts = {field.field_name for field in data.field_data if field.type_str == "char"}
        for name in fields:
            if name in texts or name.split(".")[-1].startswith("_padding"):
                continue
            values = data.data[name][timed].astype("<f8")
            index.append({"topic": data.name, "instance": data.multi_id, "field": name, "rows": len(values)})
            out.write(values.tobytes())
print(
    json.dumps(
        {
            "start_us": int(log.start_timestamp),
            "columns": index,
            "messages": sum(len(data.data["timestamp"]) for data in log.data_list),
            "dropouts_ms": [int(dropout.duration) for dropout in log.dropouts],
            "texts": len(log.logged_messages) + sum(len(list_) for list_ in log.logged_messages_tagged.values()),
            "parameters": len(log.initial_parameters),
        }
    )
)
