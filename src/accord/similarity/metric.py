"""From a metric to a similarity over the values of a study, and one pair scored for people."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from accord.errors import UsageError
from accord.metrics.regions import Comparison, RegionMetric
from accord.metrics.spec import MetricSpec
from accord.similarity.alias import resolve
from accord.similarity.core import Dense, Similarity
from accord.similarity.native import instant, native
from accord.similarity.partition import Partition
from accord.similarity.sampled import Sampled
from accord.similarity.scored import SLACK, MetricSimilarity, signature
from accord.values import EMPTY, FloatArray, Kind, Region, Value

AFFORDABLE = 2e8
CHEAP = 500.0
FUNCTION_CALLS = 1_000_000


def _ordered(spec: MetricSpec) -> bool:
    """Whether a list of texts means lines or a ranking, not a set."""
    return bool(spec.kinds) and spec.kinds <= {Kind.TEXT, Kind.RANKING}


def _seen(value: Value, kind: Kind | None, compat: str | None) -> Value:
    """Value as it is compared: dates as instants; the platform sees the last region only, and blank texts as texts."""
    if compat is not None and value is EMPTY and kind is Kind.TEXT:
        return ""
    if kind is Kind.DATETIME and isinstance(value, str):
        return instant(value)
    if compat is not None and isinstance(value, tuple) and value and isinstance(value[-1], Region):
        return value[-1:]
    return value


def from_metric(
    values: Sequence[Value],
    metric: str | MetricSpec,
    *,
    options: Mapping[str, Any] | None = None,
    threshold: float | None = None,
    kind: Kind | None = None,
    compat: str | None = None,
    counts: FloatArray | None = None,
    seed: int = 0,
) -> Similarity:
    """Turn a metric into a similarity over distinct values.

    Where scoring all pairs would take more than about 20 seconds, sums over pairs come from a seeded sample; single
    pairs are always exact.

    Parameters
    ----------
    values
        Distinct values (V,), EMPTY allowed.
    metric
        Key, alias, platform entry, or a spec.
    threshold
        Score at which two answers count as equal; None = graded.
    kind
        Kind of the control; dates are compared as instants.
    compat
        ``"platform"`` for the rules of the annotation platform; EMPTY is then an item without content.
    counts
        How often each value was given (V,): guides the sample where all pairs are too many.
    seed
        Seed of that sample, and of random places.

    Raises
    ------
    UsageError
        For an unknown metric or option, or texts the metric must not be used on.

    Examples
    --------
    >>> s = from_metric(["cat", "cats", "dog"], "text_similarity")
    >>> s.at(np.array([0]), np.array([1])).tolist()
    [0.75]
    """
    choice = resolve(metric, options, threshold, compat=compat)
    spec = choice.spec
    values = [_seen(value, kind, compat) for value in values]
    refusal = spec.refuses(values, choice.settled) if spec.refuses else None
    if refusal:
        raise UsageError(f"{spec.key} is refused here. {refusal}")
    classes = [EMPTY if value is EMPTY else spec.classes(value) for value in values] if spec.classes else [None]
    if values and all(item is not None for item in classes):
        return Partition(classes, signature(spec, choice.settled, choice.threshold))
    similarity = MetricSimilarity(values, spec, choice.settled, choice.threshold, seed)
    if similarity.cost * len(values) * (len(values) - 1) / 2 <= AFFORDABLE:
        return similarity
    return Sampled(similarity, counts, seed, draws=200_000 if similarity.cost < CHEAP else 20_000)


def from_function(values: Sequence[Value], function: Callable[[Any, Any], float | None], name: str = "") -> Similarity:
    """Turn a function of two answers into a similarity; scores must lie in 0..1, None = not comparable.

    Both directions are scored and averaged.

    Raises
    ------
    UsageError
        If there are too many values for a plain function, or a score is out of range.
    """
    pairs = len(values) ** 2
    if pairs > FUNCTION_CALLS:
        raise UsageError(f"{len(values)} distinct values are too many for a plain function: {pairs:,} calls.")
    scores = [[function(a, b) for b in values] for a in values]
    table = np.array(scores, dtype=np.float64).reshape(len(values), len(values))
    if ((table < 0) | (table > 1)).any():
        worst = table[(table < 0) | (table > 1)][0]
        raise UsageError(f"a similarity must lie between 0 and 1, and the function gave {worst:g}.")
    return Dense((table + table.T) / 2.0, name or getattr(function, "__name__", "function"))


def similarity(
    metric: str | MetricSpec,
    a: Any,
    b: Any,
    /,
    *,
    threshold: float | None = None,
    compat: str | None = None,
    **options: Any,
) -> float | None:
    """Score one pair of answers: 0 to 1, None if they cannot be compared.

    Answers may be plain values (text, number, list of labels), Label Studio ``value`` objects, result items, or
    lists of these (one answer with several regions). None and NaN are missing. ``threshold`` turns the score into 1
    (reached) or 0; ``compat="platform"`` follows the annotation platform's rules; other options are the metric's own.

    Raises
    ------
    UsageError
        For an unknown metric or option, or texts the metric must not be used on.

    Examples
    --------
    >>> similarity("jaccard", ["Sports", "Politics"], ["Politics"])
    0.5
    >>> similarity("span_overlap", {"start": 0, "end": 14}, {"start": 4, "end": 14})
    0.7142857142857143
    >>> similarity("text_similarity", "hello", "world", threshold=0.85)
    0.0
    """
    choice = resolve(metric, options, threshold, compat=compat)
    spec = choice.spec
    left, right = (native(answer, ordered=_ordered(spec)) for answer in (a, b))
    if left is None or right is None:
        return None
    if left is EMPTY or right is EMPTY:
        return float(all(answer in (EMPTY, (), frozenset()) for answer in (left, right)))
    left, right = (_seen(answer, None, compat) for answer in (left, right))
    refusal = spec.refuses((left, right), choice.settled) if spec.refuses else None
    if refusal:
        raise UsageError(f"{spec.key} is refused here. {refusal}")
    pool = spec.prepared((left, right), choice.settled)
    score = float(spec.pairs(pool, np.array([0]), np.array([1]), choice.settled)[0])
    if math.isnan(score):
        return None
    return score if choice.threshold is None else float(score >= choice.threshold - SLACK)


def compare_regions(metric: str, a: Any, b: Any, /, *, compat: str | None = None, **options: Any) -> Comparison:
    """Match the regions of two answers, with the kind of difference of every matched pair.

    Raises
    ------
    UsageError
        If the metric is not one for regions.
    """
    choice = resolve(metric, options, compat=compat)
    spec = choice.spec
    form = spec.function.__dict__.get("form")
    if not isinstance(form, RegionMetric):
        raise UsageError(f"{spec.key} does not match regions.")
    answers = [() if value is EMPTY else value for value in (native(a), native(b))]
    left, right = spec.prepared(answers, choice.options)
    if left is None or right is None:
        return Comparison(None, (), (), ())
    return form.compare(left, right, choice.options)
