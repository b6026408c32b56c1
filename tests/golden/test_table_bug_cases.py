"""Tables that other tools read wrongly: each case with the report it comes from, from file to coefficient."""

import csv
import io
import json
import math
import random

import pytest

import accord
from accord.errors import DataError
from accord.readers.arrays import from_contingency, from_matrix
from accord.readers.tables import read_tables
from accord.study import study_of


def near(expected):
    return pytest.approx(expected, abs=1e-9)


@pytest.fixture
def read(tmp_path):
    def study(content, control=None, name="table.csv", **options):
        (tmp_path / name).write_text(content, encoding="utf-8")
        data = read_tables(tmp_path / name, **options)
        return study_of(data, control or next(iter(data.columns)))

    return study


def cohen(study):
    return accord.cohen_kappa(study, level="nominal", ci=None)


def test_b05_a_null_is_no_label():
    """nltk 2865 and 2732."""
    rows = [["a", "a", None], ["a", None, "a"], ["b", "b", "b"], ["b", "b", None]]
    found = accord.krippendorff_alpha(rows, ci=None)
    assert found.value == near(1.0)
    marked = [["null" if answer is None else answer for answer in row] for row in rows]
    assert accord.krippendorff_alpha(marked, ci=None).value == near(0.2978723404255319)
    assert accord.krippendorff_alpha(from_matrix(marked, missing=["null"]), ci=None).value == near(1.0)


def test_b08_a_unit_with_one_answer_leaves_the_margins():
    """mReliability 6, nltk 2043."""
    raters = [
        [1, 2, None, 4, 2, 3, None, 1],
        [1, 2, 3, 4, None, 3, None, 2],
        [2, 2, 3, None, None, 3, 5, 1],
        [None, 2, 3, 4, 2, 1, None, 1],
    ]
    study = from_matrix(raters, orientation="raters", domain=[1, 2, 3, 4, 5])
    expected = {
        "nominal": 0.65625,
        "ordinal": 0.6985880050328533,
        "interval": 0.7441860465116279,
        "ratio": 0.596819613847968,
    }
    for level, value in expected.items():
        assert accord.krippendorff_alpha(study, level=level, ci=None).value == near(value)


def test_b10_blank_for_both_is_not_agreement(read):
    """jasp-issues 2307."""
    study = read("item,r1,r2\n1,high,high\n2,low,high\n3,high,low\n4,low,low\n5,,\n6,high,high\n7,,\n8,,\n")
    found = cohen(study)
    assert found.value == near(1 / 6)
    assert (found.observed, found.expected) == (near(3 / 5), near(13 / 25))
    assert found.units == 5


def test_b13_rows_are_items_in_a_square_table(read):
    """mcmap.net 1019548, seolmatrix 6."""
    study = read("item,r1,r2,r3,r4\n0,c0,c0,c0,c0\n1,c1,c1,c2,c1\n2,c2,c1,c2,c2\n3,c1,c1,c1,c3\n")
    assert accord.fleiss_kappa(study, ci=None).value == near(0.4482758620689655)
    turned = [["c0", "c0", "c0", "c0"], ["c1", "c1", "c2", "c1"], ["c2", "c1", "c2", "c2"], ["c1", "c1", "c1", "c3"]]
    assert accord.fleiss_kappa(from_matrix(turned, orientation="raters"), ci=None).value == near(-0.164750957854406)


RECORDS = [
    *[("r1", "u1", "A", 1), ("r1", "u1", "B", 9), ("r2", "u1", "A", 2), ("r1", "u2", "B", 1), ("r2", "u2", "B", 2)],
    *[("r1", "u3", "A", 1), ("r2", "u3", "A", 3), ("r1", "u4", "B", 1), ("r2", "u4", "A", 2), ("r1", "u5", "A", 1)],
    ("r2", "u5", "A", 1),
]


def records(rows, header):
    return header + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)


@pytest.mark.parametrize("rule, value", [("newest", 0.2857142857142857), ("first", 0.5454545454545454)])
def test_b14_two_answers_by_one_rater_in_any_order(read, rule, value):
    """nltk 2302."""
    for seed in range(10):
        rows = random.Random(seed).sample(RECORDS, len(RECORDS))
        found = cohen(read(records(rows, "rater,item,label,time"), duplicates=rule))
        assert found.value == near(value)
        assert found.units == 5


def test_b14_without_times_names_rater_and_unit(read):
    """nltk 2302."""
    with pytest.raises(DataError, match=r"rater 'r1' gave 2 answers to item 'u1' \(lines 2, 3\)"):
        read(records([row[:3] for row in RECORDS], "rater,item,label"))


