"""Rank correlations of the rankings of a task's items."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from accord.coefficients.estimate import Estimate
from accord.measures.ask import Generalise, Method, measure_one
from accord.values import Value


def mean_spearman(
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
    """Mean Spearman correlation of two raters' rankings of the items of a task.

    ``data`` is the Study of a ranking control; other data is refused.

    References
    ----------
    Spearman 1904, The proof and measurement of association between two things.

    Examples
    --------
    >>> from accord import from_matrix
    >>> from accord.measures import mean_spearman
    >>> mean_spearman(from_matrix([[1, 2], [2, 1]])).reason
    'it needs rankings'
    """
    return measure_one(
        "mean_spearman",
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


def mean_tau(
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
    """Mean Kendall correlation (tau-b) of two raters' rankings of the items of a task.

    ``data`` is the Study of a ranking control; other data is refused.

    References
    ----------
    Kendall 1945, The treatment of ties in ranking problems.

    Examples
    --------
    >>> from accord import from_matrix
    >>> from accord.measures import mean_tau
    >>> mean_tau(from_matrix([[1, 2], [2, 1]])).reason
    'it needs rankings'
    """
    return measure_one(
        "mean_tau",
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
