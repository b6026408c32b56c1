"""What lies behind a kappa of two raters: its ceiling, and the effects of prevalence and bias."""

from __future__ import annotations

import numpy as np

from accord.errors import DataError
from accord.study import Study
from accord.values import BoolArray, FloatArray


def cross_table(study: Study) -> FloatArray:
    """Counts of answer pairs of the first and second rater on shared units, (V, V).

    Raises
    ------
    DataError
        The study does not have exactly two raters, or no unit has both.
    """
    if study.slots or study.R != 2:
        raise DataError.at(
            f"this index compares two named raters, and the data have {study.R}", control=study.name or None
        )
    cell = study.start[:-1][study.m == 2]
    if len(cell) == 0:
        raise DataError.at("no unit was answered by both raters", control=study.name or None)
    key = study.code[cell].astype(np.int64) * study.V + study.code[cell + 1]
    return np.bincount(key, minlength=study.V**2).reshape(study.V, study.V).astype(np.float64)


def kappa_max(study: Study) -> float:
    """Largest Cohen's kappa that the margins of two raters allow.

    Raises
    ------
    DataError
        Not two raters, or chance alone would agree always.

    References
    ----------
    Cohen 1960, Educational and Psychological Measurement 20.

    Examples
    --------
    >>> from accord.readers.arrays import from_contingency
    >>> round(kappa_max(from_contingency([[20, 5], [10, 15]])), 3)
    0.8
    """
    table = cross_table(study)
    rows, columns = table.sum(axis=1) / table.sum(), table.sum(axis=0) / table.sum()
    chance = float(rows @ columns)
    if 1.0 - chance < 1e-12:
        raise DataError.at("both raters gave one and the same label everywhere", control=study.name or None)
    return float((np.minimum(rows, columns).sum() - chance) / (1.0 - chance))


def pabak(study: Study) -> float:
    """Prevalence- and bias-adjusted kappa of two raters: (q p_o - 1) / (q - 1).

    Raises
    ------
    DataError
        Not two raters, or fewer than two categories.

    References
    ----------
    Byrt, Bishop and Carlin 1993, Journal of Clinical Epidemiology 46.

    Examples
    --------
    >>> from accord.readers.arrays import from_contingency
    >>> round(pabak(from_contingency([[20, 5], [10, 15]])), 3)
    0.4
    """
    table = cross_table(study)
    if study.q < 2:
        raise DataError.at("one category only; declare the domain", control=study.name or None)
    agreed = float(np.trace(table) / table.sum())
    return (study.q * agreed - 1.0) / (study.q - 1.0)


def bias_index(study: Study) -> float:
    """Difference of the two raters' shares of the first of two categories, 0 to 1.

    Raises
    ------
    DataError
        Not two raters and two categories.

    References
    ----------
    Byrt, Bishop and Carlin 1993, Journal of Clinical Epidemiology 46.

    Examples
    --------
    >>> from accord.readers.arrays import from_contingency
    >>> bias_index(from_contingency([[20, 5], [10, 15]]))
    0.1
    """
    table = _two_by_two(study)
    return float(abs(table[0, 1] - table[1, 0]) / table.sum())


def prevalence_index(study: Study) -> float:
    """Difference of the agreed shares of two categories, 0 to 1.

    Raises
    ------
    DataError
        Not two raters and two categories.

    References
    ----------
    Byrt, Bishop and Carlin 1993, Journal of Clinical Epidemiology 46.

    Examples
    --------
    >>> from accord.readers.arrays import from_contingency
    >>> prevalence_index(from_contingency([[20, 5], [10, 15]]))
    0.1
    """
    table = _two_by_two(study)
    return float(abs(table[0, 0] - table[1, 1]) / table.sum())


def indices(study: Study) -> dict[str, float]:
    """All of them that exist for a study of two raters with a defined kappa; none for other studies."""
    if study.slots or study.R != 2 or not (study.m == 2).any():
        return {}
    found = {"kappa_max": kappa_max(study)}
    if study.q >= 2:
        found["pabak"] = pabak(study)
    if np.count_nonzero(_used(study)) == 2:
        found |= {"bias_index": bias_index(study), "prevalence_index": prevalence_index(study)}
    return found


def _used(study: Study) -> BoolArray:
    """Values that were declared or given, (V,)."""
    return (np.arange(study.V) < (study.domain or 0)) | (study.counts > 0)


def _two_by_two(study: Study) -> FloatArray:
    table = cross_table(study)
    used = _used(study)
    if np.count_nonzero(used) != 2:
        raise DataError.at(
            f"this index is defined for two categories, and there are {np.count_nonzero(used)}",
            control=study.name or None,
        )
    return table[np.ix_(used, used)]