@pytest.mark.parametrize("names", [("a", "b"), ("z", "b")])
def test_b15_the_order_of_rows_and_names_does_not_matter(read, names):
    """nltk pull 284."""
    answers = [("b", 1, "s"), ("a", 1, "s"), ("a", 2, "t"), ("b", 2, "s"), ("b", 3, "t"), ("a", 3, "t")]
    answers += [("a", 4, "s"), ("b", 4, "s")]
    rename = dict(zip(("a", "b"), names, strict=True))
    found = set()
    for seed in range(20):
        rows = [(rename[rater], *rest) for rater, *rest in random.Random(seed).sample(answers, len(answers))]
        study = read(records(rows, "rater,item,label"))
        assert cohen(study).value == pytest.approx(0.5, abs=1e-12)
        found.add((accord.krippendorff_alpha(study, ci=None).value, accord.fleiss_kappa(study, ci=None).value))
    assert len({tuple(round(value, 12) for value in pair) for pair in found}) == 1


def test_b17_a_gap_does_not_make_whole_numbers_others(read):
    """linuxtut 4ce98, scikit-learn pull 31175."""
    found = cohen(read("item,r1,r2\n1,1,1\n2,2,2\n3,1,\n4,2,1\n5,1,1\n6,2,2\n"))
    assert (found.value, found.observed, found.expected) == (near(8 / 13), near(4 / 5), near(12 / 25))
    nan = math.nan
    assert accord.cohen_kappa([[1, 1], [2, 2], [1, nan], [2, 1], [1, 1], [2, 2]], ci=None).value == near(8 / 13)


def test_b17_numbers_beside_text_are_an_error_that_names_both(read):
    """linuxtut 4ce98, scikit-learn pull 31175."""
    rows = [{"item": 1, "r1": 1, "r2": "1"}, {"item": 2, "r1": 2, "r2": "2"}, {"item": 4, "r1": 2, "r2": "1"}]
    with pytest.raises(DataError, match=r"1 \(int\) and '1' \(str\)"):
        read("\n".join(map(json.dumps, rows)), name="table.jsonl")


SCALE = ["minor", "moderate", "severe", "critical"]


def test_b18_the_declared_order_counts():
    """quallmer 165, fast-krippendorff 4."""
    r1 = ["minor", "moderate", "severe", "critical", "minor", "severe", "moderate", "critical"]
    r2 = ["minor", "severe", "severe", "severe", "moderate", "severe", "minor", "critical"]
    rows = list(zip(r1, r2, strict=True))
    assert accord.weighted_kappa(rows, weights="linear", domain=SCALE, ci=None).value == near(0.5789473684210527)
    assert accord.weighted_kappa(rows, weights="quadratic", domain=SCALE, ci=None).value == near(0.7777777777777778)
    assert accord.krippendorff_alpha(rows, level="ordinal", domain=SCALE, ci=None).value == near(0.805622009569378)


def test_b21_negative_scale_values():
    """skll 35."""
    rows = list(zip([-2, -1, 0, 1, 2, -2, 1], [-2, 0, 0, 2, 2, -1, 1], strict=True))
    scale = [-2, -1, 0, 1, 2]
    assert accord.weighted_kappa(rows, weights="quadratic", domain=scale, ci=None).value == near(0.8985507246376812)
    assert accord.krippendorff_alpha(rows, level="interval", ci=None).value == near(0.9037037037037037)


def test_b22_half_stars_are_a_scale():
    """TPC-LoS-prediction 3."""
    rows = list(zip([0.5, 1.0, 1.5, 2.0, 1.0, 0.5], [0.5, 1.5, 1.5, 2.0, 0.5, 1.0], strict=True))
    scale = [0.5, 1.0, 1.5, 2.0]
    assert accord.cohen_kappa(rows, domain=scale, ci=None).value == near(1 / 3)
    assert accord.weighted_kappa(rows, weights="linear", domain=scale, ci=None).value == near(0.5909090909090909)


def test_b25_a_cross_table_with_a_rare_label():
    """opennursingjournal 11/211, dkpro-statistics 46."""
    study = from_contingency([[118, 5], [2, 0]], categories=["neg", "pos"])
    assert accord.percent_agreement(study, ci=None).value == near(0.944)
    assert accord.cohen_kappa(study, ci=None).value == near(-0.023391812865497075)
    assert accord.fleiss_kappa(study, ci=None).value == near(-0.02880658436213992)
    assert accord.gwet_ac1(study, ci=None).value == near(0.9407763376087177)


