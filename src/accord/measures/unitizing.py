"""Agreement on stretches of a continuum: where units begin and end, and what they are.

``data`` is a Study of spans or timelines, rows (rater, start, end, label[, unit]), or a table with these columns;
``unit`` names the document where there are several.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord.coefficients.estimate import Estimate
from accord.coefficients.segments import Lengths
from accord.measures.ask import Generalise, Method, measure_one
from accord.measures.segment_rows import as_segments


def alpha_u(
    data: Any,
    *,
    length: float | Mapping[Any, float] | None = None,
    start: float = 0.0,
    ci: float | None = 0.95,
    interval: Method | None = None,
    resamples: int = 2000,
    cluster: Sequence[Any] | None = None,
    seed: int = 0,
    generalise: Generalise = "units",
    **options: Any,
) -> Estimate:
    """Krippendorff's unitizing alpha, over all categories; each category is in ``details``.

    Chance puts units and gaps together at random within each continuum. Several continua add up their squared
    differences, and the interval takes them as the sample; a single continuum has none.

    Parameters
    ----------
    length, start
        Length of each continuum, or a mapping from unit to length, and where continua start. Without a length each
        ends where the last stretch of any rater ends.
    **options
        ``step`` smallest distance, 0 for none (by default 1 where all places are whole numbers, else 0);
        ``overlaps`` ``refuse`` or ``merge`` stretches of one rater and category that overlap; ``category`` only this
        one.

    Undefined
    ---------
    ``no_variation`` where nobody marked anything; ``not_applicable`` for answers that are no stretches, stretches
    outside the continuum, and overlaps.

    References
    ----------
    Krippendorff 1995; Krippendorff 2004, Content analysis, p. 254.

    Examples
    --------
    >>> from accord.measures import alpha_u
    >>> rows = [("r0", 1, 9, "x"), ("r1", 2, 3, "x"), ("r1", 4, 5, "x"), ("r1", 6, 7, "x")]
    >>> round(alpha_u(rows, length=10).value, 4)
    -0.7003
    """
    lengths = (
        Lengths({str(unit): float(its) for unit, its in length.items()}) if isinstance(length, Mapping) else length
    )
    return measure_one(
        "alpha_u",
        as_segments(data, cluster),
        ci=ci,
        interval=interval,
        resamples=resamples,
        seed=seed,
        generalise=generalise,
        options={"length": lengths, "start": float(start), **options},
    )


def gamma(
    data: Any,
    *,
    samples: int = 30,
    precision: float | None = None,
    ci: float | None = 0.95,
    interval: Method | None = None,
    resamples: int = 2000,
    cluster: Sequence[Any] | None = None,
    seed: int = 0,
    generalise: Generalise = "units",
    **options: Any,
) -> Estimate:
    """Gamma: how much better the best alignment of the units is than that of random ones.

    ``disagreement`` holds observed and expected disorder, ``expected_error`` the standard error of the latter;
    gamma-cat and gamma-k of every label are in ``details``.

    Parameters
    ----------
    samples, precision
        Random continua to draw over all documents (at least two of each), and how well the expected disorder must be
        known: 0.02 draws until its 95 % interval is within 2 %.
    **options
        ``alpha`` and ``beta`` weigh position and category; ``delta_empty`` scales all dissimilarities; ``start`` is
        where continua start; ``unaligned`` ``count`` or ``skip`` stretches aligned with nothing in gamma-cat and
        gamma-k.

    Undefined
    ---------
    ``no_variation`` where nobody marked anything; ``not_applicable`` for answers that are no stretches.

    References
    ----------
    Mathet, Widlöcher and Métivier 2015, The unified and holistic method gamma.

    Examples
    --------
    >>> from accord.measures import gamma
    >>> rows = [("r0", 1, 5, "a"), ("r0", 6, 10, "b"), ("r1", 2, 6, "a"), ("r1", 7, 11, "b")]
    >>> gamma(rows).disagreement[0]
    0.0625
    """
    given = {"samples": samples, "precision": precision, "sampler_seed": seed, **options}
    return _gamma("gamma", data, given, ci, interval, resamples, cluster, seed, generalise)


def gamma_cat(
    data: Any,
    *,
    samples: int = 30,
    precision: float | None = None,
    ci: float | None = 0.95,
    interval: Method | None = None,
    resamples: int = 2000,
    cluster: Sequence[Any] | None = None,
    seed: int = 0,
    generalise: Generalise = "units",
    **options: Any,
) -> Estimate:
    """Gamma-cat: agreement on the categories of the units that gamma's best alignment puts together.

    Arguments as in ``gamma``. Observed and expected disagreement are weighted means over pairs of aligned units, the
    expected one over all random continua together.

    References
    ----------
    Mathet 2017, The agreement measure gamma-cat.

    Examples
    --------
    >>> from accord.measures import gamma_cat
    >>> rows = [("r0", 1, 5, "a"), ("r0", 6, 10, "b"), ("r1", 2, 6, "a"), ("r1", 7, 11, "b")]
    >>> gamma_cat(rows).value
    1.0
    """
    given = {"samples": samples, "precision": precision, "sampler_seed": seed, **options}
    return _gamma("gamma_cat", data, given, ci, interval, resamples, cluster, seed, generalise)


def gamma_k(
    data: Any,
    category: str,
    *,
    samples: int = 30,
    precision: float | None = None,
    ci: float | None = 0.95,
    interval: Method | None = None,
    resamples: int = 2000,
    cluster: Sequence[Any] | None = None,
    seed: int = 0,
    generalise: Generalise = "units",
    **options: Any,
) -> Estimate:
    """Gamma-k: agreement on one category, among aligned units of which at least one has it.

    Arguments as in ``gamma``.

    References
    ----------
    Mathet 2017, The agreement measure gamma-cat.

    Examples
    --------
    >>> from accord.measures import gamma_k
    >>> rows = [("r0", 1, 5, "a"), ("r0", 6, 10, "b"), ("r1", 2, 6, "a"), ("r1", 7, 11, "b")]
    >>> gamma_k(rows, "a").value
    1.0
    """
    given = {"samples": samples, "precision": precision, "sampler_seed": seed, "category": category, **options}
    return _gamma("gamma_k", data, given, ci, interval, resamples, cluster, seed, generalise)


def _gamma(
    key: str,
    data: Any,
    options: Mapping[str, Any],
    ci: float | None,
    interval: Method | None,
    resamples: int,
    cluster: Sequence[Any] | None,
    seed: int,
    generalise: Generalise,
) -> Estimate:
    return measure_one(
        key,
        as_segments(data, cluster),
        ci=ci,
        interval=interval,
        resamples=resamples,
        seed=seed,
        generalise=generalise,
        options=options,
    )
