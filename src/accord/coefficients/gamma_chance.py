"""Random continua that resemble the observed ones: the chance model of gamma.

Each rater gets a number of stretches, each stretch a gap before it, a length and a label set: numbers, gaps and
lengths from normal distributions with the observed means and standard deviations, label sets by their frequency.
Numbers follow the continuum at hand; gaps, lengths and label sets follow all continua together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from accord.coefficients.gamma_disorder import Marks
from accord.values import FloatArray, Index

#: Draws of continua without any stretch before one stretch is given to a random rater.
_PATIENCE = 200


@dataclass(frozen=True, slots=True)
class Habits:
    """Mean and standard deviation of gaps and of lengths, and the share of each label set, (L,)."""

    gap: tuple[float, float]
    length: tuple[float, float]
    share: FloatArray


def habits_of(continua: Sequence[Marks], origin: float, labels: int) -> Habits:
    """Measure the habits of the raters; every continuum adds one gap of 0, as the reference implementation does."""
    gaps: list[FloatArray] = []
    for marks in continua:
        order = np.lexsort((marks.end, marks.start, marks.rater))
        start, end, rater = marks.start[order], marks.end[order], marks.rater[order]
        head = np.concatenate(([True], rater[1:] != rater[:-1]))
        before = np.where(head, origin, np.concatenate(([origin], end[:-1])))
        gaps += [np.zeros(1), start - before]
    gap = np.concatenate(gaps)
    length = np.concatenate([marks.end - marks.start for marks in continua])
    count = np.bincount(np.concatenate([marks.label for marks in continua]), minlength=labels)
    return Habits((gap.mean(), gap.std()), (length.mean(), length.std()), count / count.sum())


def sample(marks: Marks, habits: Habits, times: int, rng: np.random.Generator) -> Iterator[Marks]:
    """Draw ``times`` random continua with as many raters, none of them without any stretch."""
    count = _numbers(np.bincount(marks.rater, minlength=marks.raters), times, rng)
    shape = (times, marks.raters, int(count.max()))
    gap = rng.normal(*habits.gap, shape)
    length = np.maximum(np.abs(rng.normal(*habits.length, shape)), np.finfo(np.float64).tiny)
    end = np.cumsum(gap + length, axis=2)
    label = rng.choice(len(habits.share), size=shape, p=habits.share)
    drawn = np.arange(shape[2]) < count[:, :, None]
    for i in range(times):
        kept, rater = drawn[i], np.repeat(np.arange(marks.raters), count[i])
        yield Marks(rater, (end[i] - length[i])[kept], end[i][kept], label[i][kept], marks.raters)


def _numbers(observed: Index, times: int, rng: np.random.Generator) -> Index:
    """Numbers of stretches of each rater, (times, R), cut to whole numbers; drawn again where all are 0."""
    count = np.zeros((times, len(observed)), dtype=np.int64)
    for _ in range(_PATIENCE):
        empty = np.flatnonzero(~count.any(axis=1))
        if not len(empty):
            return count
        drawn = rng.normal(observed.mean(), observed.std(), (len(empty), len(observed)))
        count[empty] = np.abs(np.trunc(drawn)).astype(np.int64)
    empty = np.flatnonzero(~count.any(axis=1))
    count[empty, rng.integers(0, len(observed), len(empty))] = 1
    return count
