"""The similarity that a level of measurement or a weight scheme gives the values of a study."""

from __future__ import annotations

import numpy as np

from accord.errors import UnknownNameError, UsageError
from accord.similarity.core import Identity, Quadratic, Similarity
from accord.similarity.empty import WithEmpty
from accord.similarity.ordinal import Ordinal
from accord.similarity.ratio import Ratio
from accord.similarity.scale import On, empty_code, positions
from accord.similarity.unfit import Unfit
from accord.similarity.weights import ALIASES, circular, from_matrix, weighted
from accord.study import Study
from accord.values import FloatArray, Level


def for_study(
    study: Study,
    *,
    level: Level | str | None = None,
    weights: str | None = None,
    weights_on: On = "rank",
    matrix: FloatArray | None = None,
) -> Similarity:
    """Build the similarity of the values of a study.

    Parameters
    ----------
    level
        Level of measurement with Krippendorff's metric; by default the study's own.
    weights
        Weight scheme with Gwet's formulas: identity, linear, quadratic, radical, ordinal, bipolar, circular, ratio.
    weights_on
        ``rank``: positions are ranks in the domain (over the observed values where a number has no domain);
        ``value``: the numbers themselves.
    matrix
        Weights of one's own: a matrix (V, V), or scores (V,).

    Raises
    ------
    UsageError
        Level and weights contradict each other, or a name is unknown.

    Undefined
        Where the answers have no order or are no numbers, the result says so and every coefficient refuses it.

    Examples
    --------
    >>> from accord.readers.arrays import from_matrix
    >>> study = from_matrix([[1, 2], [3, 3]])
    >>> for_study(study, level="interval").dense().tolist()
    [[1.0, 0.75, 0.0], [0.75, 1.0, 0.75], [0.0, 0.75, 1.0]]
    """
    if weights_on not in ("rank", "value"):
        raise UsageError(f"weights_on is 'rank' or 'value', not {weights_on!r}.")
    _check(level, weights, matrix)
    if matrix is not None:
        found = from_matrix(study, matrix, weights)
    elif weights is not None:
        found = weighted(study, weights, weights_on)
    else:
        found = _of_level(study, _level(study.level if level is None else level))
    return _with_empty(study, found)


def _check(level: Level | str | None, weights: str | None, matrix: FloatArray | None) -> None:
    given = level is not None and _level(level) is not Level.NOMINAL
    plain = weights is None or ALIASES.get(weights, weights) == "identity"
    if (given and not plain) or (level is not None and matrix is not None):
        what = "a weight matrix" if matrix is not None else f"weights={weights!r}"
        raise UsageError(f"level={str(level)!r} and {what} are different measures; give one of them.")
    if level is not None and not given and not plain:
        raise UsageError(f"level='nominal' and weights={weights!r} contradict each other; give one of them.")


def _level(name: Level | str) -> Level:
    try:
        return Level(name)
    except ValueError:
        raise UnknownNameError.among("level", str(name), [level.value for level in Level]) from None


def _of_level(study: Study, level: Level) -> Similarity:
    if level is Level.NOMINAL:
        return Identity(study.V)
    found = positions(study, "rank" if level in (Level.ORDINAL, Level.CIRCULAR) else "value")
    if found.reason:
        return Unfit(study.V, level.value, f"the {level.value} level does not apply: {found.reason}")
    if level is Level.ORDINAL:
        return Ordinal(study, np.argsort(found.x, kind="stable"))
    if level is Level.CIRCULAR:
        return circular(study, found.x, "circular")
    if level is Level.INTERVAL:
        return Quadratic(found.x, "interval")
    if (found.x < 0.0).any():
        return Unfit(study.V, "ratio", "the ratio level does not apply: it needs numbers that are not negative")
    return Ratio(found.x)


def _with_empty(study: Study, similarity: Similarity) -> Similarity:
    """Only schemes on positions need help; equal or not is right for EMPTY as it is."""
    empty = empty_code(study)
    if empty is None or isinstance(similarity, Identity | Unfit) or similarity.name.startswith("matrix"):
        return similarity
    return WithEmpty(similarity, empty)
