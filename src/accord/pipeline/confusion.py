"""Which labels are mixed up: counts of label pairs within units, against what chance would give."""

from __future__ import annotations

import numpy as np

from accord.pipeline.report import ConfusedPair, Confusion
from accord.pipeline.words import show
from accord.study import Study
from accord.values import FloatArray, Index

LARGEST = 60


def coincidences(study: Study) -> FloatArray:
    """Symmetric counts of value pairs within units, unordered pairs split over both orders, (V, V)."""
    left, right = study.pairs
    size = study.V
    key = study.code[left].astype(np.int64) * size + study.code[right]
    table = np.bincount(key, minlength=size * size).reshape(size, size).astype(np.float64)
    return (table + table.T) / 2.0


def confusion(study: Study, content: bool = True) -> Confusion | None:
    """Return observed and expected counts; None where there are too many values to show."""
    if not 2 <= study.V <= LARGEST or not len(study.pairs[0]):
        return None
    observed = coincidences(study)
    margin = observed.sum(axis=1)
    expected = np.outer(margin, margin) / margin.sum()
    names = tuple(show(value, content) for value in study.values)
    return Confusion(names, _rows(observed), _rows(expected))


def confused_pairs(study: Study, content: bool = True) -> tuple[ConfusedPair, ...]:
    """Label pairs by their share of all disagreement, largest first.

    Expected shares are those of labels meeting at random among the disagreements; ``p`` is the one-sided
    probability of so much more than that, with units as the sample.
    """
    if not 3 <= study.V <= LARGEST or not len(study.pairs[0]):
        return ()
    observed = coincidences(study)
    margin = observed.sum(axis=1)
    chance = np.outer(margin, margin)
    np.fill_diagonal(observed, 0.0)
    np.fill_diagonal(chance, 0.0)
    if observed.sum() == 0 or chance.sum() == 0:
        return ()
    first, second = np.triu_indices(study.V, 1)
    seen = 2.0 * observed[first, second]
    expected = 2.0 * chance[first, second] / chance.sum()
    total = seen.sum()
    # pairs never seen are not listed but were looked at: the false-discovery rule must count them
    p = np.minimum(_excess(study, first, second, expected) * len(seen) / np.count_nonzero(seen), 1.0)
    names = [show(value, content) for value in study.values]
    return tuple(
        ConfusedPair(
            first=names[first[i]],
            second=names[second[i]],
            observed=float(seen[i]),
            expected=float(expected[i] * total),
            share=float(seen[i] / total),
            expected_share=float(expected[i]),
            p=float(p[i]),
        )
        for i in np.argsort(-seen, kind="stable").tolist()
        if seen[i] > 0
    )


def _excess(study: Study, first: Index, second: Index, share: FloatArray) -> FloatArray:
    """One-sided p that a pair takes more of the disagreement than its share, with units as the sample."""
    from scipy.special import ndtr

    left, right = study.pairs
    a, b = np.minimum(study.code[left], study.code[right]), np.maximum(study.code[left], study.code[right])
    differ = a != b
    unit = study.unit[left][differ]
    loss = np.bincount(unit, minlength=study.U).astype(np.float64)
    p = np.ones(len(share))
    for k, (i, j) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        hit = (a[differ] == i) & (b[differ] == j)
        if not hit.any():
            continue
        excess = np.bincount(unit, hit.astype(np.float64), study.U) - share[k] * loss
        spread = np.sqrt((excess**2).sum())
        expected_units = max(share[k] * (loss > 0).sum(), 1e-12)
        variance = max(spread**2, expected_units * (1 - share[k]))
        p[k] = 1.0 - ndtr((excess.sum() - 0.5) / np.sqrt(variance))
    return p


def _rows(table: FloatArray) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(map(float, row)) for row in table)
