"""Free text: reading texts once, scoring pairs, and exact chance agreement over all pairs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from accord.equivalence.lexical import LEXICAL
from accord.equivalence.nli import nli
from benchmarks.timing import Call, Case

PARTS = (
    ("acute", "chronic", "mild", "severe", "recurrent", "left", "right", "no evidence of", "possible", "bilateral"),
    ("pulmonary", "renal", "hepatic", "cardiac", "gastric", "retinal", "femoral", "cerebral", "aortic", "thyroid"),
    ("embolism", "fibrosis", "carcinoma", "infection", "hemorrhage", "stenosis", "abscess", "edema", "cyst", "ulcer"),
    ("", "with fever", "of unknown cause", "in a child", "for 3 days", "grade 2"),
)


def terms(count: int) -> list[str]:
    """Distinct made-up findings of about seven word pieces."""
    shape = tuple(map(len, PARTS))
    codes = np.random.default_rng(12).permutation(int(np.prod(shape)))[:count]
    chosen = zip(*(index.tolist() for index in np.unravel_index(codes, shape)), strict=True)
    return [" ".join(part[k] for part, k in zip(PARTS, row, strict=True)).strip() for row in chosen]


def pairs(count: int, texts: int) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of different texts by place."""
    random = np.random.default_rng(13)
    i = random.integers(0, texts, count)
    return i, (i + random.integers(1, texts, count)) % texts


def reading(scale: float) -> Mapping[str, Call]:
    """1,500 texts through the encoder."""
    texts = terms(max(2, int(1500 * scale)))
    model = nli()
    return {"accord": lambda: model.encode(texts)}


def scoring(scale: float) -> Mapping[str, Call]:
    """10,000 pairs in both directions, against the words they share."""
    texts = terms(1000)
    i, j = pairs(max(1, int(10_000 * scale)), len(texts))
    model, words = nli(), LEXICAL["jaccard"]
    read, sets = model.encode(texts), words.encode(texts)
    return {"token Jaccard": lambda: words.compare(sets, i, j), "accord": lambda: model.compare(read, i, j)}


def all_pairs(scale: float) -> Mapping[str, Call]:
    """All pairs of 1,000 texts, reading included: exact chance agreement."""
    texts = terms(max(2, int(1000 * scale)))
    i, j = np.triu_indices(len(texts), 1)
    model, words = nli(), LEXICAL["jaccard"]
    return {
        "token Jaccard": lambda: words.compare(words.encode(texts), i, j),
        "accord": lambda: model.compare(model.encode(texts), i, j),
    }


CASES = (
    Case("T20", "text model: 1,500 texts read", reading, seconds=1),
    Case("T21", "text model: 10⁴ pairs scored in both directions", scoring, seconds=1),
    Case("T22", "text model: all pairs of 1,000 texts, reading included", all_pairs, seconds=60),
)
