"""Totals of all rater pairs in one pass, without a row for each unit."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt

from accord.coefficients.blocks import Codes, blocks, narrow
from accord.coefficients.groups import Groups
from accord.coefficients.within import pair_blocks
from accord.similarity.core import Identity, Similarity, costly, skips
from accord.study import Study
from accord.values import FloatArray, Index

#: One-hot numbers of one block of units.
BLOCK = 1 << 22

#: Up to this many values two raters are counted in a table of values by values.
JOINT = 256

#: Sums by rater pair, side and value up to this many are taken in dense arrays.
DENSE = 1 << 22


def fits_once(study: Study) -> bool:
    """Whether sums for all ordered rater pairs and values fit into memory."""
    size = study.R * study.R * study.V
    return size <= DENSE


def pair_sums(study: Study, similarity: Similarity) -> tuple[FloatArray, FloatArray, FloatArray, int]:
    """Shared units and distance of rater pairs g < h (R, R), margins (R, R, V) of g on units shared with h, skipped."""
    share = study.C / max(1, study.U * study.R)
    if study.R >= 8 and 330 * share * share > study.V and not skips(similarity):
        return (*_by_products(study, similarity), 0)
    if study.V <= JOINT and not costly(similarity) and (study.is_complete or study.R == 2):
        return _by_tables(study, similarity)
    return _by_pairs(study, similarity)


def _by_tables(study: Study, similarity: Similarity) -> tuple[FloatArray, FloatArray, FloatArray, int]:
    """Cross tables of every two raters, (V, V) each."""
    raters, values = study.R, study.V
    units, apart, margins = np.zeros((raters, raters)), np.zeros((raters, raters)), np.zeros((raters, raters, values))
    grid = np.indices((values, values)).reshape(2, -1)
    distance = 1.0 - similarity.at(grid[0], grid[1])
    known = ~np.isnan(distance)
    skipped = 0.0
    for (g, h), counts in cross_tables(study).items():
        skipped += float(counts[~known].sum())
        counts = np.where(known, counts, 0.0)
        units[g, h] = counts.sum()
        apart[g, h] = (counts * np.where(known, distance, 0.0)).sum()
        table = counts.reshape(values, values)
        margins[g, h], margins[h, g] = table.sum(axis=1), table.sum(axis=0)
    return units, apart, margins, round(skipped)


def cross_tables(study: Study) -> dict[tuple[int, int], FloatArray]:
    """Counts of code pairs (V * V,) for raters g < h, where all raters (or both of two) answered; not to be changed."""
    if "cross_tables" not in study.remembered:
        study.remembered["cross_tables"] = _count_pairs(study)
    return study.remembered["cross_tables"]


def _count_pairs(study: Study) -> dict[tuple[int, int], FloatArray]:
    pairs = list(combinations(range(study.R), 2))
    tables = {pair: np.zeros(study.V**2) for pair in pairs}
    kind = narrow(study.V**2)
    for block in blocks(study, least=study.R):
        codes = block.codes
        for g, h in pairs:
            key = np.multiply(codes[g], study.V, dtype=kind)
            key += codes[h]
            tables[g, h] += np.bincount(key, minlength=study.V**2)
    return tables


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
    units, apart, margins = np.zeros((raters, raters)), np.zeros((raters, raters)), np.zeros((values * raters, raters))
    step = max(1, BLOCK // (raters * values))
    for first in range(0, study.U, step):
        table = _table(study, first, min(first + step, study.U))
        hot = np.empty((len(table), values, raters), dtype=np.float32)
        for value in range(values):
            np.equal(table, value, out=hot[:, value], casting="unsafe")
        if study.is_complete:
            units += len(table)
            margins += hot.sum(axis=0).reshape(-1, 1)
        else:
            given = (table >= 0).astype(np.float32)
            units += given.T @ given
            margins += hot.reshape(len(table), -1).T @ given
        apart += _products(hot, similarity)
    distance = units - apart if isinstance(similarity, Identity) else apart
    return units, distance, margins.reshape(values, raters, raters).transpose(1, 2, 0)


def _products(hot: npt.NDArray[np.float32], similarity: Similarity) -> FloatArray:
    """Equal answers of rater pairs, or their summed distance, (R, R), from one-hot answers (n, V, R)."""
    flat = hot.reshape(-1, hot.shape[2])
    if isinstance(similarity, Identity):
        return (flat.T @ flat).astype(np.float64)
    apart = np.matmul(1.0 - similarity.dense(), hot.astype(np.float64))
    return flat.astype(np.float64).T @ apart.reshape(flat.shape)


def _table(study: Study, first: int, last: int) -> Codes:
    """Codes of some units (units, R), -1 = missing, in a narrow type."""
    kind = narrow(study.V)
    if study.is_complete:
        return study.code[first * study.R : last * study.R].reshape(-1, study.R).astype(kind)
    if study.matrix is not None:
        return study.matrix[first:last].astype(kind)
    cells = slice(study.start[first], study.start[last])
    table = np.full((last - first, study.R), -1, dtype=kind)
    table[study.unit[cells] - first, study.rater[cells]] = study.code[cells]
    return table


def pair_columns(study: Study, left: Index, right: Index, margins: FloatArray) -> tuple[Groups, FloatArray]:
    """Margins (K pairs, both sides, V) as one row of columns."""
    both = np.stack((margins[left, right], margins[right, left]), axis=1)
    groups = 2 * len(left)
    places = Groups(np.arange(groups + 1) * study.V, np.tile(np.arange(study.V), groups), study.V)
    return places, both.ravel()
