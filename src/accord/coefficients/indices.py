"""What lies behind a kappa of two raters: its ceiling, and the effects of prevalence and bias."""

from __future__ import annotations

import numpy as np

from accord.coefficients.raters_once import cross_tables
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
    table = cross_tables(study)[0, 1].reshape(study.V, study.V).copy()
    if not table.any():
        raise DataError.at("no unit was answered by both raters", control=study.name or None)
    return table


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
    return _ceiling(study, cross_table(study))


def _ceiling(study: Study, table: FloatArray) -> float:
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
    return _adjusted(study, cross_table(study))


def _adjusted(study: Study, table: FloatArray) -> float:
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
    return _bias(_two_by_two(study, cross_table(study)))


def _bias(table: FloatArray) -> float:
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
    return _prevalence(_two_by_two(study, cross_table(study)))


def _prevalence(table: FloatArray) -> float:
    return float(abs(table[0, 0] - table[1, 1]) / table.sum())


def indices(study: Study) -> dict[str, float]:
    """All of them that exist for a study of two raters with a defined kappa; none for other studies."""
    if study.slots or study.R != 2 or not (study.is_complete or (study.m == 2).any()):
        return {}
    table = cross_table(study)
    found = {"kappa_max": _ceiling(study, table)}
    if study.q >= 2:
        found["pabak"] = _adjusted(study, table)
    if np.count_nonzero(_used(study, table)) == 2:
        two = _two_by_two(study, table)
        found |= {"bias_index": _bias(two), "prevalence_index": _prevalence(two)}
    return found


def _used(study: Study, table: FloatArray) -> BoolArray:
    """Values that were declared or given, (V,); without gaps the table has seen them all."""
    given = table.sum(axis=0) + table.sum(axis=1) if study.is_complete else study.counts
    return (np.arange(study.V) < (study.domain or 0)) | (given > 0)


def _two_by_two(study: Study, table: FloatArray) -> FloatArray:
    used = _used(study, table)
    if np.count_nonzero(used) != 2:
        raise DataError.at(
            f"this index is defined for two categories, and there are {np.count_nonzero(used)}",
            control=study.name or None,
        )
    return table[np.ix_(used, used)]
