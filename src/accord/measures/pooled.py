"""Coefficients whose chance term pools all raters, or does not look at the answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from accord.coefficients.estimate import Estimate
from accord.measures.ask import Generalise, Method, SimilarityLike, Weights, measure_one
from accord.values import Value


def scott_pi(
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
    """Scott's pi: two raters who are taken to share one set of label frequencies.

    Undefined: more than two raters (use ``fleiss_kappa``), or one label only.

    References
    ----------
    Scott 1955, Reliability of content analysis.

    Examples
    --------
    >>> from accord import from_contingency
    >>> from accord.measures import scott_pi
    >>> round(scott_pi(from_contingency([[20, 5], [10, 15]])).value, 5)
    0.39394
    """
    return measure_one(
        "scott_pi",
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


def fleiss_kappa(
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
    """Fleiss' kappa in Gwet's generalisation: any number of raters and answers a unit, one set of label frequencies.

    Option ``marginals``: ``all`` answers (default) or only those of units with two answers (``shared``).

    References
    ----------
    Fleiss 1971, Measuring nominal scale agreement among many raters. Gwet, Handbook of Inter-Rater Reliability.

    Examples
    --------
    >>> from accord import from_counts
    >>> from accord.measures import fleiss_kappa
    >>> round(fleiss_kappa(from_counts([[3, 0], [2, 1], [1, 2], [0, 3]]), ci=None).value, 3)
    0.333
    """
    return measure_one(
        "fleiss_kappa",
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


def brennan_prediger(
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
    """Brennan and Prediger's coefficient: chance is one over the number of categories (S, free-marginal kappa).

    The number of categories comes from the declared domain, never only from what was said; give ``domain=``.
    ``randolph_kappa`` and ``bennett_s`` are the same function.

    References
    ----------
    Brennan and Prediger 1981. Randolph 2005. Bennett, Alpert and Goldstein 1954.

    Examples
    --------
    >>> from accord.measures import brennan_prediger
    >>> answers = [["a", "a"], ["a", "b"], ["b", "b"], ["b", "b"]]
    >>> [round(brennan_prediger(answers, domain=d, ci=None).value, 3) for d in (["a", "b"], ["a", "b", "c", "d"])]
    [0.5, 0.667]
    """
    return measure_one(
        "brennan_prediger",
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


def gwet_ac1(
    data: Any,
    *,
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
    """Gwet's AC1: chance agreement by guessing on hard units; stays high where one label dominates.

    It approaches percent agreement as labels get skewed; read it beside Krippendorff's alpha.

    References
    ----------
    Gwet 2008, Computing inter-rater reliability and its variance in the presence of high agreement.

    Examples
    --------
    >>> from accord import from_contingency
    >>> from accord.measures import gwet_ac1
    >>> round(gwet_ac1(from_contingency([[118, 5], [2, 0]])).value, 5)
    0.94078
    """
    return measure_one(
        "gwet_ac1",
        data,
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


def gwet_ac2(
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
    """Gwet's AC2: AC1 with weights for near misses; quadratic unless told otherwise.

    References
    ----------
    Gwet, Handbook of Inter-Rater Reliability.

    Examples
    --------
    >>> from accord import from_contingency
    >>> from accord.measures import gwet_ac2
    >>> round(gwet_ac2(from_contingency([[88, 14, 18], [10, 40, 10], [2, 6, 12]])).value, 5)
    0.63855
    """
    return measure_one(
        "gwet_ac2",
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


randolph_kappa = brennan_prediger
bennett_s = brennan_prediger
