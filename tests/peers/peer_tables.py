"""Random tables of answers for comparisons: truths, raters with their own error rates, missing answers."""

import numpy as np
from hypothesis import strategies as st


@st.composite
def labels(draw, *, raters=(2, 5), units=(6, 40), categories=(2, 5), missing=True):
    """Rows (U, R) of numbers 1..q with None for missing; returns rows and q. Every category occurs."""
    R, U, q = draw(st.integers(*raters)), draw(st.integers(*units)), draw(st.integers(*categories))
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    truth = generator.integers(1, q + 1, (U, 1))
    noise = generator.random((U, R)) < generator.uniform(0.1, 0.8, R)
    table = np.where(noise, generator.integers(1, q + 1, (U, R)), truth)
    table[:q, 0] = np.arange(1, q + 1)[:U]
    rows = [[int(x) for x in row] for row in table]
    if missing:
        gaps = generator.random((U, R)) < draw(st.sampled_from([0.0, 0.1, 0.3]))
        gaps[:q, 0] = False
        rows = [[None if gap else x for x, gap in zip(*pair, strict=True)] for pair in zip(rows, gaps, strict=True)]
    return rows, q


@st.composite
def numbers(draw, *, raters=(2, 5), units=(5, 30), decimals=(0, 2)):
    """Complete rows (U, R) of numbers: unit effects, rater effects, errors."""
    R, U = draw(st.integers(*raters)), draw(st.integers(*units))
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    spread = generator.uniform(0.2, 3, 3)
    table = 10 + spread[0] * generator.normal(size=(U, 1)) + spread[1] * generator.normal(size=(1, R))
    table = table + spread[2] * generator.normal(size=(U, R))
    return np.round(table, draw(st.integers(*decimals))).tolist()


def without(rows, share, seed):
    """The same rows with a share of the answers missing at random, at least two left in each row."""
    generator = np.random.default_rng(seed)
    gaps = generator.random((len(rows), len(rows[0]))) < share
    for row, gap in enumerate(gaps):
        if (~gap).sum() < 2:
            gaps[row] = False
    return [[None if gap else x for x, gap in zip(*pair, strict=True)] for pair in zip(rows, gaps, strict=True)]


def pairable(rows):
    """Rows with at least two answers."""
    return [row for row in rows if sum(x is not None for x in row) > 1]


def contingency(rows, q):
    """Cross table (q, q) of the first two columns."""
    table = np.zeros((q, q), dtype=int)
    for a, b, *_ in rows:
        table[a - 1, b - 1] += 1
    return table.tolist()


def counts(rows, q):
    """How often each row got each category, (U, q)."""
    return [[row.count(k) for k in range(1, q + 1)] for row in rows]
