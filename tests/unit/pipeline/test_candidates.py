"""Advice needs support: nobody is named by chance, and real trouble is found."""

import numpy as np
import pytest

from accord.pipeline import candidates
from accord.pipeline.confusion import confused_pairs, confusion
from accord.pipeline.scores import PairScores
from accord.readers.arrays import from_matrix
from accord.similarity.core import Identity


def project(rng, units, raters, labels, error, missing=0.0, worst=None, confuse=0.0):
    """Answers with the same error rate for everybody, but for one worst rater or one confused pair of labels."""
    truth = rng.integers(0, labels, units)
    rate = np.full(raters, error)
    if worst is not None:
        rate[0] = worst
    slip = rng.random((units, raters)) < rate
    answer = np.where(slip, (truth[:, None] + rng.integers(1, labels, (units, raters))) % labels, truth[:, None])
    swap = (rng.random((units, raters)) < confuse) & (truth[:, None] < 2)
    answer = np.where(swap, 1 - truth[:, None], answer)
    rows = [[None if rng.random() < missing else f"label {v}" for v in row] for row in answer]
    return from_matrix(rows)


def findings(study):
    scores = PairScores(study, Identity(study.V))
    found = candidates.raters("tone", scores) + candidates.label_pairs("tone", confused_pairs(study))
    return candidates.select(found)


@pytest.mark.parametrize(
    ("units", "raters", "labels", "error", "missing"),
    [(150, 4, 4, 0.2, 0.0), (40, 3, 3, 0.15, 0.0), (300, 6, 5, 0.3, 0.4)],
)
def test_equal_raters_and_labels_are_named_in_at_most_a_tenth_of_reports(units, raters, labels, error, missing):
    rng = np.random.default_rng(7)
    named = sum(bool(findings(project(rng, units, raters, labels, error, missing))) for _ in range(200))
    assert named <= 20


def test_a_rater_who_guesses_is_named_and_no_other():
    rng = np.random.default_rng(1)
    for _ in range(20):
        study = project(rng, 120, 4, 4, 0.08, worst=0.4)
        named = [finding.title for finding in findings(study) if finding.kind == "rater"]
        assert named == [f"{study.rater_names[0]} disagrees with the others"]


def test_a_confused_pair_is_named_first():
    rng = np.random.default_rng(2)
    for _ in range(20):
        kept = findings(project(rng, 150, 3, 4, 0.05, confuse=0.3))
        assert {kept[0].title} <= {"label 0 against label 1", "label 1 against label 0"}
        assert kept[0].share > kept[0].chance_share


def test_two_raters_are_never_told_apart():
    study = project(np.random.default_rng(3), 100, 2, 3, 0.3)
    assert candidates.raters("tone", PairScores(study, Identity(study.V))) == []


def test_confusion_counts_observed_and_expected():
    study = from_matrix([["a", "a"], ["a", "b"], ["b", "b"], ["b", "c"]], domain=["a", "b", "c"])
    table = confusion(study)
    assert table.labels == ("a", "b", "c")
    assert table.observed == ((1.0, 0.5, 0.0), (0.5, 1.0, 0.5), (0.0, 0.5, 0.0))
    margin = np.array([1.5, 2.0, 0.5])
    assert np.allclose(table.expected, np.outer(margin, margin) / 4)
    pairs = confused_pairs(study)
    assert [(p.first, p.second, p.observed, p.share) for p in pairs] == [("a", "b", 1.0, 0.5), ("b", "c", 1.0, 0.5)]
    assert sum(p.expected_share for p in pairs) < 1.0


def test_hard_tasks_are_found_only_where_slips_cluster():
    rng = np.random.default_rng(4)
    units, raters = 200, 4
    for hard, expected in ((True, True), (False, False)):
        rate = np.where(np.arange(units) < 10, 0.7, 0.02) if hard else np.full(units, 0.054)
        slip = rng.random((units, raters)) < rate[:, None]
        study = from_matrix([[f"x{rng.integers(1, 5)}" if s else "x0" for s in row] for row in slip])
        scores = PairScores(study, Identity(study.V))
        deviation = (study.code != study.values.index("x0")).astype(float)
        found = candidates.tasks("tone", scores, deviation, seed=0)
        assert bool(found) is expected
