"""Variance components of answers that are numbers, from sums over units.

One-way: x_ij = mean + unit_i + error_ij. Two-way: x_ij = mean + unit_i + rater_j + error_ij. Mean squares are set
equal to their expectations, each effect adjusted for the other (Henderson's method 3, fitting constants), so any
design that connects raters through shared units will do, and complete data give the classical table. Method 1, which
needs fewer sums, is not used: on incomplete data it finds error where the raters agree perfectly.

References
----------
Henderson, C. R. (1953). Estimation of variance and covariance components. Biometrics 9, 226-252.
Searle, S. R., Casella, G. & McCulloch, C. E. (1992). Variance components, chapter 5.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.coefficients.numeric import centred
from accord.coefficients.rater_effects import Equations
from accord.coefficients.spec import Rows, Tally
from accord.study import Study
from accord.values import BoolArray, FloatArray, IntArray

#: Columns that every layout starts with.
UNITS, ANSWERS, SQUARED, INVERSE, SUM, SQUARES, MEANS = range(7)
HEAD = 7


@dataclass(frozen=True, slots=True)
class Layout:
    """What the columns of a summed row mean.

    After the head come sums and counts by rater (``raters`` each). Incomplete designs have ``equations``, and add
    deviations from the unit means and sums of 1/m by rater, and sums of 1/m by rater pair.
    """

    raters: int
    variance: float
    equations: Equations | None = None

    def by_rater(self, totals: FloatArray, block: int) -> FloatArray:
        """Return the ``block``-th group of columns by rater, (B, R)."""
        start = HEAD + block * self.raters
        return totals[:, start : start + self.raters]


@dataclass(frozen=True, slots=True)
class Components:
    """Variance components and what they were made of, arrays (B,).

    ``raters`` is NaN in one-way designs. ``k`` is the harmonic mean of the answers per unit. ``mean_squares`` are
    (between units, between raters, error), ``df`` their degrees of freedom.
    """

    units: FloatArray
    raters: FloatArray
    error: FloatArray
    k: FloatArray
    mean_squares: tuple[FloatArray, FloatArray, FloatArray]
    df: tuple[FloatArray, FloatArray, FloatArray]
    least: float

    def ratio(self, noise: FloatArray) -> FloatArray:
        """Share of the units' variance in itself plus ``noise``; NaN where nothing varies."""
        total = self.units + noise
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(total > self.least, self.units / total, np.nan)


def kept(study: Study, listwise: bool) -> Study:
    """Return the study, without units that some rater did not answer if ``listwise``."""
    return study.where(study.m == study.R) if listwise else study


