"""Pairwise scores against pair-by-pair sums, on every path: kept, in blocks, and by value for crowds."""

from itertools import combinations

import numpy as np
import pytest

import accord
from accord.coefficients import consensus as consensus_module
from accord.coefficients import pair_rows
from accord.coefficients.consensus import consensus
from accord.pipeline import scores as module
from accord.pipeline.confusion import coincidences, confused_pairs
from accord.pipeline.scores import PairScores
from accord.readers.arrays import from_matrix
from accord.similarity.core import Dense, Identity


def study_of(units, raters, values, missing, seed):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, values, (units, raters)).astype(float)
    table[rng.random(table.shape) < missing] = np.nan
    return from_matrix(table)


def dense(size, seed=0, unknown=0.0):
    rng = np.random.default_rng(seed)
    table = rng.random((size, size))
    table = (table + table.T) / 2
    holes = np.triu(rng.random((size, size)) < unknown, 1)
    table[holes | holes.T] = np.nan
    np.fill_diagonal(table, 1.0)
    return Dense(table, "table")


def by_hand(study, similarity):
    """Scores of all pairs as (unit, left, right, score), one by one."""
    for unit in range(study.U):
        for i, j in combinations(range(int(study.start[unit]), int(study.start[unit + 1])), 2):
            score = float(similarity.at(study.code[i : i + 1], study.code[j : j + 1])[0])
            if np.isfinite(score):
                yield unit, i, j, score


def mean_of(found, size):
    return np.array([np.mean(found[i]) if found.get(i) else np.nan for i in range(size)])


CASES = [(40, 5, 4, 0.3, 0.0), (6, 70, 5, 0.2, 0.0), (6, 70, 5, 0.2, 0.3), (30, 4, 6, 0.5, 0.3), (3, 90, 3, 0.0, 0.0)]


@pytest.mark.parametrize("kept", [0, 10**9])
@pytest.mark.parametrize(("units", "raters", "values", "missing", "unknown"), CASES)
def test_means_are_those_of_the_pairs(monkeypatch, kept, units, raters, values, missing, unknown):
    monkeypatch.setattr(module, "MOST_KEPT", kept)
    monkeypatch.setattr(module, "BLOCK", 64)
    study = study_of(units, raters, values, missing, 1)
    similarity = dense(study.V, unknown=unknown)
    scores = PairScores(study, similarity)
    of_unit, of_cell, of_pair = {}, {}, {}
    for unit, i, j, score in by_hand(study, similarity):
        of_unit.setdefault(unit, []).append(score)
        for cell in (i, j):
            of_cell.setdefault(cell, []).append(score)
        of_pair.setdefault((int(study.rater[i]), int(study.rater[j])), []).append(score)
    assert scores.per_unit == pytest.approx(mean_of(of_unit, study.U), nan_ok=True)
    assert scores.per_rater_unit == pytest.approx(mean_of(of_cell, study.C), nan_ok=True)
    assert scores.known == sum(map(len, of_unit.values()))
    assert scores.skipped == study.P - scores.known
    met = scores.rater_pairs
    found = {
        (a, b): (n, mean)
        for a, b, n, mean in zip(met.first.tolist(), met.second.tolist(), met.shared, met.mean, strict=True)
    }
    assert found == {pair: (len(values), pytest.approx(np.mean(values))) for pair, values in of_pair.items()}


def test_pairs_of_very_many_raters_are_those_that_met(monkeypatch):
    study = study_of(30, 40, 4, 0.8, 2)
    expected = PairScores(study, Identity(study.V)).rater_pairs
    monkeypatch.setattr(module, "fits_once", lambda study: False)
    monkeypatch.setattr(module, "MOST_KEPT", 0)
    monkeypatch.setattr(module, "BLOCK", 50)
    found = PairScores(study, Identity(study.V)).rater_pairs
    assert found.first.tolist() == expected.first.tolist()
    assert found.second.tolist() == expected.second.tolist()
    assert found.shared.tolist() == expected.shared.tolist()
    assert found.mean == pytest.approx(expected.mean)


@pytest.mark.parametrize(("units", "raters", "values", "missing", "unknown"), CASES)
def test_consensus_by_value_is_that_of_the_pairs(monkeypatch, units, raters, values, missing, unknown):
    study = study_of(units, raters, values, missing, 3)
    similarity = dense(study.V, unknown=unknown)
    monkeypatch.setattr(consensus_module, "CROWD", 1)
    by_value = consensus(study, similarity)
    monkeypatch.setattr(consensus_module, "CROWD", 10**6)
    one_by_one = consensus(study, similarity)
    support = np.ones(study.C)
    for _, i, j, score in by_hand(study, similarity):
        support[[i, j]] += score >= 0.5
    best = np.full(study.U, 0.0)
    np.maximum.at(best, study.unit, support)
    for found in (by_value, one_by_one):
        assert found.share == pytest.approx(np.where(study.m > 1, best / study.m, np.nan), nan_ok=True)
    assert by_value.code.tolist() == one_by_one.code.tolist()
    assert by_value.tie.tolist() == one_by_one.tie.tolist()


def test_coincidences_count_pairs_of_values():
    study = study_of(25, 6, 4, 0.4, 4)
    expected = np.zeros((study.V, study.V))
    for _, i, j, _ in by_hand(study, Identity(study.V)):
        expected[study.code[i], study.code[j]] += 0.5
        expected[study.code[j], study.code[i]] += 0.5
    assert coincidences(study) == pytest.approx(expected)


def test_evidence_for_confused_pairs_is_taken_unit_by_unit():
    from scipy.special import ndtr

    study = study_of(60, 5, 4, 0.2, 5)
    pairs = [
        (unit, *sorted((int(study.code[i]), int(study.code[j])))) for unit, i, j, _ in by_hand(study, Identity(study.V))
    ]
    pairs = np.array([pair for pair in pairs if pair[1] != pair[2]])
    loss = np.bincount(pairs[:, 0], minlength=study.U)
    for found in confused_pairs(study):
        names = [int(found.first), int(found.second)]
        hits = np.bincount(pairs[(pairs[:, 1:] == names).all(axis=1), 0], minlength=study.U)
        excess = hits - found.expected_share * loss
        floor = found.expected_share * (1 - found.expected_share) * np.count_nonzero(loss)
        p = 1 - ndtr((excess.sum() - 0.5) / np.sqrt(max((excess**2).sum(), floor)))
        assert found.p == pytest.approx(p, abs=1e-9)


def test_a_kappa_of_too_many_pairs_has_a_value_and_says_why_it_has_no_interval(monkeypatch):
    rows = [{"item": unit, "rater": rater, "label": (unit * rater) % 3} for unit in range(30) for rater in range(4)]
    frame = {name: [row[name] for row in rows] for name in ("item", "rater", "label")}
    dataset = accord.read(frame)
    full = accord.measure(dataset).controls[0].coefficients["cohen_kappa"]
    monkeypatch.setattr(pair_rows, "MOST_PAIRS", 100)
    found = accord.measure(dataset).controls[0].coefficients["cohen_kappa"]
    assert found.value == pytest.approx(full.value)
    assert full.interval is not None
    assert found.interval is None
    assert any("180 pairs" in note for note in found.notes)
