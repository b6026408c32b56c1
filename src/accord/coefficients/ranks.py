"""Kendall's coefficient of concordance.

Raters rank the units of a rating, a number or an ordinal choice; in a ranking control they rank the items of each
task, and W is the mean over tasks.

References
----------
Kendall, M. G. & Babington Smith, B. (1939). The problem of m rankings. Annals of Mathematical Statistics 10, 275-287.
Kendall, M. G. (1970). Rank correlation methods, 4th edition, chapter 6 (ties).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.coefficients.numeric import positions
from accord.coefficients.rank_order import Entries, complete_items, midranks, ranking_entries
from accord.coefficients.spec import COEFFICIENTS, CoefficientSpec, Options, Parts
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray, Index, Kind


@dataclass(frozen=True, slots=True)
class Concordance:
    """W of blocks (tasks, or one block of all units) with judges m and objects n of each, three arrays.

    Blocks with fewer than two judges or objects, or in which no judge made a difference, have NaN.
    """

    w: FloatArray
    judges: FloatArray
    objects: FloatArray


def concordance(entries: Entries) -> Concordance:
    """W of every complete block, corrected for ties."""
    blocks = int(entries.block.max()) + 1 if len(entries) else 0
    ranks, ties = midranks(entries.judge, entries.place)
    judge = np.unique(entries.judge, return_index=True)[1]
    _, thing, which = np.unique(
        entries.block * _top(entries.object) + entries.object, return_index=True, return_inverse=True
    )
    judges = np.bincount(entries.block[judge], minlength=blocks).astype(np.float64)
    objects = np.bincount(entries.block[thing], minlength=blocks).astype(np.float64)
    tied = np.bincount(entries.block[judge], ties[entries.judge[judge]], blocks)
    apart = np.bincount(which, ranks) - (judges * (objects + 1) / 2)[entries.block[thing]]
    squares = np.bincount(entries.block[thing], apart**2, blocks)
    most = judges**2 * (objects**3 - objects) - judges * tied
    with np.errstate(divide="ignore", invalid="ignore"):
        w = np.where((judges > 1) & (most > 0), 12 * squares / most, np.nan)
    return Concordance(w, judges, objects)


def _top(numbers: Index) -> int:
    return int(numbers.max()) + 1 if len(numbers) else 1


def rater_entries(study: Study) -> Entries:
    """Entries of the largest complete table of raters x units: the raters with most answers, the units all did."""
    place = positions(study)
    if place is None:
        nothing = np.empty(0, dtype=np.int64)
        return Entries(nothing, nothing, nothing, np.empty(0))
    answered = np.bincount(study.rater, minlength=study.R)
    standing = np.empty(study.R, dtype=np.int64)
    standing[np.argsort(-answered, kind="stable")] = np.arange(study.R)
    order = np.lexsort((standing[study.rater], study.unit))
    ahead = standing[study.rater[order]] == np.arange(study.C) - study.start[study.unit]
    depth = np.bincount(study.unit[ahead], minlength=study.U)
    units = np.bincount(depth, minlength=study.R + 1)[::-1].cumsum()[::-1]
    sizes = np.arange(study.R + 1)
    cells = np.where((sizes > 1) & (units > 1), sizes * units, 0)
    best = len(cells) - 1 - int(np.argmax(cells[::-1]))
    keep = (standing[study.rater] < best) & (depth[study.unit] >= best) & (cells[best] > 0)
    judge, unit = study.rater[keep].astype(np.int64), study.unit[keep].astype(np.int64)
    return Entries(np.zeros_like(judge), judge, unit, place[keep])


def _entries(study: Study) -> Entries:
    return complete_items(ranking_entries(study)) if study.kind is Kind.RANKING else rater_entries(study)


def _fit(study: Study, _similarity: Similarity, _options: Options) -> Parts:
    w = concordance(_entries(study)).w
    known = w[np.isfinite(w)]
    value = np.array([known.mean() if len(known) else np.nan])
    nothing = np.full_like(value, np.nan)
    return Parts(value, nothing, nothing, nothing, nothing)


def _refuses(study: Study, _similarity: Similarity, _options: Options) -> str | None:
    if study.slots:
        return "the raters are interchangeable slots, and it compares each rater's own ranking"
    if study.kind is Kind.RANKING:
        found = concordance(_entries(study))
        enough = (found.judges > 1) & (found.objects > 1)
        return None if enough.any() else "no two raters ranked the same two items of a task"
    if positions(study) is None:
        return "it needs answers that can be put in order"
    return None if len(_entries(study)) else "no two raters answered the same two units"


def _details(
    study: Study, _similarity: Similarity, _options: Options, parts: Parts, _level: float
) -> Mapping[str, Any]:
    """Value expected from unrelated rankings (1/m), mean rank correlation, and what was used and left out."""
    entries = _entries(study)
    found = concordance(entries)
    known = np.isfinite(found.w)
    if not known.any():
        return {}
    null = float((1 / found.judges[known]).mean())
    if study.kind is Kind.RANKING:
        return {
            "null_value": null,
            "tasks": int(known.sum()),
            "tasks_left_out": study.U - int(known.sum()),
            "items_left_out": len(ranking_entries(study)) - len(entries),
        }
    from scipy.special import chdtrc

    m, n, w = found.judges[0], found.objects[0], float(np.ravel(parts.value)[0])
    return {
        "null_value": null,
        "mean_spearman": float((m * w - 1) / (m - 1)),
        "chi_square": float(m * (n - 1) * w),
        "p_value": float(chdtrc(n - 1, m * (n - 1) * w)),
        "raters_used": int(m),
        "units_used": int(n),
        "units_left_out": study.U - int(n),
        "answers_left_out": study.C - len(entries),
    }


def _notes(study: Study, _options: Options) -> tuple[str, ...]:
    entries = _entries(study)
    if study.kind is Kind.RANKING:
        left_out = len(ranking_entries(study)) - len(entries)
        rest = f"; {left_out} places of items that not every rater of a task ranked are left out" if left_out else ""
        return (f"W of each task, averaged over tasks{rest}.",)
    if len(entries) == study.C:
        return ()
    found = concordance(entries)
    used = f"{int(found.judges.max(initial=0))} of {study.R} raters on {int(found.objects.max(initial=0))} of {study.U}"
    return (f"Only complete answers count: {used} units; {study.C - len(entries)} answers are left out.",)


COEFFICIENTS.add(
    CoefficientSpec(
        key="kendall_w",
        symbol="W",
        title="Kendall's coefficient of concordance",
        reference="Kendall & Babington Smith 1939; ties as in Kendall 1970",
        summary="How far raters put the same things in the same order; 1/m is expected of m unrelated rankings.",
        family="ranks",
        fit=_fit,
        refuses=_refuses,
        details=_details,
        notes=_notes,
        aliases=("kendalls_w", "coefficient_of_concordance"),
        needs="ranks",
        rows="refit",
        form=False,
    )
)
