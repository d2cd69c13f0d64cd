"""Flow by OpenCV's own build for Python, beside planes that were kept.

  farneback.py FOLDER   FOLDER/frames.json lists pairs {"from", "to", "planes", "width_px", "height_px"}: files of RGB bytes and
  of two int16 planes in 1/32 px. Prints {"cv2", "mean_epe_px", "worst_pair_px", "mean_length_px", "pairs"}
"""

import json
import pathlib
import sys

import cv2
import numpy as np


def main(folder: pathlib.Path) -> dict:
    errors, lengths = [], []
    for pair in json.loads((folder / "frames.json").read_text()):
        size = (pair["height_px"], pair["width_px"])
        grey = [
            cv2.cvtColor(np.fromfile(folder / pair[end], np.uint8).reshape(*size, 3), cv2.COLOR_RGB2GRAY)
            for end in ("from", "to")
        ]
        truth = cv2.calcOpticalFlowFarneback(*grey, None, 0.5, 3, 15, 3, 5, 1.2, 0)
        kept = np.fromfile(folder / pair["planes"], "<i2").reshape(2, *size).transpose(1, 2, 0) / 32
        errors.append(float(np.linalg.norm(truth - kept, axis=2).mean()))
        lengths.append(float(np.linalg.norm(truth, axis=2).mean()))
    return {
        "cv2": cv2.__version__,
        "mean_epe_px": float(np.mean(errors)),
        "worst_pair_px": float(np.max(errors)),
        "mean_length_px": float(np.mean(lengths)),
        "pairs": len(errors),
    }


print(json.dumps(main(pathlib.Path(sys.argv[1]))))
