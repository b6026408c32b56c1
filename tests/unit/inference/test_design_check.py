"""Does the number of answers depend on disagreement?"""

import numpy as np

from accord.inference.design_check import design_check
from accord.readers.arrays import from_matrix


def project(seed, units=150, third="disagreed", agree=0.75):
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 2, (units, 1))
    data = np.where(rng.random((units, 3)) < agree, true, 1 - true).astype(float)
    if third == "disagreed":
        ask = data[:, 0] != data[:, 1]
    elif third == "random":
        ask = rng.random(units) < 0.4
    else:
        ask = np.ones(units, bool)
    data[~ask, 2] = np.nan
    return from_matrix(data)


def agreement(study):
    left, right = study.pairs
    same = (study.code[left] == study.code[right]).astype(float)
    pairs = study.m * (study.m - 1) / 2
    with np.errstate(invalid="ignore"):
        return np.bincount(study.unit[left], same, study.U) / np.where(pairs > 0, pairs, np.nan)


def check(study):
    return design_check(study, agreement(study))


def test_third_rater_on_disagreed_units_is_found():
    found = check(project(1))
    assert found.dependent is True
    assert found.p_value < 0.001
    assert "agree less" in found.sentence
    assert found.by_answers[2][1] == 1.0
    assert found.by_answers[3][1] < 0.5


def test_third_rater_at_random_is_rarely_blamed():
    verdicts = [check(project(seed, third="random")).dependent for seed in range(60)]
    assert sum(verdicts) <= 8


def test_more_answers_where_people_agree_is_found_too():
    study = project(2, third="random")
    more = agreement(study) > 0.9
    keep = ~((study.rater == 2) & ~more[study.unit])
    found = check(study.cells(keep))
    assert found.dependent is True


def test_same_number_everywhere():
    found = check(project(3, third="all"))
    assert found.dependent is None
    assert "Every compared unit has 3 answers" in found.sentence


def test_too_few_to_tell():
    rows = [["a", "a", None]] * 40 + [["a", "b", "a"]] * 2
    found = check(from_matrix(rows))
    assert found.dependent is None
    assert "Too few" in found.sentence


def test_nothing_compared():
    found = check(from_matrix([["a", None], [None, "b"]]))
    assert found.dependent is None
    assert found.by_answers == {}


def test_large_projects_use_the_normal_reference():
    assert check(project(4, units=6000)).dependent is True
    assert check(project(5, units=6000, third="random")).p_value > 1e-3


def test_no_disagreement_at_all():
    found = check(from_matrix([["a", "a", None]] * 10 + [["b", "b", "b"]] * 10))
    assert found.dependent is False
    assert found.p_value == 1.0
