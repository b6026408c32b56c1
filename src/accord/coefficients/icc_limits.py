"""Limits of ICC forms from F distributions: balanced data, normal effects.

References
----------
McGraw, K. O. & Wong, S. P. (1996). Psychological Methods 1, 30-46, tables 7 and 8.
"""

from __future__ import annotations

import math

from accord.coefficients.components import Components


def form_limits(form: str, table: Components, level: float) -> tuple[float, float] | None:
    """Limits of one form; None where there is no error variance to compare with.

    Parameters
    ----------
    form
        ``ICC(1,1)``, ``ICC(A,1)``, ``ICC(C,1)`` or the same with k.
    table
        Mean squares of balanced data, arrays (1,).
    level
        Confidence level.
    """
    between, raters, error = (float(ms[0]) for ms in table.mean_squares)
    unit_df, rater_df, error_df = (float(df[0]) for df in table.df)
    k = float(table.k[0])
    if not error > table.least:
        return None
    if form.startswith("ICC(A"):
        low, high = _absolute((between, raters, error), (unit_df, rater_df, error_df), k, level)
    else:
        low, high = _consistent(between / error, unit_df, error_df, k, level)
    if form.endswith("k)"):
        return k * low / (1 + (k - 1) * low), k * high / (1 + (k - 1) * high)
    return low, high


def sem_limits(table: Components, level: float) -> tuple[float, float] | None:
    """Chi-squared limits of the square root of the error variance."""
    from scipy.special import chdtri

    error, df = float(table.mean_squares[2][0]), float(table.df[2][0])
    if not error > table.least:
        return None
    tail = (1 - level) / 2
    return math.sqrt(error * df / chdtri(df, tail)), math.sqrt(error * df / chdtri(df, 1 - tail))


def _quantile(df1: float, df2: float, probability: float) -> float:
    from scipy.special import fdtri

    return float(fdtri(df1, df2, probability))


def _consistent(f: float, df1: float, df2: float, k: float, level: float) -> tuple[float, float]:
    upper_tail = 0.5 + level / 2
    low, high = f / _quantile(df1, df2, upper_tail), f * _quantile(df2, df1, upper_tail)
    return (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)


def _absolute(
    squares: tuple[float, float, float], df: tuple[float, float, float], k: float, level: float
) -> tuple[float, float]:
    """Satterthwaite's degrees of freedom for the mixture of rater and error variance."""
    between, raters, error = squares
    n = df[0] + 1
    icc = (between - error) / (between + (k - 1) * error + k / n * (raters - error))
    if icc >= 1:
        return math.nan, math.nan
    a = k * icc / (n * (1 - icc))
    b = 1 + k * icc * (n - 1) / (n * (1 - icc))
    v = (a * raters + b * error) ** 2 / ((a * raters) ** 2 / df[1] + (b * error) ** 2 / df[2])
    low_f, high_f = _quantile(df[0], v, 0.5 + level / 2), _quantile(v, df[0], 0.5 + level / 2)
    mixture = k * raters + (k * n - k - n) * error
    low = n * (between - low_f * error) / (low_f * mixture + n * between)
    high = n * (high_f * between - error) / (mixture + n * high_f * between)
    return low, high
