"""Agreement against the threshold from which two answers count as the same."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from accord.coefficients.consensus import consensus
from accord.coefficients.estimate import Estimate, finite
from accord.dataset import Dataset
from accord.errors import UsageError
from accord.pipeline.custom import with_custom
from accord.pipeline.plan import Plan
from accord.pipeline.question import Question, spec_of
from accord.pipeline.region_answers import question_for
from accord.pipeline.regions_found import RegionsFound, regions_found, together
from accord.pipeline.report import Score
from accord.pipeline.scores import PairScores
from accord.pipeline.settings import check_names
from accord.pipeline.summary import as_asked, mean_of
from accord.readers.uniting import united
from accord.similarity.alias import Choice
from accord.similarity.core import Similarity
from accord.similarity.cuts import at_thresholds
from accord.similarity.metric import from_metric
from accord.similarity.scored import MetricSimilarity
from accord.version import __version__

STEPS = 21
#: What scoring all pairs of values may take for the report page, in units of 100 ns, and how many answers.
AFFORDABLE = 1e7
MOST_ANSWERS = 20_000
MOST_STEPS = 1001


@dataclass(frozen=True, slots=True)
class Point:
    """Agreement at one threshold; ``regions`` by rater pair where regions are matched."""

    threshold: float
    pairwise: Score
    consensus: Score
    coefficient: Estimate
    regions: tuple[RegionsFound, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        found = {
            "threshold": self.threshold,
            "pairwise": self.pairwise.to_dict(),
            "consensus": self.consensus.to_dict(),
            "coefficient": self.coefficient.to_dict(),
        }
        if self.regions:
            found["regions"] = together(self.regions).to_dict()
            found["rater_pairs"] = [pair.to_dict() for pair in self.regions]
        return found


@dataclass(frozen=True, slots=True)
class Area:
    """Mean height of a curve over the thresholds where it is defined; ``covered`` is their share of the range."""

    value: float
    covered: float

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"value": finite(self.value), "covered": self.covered}


@dataclass(frozen=True)
class Sweep:
    """A control's agreement at every threshold of its metric."""

    control: str
    kind: str
    metric: str
    coefficient: str
    mean: Score
    points: tuple[Point, ...]

    @cached_property
    def curves(self) -> Mapping[str, tuple[float, ...]]:
        """Heights by name, NaN where undefined."""
        found = {
            "pairwise": tuple(point.pairwise.value for point in self.points),
            "consensus": tuple(point.consensus.value for point in self.points),
            "coefficient": tuple(point.coefficient.value for point in self.points),
        }
        if any(point.regions for point in self.points):
            found["f1"] = tuple(together(point.regions).f1 for point in self.points)
        return found

    @property
    def thresholds(self) -> tuple[float, ...]:
        """Thresholds in ascending order."""
        return tuple(point.threshold for point in self.points)

    @property
    def areas(self) -> Mapping[str, Area]:
        """Area under each curve, as mean height."""
        return {name: area(self.thresholds, heights) for name, heights in self.curves.items()}

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "accord": __version__,
            "control": self.control,
            "kind": self.kind,
            "metric": self.metric,
            "coefficient": self.coefficient,
            "mean_similarity": self.mean.to_dict(),
            "area": {name: found.to_dict() for name, found in self.areas.items()},
            "points": [point.to_dict() for point in self.points],
        }


def sweep(
    dataset: Dataset,
    control: str,
    plan: Plan | None = None,
    *,
    start: float | None = None,
    stop: float | None = None,
    steps: int = STEPS,
) -> Sweep:
    """Measure a control, or a question about regions, at evenly spaced thresholds of its metric.

    At each threshold two answers are the same (1) or not (0). All pairs are scored once. A metric with a threshold
    of its own, a distance, is swept over that.

    Parameters
    ----------
    start, stop
        First and last threshold; by default 0 and 1, for a distance 0 and twice its default.
    steps
        Number of thresholds.

    Raises
    ------
    UsageError
        For thresholds out of the metric's range, and coefficients that compare no pairs of answers.

    Examples
    --------
    >>> import accord
    >>> dataset = accord.read("examples/support-export.json", config="examples/support-config.xml")
    >>> found = sweep(dataset, "sentiment", steps=3)
    >>> found.thresholds
    (0.0, 0.5, 1.0)
    """
    chosen = plan or Plan()
    dataset = with_custom(united(dataset, chosen.unite), chosen)
    check_names(dataset, chosen)
    return sweep_of(question_for(dataset, control, chosen), start=start, stop=stop, steps=steps)


