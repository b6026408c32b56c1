"""One interval for the mean of a coefficient over controls: all controls share their resampled tasks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord.coefficients.estimate import Estimate, Interval
from accord.coefficients.pair_rows import MOST_PAIRS
from accord.dataset import Dataset
from accord.inference.recipe import complete_options
from accord.inference.resample import unit_weights
from accord.inference.rows import Sample, by_cluster
from accord.pipeline.plan import Plan
from accord.pipeline.question import Question
from accord.values import FloatArray, IntArray

#: More tasks than this are resampled in as many random groups, which leaves the variance as it is.
MOST_GROUPS = 20_000
#: Numbers that the rows of one control may take; wider rows (very many labels or raters) are not resampled.
MOST_NUMBERS = 4_000_000


def joint_interval(
    key: str, parts: Sequence[tuple[Question, Estimate]], mean: float, weights: FloatArray, plan: Plan
) -> Interval | None:
    """Return the interval of the weighted mean of a coefficient over controls, all measured and defined.

    Tasks are drawn with replacement, the same for every control; percentile limits. Where that is impossible (the
    coefficient is not a sum over units, raters are to be generalised, nothing varies), the means of the controls' own
    limits, which hold whatever the dependence between controls.
    """
    if plan.ci is None:
        return None
    if len(parts) == 1:
        return parts[0][1].interval
    drawn = _replicates(key, [question for question, _ in parts], weights, plan)
    if drawn is None or not np.ptp(drawn) > 0.0:
        return _mean_of_limits([estimate.interval for _, estimate in parts], weights, plan.ci)
    tail = (1.0 - plan.ci) / 2.0
    low, high = np.quantile(drawn, (tail, 1.0 - tail))
    return Interval(min(float(low), mean), max(float(high), mean), plan.ci, "bootstrap")


def _replicates(key: str, questions: Sequence[Question], weights: FloatArray, plan: Plan) -> FloatArray | None:
    """Means over controls in the resamples where all of them are defined; None where resampling does not apply."""
    if plan.generalise != "units":
        return None
    group = _groups(questions[0].dataset, plan)
    size = int(group.max()) + 1
    finished = []
    for question in questions:
        spec, study, similarity, options = question.measured_by(key)
        if spec.tally is None or spec.finish is None:
            return None
        if study.P > MOST_PAIRS:
            return None
        tally = spec.tally(study, similarity, complete_options(spec, options))
        if size * tally.rows.shape[1] > MOST_NUMBERS:
            return None
        place = np.array([question.place[name] for name in study.unit_names], dtype=np.int64)
        finished.append((spec.finish, _dense(by_cluster(tally.rows, group[place]), size), tally.context))
    sample = Sample(np.empty((size, 1)), np.ones(size), np.arange(size))
    means = []
    with np.errstate(divide="ignore", invalid="ignore"):  # some draw no task of some control
        for drawn in unit_weights(sample, plan.resamples, np.random.default_rng(plan.seed)):
            parts = [finish(drawn @ rows, context).value for finish, rows, context in finished]
            means.append(np.average(parts, axis=0, weights=weights))
    values = np.concatenate(means)
    known = values[np.isfinite(values)]
    return known if 2 * len(known) > len(values) else None


def _dense(rows: object, size: int) -> FloatArray:
    """Rows of all groups, those without a unit of this control 0, (size, k)."""
    found = rows if isinstance(rows, np.ndarray) else rows.toarray()  # type: ignore[attr-defined]
    return np.pad(found, ((0, size - len(found)), (0, 0)))


def tasks_of(dataset: Dataset, plan: Plan) -> IntArray:
    """Task (or cluster, where the plan names one) of each unit of the dataset, numbered from 0."""
    name = plan.cluster or "task"
    units = np.arange(len(dataset.units))
    return np.unique(dataset.clusters.get(name, units), return_inverse=True)[1].astype(np.int32)


def _groups(dataset: Dataset, plan: Plan) -> IntArray:
    """Task of each unit, many of them dealt into random groups."""
    found = tasks_of(dataset, plan)
    count = int(found.max()) + 1
    if count <= MOST_GROUPS:
        return found
    dealt = np.random.default_rng(plan.seed).permutation(count) % MOST_GROUPS
    return dealt[found].astype(np.int32)


def _mean_of_limits(intervals: Sequence[Interval | None], weights: FloatArray, level: float) -> Interval | None:
    known = [interval for interval in intervals if interval is not None]
    if len(known) < len(intervals):
        return None
    low = float(np.average([interval.low for interval in known], weights=weights))
    high = float(np.average([interval.high for interval in known], weights=weights))
    return Interval(low, high, level, "mean of limits")
