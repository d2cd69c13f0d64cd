"""Which LeRobot sets the library opens.

  json_loads.py VERSION FOLDER..   prints a list, per folder null or the name of the error

The library is that of VERSION: v3.0 by 0.4.4, v2.1 by 0.3.3.
"""

import json
import pathlib
import sys

version, *folders = sys.argv[1:]
if version == "v2.1":
    sys.path.insert(0, str(pathlib.Path(sys.prefix) / "v21"))

from lerobot_library import LeRobotDataset


def error_of(folder: str) -> str | None:
    try:
        dataset = LeRobotDataset("assay/json", root=folder)
        dataset[len(dataset) - 1]
    except Exception as error:  # noqa: BLE001
        return f"{type(error).__name__}: {error}"[:200]
    return None


print(json.dumps([error_of(folder) for folder in folders]))
