"""Coefficients on data that other tools got wrong: each case with the report it comes from.

Values were worked out with exact fractions and agree with the packages that get them right.
"""

import math
from itertools import permutations

import numpy as np
import pytest

from accord.coefficients.consensus import consensus
from accord.coefficients.pairwise import pairwise_kappa
from accord.coefficients.spec import COEFFICIENTS
from accord.inference.estimate import estimate
from accord.readers.arrays import from_contingency, from_long, from_matrix
from accord.similarity.core import Identity
from accord.similarity.levels import for_study


def table(*raters, domain=None, level=None):
    return from_matrix(list(zip(*raters, strict=True)), domain=domain, level=level)


def measure(key, study, **scheme):
    spec = COEFFICIENTS.catalog()[key]
    return estimate(spec, study, for_study(study, **(scheme or {"level": "nominal"})), ci=None)


def value(key, study, **scheme):
    return measure(key, study, **scheme).value


def near(expected):
    return pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("key", ["cohen_kappa", "scott_pi", "krippendorff_alpha", "fleiss_kappa", "conger_kappa"])
def test_b01_one_label_everywhere_is_undefined(key):
    """scikit-learn 9624 and 14256, dkpro-statistics 13, nltk 2940."""
    found = measure(key, table(["ok"] * 5, ["ok"] * 5, domain=["ok", "bad"]))
    assert math.isnan(found.value)
    assert found.undefined == "no_variation"
    assert found.observed == 1.0
    assert found.to_dict()["value"] is None


def test_b01_percent_agreement_stays():
    """scikit-learn 9624."""
    assert value("percent_agreement", table(["ok"] * 5, ["ok"] * 5, domain=["ok", "bad"])) == 1.0


def test_b02_one_of_two_declared_labels():
    """statsmodels 4387, dkpro-statistics 24."""
    study = table(*[["no"] * 4] * 3, domain=["no", "yes"])
    assert measure("fleiss_kappa", study).undefined == "no_variation"
    assert value("randolph_kappa", study) == 1.0
    assert value("gwet_ac1", study) == 1.0


def test_b03_constant_rater_is_defined():
    """andywills.info, more on kappa."""
    study = table(["x"] * 10, ["x"] * 8 + ["y"] * 2, domain=["x", "y"])
    assert value("cohen_kappa", study) == near(0.0)
    assert value("scott_pi", study) == near(-1 / 9)
    assert value("gwet_ac1", study) == near(31 / 41)
    assert value("krippendorff_alpha", study) == near(-1 / 18)


def test_b05_missing_is_no_label():
    """nltk 2865 and 2732."""
    study = table(["a", "a", "b", "b"], ["a", None, "b", "b"], [None, "a", "b", None])
    assert value("krippendorff_alpha", study) == 1.0


def test_b07_systematic_disagreement_is_negative():
    """fast-krippendorff 27."""
    study = table(["A", "B", "A"], ["B", "A", "B"])
    assert value("krippendorff_alpha", study) == near(-2 / 3)
    assert value("cohen_kappa", study) == near(-0.8)


@pytest.mark.parametrize(
    "level, expected",
    [
        ("nominal", 0.65625),
        ("ordinal", 0.6985880050328533),
        ("interval", 0.7441860465116279),
        ("ratio", 0.596819613847968),
    ],
)
def test_b08_a_unit_with_one_answer_leaves_alpha(level, expected):
    """mReliability 6, nltk 2043."""
    study = table(
        [1, 2, None, 4, 2, 3, None, 1],
        [1, 2, 3, 4, None, 3, None, 2],
        [2, 2, 3, None, None, 3, 5, 1],
        [None, 2, 3, 4, 2, 1, None, 1],
        domain=[1, 2, 3, 4, 5],
    )
    assert value("krippendorff_alpha", study, level=level) == near(expected)


def test_b10_rows_blank_for_both_raters():
    """jasp-issues 2307."""
    study = table(
        ["high", "low", "high", "low", None, "high", None, None],
        ["high", "high", "low", "low", None, "high", None, None],
    )
    found = measure("cohen_kappa", study)
    assert found.value == near(1 / 6)
    assert found.units == 5


