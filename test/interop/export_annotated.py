"""What layers say, in exports as the libraries of others read it.

  export_annotated.py mcap FILE          prints {"captions": [[from_s, to_s, text]], "segments": [[from_s, to_s, kind]], "log": [[name, message]]}
  export_annotated.py webdataset FOLDER  prints the JSON of every sample, in order
  export_annotated.py mask FOLDER ID CAMERA ROW WIDTH HEIGHT
      writes a folder as assay annotate does, with one mask by pycocotools for a picture: a ring that lies at the edge
  export_annotated.py coco FOLDER        prints {"masks": [{"file", "category", "pixels", "bbox", "like_ring"}]}
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
    label = {"label": "ring", "pixels": int(own.sum()), "rle": {"size": rle["size"], "counts": rle["counts"].decode()}}
    text = json.dumps({"frames": [{"camera": camera, "row": int(row), "labels": [label]}]}).encode()
    pathlib.Path(folder).mkdir(parents=True)
    (pathlib.Path(folder) / "segmentation.json").write_bytes(text)
    file = {"name": "artifact", "path": "segmentation.json", "sha256": hashlib.sha256(text).hexdigest()}
    layers = {"segmentation": {"state": "done", "files": [file]}}
    listed = [{"id": episode, "dataset": ".", "index": 0, "layers": layers}]
    about = {"schema": "assay/annotations/v1", "episodes": listed}
    (pathlib.Path(folder) / "annotations.json").write_text(json.dumps(about))
    return "written"


def coco(folder: str) -> dict:
    from pycocotools import mask as masks
    from pycocotools.coco import COCO

    [path] = pathlib.Path(folder).glob("annotations/instances_*.json")
    coco = COCO(str(path))
    found = []
    for own in coco.loadAnns(coco.getAnnIds()):
        if not isinstance(own["segmentation"], dict):
            continue
        [image] = coco.loadImgs(own["image_id"])
        pixels = coco.annToMask(own)
        found.append({"frame": image["frame"], "camera": image["camera"], "category": coco.cats[own["category_id"]]["name"],
                      "area": own["area"], "bbox": own["bbox"], "true_bbox": masks.toBbox(coco.annToRLE(own)).tolist(),
                      "like_ring": bool(np.array_equal(pixels, ring(image["width"], image["height"])))})
    return {"masks": found}


answer = {"mcap": mcap, "webdataset": webdataset, "mask": mask, "coco": coco}[sys.argv[1]](*sys.argv[2:])
sys.stdout.write("\n" + json.dumps(answer))
