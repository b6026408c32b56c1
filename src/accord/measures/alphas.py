"""Krippendorff's alpha, and measures that compare whole distributions of distances."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from accord.coefficients.estimate import Estimate
from accord.measures.ask import Generalise, Method, SimilarityLike, Weights, measure_one
from accord.values import Value


def krippendorff_alpha(
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
    """Krippendorff's alpha: one minus observed over expected disagreement, for any raters, levels and missing answers.

    ``level``: nominal, ordinal, interval, ratio or circular; ``similarity``: a metric, matrix or function instead.
    ``empty``: joint, marked (units where somebody marked something) or presence, where nothing is an answer.
    ``chance``: classical, unbiased, or within (regions of the same unit at random places).
    Undefined: every answer is the same.

    References
    ----------
    Krippendorff, Content Analysis: An Introduction to Its Methodology.

    Examples
    --------
    >>> from accord.measures import krippendorff_alpha
    >>> answers = [[1, 1, None], [2, 2, 3], [3, 3, 3], [3, 3, 3], [2, 2, 2]]
    >>> round(krippendorff_alpha(answers, level="nominal", ci=None).value, 3)
    0.78
    """
    return measure_one(
        "krippendorff_alpha",
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


def sigma(
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
    """Share of within-unit distances smaller than nearly all distances between units (Braylan's sigma).

    References
    ----------
    Braylan, Alonso and Lease 2022, Measuring annotator agreement generally across complex structured tasks.

    Examples
    --------
    >>> from accord.measures import sigma
    >>> estimate = sigma([[1.0, 1.1], [5.0, 5.2], [9.0, 9.1], [14.0, 14.3], [20.0, 20.2]], ci=None)
    >>> 0.0 <= estimate.value <= 1.0
    True
    """
    return measure_one(
        "sigma",
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


def ks(
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
    """Largest gap between the distributions of within-unit and between-unit distances (Kolmogorov-Smirnov).

    References
    ----------
    Braylan, Alonso and Lease 2022.

    Examples
    --------
    >>> from accord.measures import ks
    >>> ks([[1.0, 1.1], [5.0, 5.2], [9.0, 9.1], [14.0, 14.3]], ci=None).value
    1.0
    """
    return measure_one(
        "ks",
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


def auc(
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
    """Probability that a between-unit distance exceeds a within-unit one; one half is chance.

    Examples
    --------
    >>> from accord.measures import auc
    >>> auc([[1.0, 1.1], [5.0, 5.2], [9.0, 9.1], [14.0, 14.3]], ci=None).value
    1.0
    """
    return measure_one(
        "auc",
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