def test_b11_units_with_two_to_four_answers():
    """statsmodels 7781."""
    study = table(
        ["a", "a", "b", "c", "a"],
        ["a", "b", "b", "c", None],
        ["a", None, "b", "b", "c"],
        [None, None, "b", "c", "c"],
        domain=["a", "b", "c"],
    )
    assert value("fleiss_kappa", study) == near(0.3461860854987427)
    assert value("gwet_ac1", study) == near(0.3518903199002908)


def test_b12_categories_come_from_the_declared_set():
    """DescTools 76, kappa-stats 7, inception 2191."""
    study = table(*["abab", "abbb", "abab"], domain=list("abcde"))
    assert value("randolph_kappa", study) == near(19 / 24)
    assert value("gwet_ac1", study) == near(0.8102766798418972)
    assert value("fleiss_kappa", study) == near(0.6571428571428571)


def test_b13_rows_are_units():
    """seolmatrix 6."""
    study = from_matrix([list("0000"), list("1121"), list("2122"), list("1113")])
    assert value("fleiss_kappa", study) == near(0.4482758620689655)


def test_b14_the_newest_of_two_answers_counts():
    """nltk 2302."""
    records = [
        ("r1", "u1", "A", 1),
        ("r1", "u1", "B", 9),
        ("r2", "u1", "A", 2),
        ("r1", "u2", "B", 1),
        ("r2", "u2", "B", 2),
        ("r1", "u3", "A", 1),
        ("r2", "u3", "A", 3),
        ("r1", "u4", "B", 1),
        ("r2", "u4", "A", 2),
        ("r1", "u5", "A", 1),
        ("r2", "u5", "A", 1),
    ]
    for order in (records, records[::-1]):
        rater, unit, label, time = zip(*order, strict=True)
        frame = {"rater": list(rater), "unit": list(unit), "label": list(label), "time": list(time)}
        study = from_long(frame, unit="unit", rater="rater", value="label", time="time")
        assert value("cohen_kappa", study) == near(2 / 7)


def test_b15_order_of_records_and_names():
    """nltk 284."""
    records = [
        ("b", 1, "s"),
        ("a", 1, "s"),
        ("a", 2, "t"),
        ("b", 2, "s"),
        ("b", 3, "t"),
        ("a", 3, "t"),
        ("a", 4, "s"),
        ("b", 4, "s"),
    ]
    for order in list(permutations(range(8)))[::2017]:
        rater, unit, label = zip(*(records[i] for i in order), strict=True)
        frame = {"rater": list(rater), "unit": list(unit), "label": list(label)}
        study = from_long(frame, unit="unit", rater="rater", value="label")
        assert value("cohen_kappa", study) == pytest.approx(0.5, abs=1e-12)


def test_b17_a_column_with_a_gap():
    """linuxtut 4ce98eeabdbd9806a44c, scikit-learn 31175."""
    study = table([1, 2, 1, 2, 1, 2], [1, 2, None, 1, 1, 2])
    assert value("cohen_kappa", study) == near(8 / 13)


SCALE = ["minor", "moderate", "severe", "critical"]


def severities(domain):
    return table(
        ["minor", "moderate", "severe", "critical", "minor", "severe", "moderate", "critical"],
        ["minor", "severe", "severe", "severe", "moderate", "severe", "minor", "critical"],
        domain=domain,
    )


def test_b18_declared_order():
    """quallmer 165, fast-krippendorff 4."""
    study = severities(SCALE)
    assert value("weighted_kappa", study, weights="linear") == near(0.5789473684210527)
    assert value("weighted_kappa", study, weights="quadratic") == near(0.7777777777777778)
    assert value("krippendorff_alpha", study, level="ordinal") == near(0.805622009569378)


@pytest.mark.parametrize("scheme", [{"level": "ordinal"}, {"weights": "linear"}, {"weights": "quadratic"}])
def test_b18_no_order_is_refused(scheme):
    """quallmer 165: words without a declared order have no ranks."""
    found = measure("krippendorff_alpha", severities(None), **scheme)
    assert found.undefined == "not_applicable"
    assert "order" in found.reason


def test_b21_negative_scale():
    """skll 35."""
    study = table([-2, -1, 0, 1, 2, -2, 1], [-2, 0, 0, 2, 2, -1, 1], domain=[-2, -1, 0, 1, 2])
    assert value("weighted_kappa", study, weights="quadratic") == near(0.8985507246376812)
    assert value("krippendorff_alpha", study, level="interval") == near(0.9037037037037037)
    refused = measure("krippendorff_alpha", study, level="ratio")
    assert refused.undefined == "not_applicable"
    assert "negative" in refused.reason


