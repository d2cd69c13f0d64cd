"""pyarrow over the same Parquet file: every column as a NumPy array. parquet_peer.py FILE [make ROWS]"""
import json
import sys
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

path = sys.argv[1]
if len(sys.argv) > 2:
    rows = int(sys.argv[3])
    random = np.random.default_rng(7)
    columns = {"timestamp": np.arange(rows) / 100 + random.normal(0, 1e-3, rows)}
    for joint in range(14):
        walk = np.cumsum(random.normal(0, 1e-3, rows))
        columns[f"joint_{joint}"] = walk.astype("f4" if joint < 7 else "f8")
    pq.write_table(pa.table(columns), path, compression="zstd", row_group_size=100_000)
    sys.exit(0)
started = time.perf_counter()
table = pq.read_table(path)
arrays = [table[name].to_numpy() for name in table.column_names]
print(json.dumps({"read_s": time.perf_counter() - started, "samples": sum(map(len, arrays))}))
