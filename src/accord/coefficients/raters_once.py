"""Totals of all rater pairs in one pass, without a row for each unit."""

from __future__ import annotations

import numpy as np

from accord.coefficients.groups import Groups
from accord.coefficients.within import pair_blocks
from accord.similarity.core import Identity, Partial, Similarity
from accord.study import Study
from accord.values import FloatArray, Index

#: One-hot numbers of one block of units.
BLOCK = 1 << 22

#: Sums by rater pair, side and value up to this many are taken in dense arrays.
DENSE = 1 << 22


def fits_once(study: Study) -> bool:
    """Whether sums for all ordered rater pairs and values fit into memory."""
    size = study.R * study.R * study.V
    return size <= DENSE


def pair_sums(study: Study, similarity: Similarity) -> tuple[FloatArray, FloatArray, FloatArray, int]:
    """Shared units and distance of rater pairs g < h (R, R), margins (R, R, V) of g on units shared with h, skipped."""
    share = study.C / max(1, study.U * study.R)
    if study.R >= 8 and 330 * share * share > study.V and not isinstance(similarity, Partial):
        return (*_by_products(study, similarity), 0)
    return _by_pairs(study, similarity)


def _by_pairs(study: Study, similarity: Similarity) -> tuple[FloatArray, FloatArray, FloatArray, int]:
    raters, values = study.R, study.V
    size = raters * raters
    units, apart, skipped = np.zeros(size), np.zeros(size), 0
    margins = np.zeros(size * values)
    for _, i, j in pair_blocks(study):
        distance = 1.0 - similarity.at(study.code[i], study.code[j])
        known = ~np.isnan(distance)
        if not known.all():
            skipped += len(known) - int(np.count_nonzero(known))
            i, j, distance = i[known], j[known], distance[known]
        a, b = study.code[i], study.code[j]
        g, h = study.rater[i].astype(np.int64), study.rater[j].astype(np.int64)
        pair = g * raters + h
        units += np.bincount(pair, minlength=size)
        apart += np.bincount(pair, weights=distance, minlength=size)
        margins += np.bincount(pair * values + a, minlength=len(margins))
        margins += np.bincount((h * raters + g) * values + b, minlength=len(margins))
    shape = (raters, raters)
    return units.reshape(shape), apart.reshape(shape), margins.reshape(*shape, values), skipped


def _by_products(study: Study, similarity: Similarity) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Products of one-hot blocks: exact in single precision, as no block counts to 2^24."""
    raters, values = study.R, study.V
    units, near, margins = np.zeros((raters, raters)), np.zeros((raters, raters)), np.zeros((values * raters, raters))
    plain = isinstance(similarity, Identity)
    step = max(1, BLOCK // (raters * values))
    for first in range(0, study.U, step):
        last = min(first + step, study.U)
        table = _table(study, first, last)
        hot = np.empty((last - first, values, raters), dtype=np.float32)
        for value in range(values):
            np.equal(table, value, out=hot[:, value], casting="unsafe")
        given = (table >= 0).astype(np.float32)
        units += given.T @ given
        margins += hot.reshape(last - first, -1).T @ given
        flat = hot.reshape(-1, raters)
        if plain:
            near += flat.T @ flat
        else:
            apart = np.matmul(1.0 - similarity.dense(), hot.astype(np.float64))
            near += flat.astype(np.float64).T @ apart.reshape(-1, raters)
    distance = units - near if plain else near
    return units, distance, margins.reshape(values, raters, raters).transpose(1, 2, 0)


def _table(study: Study, first: int, last: int) -> np.ndarray:
    """Codes of some units (units, R), -1 = missing, in a narrow type."""
    narrow = np.int8 if study.V < 127 else np.int32
    if study.matrix is not None:
        return study.matrix[first:last].astype(narrow)
    cells = slice(study.start[first], study.start[last])
    table = np.full((last - first, study.R), -1, dtype=narrow)
    table[study.unit[cells] - first, study.rater[cells]] = study.code[cells]
    return table


def pair_columns(study: Study, left: Index, right: Index, margins: FloatArray) -> tuple[Groups, FloatArray]:
    """Margins (K pairs, both sides, V) as one row of columns."""
    both = np.stack((margins[left, right], margins[right, left]), axis=1)
    groups = 2 * len(left)
    places = Groups(np.arange(groups + 1) * study.V, np.tile(np.arange(study.V), groups), study.V)
    return places, both.ravel()
