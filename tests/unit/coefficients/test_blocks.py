"""Answers in blocks of equal size, and the sums over pairs taken from them, against brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.coefficients import blocks as blocks_module
from accord.coefficients.blocks import blocks, even_size, narrow
from accord.coefficients.equal import equal_pairs
from accord.coefficients.rows import AnswerTally, assemble
from accord.coefficients.sums import sums
from accord.coefficients.within import distances, pair_blocks, within
from accord.similarity.core import Dense, Identity, Quadratic
from accord.similarity.kernel import Linear
from accord.study import Study


def study_of(sizes, values, seed=0):
    """Units with given numbers of answers."""
    unit = np.repeat(np.arange(len(sizes)), sizes).astype(np.int32)
    rater = np.concatenate([np.arange(size) for size in sizes]).astype(np.int32)
    code = np.random.default_rng(seed).integers(0, values, len(unit)).astype(np.int32)
    raters = [f"r{i}" for i in range(max(sizes))]
    return Study(
        unit=unit, rater=rater, code=code, values=tuple(range(values)), unit_names=list(sizes), rater_names=raters
    )


def brute(study, similarity):
    """Distance and number of comparable pairs of every unit, pair by pair."""
    s = similarity.dense()
    distance, pairs = np.zeros(study.U), np.zeros(study.U)
    for unit in range(study.U):
        codes = study.code[study.unit == unit]
        for i, a in enumerate(codes):
            for b in codes[i + 1 :]:
                if not np.isnan(s[a, b]):
                    distance[unit] += 1.0 - s[a, b]
                    pairs[unit] += 1
    return distance, pairs


def similarities(values):
    s = np.random.default_rng(1).uniform(0, 0.9, (values, values))
    s = (s + s.T) / 2
    np.fill_diagonal(s, 1.0)
    holes = s.copy()
    holes[0, 1] = holes[1, 0] = np.nan
    x = np.arange(values, dtype=float)
    return [Identity(values), Quadratic(x), Linear(x), Dense(s, "dense"), Dense(holes, "holes")]


SIZES = [[2, 2, 2], [3, 1, 4, 2, 1, 3], [1, 1], [5] * 7, [40, 2, 35], [70, 3, 66], [1, 80]]


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("which", range(5))
@pytest.mark.parametrize("block", [16, 1 << 17])
def test_within_equals_brute_force(sizes, which, block, monkeypatch):
    monkeypatch.setattr(blocks_module, "BLOCK", block)
    study = study_of(sizes, 6)
    similarity = similarities(6)[which]
    found = within(study, similarity)
    distance, pairs = brute(study, similarity)
    assert found.distance == pytest.approx(distance, abs=1e-9)
    assert found.pairs.tolist() == pairs.tolist()
    m = np.array(sizes)
    assert found.skipped == (m * (m - 1) // 2).sum() - pairs.sum()


def test_large_units_with_many_values():
    """Above the crowd limit, with more values than counts could hold."""
    study = study_of([90], 5000)
    positions = np.sort(np.random.default_rng(0).normal(size=5000))
    codes = study.code.reshape(90, 1)
    found, unknown = distances(codes, Linear(positions))
    x = positions[study.code]
    expected = np.abs(x[:, None] - x[None, :]).sum() / 2 / np.ptp(positions)
    assert unknown is None
    assert found[0] == pytest.approx(expected)


@given(st.integers(2, 60), st.integers(1, 6), st.integers(1, 9), st.integers(0, 99))
def test_equal_pairs(size, units, values, seed):
    codes = np.random.default_rng(seed).integers(0, values, (size, units)).astype(narrow(values))
    expected = [((codes[:, u, None] == codes[None, :, u]).sum() - size) / 2 for u in range(units)]
    assert equal_pairs(codes).tolist() == expected


@pytest.mark.parametrize("values, kind", [(127, np.int8), (128, np.int16), (32767, np.int16), (32768, np.int32)])
def test_codes_fit_their_type(values, kind):
    assert narrow(values) is kind
    assert np.iinfo(kind).max >= values - 1


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_blocks_hold_every_answer_once(sizes):
    study = study_of(sizes, 6)
    seen = np.zeros(study.C, dtype=int)
    for block in blocks(study, least=1):
        units = np.arange(study.U)[block.units]
        for column, unit in enumerate(units):
            cells = np.flatnonzero(study.unit == unit)
            assert block.codes[:, column].tolist() == study.code[cells].tolist()
            seen[cells] += 1
    assert (seen == 1).all()


def test_even_sizes_are_seen_without_a_table():
    assert even_size(study_of([3, 3, 3], 4)) == 3
    assert even_size(study_of([2, 4], 4)) is None
    assert even_size(study_of([1, 2, 3], 4)) is None


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("which", range(3))
def test_sums_equal_units(sizes, which):
    study = study_of(sizes, 6)
    similarity = similarities(6)[which]
    found, inside = sums(study, similarity), within(study, similarity)
    assert found.distance.sum() == pytest.approx(inside.distance.sum())
    assert (found.pairs * found.units).sum() == inside.pairs.sum()
    share = np.zeros((study.U, 6))
    np.add.at(share, (study.unit, study.code), 1.0 / study.m[study.unit])
    assert found.shares == pytest.approx(share[study.m > 1].sum(axis=0))
    assert found.single == pytest.approx(share[study.m == 1].sum(axis=0))
    paired = study.code[study.m[study.unit] > 1]
    assert found.counts.tolist() == np.bincount(paired, minlength=6).tolist()


def test_sums_are_not_for_partial_similarities():
    assert sums(study_of([2, 2], 6), similarities(6)[4]) is None


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("values", [6, 200])
def test_rows_made_late_equal_the_sums_known_early(sizes, values):
    study = study_of(sizes, values)
    random = np.random.default_rng(3)
    lead = [random.normal(size=study.U), np.zeros(study.U)]
    tally = AnswerTally(study, lead, random.integers(0, 3, study.U) / 2.0, context=None)
    vector = random.normal(size=2 + values)
    rows = tally.rows if isinstance(tally.rows, np.ndarray) else tally.rows.toarray()
    assert isinstance(tally.rows, np.ndarray) == (values == 6)
    assert tally.totals()[0] == pytest.approx(rows.sum(axis=0))
    assert tally.product(vector) == pytest.approx(rows @ vector)
    again = assemble(lead, study.code, tally._weight[study.unit], study, values)
    assert (again != tally.rows).sum() == 0


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_pair_blocks_are_the_pairs_of_the_study(sizes):
    study = study_of(sizes, 6)
    found = sorted(
        (i, j) for _, first, second in pair_blocks(study) for i, j in zip(first.tolist(), second.tolist(), strict=True)
    )
    assert found == sorted(zip(*(index.tolist() for index in study.pairs), strict=True))