def test_b22_half_steps():
    """TPC-LoS-prediction 3."""
    study = table([0.5, 1.0, 1.5, 2.0, 1.0, 0.5], [0.5, 1.5, 1.5, 2.0, 0.5, 1.0], domain=[0.5, 1.0, 1.5, 2.0])
    assert value("cohen_kappa", study) == near(1 / 3)
    assert value("weighted_kappa", study, weights="linear") == near(0.5909090909090909)


def test_b25_high_agreement_negative_kappa():
    """Open Nursing Journal 11:211, dkpro-statistics 46."""
    study = from_contingency([[118, 5], [2, 0]], categories=["neg", "pos"])
    assert value("percent_agreement", study) == near(0.944)
    assert value("cohen_kappa", study) == near(-0.023391812865497075)
    assert value("fleiss_kappa", study) == near(-0.02880658436213992)
    assert value("gwet_ac1", study) == near(0.9407763376087177)


def test_b26_one_pair_shares_no_unit():
    """webanno 153, inception 4590."""
    study = table(
        ["a", "b", "a", "b", "a", "a", None, None, None],
        ["a", "b", "b", "b", "a", "a", "a", "b", None],
        [None, None, None, None, None, None, "b", "b", "a"],
    )
    found = measure("cohen_kappa", study)
    assert found.value == near(0.5)
    pairs = pairwise_kappa(study, Identity(study.V))
    assert pairs.value[0, 1] == near(2 / 3)
    assert pairs.value[1, 2] == near(0.0)
    assert np.isnan(pairs.value[0, 2])
    assert pairs.units[0, 2] == 0


@pytest.mark.parametrize(
    "spec", [spec for spec in COEFFICIENTS.catalog() if spec.needs == "similarity"], ids=lambda s: s.key
)
def test_b27_no_unit_has_two_answers(spec):
    """inception 2219, dkpro-statistics 2."""
    study = table(["P", None], [None, "Q"])
    found = estimate(spec, study, Identity(study.V))
    assert math.isnan(found.value)
    assert found.undefined == "no_overlap"


def test_b30_thousands_of_distinct_numbers():
    """fast-krippendorff 38, inspect_ai 4035."""
    i = np.arange(3000)
    first = np.round(((i * 7919) % 10007) / 100, 2)
    second = np.round(first + ((i * 31) % 11 - 5) * 5, 2)
    study = from_matrix(np.column_stack((first, second)))
    assert value("krippendorff_alpha", study, level="interval") == near(0.8698098933190697)


def test_b31_sets_ticked_in_any_order_and_empty():
    """scipy 7317, nltk 1144, open-mds 75: equal sets agree, two empty ones too."""
    sets = [["ab", "ab"], ["a", "ab"], ["", ""], ["c", "a"], ["b", "b"]]
    study = from_matrix([[frozenset(a), frozenset(b)] for a, b in sets])
    assert value("krippendorff_alpha", study) == near(0.5384615384615384)


def test_b35_a_tie_is_told():
    """crowd-kit 108, fact-extractor 28, knodle 111."""
    votes = [("r1", "u1", "cat"), ("r2", "u1", "dog"), ("r3", "u1", "dog"), ("r4", "u1", "cat")]
    votes += [("r1", "u2", "dog"), ("r2", "u2", "dog"), ("r3", "u2", "cat")]
    for order in list(permutations(votes))[::631]:
        rater, unit, label = zip(*order, strict=True)
        frame = {"rater": list(rater), "unit": list(unit), "label": list(label)}
        study = from_long(frame, unit="unit", rater="rater", value="label", domain=["cat", "dog"])
        found = consensus(study, Identity(study.V))
        place = {name: i for i, name in enumerate(study.unit_names)}
        assert found.tie[place["u1"]]
        assert found.share[place["u1"]] == 0.5
        assert study.values[found.code[place["u1"]]] == "cat"
        assert not found.tie[place["u2"]]
        assert study.values[found.code[place["u2"]]] == "dog"
        assert found.share[place["u2"]] == near(2 / 3)
