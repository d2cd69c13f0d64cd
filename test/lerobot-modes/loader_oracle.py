"""What the real LeRobot loader makes of each set: the oracle of the modes.

  loader_oracle.py PLAN ROWS [VERSION]   PLAN is JSON: [{"folder", "version", "cameras", "truth"}], a row of truth a row of data; ROWS
                               how many rows to look at between the first and the last of an episode; VERSION: only sets of
                               this version, in this process

0.4.4 opens v3.0, 0.3.3 (in the folder v21 of the environment) v2.1, in a process each. Offline; some rows of every
episode. Prints a line of JSON a set: `init` (null or the error), and by episode of the truth how many rows were
sampled, refused, served with foreign or shifted pictures, pictures of another size, another text or a foreign window of
actions, or without state or action or with a null, of which no batch can be made.
"""

import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"
os.environ["HF_DATASETS_DISABLE_PROGRESS_BARS"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"

BLOCKS, BLOCK_PX, WINDOW = 16, 8, 6


def load_library(version: str):
    # A Python that has run other scripts keeps the cache that it loaded the library with.
    if "datasets" not in sys.modules:
        os.environ["HF_DATASETS_CACHE"] = tempfile.mkdtemp(prefix="assay-oracle-")
        os.environ["HF_HOME"] = os.environ["HF_DATASETS_CACHE"]
    if version == "v2.1":
        sys.path.insert(0, str(pathlib.Path(sys.prefix) / "v21"))
    sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "interop"))
    import torch

    torch.set_num_threads(1)
    import torchvision_operators  # noqa: F401
    from lerobot.datasets.lerobot_dataset import CODEBASE_VERSION, LeRobotDataset

    assert CODEBASE_VERSION == version, CODEBASE_VERSION
    return LeRobotDataset


def code_of(picture) -> int:
    """The number in the strip at the lower edge; -1 where there is none (see shot.ts)."""
    luma = 255 * (0.299 * picture[0] + 0.587 * picture[1] + 0.114 * picture[2])
    height, width = luma.shape
    block = width / BLOCKS
    centre = height - round(height / 96 * BLOCK_PX / 2)
    code = 0
    for k in range(BLOCKS):
        x = int((k + 0.5) * block)
        code = code << 1 | int(luma[centre - 2 : centre + 2, x - 2 : x + 2].mean() > 132)
    take, camera, gray, check = code >> 12, code >> 11 & 1, code >> 3 & 255, code & 7
    row = gray
    for shift in (4, 2, 1):
        row ^= row >> shift
    return code if check == (take * 5 + camera * 3 + row + 5) & 7 else -1


def said(error: BaseException) -> str:
    return f"{type(error).__name__}: {str(error).strip()}"[:200]


def sampled(truth: list[dict], stamps: list | None, fps: float, between: int) -> list[int]:
    """
    Places to look at: the first and the last two rows of every episode, some between, and of the rows that are not
    stamped by their number the first.
    """
    by_episode: dict[int, list[int]] = {}
    for place, row in enumerate(truth):
        by_episode.setdefault(row["episode"], []).append(place)
    places = []
    for rows in by_episode.values():
        last = len(rows) - 1
        picked = {0, max(0, last - 1), last} | {last * k // (between + 1) for k in range(1, between + 1)}
        if stamps is not None:
            odd = (i for i, at in enumerate(rows) if at < len(stamps) and abs(stamps[at] - i / fps) > 1e-4)
            picked |= set(itertools.islice(odd, 1))
        places += [rows[i] for i in sorted(picked)]
    return places


def window_is_right(item, truth, place, actions) -> bool:
    """Whether the next actions are those recorded next, and padding begins where the episode ends."""
    here = truth[place]
    for k in range(WINDOW):
        there = place + k
        inside = there < len(truth) and truth[there]["episode"] == here["episode"]
        if bool(item["action_is_pad"][k]) == inside:
            return False
        if inside and not np.array_equal(item["action"][k].numpy(), actions[there], equal_nan=True):
            return False
    return True


def look_at(LeRobotDataset, folder: str, truth: list[dict], cameras: list[str], between: int) -> dict:
    entry: dict = {"folder": folder, "init": None, "length": None, "rows": None, "episodes": {}}
    info = json.loads((pathlib.Path(folder) / "meta/info.json").read_text())
    window = {"action": [k / info["fps"] for k in range(WINDOW)]} if "action" in info["features"] else None
    try:
        dataset = LeRobotDataset("assay/modes", root=folder, delta_timestamps=window, video_backend="torchcodec")
    except Exception as error:  # noqa: BLE001
        entry["init"] = said(error)
        return entry
    entry["length"], entry["rows"] = len(dataset), len(dataset.hf_dataset)
    try:
        actions = np.array(dataset.hf_dataset.data.column("action").to_pylist(), dtype=np.float32)
    except Exception:  # noqa: BLE001
        actions = None  # There is no such column, or its rows are of several widths.
    try:
        stamps = dataset.hf_dataset.data.column("timestamp").to_pylist()
        if None in stamps:
            stamps = None
    except Exception:  # noqa: BLE001
        stamps = None
    usual = None
    for place in sampled(truth, stamps, info["fps"], between):
        want = truth[place]
        row = entry["episodes"].setdefault(
            want["episode"],
            {"sampled": 0, "refused": 0, "pictures": 0, "size": 0, "task": 0, "window": 0, "missing": 0, "error": None},
        )
        row["sampled"] += 1
        try:
            item = dataset[place]
        except Exception as error:  # noqa: BLE001
            row["refused"] += 1
            row["error"] = row["error"] or said(error)
            continue
        size = tuple(item[camera].shape for camera in cameras if camera in item)
        usual = usual or size
        row["size"] += size != usual
        codes = [code_of(item[camera]) if camera in item else None for camera in cameras]
        row["pictures"] += any(code is not None and code != right for code, right in zip(codes, want["codes"]))
        row["task"] += item.get("task") != want["task"]
        lacking = item.get("action") is None or item.get("observation.state") is None
        row["missing"] += lacking or any(value is None for value in item.values())
        if actions is not None and item.get("action_is_pad") is not None:
            row["window"] += not window_is_right(item, truth, place, actions)
    return entry


def main(plan_path: str, between: int, version: str | None) -> None:
    plan = json.loads(pathlib.Path(plan_path).read_text())
    if version is None:
        each = sorted({entry["version"] for entry in plan})
        running = [subprocess.Popen([sys.executable, __file__, plan_path, str(between), one], stdout=subprocess.PIPE) for one in each]
        for process in running:
            sys.stdout.buffer.write(process.communicate()[0])
        if any(process.returncode != 0 for process in running):
            sys.exit(1)
        return
    LeRobotDataset = load_library(version)
    for entry in plan:
        if entry["version"] != version:
            continue
        result = look_at(LeRobotDataset, entry["folder"], entry["truth"], entry["cameras"], between)
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else None)
