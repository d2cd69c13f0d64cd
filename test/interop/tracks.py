"""Tracks of ByteTrack (supervision) over given boxes, and HOTA and MOTA (TrackEval) of them and of those given."""

import json
import sys

import numpy as np
import supervision
from trackeval.metrics import CLEAR, HOTA

given = json.load(open(sys.argv[1]))


def peer():
    tracker = supervision.ByteTrack(
        track_activation_threshold=given["sure"],
        lost_track_buffer=given["longest_gap_frames"],
        minimum_matching_threshold=given["first_cost"],
        frame_rate=30,
    )
    tracker.det_thresh = given["begins"]
    frames = []
    for boxes in given["detections"]:
        rows = np.array([[x, y, x + w, y + h] for x, y, w, h, _ in boxes], dtype=np.float64).reshape(-1, 4)
        found = supervision.Detections(xyxy=rows, confidence=np.array([b[4] for b in boxes], dtype=np.float64))
        told = tracker.update_with_detections(found)
        frames.append([[int(i), x0, y0, x1 - x0, y1 - y0] for (x0, y0, x1, y1), i in zip(told.xyxy, told.tracker_id)])
    return frames


def overlaps(a, b):
    a, b = np.array(a, dtype=float).reshape(-1, 4), np.array(b, dtype=float).reshape(-1, 4)
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, :2] + a[:, None, 2:], b[None, :, :2] + b[None, :, 2:])
    both = np.prod(np.clip(high - low, 0, None), axis=2)
    return both / (np.prod(a[:, None, 2:], axis=2) + np.prod(b[None, :, 2:], axis=2) - both)


def score(frames):
    numbers = {}
    ids = lambda rows: np.array([numbers.setdefault(row[0], len(numbers)) for row in rows], dtype=int)
    truth = [np.array([row[0] for row in rows], dtype=int) for rows in given["truth"]]
    tracked = [ids(rows) for rows in frames]
    data = {
        "gt_ids": truth,
        "tracker_ids": tracked,
        "similarity_scores": [
            overlaps([r[1:] for r in t], [r[1:] for r in f]) for t, f in zip(given["truth"], frames)
        ],
        "num_timesteps": len(frames),
        "num_gt_ids": 1 + max(int(i.max()) for i in truth if len(i)),
        "num_tracker_ids": len(numbers),
        "num_gt_dets": sum(map(len, truth)),
        "num_tracker_dets": sum(map(len, tracked)),
    }
    clear = CLEAR({"PRINT_CONFIG": False}).eval_sequence(data)
    return {
        "HOTA": 100 * float(np.mean(HOTA().eval_sequence(data)["HOTA"])),
        "MOTA": 100 * float(clear["MOTA"]),
        "IDSW": int(clear["IDSW"]),
    }


print(json.dumps({"ours": score(given["ours"]), "peer": score(peer())}))
