"""A computed coefficient whose interval is wanted, and what was asked for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from accord.coefficients.estimate import Interval
from accord.coefficients.spec import CoefficientSpec, Options, Parts, Tally
from accord.inference.rows import number
from accord.inference.undefined import Counts
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import IntArray

Method: TypeAlias = Literal["score", "exact", "analytic", "bootstrap", "bca", "jackknife", "none"]
METHOD_NAMES: tuple[str, ...] = get_args(Method)

#: Narrower than this is no interval at all.
NO_WIDTH = 1e-12


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for."""

    level: float | None
    method: Method | None
    resamples: int
    groups: IntArray | None
    generalise: Literal["units", "units+raters"]
    seed: int


@dataclass(frozen=True, slots=True)
class Case:
    """A computed coefficient whose interval is wanted."""

    spec: CoefficientSpec
    study: Study
    similarity: Similarity
    options: Options
    counts: Counts
    parts: Parts
    tally: Tally | None
    expected_error: float | None = None

    @property
    def value(self) -> float:
        """The estimate."""
        return number(self.parts.value)

    @property
    def chance(self) -> float:
        """Expected agreement that makes value = (observed - expected) / (1 - expected); NaN if there is none.

        Means of several kappas are not quite of this form; the chance term that gives their value stands in.
        """
        observed, expected = number(self.parts.observed), number(self.parts.expected)
        value = self.value
        if math.isnan(observed) or math.isnan(expected) or 1.0 - value < NO_WIDTH:
            return expected
        return (observed - value) / (1.0 - value)

    @property
    def chance_variance(self) -> float:
        """Variance of the value because its chance term was estimated from a sample of pairs."""
        if not self.spec.form or self.expected_error is None:
            return 0.0
        return ((1.0 - self.value) / (1.0 - number(self.parts.expected)) * self.expected_error) ** 2


@dataclass(frozen=True, slots=True)
class Found:
    """Standard error, interval and what must be said about them."""

    se: float
    interval: Interval | None
    notes: tuple[str, ...] = ()
    generalise: Literal["units", "units+raters"] = "units"