def crosses(study: Study) -> bool:
    """Whether units, raters and error can be told apart: degrees of freedom of the graph of units and raters."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    size = study.U + study.R
    edges = (np.ones(study.C), (study.unit, study.U + study.rater))
    parts, _ = connected_components(coo_array(edges, shape=(size, size)), directed=False)
    raters = int(np.count_nonzero(np.bincount(study.rater, minlength=study.R)))
    parts -= study.R - raters
    return min(raters - parts, study.U - parts, study.C - study.U - raters + parts) > 0


def tally(study: Study, *, two_way: bool, listwise: bool) -> Tally:
    """One row of sums per unit, (U, k); units left out have rows of zeros."""
    inside = study.m == study.R if listwise else study.m > 0
    x = centred(study)
    keep = inside[study.unit]
    unit, rater, x = study.unit[keep], study.rater[keep], x[keep]
    m = np.where(inside, study.m, 0).astype(np.float64)
    total = np.bincount(unit, x, study.U)
    inverse = np.divide(1.0, m, out=np.zeros_like(m), where=m > 0)
    head = np.column_stack(
        (m > 0, m, m * m, inverse, total, np.bincount(unit, x * x, study.U), total * total * inverse)
    ).astype(np.float64)
    variance = float(x @ x) / max(1, len(x))
    if not two_way:
        return Tally(rows=head, context=Layout(0, variance))
    if (m[inside] == study.R).all():
        return Tally(rows=_complete(study, head, unit, rater, x), context=Layout(study.R, variance))
    rows, equations = _incomplete(study, keep, head, (unit, rater, x))
    return Tally(rows=rows, context=Layout(study.R, variance, equations))


def _complete(study: Study, head: FloatArray, unit: IntArray, rater: IntArray, x: FloatArray) -> FloatArray:
    sums = np.zeros((study.U, 2 * study.R))
    sums[unit, rater] = x
    sums[unit, study.R + rater] = 1.0
    return np.hstack((head, sums))


def _incomplete(
    study: Study, keep: BoolArray, head: FloatArray, cells: tuple[IntArray, IntArray, FloatArray]
) -> tuple[Rows, Equations]:
    """Add sparse columns by rater and by rater pair."""
    from scipy.sparse import csr_array, hstack

    unit, rater, x = cells
    raters, inverse = study.R, head[:, INVERSE]
    mean = head[:, SUM] * inverse
    groups = (x, np.ones_like(x), x - mean[unit], inverse[unit])
    first, second = (index[keep[index]] for index in study.pairs)
    shared = inverse[study.unit[first]]
    found, column = np.unique(study.rater[first].astype(np.int64) * raters + study.rater[second], return_inverse=True)
    rows = np.concatenate((*[unit] * 4, study.unit[first]))
    columns = np.concatenate((*[rater + block * raters for block in range(4)], 4 * raters + column))
    tail = csr_array((np.concatenate((*groups, shared)), (rows, columns)), shape=(study.U, 4 * raters + len(found)))
    diagonal = np.bincount(rater, 1.0 - inverse[unit], raters)
    joined = np.bincount(column, shared, len(found)).astype(np.float64)
    equations = Equations.of((found // raters, found % raters), diagonal.astype(np.float64), joined)
    return hstack((csr_array(head), tail), format="csr"), equations


def one_way(totals: FloatArray, layout: Layout) -> Components:
    """Components of interchangeable raters; units with one answer count between units."""
    units, answers = totals[:, UNITS], totals[:, ANSWERS]
    between_df, error_df = units - 1.0, answers - units
    between = _per(totals[:, MEANS] - _per(totals[:, SUM] ** 2, answers), between_df)
    error = _per(np.maximum(0.0, totals[:, SQUARES] - totals[:, MEANS]), error_df)
    size = _per(answers - _per(totals[:, SQUARED], answers), between_df)
    component = _per(between - error, size)
    k = _per(units, totals[:, INVERSE])
    nothing = np.full_like(component, np.nan)
    return Components(
        component, nothing, error, k, (between, nothing, error), (between_df, nothing, error_df), _least(layout)
    )


def two_way(totals: FloatArray, layout: Layout) -> Components:
    """Components of raters who cross units; NaN where the design cannot tell raters from error."""
    units, answers = totals[:, UNITS], totals[:, ANSWERS]
    sums, counts = layout.by_rater(totals, 0), layout.by_rater(totals, 1)
    present = (counts > 0).sum(axis=1).astype(np.float64)
    by_rater = np.divide(sums**2, counts, out=np.zeros_like(sums), where=counts > 0).sum(axis=1)
    if layout.equations is None:
        adjusted, rater_df = by_rater - _per(totals[:, SUM] ** 2, answers), present - 1.0
    else:
        diagonal, deviation = counts - layout.by_rater(totals, 3), layout.by_rater(totals, 2)
        joined = totals[:, HEAD + 4 * layout.raters :]
        adjusted, rater_df = layout.equations.solve(diagonal, joined, deviation)
    unit_df, error_df = units + rater_df - present, answers - units - rater_df
    error = _per(np.maximum(0.0, totals[:, SQUARES] - totals[:, MEANS] - adjusted), error_df)
    between = _per(totals[:, MEANS] + adjusted - by_rater, unit_df)
    raters = _per(adjusted, rater_df)
    unit_component = _per(unit_df * (between - error), answers - present)
    rater_component = _per(rater_df * (raters - error), answers - units)
    k = _per(units, totals[:, INVERSE])
    return Components(
        unit_component,
        rater_component,
        error,
        k,
        (between, raters, error),
        (unit_df, rater_df, error_df),
        _least(layout),
    )


def _per(amount: FloatArray, size: FloatArray) -> FloatArray:
    """Divide; NaN where there is nothing to divide by (no degrees of freedom), so that no infinity goes on."""
    return np.divide(amount, size, out=np.full_like(amount, np.nan), where=size > 0.0)


def _least(layout: Layout) -> float:
    return 1e-12 * layout.variance