@pytest.mark.parametrize("function", ["cohen_kappa", "krippendorff_alpha", "fleiss_kappa", "percent_agreement"])
def test_b27_no_item_with_two_answers(read, function):
    """inception 2219, dkpro-statistics 2."""
    study = read("rater,item,label\nrA,doc1,P\nrB,doc2,Q\n")
    found = getattr(accord, function)(study, ci=None)
    assert math.isnan(found.value)
    assert found.undefined == "no_overlap"


ONE_SHARED = [["a", None], ["b", None], ["a", "a"], ["b", None]]


@pytest.mark.parametrize("function", ["cohen_kappa", "krippendorff_alpha", "fleiss_kappa"])
def test_b28_one_rater(function):
    """fast-krippendorff 26 and 9."""
    found = getattr(accord, function)([["a"], ["b"], ["a"]], ci=None)
    assert math.isnan(found.value)
    assert found.undefined == "one_rater"


@pytest.mark.parametrize(
    "function, options", [("cohen_kappa", {}), ("krippendorff_alpha", {}), ("fleiss_kappa", {"marginals": "shared"})]
)
def test_b28_one_shared_item_with_one_category(function, options):
    """fast-krippendorff 26 and 9. With the marginals of all items, Fleiss' kappa is defined here."""
    found = getattr(accord, function)(ONE_SHARED, ci=None, **options)
    assert math.isnan(found.value)
    assert found.undefined == "no_variation"
    assert found.observed == 1.0


def test_b30_thousands_of_distinct_numbers():
    """fast-krippendorff 38, inspect_ai pull 4035."""
    first = [round(((i * 7919) % 10007) / 100, 2) for i in range(3000)]
    rows = [[a, round(a + ((i * 31) % 11 - 5) * 5, 2)] for i, a in enumerate(first)]
    assert accord.krippendorff_alpha(rows, level="interval", ci=None).value == near(0.8698098933190697)


def test_b31_the_empty_set_is_an_answer(read):
    """scipy 7317, nltk 1144."""
    first = [["a", "b"], ["a"], [], ["c"], ["b"]]
    second = [["b", "a"], ["a", "b"], [], ["a"], ["b"]]
    text = io.StringIO()
    rows = [(i, json.dumps(a), json.dumps(b)) for i, (a, b) in enumerate(zip(first, second, strict=True))]
    csv.writer(text).writerows([("item", "r1", "r2"), *rows])
    assert accord.krippendorff_alpha(read(text.getvalue()), level="nominal", ci=None).value == near(7 / 13)


def test_b68_missing_text_is_not_compared(read):
    """RapidFuzz 291, thefuzz 41, fuzzywuzzy 94."""
    rows = [{"item": 1, "r1": "x y", "r2": "x y"}, {"item": 2, "r1": None, "r2": "q"}]
    lines = [*map(json.dumps, rows), '{"item": 3, "r1": "z", "r2": NaN}']
    study = read("\n".join(lines), name="table.jsonl", text="r1,r2")
    assert len(study.pairs[0]) == 1
    assert study.values == ("q", "x y", "z")


def test_b71_a_byte_order_mark_is_no_letter(read):
    """pandas 4793, orange3 7000, kukur 279."""
    found = cohen(read("\ufeffitem,rater,label\n1,r1,yes\n1,r2,yes\n2,r1,no\n2,r2,yes\n3,r1,no\n3,r2,no\n"))
    assert (found.value, found.observed, found.expected) == (near(2 / 5), near(2 / 3), near(4 / 9))


def test_b72_words_for_nothing_are_labels(read):
    """Reports on reading CSV with the defaults of pandas."""
    content = "item,r1,r2\n1,None,None\n2,NA,NA\n3,Some,Some\n4,None,Some\n5,Some,Some\n6,NA,None\n7,null,null\n"
    study = read(content + "8,Some,Some\n")
    assert study.values == ("NA", "None", "Some", "null")
    found = cohen(study)
    assert found.value == near(0.6444444444444445)
    assert found.units == 8


def test_b84_a_question_is_a_control_and_no_unit(read):
    """argilla 4396."""
    rows = [
        ("t1", "a", "a", "x", "y"),
        ("t2", "b", "b", "x", "x"),
        ("t3", "a", "b", "y", "y"),
        ("t4", "b", "b", "x", "x"),
    ]
    lines = [
        f"{item},{question},{rater},{label}\n"
        for item, *labels in rows
        for question, pair in (("tone", labels[:2]), ("kind", labels[2:]))
        for rater, label in zip(("r1", "r2"), pair, strict=True)
    ]
    content = "item,question,rater,label\n" + "".join(lines)
    for control in ("tone", "kind"):
        study = read(content, control)
        assert study.U == 4
        assert accord.krippendorff_alpha(study, ci=None).value == near(8 / 15)
