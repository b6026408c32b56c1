"""The encoder as an ONNX graph with 8-bit weights, written node by node.

Activations are rounded to 8 bits word piece by word piece, each with its own scale, and products are summed as
integers: what comes out for a text does not depend on the batch it is in.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

Array = npt.NDArray[np.float32]
LAYERS, HEADS, WIDTH, EPSILON = 6, 12, 384, 1e-12
MICROSOFT = "com.microsoft"


def rounded(w: Array, axis: int) -> tuple[npt.NDArray[np.int8], Array]:
    """Weights as 8-bit integers and the scale of each row or column."""
    scale = np.maximum(np.abs(w).max(axis=axis, keepdims=True) / 127, 1e-12).astype(np.float32)
    return np.round(w / scale).astype(np.int8), scale


class Graph:
    """Nodes and constants under construction."""

    def __init__(self, weights: Mapping[str, Array], longest: int) -> None:
        self.weights = weights
        self.longest = longest
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def constant(self, name: str, value: object) -> str:
        """Name of a constant, added at its first use."""
        self.constants.setdefault(name, numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def weight(self, name: str) -> str:
        """Name of a weight kept in full precision."""
        return self.constant(name, self.weights[name])

    def node(self, kind: str, *inputs: str, outputs: int = 1, **options: object) -> list[str]:
        """Add a node; names of its outputs."""
        names = [f"n{len(self.nodes)}.{k}" for k in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, **options))
        return names

    def one(self, kind: str, *inputs: str, **options: object) -> str:
        """Add a node with one output."""
        return self.node(kind, *inputs, **options)[0]

    def quantised(self, x: str) -> tuple[str, str]:
        """Each vector of x as bytes around 128, and its scale."""
        largest = self.one("ReduceMax", self.one("Abs", x), self.constant("last", np.array([-1])), keepdims=1)
        floor = self.one("Max", largest, self.constant("tiny", np.float32(1e-9)))
        scale = self.one("Mul", floor, self.constant("step", np.float32(1 / 127)))
        # the cast cuts off decimals, so adding 128.5 rounds
        moved = self.one("Add", self.one("Div", x, scale), self.constant("middle", np.float32(128.5)))
        return self.one("Cast", moved, to=TensorProto.UINT8), scale

    def linear(self, quantised: tuple[str, str], name: str, w: Array) -> str:
        """Product with weights (out, in), without the bias."""
        q, scale = quantised
        whole, columns = rounded(w.T, axis=0)
        product = self.one(
            "MatMulIntegerToFloat", q, self.constant(f"{name}.q", whole), self.constant("one", np.float32(1)),
            self.constant(f"{name}.s", columns[0]), self.constant("zero", np.uint8(128)), domain=MICROSOFT,
        )  # fmt: skip
        return self.one("Mul", product, scale)

    def dense(self, quantised: tuple[str, str], name: str) -> str:
        """The product with a weight of the network, without its bias."""
        return self.linear(quantised, name, self.weights[f"{name}.weight"])

    def normalised(self, x: str, name: str) -> str:
        """Layer normalisation."""
        w, b = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.one("LayerNormalization", x, w, b, axis=-1, epsilon=EPSILON)

    def residual(self, x: str, before: str, dense: str, norm: str) -> str:
        """Bias, what went in, and layer normalisation."""
        biased = self.one("Add", x, self.weight(f"{dense}.bias"))
        return self.normalised(self.one("Add", biased, before), norm)

    def embedded(self) -> str:
        """Word, position and type embeddings of `input_ids`."""
        whole, scale = rounded(self.weights["embeddings.word_embeddings.weight"], axis=1)
        rows = self.one("Gather", self.constant("words.q", whole), "input_ids")
        sizes = self.one("Gather", self.constant("words.s", scale), "input_ids")
        words = self.one("Mul", self.one("Cast", rows, to=TensorProto.FLOAT), sizes)
        places = self.weights["embeddings.position_embeddings.weight"][: self.longest]
        places = places + self.weights["embeddings.token_type_embeddings.weight"][0]
        shape = self.one("Shape", "input_ids", start=1, end=2)
        here = self.one("Slice", self.constant("places", places), self.constant("from", np.array([0])), shape)
        return self.normalised(self.one("Add", words, here), "embeddings.LayerNorm")

    def layer(self, x: str, name: str) -> str:
        """One transformer layer."""
        kinds = [f"{name}.attention.self.{k}" for k in ("query", "key", "value")]
        qkv = self.linear(
            self.quantised(x), f"{name}.qkv", np.concatenate([self.weights[f"{k}.weight"] for k in kinds])
        )
        bias = self.constant(f"{name}.qkv.bias", np.concatenate([self.weights[f"{k}.bias"] for k in kinds]))
        parts = self.node("Split", self.one("Add", qkv, bias), outputs=3, axis=-1, num_outputs=3)
        seen = self.one("MultiHeadAttention", *parts, domain=MICROSOFT, num_heads=HEADS)
        out = f"{name}.attention.output"
        x = self.residual(self.dense(self.quantised(seen), f"{out}.dense"), x, f"{out}.dense", f"{out}.LayerNorm")
        wide = self.dense(self.quantised(x), f"{name}.intermediate.dense")
        wide = self.one("BiasGelu", wide, self.weight(f"{name}.intermediate.dense.bias"), domain=MICROSOFT)
        narrow = self.dense(self.quantised(wide), f"{name}.output.dense")
        return self.residual(narrow, x, f"{name}.output.dense", f"{name}.output.LayerNorm")


def build(weights: Mapping[str, Array], longest: int) -> onnx.ModelProto:
    """Graph from `input_ids` (n, T) to `hidden` (n, T, 384)."""
    graph = Graph(weights, longest)
    x = graph.embedded()
    for k in range(LAYERS):
        x = graph.layer(x, f"encoder.layer.{k}")
    graph.nodes.append(helper.make_node("Identity", [x], ["hidden"]))
    made = helper.make_graph(
        graph.nodes,
        "encoder",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["n", "t"])],
        [helper.make_tensor_value_info("hidden", TensorProto.FLOAT, ["n", "t", WIDTH])],
        list(graph.constants.values()),
    )
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid(MICROSOFT, 1)]
    return helper.make_model(made, opset_imports=opsets, ir_version=10)
