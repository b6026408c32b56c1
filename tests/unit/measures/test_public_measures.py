"""The public functions: all alike, any shape of data, any way to say how alike two answers are."""

import inspect
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

import accord.measures as measures
from accord.coefficients.estimate import Estimate
from accord.coefficients.spec import COEFFICIENTS
from accord.errors import UsageError
from accord.readers.arrays import from_contingency, from_counts, from_matrix
from accord.similarity.levels import for_study

#: These take stretches of a continuum instead.
STRETCHES = {"alpha_u", "gamma", "gamma_cat", "gamma_k"}
NAMES = sorted(set(measures.__all__) - STRETCHES)
#: What every function takes; those that compare values take level, weights and similarity too.
COMMON = ["domain", "ci", "interval", "resamples", "cluster", "seed", "generalise", "missing"]
ALIKE = ["level", "weights", "similarity"]
TWO = [[1, 1], [2, 3], [3, 3], [2, 2], [1, 2], [3, 3], [2, 2], [1, 1]]


@pytest.mark.parametrize("name", NAMES)
def test_signatures_are_alike(name):
    parameters = list(inspect.signature(getattr(measures, name)).parameters.values())
    names = [parameter.name for parameter in parameters]
    assert names[0] == "data"
    assert names[-1] == "options"
    numbers = ("icc", "sem", "lin_ccc", "bland_altman", "mean_absolute_difference", "kendall_w")
    compares = name not in ("gwet_ac1", *numbers)
    assert names[1:-1] == (ALIKE + COMMON if compares else COMMON)
    assert all(parameter.kind is inspect.Parameter.KEYWORD_ONLY for parameter in parameters[1:-1])
    defaults = {parameter.name: parameter.default for parameter in parameters[1:-1]}
    assert (defaults["ci"], defaults["interval"], defaults["resamples"], defaults["seed"]) == (0.95, None, 2000, 0)


@pytest.mark.parametrize("name", NAMES)
def test_every_function_measures(name):
    found = getattr(measures, name)(TWO)
    assert isinstance(found, Estimate)
    assert math.isfinite(found.value), found
    assert found.interval is not None or found.notes
    assert found.name in COEFFICIENTS.catalog()


def test_names_of_one_thing_are_one_function():
    assert measures.randolph_kappa is measures.bennett_s is measures.brennan_prediger


def test_every_shape_gives_the_same_number():
    wide = {"r1": ["a", "a", "b", None], "r2": ["a", "b", "b", "b"]}
    rows = [["a", "a"], ["a", "b"], ["b", "b"], [None, "b"]]
    long = [(i, r, v) for i, row in enumerate(rows) for r, v in enumerate(row) if v is not None]
    column = dict(zip(("task", "annotator", "label"), map(list, zip(*long, strict=True)), strict=True))
    shapes = [
        rows,
        tuple(map(tuple, rows)),
        np.array(rows, dtype=object),
        np.array([[1, 1], [1, 2], [2, 2], [np.nan, 2]]),
        from_matrix(rows),
        pd.DataFrame(wide),
        pl.DataFrame(wide),
        pd.DataFrame(column),
    ]
    values = [measures.krippendorff_alpha(shape, level="nominal", ci=None).value for shape in shapes]
    assert values == pytest.approx([values[0]] * len(shapes))


def test_counts_and_cross_tables():
    counted = measures.fleiss_kappa(from_counts([[3, 0], [2, 1], [0, 3]]))
    assert counted.value == pytest.approx(measures.fleiss_kappa([[1, 1, 1], [1, 1, 2], [2, 2, 2]]).value)
    crossed = measures.cohen_kappa(from_contingency([[20, 5], [10, 15]], categories=["yes", "no"]))
    assert (crossed.value, crossed.observed, crossed.expected) == pytest.approx((0.4, 0.7, 0.5))


