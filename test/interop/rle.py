"""Masks by pycocotools: `rle.py FILE` reads [{"size": [h, w], "bits": "0101..."}] rows from the top; prints the counts of each."""

import json
import sys

import numpy as np
from pycocotools import mask

given = json.load(open(sys.argv[1]))
masks = [np.frombuffer(one["bits"].encode(), np.uint8).reshape(one["size"]) - 48 for one in given]
print(json.dumps([mask.encode(np.asfortranarray(one))["counts"].decode() for one in masks]))
