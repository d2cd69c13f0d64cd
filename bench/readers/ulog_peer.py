"""pyulog on one log: every topic, as users of it do; several times over, the median counts. ulog_peer.py LOG TIMES"""

import json
import resource
import sys
import time

from pyulog import ULog

reads = []
numbers = 0
for _ in range(int(sys.argv[2])):
    started = time.perf_counter()
    log = ULog(sys.argv[1])
    reads.append(time.perf_counter() - started)
    numbers += sum(len(values) for data in log.data_list for values in data.data.values())
read_s = sorted(reads)[len(reads) // 2]
peak_rss_mb = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6)
print(json.dumps({"numbers": numbers, "peak_rss_mb": peak_rss_mb, "read_s": read_s}))