def test_ways_to_say_how_alike_two_answers_are():
    study = from_matrix(TWO)
    quadratic = 1 - (np.subtract.outer(range(3), range(3)) / 2) ** 2
    same = [
        measures.weighted_kappa(TWO),
        measures.weighted_kappa(TWO, weights="quadratic"),
        measures.cohen_kappa(TWO, weights="quadratic"),
        measures.cohen_kappa(TWO, weights=quadratic),
        measures.cohen_kappa(TWO, similarity=quadratic),
        measures.cohen_kappa(TWO, level="interval"),
        measures.cohen_kappa(TWO, similarity=for_study(study, level="interval")),
        measures.cohen_kappa(TWO, similarity=lambda a, b: 1 - (a - b) ** 2 / 4),
    ]
    assert [found.value for found in same] == pytest.approx([same[0].value] * len(same))
    assert measures.cohen_kappa(TWO).value < same[0].value


def test_metric_by_name():
    sets = [[frozenset("ab"), frozenset("a")], [frozenset("c"), frozenset("c")], [frozenset("ac"), frozenset("c")]]
    jaccard = measures.percent_agreement(sets, similarity="jaccard")
    assert jaccard.value == pytest.approx((0.5 + 1 + 0.5) / 3)
    assert "jaccard" in jaccard.signature
    assert measures.percent_agreement(sets).value == pytest.approx(jaccard.value)
    assert measures.percent_agreement(sets, level="nominal").value == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    "how",
    [
        {"level": "ordinal", "weights": "ordinal"},
        {"level": "nominal", "similarity": "jaccard"},
        {"weights": "linear", "similarity": "jaccard"},
    ],
)
def test_contradictions_raise(how):
    with pytest.raises(UsageError, match="contradict"):
        measures.krippendorff_alpha(TWO, **how)


@pytest.mark.parametrize(
    "how,word",
    [
        ({"level": "nominl"}, "nominal"),
        ({"weights": "quadratc"}, "quadratic"),
        ({"similarity": "jacard"}, "jaccard"),
        ({"similarity": 3}, "name of a metric"),
        ({"marginal": "all"}, "option"),
    ],
)
def test_wrong_words_are_answered_with_help(how, word):
    with pytest.raises(UsageError, match=word):
        measures.conger_kappa(TWO, **how)


def test_domain_changes_what_depends_on_it_and_nothing_else():
    answers = [["a", "a"], ["a", "b"], ["b", "b"]]
    small, large = (measures.brennan_prediger(answers, domain=domain).value for domain in (list("ab"), list("abcd")))
    assert (small, large) == pytest.approx((1 / 3, 5 / 9))
    assert measures.krippendorff_alpha(answers, domain=list("abcd")).value == pytest.approx(
        measures.krippendorff_alpha(answers).value
    )


def test_missing_words():
    answers = [["a", "a"], ["a", "unknown"], ["b", "b"]]
    assert measures.percent_agreement(answers).value == pytest.approx(2 / 3)
    found = measures.percent_agreement(answers, missing=["unknown"])
    assert (found.value, found.units) == (1.0, 2)


def test_cluster_names():
    answers = [["a", "a"], ["a", "b"], ["b", "b"], ["b", "b"], ["a", "b"], ["a", "a"]]
    found = measures.krippendorff_alpha(answers, cluster=["x", "x", "y", "y", "z", "z"])
    assert found.clusters == 3
    assert "clusters:3" in found.signature


def test_signature_is_the_whole_recipe():
    found = measures.fleiss_kappa(TWO, weights="linear", marginals="shared", interval="bca", resamples=100, seed=5)
    for part in (
        "fleiss_kappa|",
        "similarity:linear",
        "marginals:shared",
        "interval:bca 0.95 of 100",
        "generalise:units",
        "seed:5",
        "clusters:none",
        "accord:",
    ):
        assert part in found.signature


@pytest.mark.parametrize("name", ["gwet_ac1", "cohen_kappa", "fleiss_kappa", "percent_agreement"])
def test_kappas_compare_labels_whatever_the_level_of_the_study(name):
    study = from_matrix(TWO, level="interval")
    function = getattr(measures, name)
    assert function(study).value == pytest.approx(function(TWO).value)


def test_alpha_follows_the_level_of_the_study():
    study = from_matrix(TWO, level="interval")
    found = measures.krippendorff_alpha(study)
    assert found.similarity == "interval"
    assert found.value == pytest.approx(measures.krippendorff_alpha(TWO, level="interval").value)


def test_ac2_is_quadratic_by_default():
    assert measures.gwet_ac2(TWO).value == pytest.approx(measures.gwet_ac2(TWO, weights="quadratic").value)
