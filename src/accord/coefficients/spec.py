"""What a coefficient declares, and the row algebra all of them share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np

from accord.registry import Option as Option
from accord.registry import Registry
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray, Index

Rows: TypeAlias = Any
"""Dense array (U, k) or scipy.sparse.csr_array of that shape; float64."""

Options: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Parts:
    """Finished numbers, scalars or arrays (B,).

    ``observed`` and ``expected`` are agreements in [0, 1]; ``observed_distance`` and ``expected_distance`` are in
    the coefficient's own units. All NaN where they do not exist; nothing here raises on 0/0. ``details`` are
    further numbers worth reporting (other chance convention, floor, number of categories), scalars or (B,).
    ``expected_error`` is the standard error of the expected distance where that was sampled.
    """

    value: FloatArray
    observed: FloatArray
    expected: FloatArray
    observed_distance: FloatArray
    expected_distance: FloatArray
    details: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    skipped: int = 0
    expected_error: float | None = None


class Tally:
    """One row per unit, and the constants that ``finish`` needs (similarity, sizes, options).

    Subclasses may make the rows only when something needs every one of them, and know the sums without them.
    """

    def __init__(self, *, rows: Rows, context: Any, skipped: int = 0) -> None:
        self._rows = rows
        self.context = context
        self.skipped = skipped

    @property
    def rows(self) -> Rows:
        """All rows, (U, k)."""
        return self._rows

    def totals(self) -> FloatArray:
        """Sum over units, (1, k)."""
        return np.asarray(self.rows.sum(axis=0), dtype=np.float64).reshape(1, -1)

    def product(self, per_column: FloatArray) -> FloatArray:
        """Each row times a vector (k,), (U,)."""
        return np.asarray(self.rows @ per_column).ravel()


@dataclass(frozen=True, slots=True, kw_only=True)
class CoefficientSpec:
    """Everything the rest of Accord knows about a coefficient.

    Attributes
    ----------
    needs
        ``similarity`` (any), ``numbers``, ``ranks``, ``distances`` or ``segments`` (stretches of a continuum).
    rows
        ``additive`` (tally and finish) or ``refit`` (``fit`` on a study; recomputed for every subset).
    form
        True if value = (observed - expected) / (1 - expected), so that the score interval applies.
    compared_vary
        True where margins also count answers that are compared with nothing: the value is then undefined if all
        compared answers are the same, whatever the others say.
    family
        Benchmark scales are offered only for the families they were proposed for.
    tally
        (study, similarity, options) -> Tally with U rows.
    once
        Optional one-pass (study, similarity, options) -> (totals (1, k), context): the same as summing the
        tally, only faster.
    finish
        (totals (B, k), context) -> Parts with arrays (B,).
    without
        Optional (rows (G, k), totals (1, k), context) -> (which rows (n,), values without each of them (n,)): the
        same as finishing totals minus row, only faster; None where it is not.
    linearize
        Optional (tally, parts) -> (U,): published linearisation z with mean equal to the value over the units
        that count, NaN for the others; SE^2 = sum (z - value)^2 / (n (n - 1)) with n the units that count.
        None = influence values from "total minus row".
    df
        Degrees of freedom of the analytic interval: ``counted`` = units that count - 1, ``answered`` = all
        units with an answer - 1 (Krippendorff's alpha).
    refuses
        (study, similarity, options) -> sentence why this coefficient does not apply, or None.
    interval
        Optional (study, parts, options, level) -> exact (low, high) with its own distribution theory, or None
        where that does not hold (incomplete data, clusters).
    details
        Optional (study, similarity, options, parts, level) -> further numbers for Estimate.details; ``level`` is
        the confidence level of any limits among them.
    chance
        Optional (study, similarity, options) -> ChanceForm: expected agreement as a sum of bilinear forms in
        margins, for its error where a similarity is sampled.
    notes
        Optional (study, options) -> sentences for Estimate.notes on what was chosen or left out.
    upper
        Largest possible value; intervals are cut there (infinite for measures in their own units).
    """

    key: str
    symbol: str
    title: str
    reference: str
    family: Literal["agreement", "kappa", "alpha", "icc", "ranks", "distribution", "moments", "gamma"]
    finish: Callable[[FloatArray, Any], Parts] | None = None
    tally: Callable[[Study, Similarity, Options], Tally] | None = None
    once: Callable[[Study, Similarity, Options], tuple[FloatArray, Any]] | None = None
    fit: Callable[[Study, Similarity, Options], Parts] | None = None
    without: Callable[[Rows, FloatArray, Any], tuple[Index, FloatArray] | None] | None = None
    linearize: Callable[[Tally, Parts], FloatArray] | None = None
    df: Literal["counted", "answered"] = "counted"
    refuses: Callable[[Study, Similarity, Options], str | None] | None = None
    interval: Callable[[Study, Parts, Options, float], tuple[float, float] | None] | None = None
    details: Callable[[Study, Similarity, Options, Parts, float], Mapping[str, Any]] | None = None
    chance: Callable[[Study, Similarity, Options], Any] | None = None
    notes: Callable[[Study, Options], tuple[str, ...]] | None = None
    upper: float = 1.0
    aliases: tuple[str, ...] = ()
    needs: Literal["similarity", "numbers", "ranks", "distances", "segments"] = "similarity"
    rows: Literal["additive", "refit"] = "additive"
    form: bool = True
    compared_vary: bool = False
    raters: Literal["two", "many"] = "many"
    default_weights: str | None = None
    options: Mapping[str, Option] = field(default_factory=dict)
    summary: str = ""


COEFFICIENTS: Registry[CoefficientSpec] = Registry(
    "coefficient",
    (
        "accord.coefficients.observed",
        "accord.coefficients.kappa",
        "accord.coefficients.alpha",
        "accord.coefficients.gwet",
        "accord.coefficients.icc",
        "accord.coefficients.moments",
        "accord.coefficients.concordance",
        "accord.coefficients.ranks",
        "accord.coefficients.rank_correlation",
        "accord.coefficients.distributions",
        "accord.coefficients.unitizing",
        "accord.coefficients.gamma",
    ),
)
