"""Best alignment: units of several raters grouped so that their total disorder is smallest.

A unitary alignment holds at most one unit of each rater; a rater without a unit holds the empty element. Its disorder
is the mean dissimilarity over all pairs of raters, where a pair with an empty element costs ``empty``. Among equal
disorders the alignment with fewest unitary alignments is best.

References
----------
Mathet, Y., Widlöcher, A. & Métivier, J.-P. (2015). The unified and holistic method gamma for inter-annotator
agreement measure and alignment. Computational Linguistics 41, 437-479.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from accord.coefficients.gamma_sets import TIE, gains, sets_worth_uniting
from accord.errors import DataError
from accord.values import BoolArray, FloatArray, Index

#: Sets that one linear program chooses from, about; continua are put together up to this size.
_BLOCK = 2000
#: Distance from 0 and 1 within which the answer of a linear program is a whole number.
_WHOLE = 1e-6
#: Objective in units of the solver's tolerance: makes ties far larger than its rounding.
_SHARP = 1e4


@dataclass(frozen=True, slots=True)
class Problem:
    """Dissimilarities (N, N) of N units to align, and the rater of each (N,), ascending from 0."""

    dissimilarity: FloatArray
    rater: Index


@dataclass(frozen=True, slots=True)
class Alignment:
    """Number of the unitary alignment of each unit, (N,), and the sum of the disorders of all of them."""

    group: Index
    disorder: float


def best_alignments(problems: Sequence[Problem], raters: int, empty: float) -> list[Alignment]:
    """Find the best alignment of each problem exactly; all have the same number of raters.

    Two raters: an assignment. More: the sets of units worth uniting are listed, and a linear program chooses among
    those of many problems at once; problems it leaves undecided are solved in whole numbers (SciPy's HiGHS).

    Raises
    ------
    DataError
        A problem is too large.

    Examples
    --------
    >>> import numpy as np
    >>> table = np.array([[0.0, 0.1], [0.1, 0.0]])
    >>> best_alignments([Problem(table, np.array([0, 1]))], raters=2, empty=1.0)[0].disorder
    0.1
    """
    pairs = raters * (raters - 1) / 2
    savings = [(empty - problem.dissimilarity) / pairs for problem in problems]
    if raters == 2:
        unions = [_assigned(saving, problem.rater, empty) for saving, problem in zip(savings, problems, strict=True)]
    else:
        unions = _united(savings, [problem.rater for problem in problems], raters, empty)
    tables = [problem.dissimilarity for problem in problems]
    return [_alignment(sets, table, pairs, empty) for sets, table in zip(unions, tables, strict=True)]


def _alignment(sets: Index, dissimilarity: FloatArray, pairs: float, empty: float) -> Alignment:
    group = np.arange(len(dissimilarity))
    for members in sets:
        group[members[members >= 0]] = members.max()
    group = np.unique(group, return_inverse=True)[1]
    between = dissimilarity[np.triu(group[:, None] == group, 1)]
    unpaired = pairs * (group.max(initial=-1) + 1) - len(between)
    return Alignment(group, float((between.sum() + empty * unpaired) / pairs))


def _assigned(saving: FloatArray, rater: Index, empty: float) -> Index:
    """Pairs of units of two raters to unite, (S, 2)."""
    from scipy.optimize import linear_sum_assignment

    split = int(np.searchsorted(rater, 1))
    gain = saving[:split, split:] + empty * (1.0 + TIE)
    left, right = linear_sum_assignment(np.maximum(gain, 0.0), maximize=True)
    worth = gain[left, right] > 0
    return np.column_stack((left[worth], right[worth] + split))


def _united(savings: Sequence[FloatArray], rater: Sequence[Index], raters: int, empty: float) -> list[Index]:
    """Sets of units to unite of each problem, (S, raters)."""
    sets = [sets_worth_uniting(saving, who, raters, empty) for saving, who in zip(savings, rater, strict=True)]
    gain = [gains(some, saving, empty) for some, saving in zip(sets, savings, strict=True)]
    ends = np.cumsum([len(some) for some in sets])
    chosen: list[Index] = []
    for block in np.split(np.arange(len(sets)), np.flatnonzero(np.diff(ends // _BLOCK)) + 1):
        chosen += _chosen([sets[i] for i in block], [gain[i] for i in block])
    return chosen


def _chosen(sets: Sequence[Index], gain: Sequence[FloatArray]) -> list[Index]:
    """Sets of largest total gain that share no unit, problem by problem."""
    size = [int(some.max(initial=-1)) + 1 for some in sets]
    moved = [
        np.where(some >= 0, some + first, -1)
        for some, first in zip(sets, (np.cumsum(size) - size).tolist(), strict=True)
    ]
    share = _solved(np.concatenate(moved), np.concatenate(gain), whole=False)
    result = []
    for some, worth, part in zip(sets, gain, np.split(share, np.cumsum([len(s) for s in sets])[:-1]), strict=True):
        decided = ((part < _WHOLE) | (part > 1.0 - _WHOLE)).all()
        result.append(some[(part if decided else _solved(some, worth, whole=True)) > 0.5])
    return result


def _solved(sets: Index, gain: FloatArray, *, whole: bool) -> FloatArray:
    """Share of each set in the best choice, (S,): 0 or 1 if ``whole``."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    if not len(sets):
        return np.empty(0)
    held: BoolArray = sets >= 0
    column, place = np.nonzero(held)
    shape = (int(sets.max()) + 1, len(sets))
    member = csr_array((np.ones(len(column)), (sets[column, place], column)), shape=shape)
    integrality: npt.NDArray[np.int64] = np.full(len(sets), int(whole))
    found = milp(
        -_SHARP * gain,
        integrality=integrality,
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(member, -np.inf, 1),
        options={"mip_rel_gap": 0.0},
    )
    if found.x is None:
        raise DataError.at("the best alignment could not be found.", found=str(found.message))
    return np.asarray(found.x)
