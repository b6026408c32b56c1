"""Which pairs people are asked about: strata, how many of each, and every pair's chance of being drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.errors import UsageError
from accord.validation.frame import Frame
from accord.values import FloatArray, Index

#: Quantiles of the proxy between the strata of pairs that never meet within a unit.
QUANTILES = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995)
#: Share of those questions: below the top 5 % by the proxy, in it, and where measures differ most.
SHARES = (0.25, 0.55, 0.2)
TOP = 0.95
LOW = QUANTILES.index(TOP)
#: Fewest pairs of a stratum, so that its variance is known.
LEAST = 3


@dataclass(frozen=True)
class Sample:
    """Pairs that were drawn without replacement within strata.

    ``pair`` (n,) are places in the frame, ``stratum`` (n,) their strata; ``pairs`` and ``taken`` (H,) are the sizes of
    strata and what was drawn of each.
    """

    pair: Index
    stratum: Index
    names: tuple[str, ...]
    pairs: Index
    taken: Index

    @property
    def weight(self) -> FloatArray:
        """Pairs of the frame that each drawn one stands for, (n,)."""
        return (self.pairs / np.maximum(self.taken, 1))[self.stratum]


def draw(frame: Frame, scores: FloatArray, within: int, across: int, seed: int) -> Sample:
    """Draw pairs that meet within units, and pairs that do not.

    Parameters
    ----------
    scores
        Scores of the measures, (M, K); the first one guides the draw, the spread of all shows where they differ.
    within, across
        Most pairs to draw of either kind.

    Raises
    ------
    UsageError
        If a number is too small for every stratum to have its pairs.
    """
    if within < 4 * LEAST or across < (len(QUANTILES) + 1) * LEAST:
        raise UsageError(f"Ask for at least {4 * LEAST} pairs within units and {(len(QUANTILES) + 1) * LEAST} others.")
    labels, names = _strata(frame, scores)
    rng = np.random.default_rng(seed)
    sizes = np.bincount(labels, minlength=len(names))
    taken = _allocated(sizes, within, across)
    chosen = [
        np.sort(rng.choice(np.flatnonzero(labels == k), size=int(count), replace=False))
        for k, count in enumerate(taken)
    ]
    stratum = np.repeat(np.arange(len(names)), taken)
    return Sample(np.concatenate(chosen), stratum, names, sizes, taken)


def _strata(frame: Frame, scores: FloatArray) -> tuple[Index, tuple[str, ...]]:
    """Stratum of every pair, and their names."""
    proxy, spread = scores[0], scores.max(axis=0) - scores.min(axis=0)
    met = frame.observed > 0
    labels = np.empty(len(proxy), dtype=np.int64)
    labels[met] = _bins(proxy[met], (0.0, 0.25, 0.5, 0.75))
    other = ~met
    bins = 4 + _bins(proxy[other], QUANTILES)
    if other.any() and len(scores) > 1:
        bins[(spread[other] >= np.quantile(spread[other], TOP)) & (bins < 4 + LOW)] = 4 + len(QUANTILES)
    labels[other] = bins
    names = (
        *(f"same unit, quarter {k + 1}" for k in range(4)),
        *(f"other units, from quantile {q:g}" for q in QUANTILES),
        "other units, measures differ",
    )
    return labels, names


def _bins(values: FloatArray, quantiles: tuple[float, ...]) -> Index:
    """Number of the quantile each value has reached; values that are equal stay together."""
    if not len(values):
        return np.empty(0, dtype=np.int64)
    edges = np.quantile(values, quantiles[1:])
    return np.searchsorted(edges, values, side="right")


def _shares(sizes: Index) -> FloatArray:
    """Share of its budget that each stratum is wanted to have; strata without a pair have none."""
    share = np.zeros(len(sizes))
    groups = (slice(0, 4), slice(4, 4 + LOW), slice(4 + LOW, 4 + len(QUANTILES)), slice(4 + len(QUANTILES), None))
    for group, part in zip(groups, (1.0, *SHARES), strict=True):
        filled = sizes[group] > 0
        share[group] = filled * part / max(1, int(filled.sum()))
    return share


def _allocated(sizes: Index, within: int, across: int) -> Index:
    """Numbers to draw: shares of the budget, at least LEAST, and what small strata cannot give goes to the others."""
    taken = np.zeros(len(sizes), dtype=np.int64)
    share_of = _shares(sizes)
    for part, budget in ((slice(0, 4), within), (slice(4, None), across)):
        room, share = sizes[part].astype(np.float64), share_of[part]
        found = np.zeros(len(room))
        for _ in range(len(room)):
            open_ = found < room
            left = budget - found.sum()
            if left < 1 or not open_.any():
                break
            found[open_] += left * share[open_] / share[open_].sum()
            found = np.minimum(found, room)
        taken[part] = np.minimum(np.maximum(np.floor(found + 1e-9), LEAST), room).astype(np.int64)
    return taken
