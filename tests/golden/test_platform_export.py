"""The platform's rules from an export to the numbers: what differs from the default and what does not.

The numbers were worked out by hand from the platform's published rules: one item per control, the last; a control
that one side lacks is skipped for the pair; pairs average over controls, tasks over pairs, the project over tasks.
"""

import json

import pytest

import accord
from accord.pipeline.plan import Plan

TEXT = "abcdefghijklmnopqrstuvwxyz"
CONFIG = """<View><Text name="t" value="$text"/><Image name="i" value="$image"/>
<Choices name="tone" toName="t"><Choice value="good"/><Choice value="bad"/><Choice value="mixed"/></Choices>
<Choices name="topics" toName="t" choice="multiple"><Choice value="a"/><Choice value="b"/><Choice value="c"/></Choices>
<Taxonomy name="kind" toName="t"><Choice value="A"><Choice value="x"/><Choice value="y"/></Choice></Taxonomy>
<Rating name="stars" toName="t" maxRating="5"/><Number name="age" toName="t"/><TextArea name="note" toName="t"/>
<Labels name="ner" toName="t"><Label value="P"/><Label value="Q"/></Labels>
<RectangleLabels name="box" toName="i"><Label value="D"/></RectangleLabels></View>"""


def item(name, kind, to="t", **value):
    return {"id": f"{name}1", "from_name": name, "to_name": to, "type": kind, "value": value}


def tone(label):
    return item("tone", "choices", choices=[label])


def topics(*labels):
    return item("topics", "choices", choices=list(labels))


def kind(*path):
    return item("kind", "taxonomy", taxonomy=[list(path)])


def stars(number):
    return item("stars", "rating", rating=number)


def age(number):
    return item("age", "number", number=number)


def note(text):
    return item("note", "textarea", text=[text])


def span(start, end, label):
    return item("ner", "labels", start=start, end=end, text=TEXT[start:end], labels=[label]) | {"id": f"s{start}"}


def box(x, rotation=0):
    place = {"x": x, "y": 20, "width": 20, "height": 16, "rotation": rotation}
    size = {"id": f"b{x}", "original_width": 100, "original_height": 100}
    return item("box", "rectanglelabels", to="i", rectanglelabels=["D"], **place) | size


TASKS = [
    {
        "ann": [
            *(tone("good"), topics("a", "b"), kind("A", "x"), stars(4), age(30), note("cat")),
            *(span(0, 5, "P"), span(10, 20, "P"), box(10)),
        ],
        "ben": [
            *(tone("good"), topics("b"), kind("A", "y"), stars(5), age(32), note("cats")),
            *(span(10, 15, "Q"), box(14, rotation=30)),
        ],
    },
    {
        "ann": [tone("bad"), stars(1), note("x")],
        "ben": [tone("good"), topics("c"), stars(1), note("x"), span(0, 4, "P")],
        "cyd": [tone("bad"), stars(3), box(10)],
    },
    {"ann": [tone("mixed"), topics("a"), age(3)], "ben": [topics("a")]},
    {"ann": [tone("good"), topics("a", "c")]},
]


def export(tasks):
    """Label Studio tasks, the annotations in the order given."""
    number = 0
    found = []
    for task, by in enumerate(tasks, 1):
        annotations = []
        for rater, result in by.items():
            number += 1
            annotations.append({"id": number, "completed_by": {"email": f"{rater}@example.org"}, "result": result})
        data = {"text": TEXT, "image": "x.png"}
        found.append({"id": task, "project": 1, "data": data, "annotations": annotations})
    return found


@pytest.fixture
def measured(tmp_path):
    def run(tasks, compat="platform", config=CONFIG, **plan):
        (tmp_path / "export.json").write_text(json.dumps(export(tasks)))
        (tmp_path / "config.xml").write_text(config)
        dataset = accord.read(tmp_path / "export.json", config=tmp_path / "config.xml")
        return accord.measure(dataset, Plan(compat=compat, **plan), tasks=True)

    return run


def task_values(report, control):
    return {row.unit: row.value for row in report[control].tasks}


EXPECTED = {
    "tone": {"1": 1.0, "2": 1 / 3},
    "topics": {"1": 1 / 2, "3": 1.0},
    "kind": {"1": 1 / 3},
    "stars": {"1": 1 / 2, "2": (1 + 1 / 3 + 1 / 3) / 3},
    "age": {"1": 1 / 3},
    "note": {"1": 3 / 4, "2": 1.0},
    "ner": {"1": (5 / 10 + 0) / 2},
    "box": {"1": (16 / 24 + 1) / 2},
}


