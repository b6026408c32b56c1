"""Numbers in the units of the answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from accord.coefficients.estimate import Estimate
from accord.measures.ask import Generalise, Method, measure_one
from accord.values import Value


def sem(
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
    """Standard error of measurement, and in ``details`` the smallest detectable change.

    Option ``form`` as in ``icc``: ICC(A,1) counts different levels of the raters as error, ICC(C,1) does not.

    References
    ----------
    de Vet et al. 2006, When to use agreement versus reliability measures.

    Examples
    --------
    >>> from accord.measures import sem
    >>> round(sem([[1.0, 1.5], [2.0, 2.0], [3.0, 3.5], [4.0, 4.0]], form="ICC(C,1)", ci=None).value, 3)
    0.204
    """
    return measure_one(
        "sem",
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


def mean_absolute_difference(
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
    """How far two raters' numbers are apart on average, in units of the answers.

    The mean over units of the mean |x - y| over a unit's rater pairs.

    Examples
    --------
    >>> from accord.measures import mean_absolute_difference
    >>> mean_absolute_difference([[1.0, 1.5], [2.0, 2.0], [3.0, 3.5], [4.0, 4.0]], ci=None).value
    0.25
    """
    return measure_one(
        "mean_absolute_difference",
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
