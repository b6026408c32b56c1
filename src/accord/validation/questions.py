"""From a sample of pairs to blinded questions: random order and sides, some asked twice, some with a known answer."""

from __future__ import annotations

import numpy as np

from accord.validation.frame import Frame
from accord.validation.key import Question
from accord.validation.material import Material
from accord.validation.sampling import Sample
from accord.values import FloatArray

#: Role, place in the sample, left and right text, expected answer.
Asked = tuple[str, int, str, str, bool | None]


def questions(
    data: Material, frame: Frame, sample: Sample, scores: FloatArray, *, repeats: float, controls: int, seed: int
) -> tuple[Question, ...]:
    """Every sampled pair, a share of them once more, and so many controls each way.

    Controls that are equivalent show one text twice; those that are not show texts of different units that all
    measures hold farthest apart.
    """
    rng = np.random.default_rng((seed, 1))
    n = len(sample.pair)
    again = rng.choice(n, size=round(repeats * n), replace=False).tolist()
    asked = [*(("pair", k) for k in range(n)), *(("repeat", k) for k in again)]
    made: list[Asked] = [(role, k, *_sides(data, frame, int(sample.pair[k])), None) for role, k in asked]
    made += _controls(data, frame, scores, controls, rng)
    ids = _ids(len(made), rng)
    # The second look at a pair has the sides of the first one swapped.
    swap = dict(enumerate((rng.random(n) < 0.5).tolist()))
    out = []
    for number, (role, k, left, right, expected) in enumerate(made):
        turned = swap.get(k, False) != (role == "repeat") if k >= 0 else rng.random() < 0.5
        sides = (right, left) if turned else (left, right)
        out.append(Question(ids[number], *sides, role, k, expected))
    return tuple(out[k] for k in rng.permutation(len(out)).tolist())


def _sides(data: Material, frame: Frame, pair: int) -> tuple[str, str]:
    return data.texts[frame.left[pair]], data.texts[frame.right[pair]]


def _controls(data: Material, frame: Frame, scores: FloatArray, count: int, rng: np.random.Generator) -> list[Asked]:
    texts = data.texts
    same = rng.choice(len(texts), size=min(count, len(texts)), replace=False).tolist()
    apart = np.flatnonzero(frame.observed <= 0)
    farthest = apart[np.argsort(scores[:, apart].max(axis=0), kind="stable")[: 5 * count]]
    chosen = rng.choice(farthest, size=min(count, len(farthest)), replace=False).tolist()
    made: list[Asked] = [("control", -1, texts[k], texts[k], True) for k in same]
    return made + [("control", -1, *_sides(data, frame, k), False) for k in chosen]


def _ids(count: int, rng: np.random.Generator) -> list[str]:
    """Distinct identifiers that say nothing."""
    found: dict[str, None] = {}
    while len(found) < count:
        found[rng.bytes(4).hex()] = None
    return list(found)
