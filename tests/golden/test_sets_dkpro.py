"""Set-valued answers of DKPro Statistics' SetAnnotationsTest (alpha with its MASI distance).

DKPro counts an empty set as part of every set (distance 1/3), and so does ``masi_dkpro`` on sets. The answer
"nothing", EMPTY, is another thing: it equals itself and nothing else.
"""

import numpy as np
import pytest

from accord.similarity.metric import from_metric

ANSWERS = [
    ("", ""),
    ("A", ""),
    ("A", "A"),
    ("A", "B"),
    ("AB", "A"),
    ("AB", "AC"),
    ("ABC", "ABC"),
    ("C", "AC"),
    ("C", "AC"),
]


def alpha(metric):
    """Observed and expected disagreement and alpha of two raters, by definition."""
    pairs = [(frozenset(a), frozenset(b)) for a, b in ANSWERS]
    values = list(dict.fromkeys(value for pair in pairs for value in pair))
    distance = 1 - from_metric(values, metric).dense()
    code = {value: number for number, value in enumerate(values)}
    codes = np.array([[code[a], code[b]] for a, b in pairs])
    observed = distance[codes[:, 0], codes[:, 1]].mean()
    everyone = codes.ravel()
    n = len(everyone)
    expected = distance[everyone[:, None], everyone[None, :]].sum() / (n * (n - 1))
    return observed, expected, 1 - observed / expected


def test_alpha_with_dkpros_masi():
    assert alpha("masi_dkpro") == pytest.approx((0.253, 0.338, 0.252), abs=1e-3)
