"""What real consumers read of an exported set of pictures.

  export_pictures.py coco|torchvision|datasets FOLDER   prints {"pictures": {sha256 of the file: what is said of it}}

coco: the boxes with the names of their categories, by pycocotools. torchvision: the class, by ImageFolder. datasets: the
row beside the picture, by imagefolder. Each picture is opened and decoded.
"""

import hashlib
import json
import pathlib
import sys

from PIL import Image


def digest(path: pathlib.Path) -> str:
    with Image.open(path) as picture:
        picture.load()
    return hashlib.sha256(path.read_bytes()).hexdigest()


def coco(folder: pathlib.Path) -> dict:
    from pycocotools.coco import COCO

    found = {}
    for path in sorted((folder / "annotations").glob("*.json")):
        split = path.stem.removeprefix("instances_")
        api = COCO(str(path))
        names = {one["id"]: one["name"] for one in api.loadCats(api.getCatIds())}
        for image in api.loadImgs(api.getImgIds()):
            file = folder / "images" / split / image["file_name"]
            with Image.open(file) as picture:
                assert picture.size == (image["width"], image["height"]), file
            boxes = api.loadAnns(api.getAnnIds(imgIds=[image["id"]]))
            found[digest(file)] = [[names[box["category_id"]], *map(float, box["bbox"])] for box in boxes]
    return found


def torchvision(folder: pathlib.Path) -> dict:
    import lerobot_library  # torchvision's operators, where they want a CUDA that is not there
    from torchvision.datasets import ImageFolder

    found = {}
    for split in sorted(path for path in folder.iterdir() if path.is_dir()):
        dataset = ImageFolder(split)
        for path, target in dataset.samples:
            found[digest(pathlib.Path(path))] = dataset.classes[target]
    return found


def datasets(folder: pathlib.Path) -> dict:
    import datasets

    found = {}
    loaded = datasets.load_dataset("imagefolder", data_dir=str(folder), cache_dir=sys.argv[3])
    for split in loaded.values():
        split = split.cast_column("image", datasets.Image(decode=False))
        for row in split:
            path = pathlib.Path(row.pop("image")["path"])
            found[digest(path)] = row
    return found


readers = {"coco": coco, "torchvision": torchvision, "datasets": datasets}
real, sys.stdout = sys.stdout, sys.stderr
found = readers[sys.argv[1]](pathlib.Path(sys.argv[2]))
print(json.dumps({"pictures": found}), file=real)
