"""Encodes texts with the files of a BERT sentence encoder by onnxruntime, with a graph built here from the weights, and by the
tokenizers library. Arguments: the folder of the model, a JSON file of texts, the result: token ids and vectors."""

import json
import sys
from pathlib import Path

import numpy
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer

max_tokens = 256


def read_safetensors(path):
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    tensors = {}
    for name, about in header.items():
        if name == "__metadata__" or about["dtype"] != "F32":
            continue
        start, end = about["data_offsets"]
        values = numpy.frombuffer(data[8 + length + start : 8 + length + end], "<f4")
        tensors[name] = values.reshape(about["shape"])
    return tensors


class Graph:
    def __init__(self, weights):
        self.weights = weights
        self.nodes = []
        self.constants = {}

    def add(self, kind, *inputs, **attributes):
        output = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def constant(self, value):
        name = f"c{len(self.constants)}"
        self.constants[name] = numpy.asarray(value)
        return name

    def weight(self, name):
        self.constants[name] = self.weights[name]
        return name

    def linear(self, x, name):
        turned = self.add("Transpose", self.weight(f"{name}.weight"), perm=[1, 0])
        return self.add("Add", self.add("MatMul", x, turned), self.weight(f"{name}.bias"))

    def norm(self, x, name, epsilon):
        scale, bias = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.add("LayerNormalization", x, scale, bias, axis=-1, epsilon=epsilon)


def build(weights, config):
    g = Graph(weights)
    heads, epsilon = config["num_attention_heads"], config["layer_norm_eps"]
    dims = weights["embeddings.word_embeddings.weight"].shape[1]
    size = dims // heads
    words = g.add("Gather", g.weight("embeddings.word_embeddings.weight"), "ids")
    places = g.add("Gather", g.weight("embeddings.position_embeddings.weight"), "positions")
    kind = g.constant(weights["embeddings.token_type_embeddings.weight"][0])
    x = g.norm(g.add("Add", g.add("Add", words, places), kind), "embeddings.LayerNorm", epsilon)
    split, joined = g.constant([0, 0, heads, size]), g.constant([0, 0, dims])
    scale = g.constant(numpy.float32(1 / numpy.sqrt(size)))
    for layer in range(config["num_hidden_layers"]):
        name = f"encoder.layer.{layer}"

        def part(which, order):
            value = g.add("Reshape", g.linear(x, f"{name}.attention.self.{which}"), split)
            return g.add("Transpose", value, perm=order)

        scores = g.add("Mul", g.add("MatMul", part("query", [0, 2, 1, 3]), part("key", [0, 2, 3, 1])), scale)
        mixed = g.add("MatMul", g.add("Softmax", scores, axis=-1), part("value", [0, 2, 1, 3]))
        mixed = g.add("Reshape", g.add("Transpose", mixed, perm=[0, 2, 1, 3]), joined)
        attended = g.add("Add", g.linear(mixed, f"{name}.attention.output.dense"), x)
        x = g.norm(attended, f"{name}.attention.output.LayerNorm", epsilon)
        wide = g.add("Gelu", g.linear(x, f"{name}.intermediate.dense"))
        x = g.norm(g.add("Add", g.linear(wide, f"{name}.output.dense"), x), f"{name}.output.LayerNorm", epsilon)
    g.nodes.append(helper.make_node("Identity", [x], ["hidden"]))
    ids = [helper.make_tensor_value_info(n, TensorProto.INT64, [1, None]) for n in ("ids", "positions")]
    hidden = helper.make_tensor_value_info("hidden", TensorProto.FLOAT, [1, None, dims])
    constants = [numpy_helper.from_array(value, name) for name, value in g.constants.items()]
    graph = helper.make_graph(g.nodes, "bert", ids, [hidden], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    return onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])


folder, texts, result = map(Path, sys.argv[1:4])
session = build(read_safetensors(folder / "model.safetensors"), json.loads((folder / "config.json").read_text()))
tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
tokenizer.no_padding()
tokenizer.enable_truncation(max_tokens)
answers = []
for text in json.loads(texts.read_text()):
    ids = tokenizer.encode(text).ids
    feed = {"ids": numpy.array([ids]), "positions": numpy.arange(len(ids))[None]}
    # One text at a time has no padding.
    mean = session.run(["hidden"], feed)[0][0].mean(axis=0)
    answers.append({"ids": ids, "vector": (mean / numpy.linalg.norm(mean)).tolist()})
result.write_text(json.dumps(answers))
print(json.dumps({"texts": len(answers)}))