@pytest.mark.parametrize("control", list(EXPECTED))
def test_tasks_of_every_control(measured, control):
    report = measured(TASKS)
    assert task_values(report, control) == pytest.approx(EXPECTED[control], abs=1e-12)
    values = list(EXPECTED[control].values())
    assert report[control].pairwise.value == pytest.approx(sum(values) / len(values), abs=1e-12)


def test_pairs_average_over_controls_and_tasks_over_pairs(measured):
    first = (1 + 1 / 2 + 1 / 3 + 1 / 2 + 1 / 3 + 3 / 4 + 1 / 4 + 5 / 6) / 8
    second = ((0 + 1 + 1) / 3 + (1 + 1 / 3) / 2 + (0 + 1 / 3) / 2) / 3
    found = measured(TASKS).overall_pairwise
    assert found.value == pytest.approx((first + second + 1) / 3, abs=1e-12)
    assert found.units == 3


CONSENSUS = {"tone": [1.0, 2 / 3], "topics": [1 / 2, 1.0], "kind": [1 / 2], "stars": [1 / 2, 2 / 3]}


@pytest.mark.parametrize("control", list(CONSENSUS))
def test_plurality_without_metric(measured, control):
    """Two raters of different opinion have a plurality of one half, even one star apart."""
    found = measured(TASKS)[control].consensus
    assert found.value == pytest.approx(sum(CONSENSUS[control]) / len(CONSENSUS[control]), abs=1e-12)


@pytest.mark.parametrize("control", ["age", "note", "ner", "box"])
def test_no_plurality_over_other_answers(measured, control):
    assert measured(TASKS)[control].consensus.undefined == "not_applicable"


def test_alpha_is_nominal_for_every_coded_control(measured):
    report = measured(TASKS, coefficients=("krippendorff_alpha",))
    for control in ("tone", "topics", "kind", "stars", "age"):
        assert report[control].main.similarity == "nominal"
    stars = report["stars"].main
    # 4 5 | 1 1 3: N = 5, D_o = (2 + 4/2) / 5, D_e = (20 - 2) / 20
    assert (stars.observed, stars.expected) == pytest.approx((1 - 4 / 5, 1 - 18 / 20), abs=1e-12)
    assert stars.value == pytest.approx(1 - (4 / 5) / (18 / 20), abs=1e-12)


def test_margins_of_units_with_two_answers(measured):
    """Fleiss and AC1 without tasks 3 and 4, which one rater answered."""
    report = measured(TASKS, coefficients=("fleiss_kappa", "gwet_ac1"))["tone"].coefficients
    good, bad = 2 / 3, 1 / 3
    observed = (1 + 1 / 3) / 2
    chance = good**2 + bad**2
    fleiss, ac1 = report["fleiss_kappa"], report["gwet_ac1"]
    assert fleiss.value == pytest.approx((observed - chance) / (1 - chance), abs=1e-12)
    chance = (good * (1 - good) + bad * (1 - bad)) / (3 - 1)
    assert (ac1.observed, ac1.expected) == pytest.approx((observed, chance), abs=1e-12)
    assert ac1.value == pytest.approx((observed - chance) / (1 - chance), abs=1e-12)


def test_cohen_is_weighted_by_shared_tasks(measured):
    """ann-ben share two tasks (kappa 0), ben-cyd one (0), ann-cyd one (undefined, left out)."""
    found = measured(TASKS, coefficients=("cohen_kappa",))["tone"].main
    assert found.value == pytest.approx(0.0, abs=1e-12)
    assert found.observed == pytest.approx((2 * 1 / 2 + 1 * 0) / 3, abs=1e-12)


def test_weighted_kappa_counts_ranks_of_the_declared_scale(measured):
    """ann-ben: 4 5, 1 1 with weights 1 - (d/4)^2; ben-cyd: 1 3 and ann-cyd: 1 3 alone, kappa 0."""
    found = measured(TASKS, coefficients=("weighted_kappa",))["stars"].main
    observed = (15 / 16 + 1) / 2
    expected = ((15 / 16) + (1 - 9 / 16) + (1 - 1) + 1) / 4
    assert found.value == pytest.approx(2 * (observed - expected) / (1 - expected) / 4, abs=1e-12)


def test_thresholds(measured):
    controls = {"topics": {"metric": "jaccard_similarity_threshold"}, "note": {"metric": "text_similarity_threshold"}}
    plan = Plan.from_dict({"compat": "platform", "controls": controls})
    report = measured(TASKS, controls=plan.controls)
    assert task_values(report, "topics") == {"1": 1.0, "3": 1.0}
    assert task_values(report, "note") == {"1": 0.0, "2": 1.0}


