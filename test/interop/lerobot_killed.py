"""Records with the real LeRobot library and is killed (SIGKILL) on the way.

  lerobot_killed.py FOLDER EPISODES WHEN    WHEN: `episode`, in mid-episode after EPISODES were saved; `finalise`,
                                            between the two files that finalize() closes; `saved`, with nothing under way

Prints a line for each episode that save_episode() has returned from.
"""

import os
import signal
import sys

import lerobot_library as library
import numpy as np


def kill() -> None:
    sys.stdout.flush()
    os.kill(os.getpid(), signal.SIGKILL)


def frame(episode: int, at: int, random) -> dict:
    picture = random.integers(0, 40, (64, 96, 3), dtype=np.uint8)
    picture[:, at % 86 : at % 86 + 10] += 180
    return {
        "observation.state": np.sin(at / 30 + episode + np.arange(6)).astype(np.float32),
        "action": np.sin(at / 30 + 0.05 + episode + np.arange(6)).astype(np.float32),
        library.CAMERA: picture,
        "task": f"move block {episode % 2} to the tray",
    }


def main(folder: str, episodes: int, when: str) -> None:
    names = [f"joint_{i}.pos" for i in range(6)]
    features = {
        "observation.state": {"dtype": "float32", "shape": (6,), "names": names},
        "action": {"dtype": "float32", "shape": (6,), "names": names},
        library.CAMERA: {"dtype": "video", "shape": (64, 96, 3), "names": ["height", "width", "channels"]},
    }
    dataset = library.LeRobotDataset.create("assay/killed", fps=30, features=features, root=folder, use_videos=True)
    random = np.random.default_rng(5)
    for episode in range(episodes):
        for at in range(20 + 5 * (episode % 3)):
            dataset.add_frame(frame(episode, at, random))
        dataset.save_episode()
        print(f"saved {episode} {20 + 5 * (episode % 3)}", flush=True)
    if when == "episode":
        for at in range(7):
            dataset.add_frame(frame(episodes, at, random))
        dataset.image_writer.wait_until_done() if dataset.image_writer is not None else None
        kill()
    if when == "finalise":
        dataset.meta._close_writer()
        kill()
    kill()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
