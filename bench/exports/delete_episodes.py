"""Deletes episodes with LeRobot's own tool: delete_episodes.py SOURCE OUT INDEX..."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "test/interop"))

from lerobot_library import LeRobotDataset  # noqa: E402
from lerobot.datasets.dataset_tools import delete_episodes  # noqa: E402

source, out, *episodes = sys.argv[1:]
dataset = LeRobotDataset("assay/bench", root=source, video_backend="torchcodec")
delete_episodes(dataset, [int(index) for index in episodes], output_dir=out, repo_id="assay/bench_less")