def sweep_of(question: Question, *, start: float | None = None, stop: float | None = None, steps: int = STEPS) -> Sweep:
    """Sweep a control that is at hand; arguments and errors as for ``sweep``."""
    chosen, coefficient = question.plan, question.headline
    if spec_of(coefficient).needs != "similarity":
        raise UsageError(f"{coefficient} does not compare pairs of answers, so no metric's threshold changes it.")
    thresholds = _thresholds(question.choice, start, stop, steps)
    forms = _forms(question, thresholds)
    regions = _regions(question, thresholds) or ((),) * len(thresholds)
    points = [_point(question, t, form, found) for t, form, found in zip(thresholds, forms, regions, strict=True)]
    graded = question.scores.per_unit
    mean = mean_of(graded, chosen.ci, question.study.cluster, _weights(question, question.scores))
    return Sweep(question.name, str(question.study.kind), question.metric, coefficient, mean, tuple(points))


def thresholds_of(question: Question) -> Sweep | None:
    """Sweep for the report page; None where it would take more than a second or two, or the coefficient has none."""
    study = question.study
    graded = question.pair_similarity
    affordable = isinstance(graded, MetricSimilarity) and graded.cost * study.V**2 / 2 <= AFFORDABLE
    if not affordable or study.C > MOST_ANSWERS or not study.P or spec_of(question.headline).needs != "similarity":
        return None
    return sweep_of(question)


def area(thresholds: Sequence[float], heights: Sequence[float]) -> Area:
    """Mean height by trapezoids, over the steps whose both ends are defined.

    Examples
    --------
    >>> area((0.0, 0.5, 1.0), (1.0, 0.5, 0.0)).value
    0.5
    """
    total = covered = 0.0
    for (left, low), (right, high) in pairwise(zip(thresholds, heights, strict=True)):
        if math.isfinite(low) and math.isfinite(high):
            total += (low + high) / 2.0 * (right - left)
            covered += right - left
    width = thresholds[-1] - thresholds[0]
    return Area(total / covered if covered else math.nan, covered / width)


def _own(choice: Choice) -> bool:
    """Whether a metric has a threshold of its own."""
    return "threshold" in choice.spec.options


def _thresholds(choice: Choice, start: float | None, stop: float | None, steps: int) -> tuple[float, ...]:
    low, high = (0.0, math.inf) if _own(choice) else choice.spec.bounds
    end = 2.0 * float(choice.spec.options["threshold"].default) if _own(choice) else high
    first, last = low if start is None else start, end if stop is None else stop
    if not low <= first < last <= high or not math.isfinite(last):
        limit = f"{low:g} or more" if math.isinf(high) else f"{low:g} to {high:g}"
        raise UsageError(f"thresholds from {first:g} to {last:g} of {choice.spec.key}: allowed are {limit}, ascending.")
    if not 2 <= steps <= MOST_STEPS:
        raise UsageError(f"{steps} thresholds are no curve. Allowed: 2 to {MOST_STEPS}.")
    return tuple(round(t, 12) for t in np.linspace(first, last, steps).tolist())


def _forms(question: Question, thresholds: Sequence[float]) -> Sequence[Similarity]:
    choice = question.choice
    if _own(choice):
        return [_similarity(question, {**choice.options, "threshold": t}) for t in thresholds]
    return at_thresholds(_similarity(question, _settled(choice)), thresholds)


def _settled(choice: Choice) -> Mapping[str, Any]:
    """Options of the threshold form."""
    return choice.options if _own(choice) else replace(choice, threshold=choice.spec.threshold).settled


def _similarity(question: Question, options: Mapping[str, Any]) -> Similarity:
    study, plan = question.study, question.plan
    if question.custom is not None:
        return question.pair_similarity
    return from_metric(
        study.values,
        question.choice.spec,
        options=options,
        kind=study.kind,
        compat=plan.compat,
        counts=study.counts.astype(np.float64),
        seed=plan.seed,
    )


def _regions(question: Question, thresholds: Sequence[float]) -> tuple[tuple[RegionsFound, ...], ...]:
    study, choice = question.study, question.choice
    if not study.kind.is_region or question.plan.matching == "last" or question.plan.compat:
        return ()
    if not _own(choice):
        return regions_found(study, choice.spec, _settled(choice), thresholds)
    found = [regions_found(study, choice.spec, {**choice.options, "threshold": t}, (0.5,)) for t in thresholds]
    return tuple(rows[0] for rows in found if rows)


def _point(question: Question, threshold: float, form: Similarity, regions: tuple[RegionsFound, ...]) -> Point:
    study = question.study
    estimate = question.estimate(question.headline, similarity=form)
    if not study.P:
        nothing = Score(undefined=estimate.undefined)
        return Point(threshold, nothing, nothing, estimate, regions)
    scores = PairScores(study, form, question.wish.label_weights)
    mean = mean_of(scores.per_unit, question.plan.ci, study.cluster, _weights(question, scores))
    mean = as_asked(question, mean, "percent_agreement", form)
    if scores.skipped:
        mean = replace(mean, notes=(*mean.notes, f"{scores.skipped} pairs could not be compared"))
    support = mean_of(consensus(study, form).share, question.plan.ci, study.cluster)
    return Point(threshold, mean, as_asked(question, support, "plurality", form, threshold=0.5), estimate, regions)


def _weights(question: Question, scores: PairScores) -> Any:
    return scores.unit_weight if question.wish.label_weights else None
