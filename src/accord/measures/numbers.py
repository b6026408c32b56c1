"""Agreement of numbers and ranks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from accord.coefficients.estimate import Estimate
from accord.measures.ask import Generalise, Method, measure_one
from accord.values import Value


def icc(
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
    """Intraclass correlation from variance components, for complete and incomplete designs.

    Option ``form``: one of ICC(1,1), ICC(A,1), ICC(C,1), ICC(1,k), ICC(A,k), ICC(C,k) or the aliases ICC1 to ICC3k;
    by default ICC(A,1) where raters cross units, else ICC(1,1). Option ``incomplete``: ``use`` every answer, or
    ``drop`` units that some rater did not answer. Components, mean squares and all forms are in ``details``.

    References
    ----------
    Shrout and Fleiss 1979. McGraw and Wong 1996.

    Examples
    --------
    >>> from accord.measures import icc
    >>> ratings = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> round(icc(ratings, form="ICC(A,1)").value, 2)
    0.29
    """
    return measure_one(
        "icc",
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


def lin_ccc(
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
    """Lin's concordance correlation: how close pairs of numbers lie to the line of equality.

    References
    ----------
    Lin 1989, A concordance correlation coefficient to evaluate reproducibility.

    Examples
    --------
    >>> from accord.measures import lin_ccc
    >>> round(lin_ccc([[1.0, 1.5], [2.0, 2.0], [3.0, 3.5], [4.0, 4.0]], ci=None).value, 3)
    0.947
    """
    return measure_one(
        "lin_ccc",
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


def bland_altman(
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
    """Bias between two raters and the limits within which 95 % of their differences lie (in ``details``).

    References
    ----------
    Bland and Altman 1986, Statistical methods for assessing agreement between two methods of clinical measurement.

    Examples
    --------
    >>> from accord.measures import bland_altman
    >>> bland_altman([[1.0, 1.5], [2.0, 2.0], [3.0, 3.5], [4.0, 4.0]]).value
    -0.25
    """
    return measure_one(
        "bland_altman",
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


def kendall_w(
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
    """Kendall's W: concordance of complete rankings of the units by several raters; 1/m is its null value.

    References
    ----------
    Kendall and Babington Smith 1939, The problem of m rankings.

    Examples
    --------
    >>> from accord.measures import kendall_w
    >>> kendall_w([[1, 1, 2], [2, 3, 1], [3, 2, 3], [4, 4, 4]], ci=None).value.__round__(3)
    0.778
    """
    return measure_one(
        "kendall_w",
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
