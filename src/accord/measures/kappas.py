"""Kappas of two raters or of rater pairs: chance is what two people with these habits would agree on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from accord.coefficients.estimate import Estimate
from accord.measures.ask import Generalise, Method, SimilarityLike, Weights, measure_one
from accord.values import Value


def cohen_kappa(
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
    """Cohen's kappa: agreement beyond what two raters' own label frequencies would give.

    Two raters: the units both answered. More: the mean of all pairs' kappas, weighted by shared units; undefined
    pairs are left out and counted. Undefined: both raters always give the same one label.

    References
    ----------
    Cohen 1960, A coefficient of agreement for nominal scales.

    Examples
    --------
    >>> from accord import from_contingency
    >>> from accord.measures import cohen_kappa
    >>> round(cohen_kappa(from_contingency([[20, 5], [10, 15]])).value, 3)
    0.4
    """
    return measure_one(
        "cohen_kappa",
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


def weighted_kappa(
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
    """Weighted kappa: Cohen's kappa where near misses count in part; quadratic weights unless told otherwise.

    References
    ----------
    Cohen 1968, Weighted kappa.

    Examples
    --------
    >>> from accord.measures import weighted_kappa
    >>> round(weighted_kappa([[1, 1], [2, 3], [3, 3], [2, 2]], ci=None).value, 3)
    0.8
    """
    return measure_one(
        "weighted_kappa",
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


def light_kappa(
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
    """Light's kappa: the plain mean of the kappas of all rater pairs.

    References
    ----------
    Light 1971, Measures of response agreement for qualitative data.

    Examples
    --------
    >>> from accord.measures import light_kappa
    >>> round(light_kappa([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "a", "b"]], ci=None).value, 3)
    0.4
    """
    return measure_one(
        "light_kappa",
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


def hubert_kappa(
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
    """Hubert's kappa: mean observed over mean expected agreement of all rater pairs, pairwise deletion.

    Equal to ``conger_kappa`` on complete data.

    References
    ----------
    Hubert 1977, Kappa revisited.

    Examples
    --------
    >>> from accord.measures import hubert_kappa
    >>> round(hubert_kappa([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "a", "b"]], ci=None).value, 3)
    0.385
    """
    return measure_one(
        "hubert_kappa",
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


def conger_kappa(
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
    """Conger's kappa: many raters, each with their own label frequencies, from all answers.

    References
    ----------
    Conger 1980, Integration and generalization of kappas for multiple raters.

    Examples
    --------
    >>> from accord.measures import conger_kappa
    >>> round(conger_kappa([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "a", "b"]], ci=None).value, 3)
    0.385
    """
    return measure_one(
        "conger_kappa",
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
