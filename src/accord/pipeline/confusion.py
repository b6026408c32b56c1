"""Which labels are mixed up: counts of label pairs within units, against what chance would give."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from accord.pipeline.report import ConfusedPair, Confusion
from accord.pipeline.words import show
from accord.study import Study
from accord.values import FloatArray, Index

LARGEST = 60
BLOCK = 1 << 18


def coincidences(study: Study) -> FloatArray:
    """Symmetric counts of value pairs within units, unordered pairs split over both orders, (V, V)."""
    table = np.zeros((study.V, study.V))
    for _, counts in _counted(study):
        table += counts.T @ counts
    table[np.diag_indices(study.V)] -= study.counts
    return table / 2.0


def _counted(study: Study) -> Iterator[tuple[slice, FloatArray]]:
    """Yield some units at a time and how often each value was given in them, (n, V)."""
    step = max(1, BLOCK // study.V)
    for first in range(0, study.U, step):
        some = slice(first, min(first + step, study.U))
        cells = slice(study.start[some.start], study.start[some.stop])
        place = (study.unit[cells].astype(np.int64) - first) * study.V + study.code[cells]
        counts = np.bincount(place, minlength=(some.stop - first) * study.V)
        yield some, counts.reshape(-1, study.V).astype(np.float64)


def confusion(study: Study, content: bool = True) -> Confusion | None:
    """Return observed and expected counts; None where there are too many values to show."""
    if not 2 <= study.V <= LARGEST or not study.P:
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
    if not 3 <= study.V <= LARGEST or not study.P:
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

    seen, squares, shared = (np.zeros((study.V, study.V)) for _ in range(3))
    total, units = 0.0, 0
    for some, counts in _counted(study):
        loss = (study.m[some].astype(np.float64) ** 2 - (counts**2).sum(axis=1)) / 2.0
        seen += counts.T @ counts
        squares += (counts**2).T @ counts**2
        shared += counts.T @ (counts * loss[:, None])
        total += float(loss @ loss)
        units += int(np.count_nonzero(loss))
    hits = seen[first, second]
    spread = squares[first, second] - 2.0 * share * shared[first, second] + share**2 * total
    all_losses = np.triu(seen, 1).sum()
    # two labels that are all there is take all of the disagreement, without any variance
    variance = np.maximum(np.maximum(spread, share * units * (1.0 - share)), 1e-12)
    p = 1.0 - ndtr((hits - share * all_losses - 0.5) / np.sqrt(variance))
    return np.where(hits > 0, p, 1.0)


def _rows(table: FloatArray) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(map(float, row)) for row in table)
