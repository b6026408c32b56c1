"""Observed agreement, without any correction for chance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from accord.coefficients.estimate import Estimate
from accord.measures.ask import Generalise, Method, SimilarityLike, Weights, measure_one
from accord.values import Value


def percent_agreement(
    data: Any,
    *,
    level: str | None = None,
    weights: Weights = None,
    similarity: SimilarityLike = None,
    domain: Sequence[Value] | None = None,
    ci: float | None = 0.95,
    interval: Method | None = None,
    resamples: int = 2000,
    cluster: Sequence[Any] | None = None,
    seed: int = 0,
    generalise: Generalise = "units",
    missing: Iterable[Value] = (),
    **options: Any,
) -> Estimate:
    """Share of answer pairs that agree: the mean over units of the mean over their pairs.

    With a graded similarity it is the mean similarity. Undefined: no unit has two comparable answers.

    Examples
    --------
    >>> from accord.measures import percent_agreement
    >>> percent_agreement([["a", "a"], ["a", "b"], ["b", "b"], ["b", "b"]], ci=None).value
    0.75
    """
    return measure_one(
        "percent_agreement",
        data,
        level=level,
        weights=weights,
        similarity=similarity,
        domain=domain,
        ci=ci,
        interval=interval,
        resamples=resamples,
        cluster=cluster,
        seed=seed,
        generalise=generalise,
        missing=missing,
        options=options,
    )


def plurality(
    data: Any,
    *,
    level: str | None = None,
    weights: Weights = None,
    similarity: SimilarityLike = None,
    domain: Sequence[Value] | None = None,
    ci: float | None = 0.95,
    interval: Method | None = None,
    resamples: int = 2000,
    cluster: Sequence[Any] | None = None,
    seed: int = 0,
    generalise: Generalise = "units",
    missing: Iterable[Value] = (),
    **options: Any,
) -> Estimate:
    """Share of raters whose answer matches the best-supported answer of their unit (consensus).

    Never below 1/m with m answers a unit, so it is not comparable between numbers of raters. Undefined: no unit has
    two answers.

    Examples
    --------
    >>> from accord.measures import plurality
    >>> plurality([["a", "a", "b"], ["b", "b", "b"]], ci=None).value.__round__(3)
    0.833
    """
    return measure_one(
        "plurality",
        data,
        level=level,
        weights=weights,
        similarity=similarity,
        domain=domain,
        ci=ci,
        interval=interval,
        resamples=resamples,
        cluster=cluster,
        seed=seed,
        generalise=generalise,
        missing=missing,
        options=options,
    )
