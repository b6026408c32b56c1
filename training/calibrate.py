"""Scale and shift of the logits, so that a score is the share of pairs like it that are equivalent."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from accord.equivalence.nli import entailment
from accord.terminology.concepts import Terminology
from training.exam import NEGATIVES, Pair, questions
from training.nearest import Strings

Floats = npt.NDArray[np.float64]


def balanced(asked: dict[str, list[Pair]]) -> tuple[list[Pair], Floats, Floats]:
    """Pairs, labels and weights: half the weight on synonyms, the rest in equal parts on the kinds of negatives."""
    pairs = [p for kind in ("synonym", *NEGATIVES) for p in asked[kind]]
    label = np.array([float(kind == "synonym") for kind in ("synonym", *NEGATIVES) for _ in asked[kind]])
    share = {"synonym": 0.5, **dict.fromkeys(NEGATIVES, 0.5 / len(NEGATIVES))}
    weight = np.array([share[kind] / len(asked[kind]) for kind in ("synonym", *NEGATIVES) for _ in asked[kind]])
    return pairs, label, weight


def _mutual(forward: Floats, back: Floats, scale: float, shift: float) -> Floats:
    p, q = (1 / (1 + np.exp(-(scale * z + shift))) for z in (forward, back))
    return np.sqrt(p * q)


def calibrate(folder: Path, table: Terminology) -> tuple[float, float]:
    """Fit both constants on concepts kept for settings and write them into model.json of an exported model."""
    pairs, label, weight = balanced(questions(Strings(table), 1000))
    card = json.loads((folder / "model.json").read_text())
    (folder / "model.json").write_text(json.dumps(card | {"scale": 1.0, "shift": 0.0}, indent=2) + "\n")
    model = entailment(folder=folder)
    left, right = [a for a, _ in pairs], [b for _, b in pairs]
    forward, back = (_logit(model.score(*sides)) for sides in ((left, right), (right, left)))

    def log_loss(x: Floats) -> float:
        s = np.clip(_mutual(forward, back, *x), 1e-9, 1 - 1e-9)
        return float(-(weight * (label * np.log(s) + (1 - label) * np.log1p(-s))).sum())

    scale, shift = minimize(log_loss, np.array([1.0, 0.0]), method="Nelder-Mead").x
    card |= {"scale": round(float(scale), 4), "shift": round(float(shift), 4)}
    (folder / "model.json").write_text(json.dumps(card, indent=2) + "\n")
    return card["scale"], card["shift"]


def _logit(p: Floats) -> Floats:
    p = np.clip(p, 1e-12, 1 - 1e-12)
    return np.log(p) - np.log1p(-p)
