"""What the canonical reader of a format does with recordings: refuses_set, refuses_rows or loads.

Arguments: the reader, and folders. Prints a JSON object from folder to what it did, and why.
"""
import contextlib
import io
import json
import os
import sys

from aloha_loaders import RefusesRows, act, act_plus_plus
from driving_loaders import nuscenes, pykitti

here = sys.argv[1]


def robomimic(folder):
    """train.py with the standard settings of BC: the metadata of the environment, masks where there are any, all rows."""
    import h5py
    import robomimic.utils.obs_utils as obs_utils
    from robomimic.utils.dataset import SequenceDataset
    from torch.utils.data import default_collate

    path = os.path.join(folder, "low_dim.hdf5")
    with h5py.File(path) as file:
        json.loads(file["data"].attrs["env_args"])
        keys = sorted(file["data/demo_0/obs"])
        filters = [None] + sorted(file.get("mask", []))
        masks = {name: {demo.decode() for demo in file["mask"][name][:]} for name in filters[1:]}
    assert masks.get("train", set()).isdisjoint(masks.get("valid", set()))
    obs_utils.initialize_obs_utils_with_obs_specs([{"obs": {"low_dim": keys}}])
    for filter_key in filters:
        dataset = SequenceDataset(
            hdf5_path=path,
            obs_keys=keys,
            dataset_keys=["actions", "rewards", "dones"],
            hdf5_cache_mode="all",
            load_next_obs=False,
            filter_by_attribute=filter_key,
        )
        try:
            default_collate([dataset[i] for i in range(len(dataset))])
        except Exception as error:
            raise RefusesRows(error) from error


def ultralytics(folder):
    """check_det_dataset, then every picture of train and val through verify_image_label."""
    os.environ.setdefault("YOLO_CONFIG_DIR", os.path.join(folder, ".settings"))
    os.environ["YOLO_OFFLINE"] = "true"
    from ultralytics.data.utils import check_det_dataset, img2label_paths, verify_image_label

    os.chdir(folder)
    data = check_det_dataset(os.path.join(folder, "data.yaml"), autodownload=False)
    shape = data.get("kpt_shape") or (0, 0)
    for split in ("train", "val"):
        assert os.path.isdir(data[split]), f"{data[split]} is not there"
        pictures = sorted(os.path.join(data[split], name) for name in os.listdir(data[split]))
        for picture, label in zip(pictures, img2label_paths(pictures)):
            found = verify_image_label((picture, label, "", bool(shape[0]), len(data["names"]), *shape, False))
            if found[0] is None:
                raise RefusesRows(found[-1])


def coco_of(folder):
    from pycocotools.coco import COCO

    return COCO(os.path.join(folder, "annotations.json"))


def coco(folder):
    """Opens a set, and looks up every annotation by its image: each must be the one that the file holds there."""
    found = coco_of(folder)
    by_image = {}
    for one in found.dataset["annotations"]:
        by_image.setdefault(one["image_id"], []).append(one)
    listed = [image["id"] for image in found.dataset["images"]]
    given = {image: found.loadAnns(found.getAnnIds(imgIds=[image])) for image in found.getImgIds()}
    if sorted(given) != sorted(listed) or any(given[image] != by_image[image] for image in given):
        return "serves_wrong_rows"


def coco_masks(folder):
    """A mask of every annotation of a listed image, as large as the image."""
    found = coco_of(folder)
    sizes = {image["id"]: (image["height"], image["width"]) for image in found.dataset["images"]}
    wrong = False
    for one in found.dataset["annotations"]:
        try:
            wrong = found.annToMask(one).shape != sizes[one["image_id"]] or wrong
        except Exception as error:
            raise RefusesRows(error) from error
    if wrong:
        return "serves_wrong_rows"


def coco_evaluation(folder):
    """Boxes of a set evaluated against themselves: precision must be 1."""
    from pycocotools.cocoeval import COCOeval

    found = coco_of(folder)
    results = [
        {key: one[key] for key in ("image_id", "category_id", "bbox")} | {"score": 1.0}
        for one in found.dataset["annotations"]
    ]
    evaluation = COCOeval(found, found.loadRes(results), "bbox")
    evaluation.evaluate()
    evaluation.accumulate()
    evaluation.summarize()
    if evaluation.stats[0] < 0.999:
        return "serves_wrong_rows"


def diffusion_policy(folder):
    """ReplayBuffer.__init__ and the windows of SequenceSampler, as of commit 5ba07ac, over zarr itself; every value is
    more than 0."""
    import zarr

    root = zarr.open(folder, "r")
    assert "data" in root and "meta" in root and "episode_ends" in root["meta"]
    for _, array in root["data"].items():
        assert array.shape[0] == root["meta"]["episode_ends"][-1]
    ends = root["meta"]["episode_ends"][:]
    wrong = False
    for i, end in enumerate(ends):
        start = 0 if i == 0 else ends[i - 1]
        range(end - start)
        for _, array in root["data"].items():
            try:
                rows = array[start:end]
                rows[0]
            except Exception as error:
                raise RefusesRows(error) from error
            wrong = wrong or bool((rows == 0).any())
    if wrong:
        return "serves_wrong_rows"


def tfds(folder):
    """builder_from_directory, then every step of every episode of every split."""
    import tensorflow_datasets as datasets

    builder = datasets.builder_from_directory(folder)
    try:
        for split in builder.info.splits:
            for episode in builder.as_dataset(split=split):
                for _ in episode["steps"]:
                    pass
    except Exception as error:
        raise RefusesRows(error) from error


readers = {
    "ACT": act,
    "act-plus-plus": act_plus_plus,
    "diffusion_policy": diffusion_policy,
    "pycocotools": coco,
    "pycocotools, masks": coco_masks,
    "pycocotools, evaluation": coco_evaluation,
    "nuscenes-devkit": nuscenes,
    "pykitti": pykitti,
    "robomimic": robomimic,
    "TFDS": tfds,
    "Ultralytics": ultralytics,
}


def does(reader, folder):
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            said = reader(folder)
        return [said or "loads", ""]
    except RefusesRows as error:
        return ["refuses_rows", repr(error)[:200]]
    except ImportError:
        raise
    except Exception as error:
        return ["refuses_set", repr(error)[:200]]


print(json.dumps({folder: does(readers[here], folder) for folder in sys.argv[2:]}))
