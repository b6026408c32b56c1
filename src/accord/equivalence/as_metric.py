"""A model of equivalence as a metric, for everything that takes one."""

from __future__ import annotations

from collections.abc import Sequence

from accord.equivalence.protocol import Equivalence, Places, normal
from accord.equivalence.scoring import scores
from accord.metrics.spec import MetricSpec
from accord.metrics.texts import joined
from accord.values import FloatArray, Kind, Value


def _prepared(value: Value) -> str | None:
    text = joined(value)
    return None if text is None else normal(text)


def as_metric(model: Equivalence, *, threshold: float = 0.85) -> MetricSpec:
    """Make a metric of a model.

    Examples
    --------
    >>> from accord.equivalence.lexical import lexical
    >>> from accord.similarity.metric import similarity
    >>> similarity(as_metric(lexical("jaccard")), "severe cough", "cough")
    0.5
    """

    def compare(pool: Sequence[str], i: Places, j: Places) -> FloatArray:
        return scores(model, [pool[k] for k in i.tolist()], [pool[k] for k in j.tolist()]).values

    return MetricSpec(
        key=model.name,
        function=compare,
        kinds=frozenset({Kind.TEXT}),
        reference=model.fingerprint,
        prepare=_prepared,
        shape="batch",
        family=model.name,
        threshold=threshold,
        title=model.name,
        summary="Equivalence of two texts by a model.",
    )
