"""cleanvision over a folder of pictures, one process: prints pictures and seconds of finding issues, as JSON."""
import json, logging, pathlib, sys, time

logging.disable(logging.CRITICAL)
from cleanvision import Imagelab  # noqa: E402

if __name__ == "__main__":
    lab = Imagelab(data_path=sys.argv[1])
    started = time.perf_counter()
    lab.find_issues(n_jobs=1, verbose=False)
    seconds = time.perf_counter() - started
    print(json.dumps({"pictures": len(list(pathlib.Path(sys.argv[1]).iterdir())), "seconds": seconds}))
