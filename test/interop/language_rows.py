"""Language columns as LeRobot 0.6 itself gives them.

  language_rows.py FOLDER...   prints for each {"declared": features of the columns, "statistics": features with statistics,
                               "rows": [{"episode", "time_s", "persistent", "events", "subtask", "plan", "phrasings"}]}

`subtask` and `plan` are what LeRobot's renderer finds active at the row; `phrasings` what its `${task}` takes turns among.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(sys.prefix) / "v06"))
real, sys.stdout = sys.stdout, sys.stderr

from lerobot_library import LeRobotDataset  # noqa: E402
from lerobot.datasets.language import LANGUAGE_COLUMNS, column_for_style, validate_camera_field  # noqa: E402
from lerobot.datasets.language_render import active_at  # noqa: E402


def row(dataset: LeRobotDataset, place: int) -> dict:
    item = dataset.hf_dataset[place]
    persistent, events = (item[name] for name in LANGUAGE_COLUMNS)
    for name, said in zip(LANGUAGE_COLUMNS, (persistent, events), strict=True):
        for one in said:
            assert column_for_style(one["style"]) == name
            validate_camera_field(one["style"], one["camera"])
    time_s = float(item["timestamp"])
    active = {style: active_at(time_s, persistent=persistent, style=style) for style in ("subtask", "plan")}
    return {"episode": int(item["episode_index"]), "time_s": time_s, "persistent": persistent, "events": events,
            **{style: None if one is None else one["content"] for style, one in active.items()},
            "phrasings": [one["content"] for one in persistent if one["style"] == "task_aug"]}


def main(folder: str) -> dict:
    dataset = LeRobotDataset("assay/export", root=folder, video_backend="torchcodec")
    assert dataset.meta.has_language_columns
    # With pictures, which cost most.
    for place in range(0, len(dataset), 50):
        item, bare = dataset[place], dataset.hf_dataset[place]
        assert int(item["index"]) == place
        assert all(item[name] == bare[name] for name in LANGUAGE_COLUMNS)
    return {"declared": {key: dataset.meta.features[key] for key in LANGUAGE_COLUMNS},
            "statistics": sorted(dataset.meta.stats),
            "rows": [row(dataset, place) for place in range(len(dataset))]}


print(json.dumps([main(folder) for folder in sys.argv[1:]]), file=real)
