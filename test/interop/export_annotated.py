"""What layers say, in exports as the libraries of others read it.

  export_annotated.py mcap FILE          prints {"captions": [[from_s, to_s, text]], "segments": [[from_s, to_s, kind]], "log": [[name, message]]}
  export_annotated.py webdataset FOLDER  prints the JSON of every sample, in order
  export_annotated.py mask FOLDER ID CAMERA ROW WIDTH HEIGHT
      writes a folder as assay annotate does, with masks by pycocotools for a picture: a ring that lies at the edge, as
      pixels of a class and as the outline of an object, beside an object without an outline, a track, a body and a hand
  export_annotated.py sidecars FOLDER    prints {layer: {"columns": [names], "declared": [names], "rows": [..], "point_names"}}
  export_annotated.py coco FOLDER        prints {"masks": [{"frame", "camera", "category", "area", "bbox", "true_bbox", "true_area", "like_ring", "score"}],
                                                 "boxes": [{"frame", "category", "area", "bbox", "score"}],
                                                 "labels": number of annotations beside the predictions}
"""

import hashlib
import json
import pathlib
import sys

import numpy as np


def mcap(path: str) -> dict:
    from mcap.reader import make_reader
    from mcap_protobuf.decoder import DecoderFactory

    found = {"captions": [], "segments": [], "log": []}
    with open(path, "rb") as file:
        reader = make_reader(file, decoder_factories=[DecoderFactory()])
        start = None
        for _, channel, message, event in reader.iter_decoded_messages():
            start = message.log_time if start is None else min(start, message.log_time)
            name = channel.topic.removeprefix("/assay/")
            if name in ("captions", "segments"):
                about = {pair.key: pair.value for pair in event.metadata}
                span = [event.start_time.ToNanoseconds(), event.end_time.ToNanoseconds()]
                found[name].append([*span, about["text" if name == "captions" else "kind"]])
            elif name == "log":
                found["log"].append([event.name, event.message])
    return found


def webdataset(folder: str) -> list:
    import webdataset

    shards = sorted(str(path) for path in pathlib.Path(folder).glob("shard-*.tar"))
    return [json.loads(sample["json"]) for sample in webdataset.WebDataset(shards, shardshuffle=False)]


def ring(width: int, height: int) -> np.ndarray:
    y, x = np.mgrid[0:height, 0:width]
    away = np.hypot(x - width * 0.9, y - height / 3)
    return ((away < height / 3) & (away > height / 6)).astype(np.uint8)


def mask(folder: str, episode: str, camera: str, row: str, width: str, height: str) -> str:
    from pycocotools import mask as masks

    own = ring(int(width), int(height))
    rle = masks.encode(np.asfortranarray(own))
    text = {"size": rle["size"], "counts": rle["counts"].decode()}
    where = {"camera": camera, "row": int(row)}
    box = masks.toBbox(rle).tolist()
    outlined = {"label": "bagel", "score": 0.75, "box": box, "mask": text}
    plain = {"label": "cup", "score": 0.5, "box": [10, 20, 30.5, 40], "mask": None}
    sizes = {"width_px": int(width), "height_px": int(height)}
    frame = {**where, **sizes}
    points = {"box": [1, 2, 3, 4], "keypoints": [[5, 6], [7.5, 8]], "score": 0.25}
    track = {"id": 3, "label": "cup", "frame": [1], "box": [[10, 20, 30, 40]], "score": [0.5]}
    tracked = {"camera": camera, **sizes, "frames": {"row": [3, int(row)]}, "tracks": [track]}
    found = {
        "tracks": {"cameras": [tracked]},
        "body_pose": {"keypoints": ["nose", "left_eye"], "frames": [{**frame, "people": [points]}]},
        "hand_pose": {"keypoints": ["wrist", "thumb"],
                      "frames": [{**frame, "hands": [{**points, "handedness": "left", "handedness_score": 0.75}]}]},
        "segmentation": {"frames": [{**where, "labels": [{"label": "ring", "pixels": int(own.sum()), "rle": text}]}]},
        "object_labels": {"frames": [{**where, **sizes, "boxes": [outlined, plain]}]},
    }
    pathlib.Path(folder).mkdir(parents=True)
    layers = {}
    for layer, artifact in found.items():
        written = json.dumps(artifact).encode()
        (pathlib.Path(folder) / f"{layer}.json").write_bytes(written)
        file = {"name": "artifact", "path": f"{layer}.json", "sha256": hashlib.sha256(written).hexdigest()}
        layers[layer] = {"state": "done", "files": [file]}
    listed = [{"id": episode, "dataset": ".", "index": 0, "layers": layers}]
    about = {"schema": "assay/annotations/v1", "episodes": listed}
    (pathlib.Path(folder) / "annotations.json").write_text(json.dumps(about))
    return "written"


def sidecars(folder: str) -> dict:
    import pyarrow.parquet

    schema = json.loads((pathlib.Path(folder) / "annotations/schema.json").read_text())
    found = {}
    for layer, about in schema["tables"].items():
        table = pyarrow.parquet.read_table(pathlib.Path(folder) / about["file"])
        declared = [column["name"] for column in about["columns"]]
        found[layer] = {"columns": table.column_names, "declared": declared, "rows": table.to_pylist(),
                        "point_names": about.get("point_names")}
    return found


def coco(folder: str) -> dict:
    from pycocotools import mask as masks
    from pycocotools.coco import COCO

    [path] = pathlib.Path(folder).glob("annotations/instances_*.json")
    labels = len(COCO(str(path)).getAnnIds())
    found, boxes = [], []
    sets = [COCO(str(path)) for path in sorted(pathlib.Path(folder).glob("predictions/*.json"))]
    for coco, own in [(coco, own) for coco in sets for own in coco.loadAnns(coco.getAnnIds())]:
        [image] = coco.loadImgs(own["image_id"])
        category = coco.cats[own["category_id"]]["name"]
        if not isinstance(own["segmentation"], dict):
            boxes.append({"frame": image["frame"], "category": category, "area": own["area"], "bbox": own["bbox"], "score": own["score"]})
            continue
        pixels = coco.annToMask(own)
        found.append({"frame": image["frame"], "camera": image["camera"], "category": category,
                      "area": own["area"], "bbox": own["bbox"], "true_bbox": masks.toBbox(coco.annToRLE(own)).tolist(),
                      "true_area": int(masks.area(coco.annToRLE(own))), "score": own.get("score"),
                      "like_ring": bool(np.array_equal(pixels, ring(image["width"], image["height"])))})
    return {"masks": found, "boxes": boxes, "labels": labels}


answer = {"mcap": mcap, "sidecars": sidecars, "webdataset": webdataset, "mask": mask, "coco": coco}[sys.argv[1]](*sys.argv[2:])
sys.stdout.write("\n" + json.dumps(answer))
