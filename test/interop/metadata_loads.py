"""Which recordings the library of their format opens.

  metadata_loads.py LIBRARY FOLDER..   prints a list, per folder null or the error

LIBRARY: pycocotools, rosbags or TFDS.
"""

import contextlib
import io
import json
import os
import sys


def pycocotools(folder: str) -> None:
    from pycocotools.coco import COCO

    with contextlib.redirect_stdout(io.StringIO()):
        COCO(os.path.join(folder, "annotations.json"))


def rosbags(folder: str) -> None:
    from rosbags.rosbag2 import Reader

    with Reader(folder) as reader:
        assert len(list(reader.messages())) == reader.message_count


def tfds(folder: str) -> None:
    import tensorflow_datasets

    tensorflow_datasets.builder_from_directory(folder)


opens = {"pycocotools": pycocotools, "rosbags": rosbags, "TFDS": tfds}[sys.argv[1]]


def error_of(folder: str) -> str | None:
    try:
        opens(folder)
    except Exception as error:  # noqa: BLE001
        return f"{type(error).__name__}: {error}"[:200]
    return None


print(json.dumps([error_of(folder) for folder in sys.argv[2:]]))
