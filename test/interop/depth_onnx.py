"""Runs an ONNX depth model on a picture with onnxruntime and reads a depth map that Assay wrote of it: largest difference."""

import json
import sys

import cv2
import numpy
import onnx
import onnxruntime

folder = sys.argv[1]
about = json.load(open(f"{folder}/about.json"))
onnx.checker.check_model(f"{folder}/depth.onnx")
rgb = numpy.fromfile(f"{folder}/rgb.bin", numpy.uint8).reshape(about["height_px"], about["width_px"], 3)
mean, deviation = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
pixels = ((rgb / 255 - mean) / deviation).transpose(2, 0, 1)[None].astype(numpy.float32)
session = onnxruntime.InferenceSession(f"{folder}/depth.onnx", providers=["CPUExecutionProvider"])
(truth,) = session.run(None, {"pixel_values": pixels})
samples = cv2.imread(f"{folder}/depth.png", cv2.IMREAD_UNCHANGED)
assert samples.dtype == numpy.uint16 and samples.shape == truth.shape[1:], (samples.dtype, samples.shape)
values = about["offset"] + about["scale"] * samples.astype(numpy.float64)
print(json.dumps({"largest": float(numpy.abs(values - truth[0]).max()), "range": float(numpy.ptp(truth))}))