DEFAULT = {
    "tone": EXPECTED["tone"],
    "age": EXPECTED["age"],
    "note": EXPECTED["note"],
    "stars": EXPECTED["stars"],
    "topics": {"1": 1 / 2, "2": 1 / 3, "3": 1.0},
    "kind": {"1": 1 / 3, "2": 1.0, "3": 1.0},
    # task 1: the longer of ann's two spans meets ben's span of another label: matched with score 0, one is left over
    "ner": {"1": 0.0, "2": 1 / 3, "3": 1.0},
}


@pytest.mark.parametrize("control", list(DEFAULT))
def test_the_default_differs_where_nothing_was_said_and_for_regions(measured, control):
    """An unanswered set or region control of a submitted annotation is the answer "nothing"."""
    assert task_values(measured(TASKS, compat=None), control) == pytest.approx(DEFAULT[control], abs=1e-12)


def test_the_default_takes_rotation_and_levels(measured):
    report = measured(TASKS, compat=None)
    assert 0 < task_values(report, "box")["1"] < 16 / 24
    levels = {name: report[name].coefficients["krippendorff_alpha"].similarity for name in ("tone", "stars", "age")}
    assert levels == {"tone": "nominal", "stars": "ordinal", "age": "interval"}
    # one star apart counts as a match there (numeric difference from 1/2 on)
    assert report["stars"].consensus.value == pytest.approx((1 + 2 / 3) / 2, abs=1e-12)


def test_spelling_of_letters_counts_for_the_platform(measured):
    tasks = [{"ann": [note("caf\xe9")], "ben": [note("cafe\u0301")]}]
    assert measured(tasks)["note"].pairwise.value == pytest.approx(3 / 5, abs=1e-12)
    assert measured(tasks, compat=None)["note"].pairwise.value == 1.0


BLANKS = {
    "tone": item("tone", "choices", choices=[]),
    "topics": topics(),
    "kind": item("kind", "taxonomy", taxonomy=[]),
    "note": note(""),
}
ANSWERS = {"tone": tone("good"), "topics": topics("a"), "kind": kind("A"), "note": note("x")}


@pytest.mark.parametrize("control", list(BLANKS))
def test_items_without_content_follow_the_value_rule(measured, control):
    """One empty: 0. Both empty: 1, but texts are skipped. No item on one side or both: skipped."""
    blank, answer = BLANKS[control], ANSWERS[control]
    tasks = [
        {"ann": [blank], "ben": [answer]},
        {"ann": [blank], "ben": [blank]},
        {"ann": [], "ben": [answer]},
        {"ann": [], "ben": [blank]},
        {"ann": [], "ben": []},
        {"ann": [answer], "ben": [answer]},
    ]
    both = {} if control == "note" else {"2": 1.0}
    assert task_values(measured(tasks), control) == {"1": 0.0, **both, "6": 1.0}


@pytest.mark.parametrize("control", ["topics", "kind"])
def test_the_default_takes_no_item_and_an_empty_one_as_nothing(measured, control):
    blank, answer = BLANKS[control], ANSWERS[control]
    tasks = [
        {"ann": [blank], "ben": [answer]},
        {"ann": [blank], "ben": [blank]},
        {"ann": [], "ben": [answer]},
        {"ann": [], "ben": [blank]},
        {"ann": [], "ben": []},
    ]
    expected = {"1": 0.0, "2": 1.0, "3": 0.0, "4": 1.0, "5": 1.0}
    assert task_values(measured(tasks, compat=None), control) == expected


@pytest.mark.parametrize("control", ["tone", "note"])
def test_the_default_takes_single_answers_without_content_as_missing(measured, control):
    tasks = [{"ann": [BLANKS[control]], "ben": [ANSWERS[control]]}, {"ann": [BLANKS[control]], "ben": []}]
    assert task_values(measured(tasks, compat=None), control) == {}


def test_items_without_content_survive_a_bundle(measured, tmp_path):
    from accord.pipeline.bundle import reproduce_bundle, write_bundle

    tasks = [{"ann": [topics()], "ben": [topics("a")]}, {"ann": [topics("a")], "ben": [topics("a")]}]
    report = measured([*tasks, {"ann": [], "ben": [topics("a")]}])
    plan = Plan(compat="platform")
    dataset = accord.read(tmp_path / "export.json", config=tmp_path / "config.xml")
    write_bundle(tmp_path / "bundle", dataset, plan, report)
    numbers = reproduce_bundle(tmp_path / "bundle")
    assert numbers
    assert all(number.same for number in numbers)
