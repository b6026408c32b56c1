"""Missing, EMPTY, not applicable: each cell of the table, for each kind of control."""

import pytest

from accord.values import EMPTY

HEAD = "<View><Text name='t' value='$text'/><Image name='i' value='$image'/>"
CONTROLS = {
    "choices": "<Choices name='c' toName='t' {0}><Choice value='A'/><Choice value='B'/></Choices>",
    "rating": "<Rating name='c' toName='t' {0}/>",
    "number": "<Number name='c' toName='t' {0}/>",
    "datetime": "<DateTime name='c' toName='t' {0}/>",
    "textarea": "<TextArea name='c' toName='t' {0}/>",
    "pairwise": "<Pairwise name='c' toName='t,i' {0}/>",
    "ranker": "<Ranker name='c' toName='t' {0}/>",
    "multiple": "<Choices name='c' toName='t' choice='multiple' {0}><Choice value='A'/><Choice value='B'/></Choices>",
    "taxonomy": "<Taxonomy name='c' toName='t' {0}><Choice value='A'/><Choice value='B'/></Taxonomy>",
    "labels": "<Labels name='c' toName='t' {0}><Label value='A'/></Labels>",
    "rectanglelabels": "<RectangleLabels name='c' toName='i' {0}><Label value='A'/></RectangleLabels>",
    "timelinelabels": "<TimelineLabels name='c' toName='i' {0}><Label value='A'/></TimelineLabels>",
    "brush": "<Brush name='c' toName='i' {0}/>",
}
VALUES = {
    "choices": {"choices": ["A"]},
    "rating": {"rating": 3},
    "number": {"number": 1.5},
    "datetime": {"datetime": "2024-01-02"},
    "textarea": {"text": ["so"]},
    "pairwise": {"selected": "left"},
    "ranker": {"ranker": {"c": ["a", "b"]}},
    "multiple": {"choices": ["A"]},
    "taxonomy": {"taxonomy": [["A"]]},
    "labels": {"start": 0, "end": 2, "labels": ["A"]},
    "rectanglelabels": {"x": 1, "y": 1, "width": 2, "height": 2, "rectanglelabels": ["A"]},
    "timelinelabels": {"ranges": [{"start": 1, "end": 2}], "timelinelabels": ["A"]},
    "brush": {"format": "rle", "rle": [0, 0, 0, 4, 1]},
}
BLANKS = {
    "choices": {"choices": []},
    "rating": {"rating": None},
    "number": {"number": None},
    "datetime": {"datetime": ""},
    "textarea": {"text": [""]},
    "pairwise": {"selected": ""},
    "ranker": {"ranker": {}},
    "multiple": {"choices": []},
    "taxonomy": {"taxonomy": []},
}
SINGLE = ["choices", "rating", "number", "datetime", "textarea", "pairwise", "ranker"]
SETS = ["multiple", "taxonomy", "labels", "rectanglelabels", "timelinelabels", "brush"]
TYPES = {"multiple": "choices"}


def item(name, value):
    return {"id": "r", "from_name": "c", "to_name": "t", "type": TYPES.get(name, name), "value": value}


def tasks(*results, **more):
    annotations = [{"id": n, "completed_by": n, "result": r, **more} for n, r in enumerate(results, 1)]
    return [{"id": 1, "data": {}, "annotations": annotations}]


def config(name, attributes=""):
    return HEAD + CONTROLS[name].format(attributes) + "</View>"


def cells(dataset):
    column = dataset["c"]
    return {
        dataset.raters[r].name: column.values[c]
        for r, c in zip(column.rater.tolist(), column.code.tolist(), strict=True)
    }


@pytest.mark.parametrize("name", SINGLE)
def test_one_answer_controls_without_item_are_missing(load, name):
    dataset = load(tasks([item(name, VALUES[name])], []), config=config(name))
    assert list(cells(dataset)) == ["1"]
    assert (dataset["c"].missing, dataset["c"].not_applicable) == (1, 0)


@pytest.mark.parametrize("name", SETS)
def test_set_and_region_controls_without_item_are_empty(load, name):
    dataset = load(tasks([item(name, VALUES[name])], []), config=config(name))
    found = cells(dataset)
    assert found["2"] is EMPTY
    assert found["1"] is not EMPTY
    assert (dataset["c"].missing, dataset["c"].not_applicable) == (0, 0)


@pytest.mark.parametrize("name", list(BLANKS))
def test_blank_item_counts_as_no_item(load, name):
    dataset = load(tasks([item(name, VALUES[name])], [item(name, BLANKS[name])]), config=config(name))
    found = cells(dataset)
    assert ("2" not in found) if name in SINGLE else (found["2"] is EMPTY)


@pytest.mark.parametrize("name", SINGLE)
def test_unanswered_empty_makes_blank_empty(load, name):
    dataset = load(tasks([item(name, VALUES[name])], []), config=config(name), unanswered="empty")
    assert cells(dataset)["2"] is EMPTY
    assert dataset["c"].missing == 0


@pytest.mark.parametrize("name", SINGLE + SETS)
def test_no_row_is_missing_and_not_counted(load, name):
    both = tasks([item(name, VALUES[name])], [item(name, VALUES[name])])
    one = {"id": 2, "data": {}, "annotations": [{"id": 9, "completed_by": 1, "result": [item(name, VALUES[name])]}]}
    column = load([*both, one], config=config(name))["c"]
    assert len(column.code) == 3
    assert column.missing == 0


@pytest.mark.parametrize("name", SINGLE + SETS)
def test_cancelled_is_missing(load, name):
    cancelled = tasks([item(name, VALUES[name])], [item(name, VALUES[name])])
    cancelled[0]["annotations"][1]["was_cancelled"] = True
    dataset = load(cancelled, config=config(name))
    assert list(cells(dataset)) == ["1"]
    assert dataset.report.cancelled == dataset.report.codes["cancelled"] == 1


PARENT = "<Choices name='p' toName='t'><Choice value='yes'/><Choice value='no'/></Choices>"
WHEN = "visibleWhen='choice-selected' whenTagName='p' whenChoiceValue='yes'"


def parent(value):
    return {"id": "q", "from_name": "p", "to_name": "t", "type": "choices", "value": {"choices": [value]}}


@pytest.mark.parametrize("name", SINGLE + SETS)
def test_hidden_by_condition_is_not_applicable(load, name):
    xml = HEAD + PARENT + CONTROLS[name].format(WHEN) + "</View>"
    dataset = load(tasks([parent("yes"), item(name, VALUES[name])], [parent("no")], [parent("yes")], []), config=xml)
    found, column = cells(dataset), dataset["c"]
    assert "2" not in found
    assert "4" not in found
    assert column.not_applicable == 2
    assert (column.missing, "3" in found) == ((1, False) if name in SINGLE else (0, True))


@pytest.mark.parametrize("unanswered", ["auto", "empty"])
def test_hidden_stays_not_applicable_whatever_blank_means(load, unanswered):
    xml = HEAD + PARENT + CONTROLS["choices"].format(WHEN) + "</View>"
    dataset = load(tasks([parent("no")], [parent("no")]), config=xml, unanswered=unanswered)
    assert dataset["c"].not_applicable == 2
    assert len(dataset["c"].code) == 0


def test_answer_to_a_hidden_question_is_kept_and_counted(load):
    xml = HEAD + PARENT + CONTROLS["choices"].format(WHEN) + "</View>"
    dataset = load(tasks([parent("no"), item("choices", VALUES["choices"])]), config=xml)
    assert cells(dataset) == {"1": "A"}
    assert dataset.report.codes["hidden-answer"] == 1


def test_condition_on_unselected_and_any_choice(load):
    xml = (
        HEAD + PARENT
        + "<TextArea name='a' toName='t' visibleWhen='choice-unselected' whenTagName='p' whenChoiceValue='yes'/>"
        + "<TextArea name='b' toName='t' visibleWhen='choice-selected' whenTagName='p'/></View>"
    )  # fmt: skip
    dataset = load(tasks([parent("yes")], [parent("no")], []), config=xml)
    assert (dataset["a"].not_applicable, dataset["a"].missing) == (1, 2)
    assert (dataset["b"].not_applicable, dataset["b"].missing) == (1, 2)


def test_condition_on_a_label_of_a_region(load):
    xml = (
        HEAD + "<Labels name='p' toName='t'><Label value='A'/><Label value='B'/></Labels>"
        + "<Choices name='c' toName='t' whenTagName='p' whenLabelValue='A'><Choice value='x'/></Choices></View>"
    )  # fmt: skip
    region = {
        "id": "1",
        "from_name": "p",
        "to_name": "t",
        "type": "labels",
        "value": {"start": 0, "end": 1, "labels": ["A"]},
    }
    other = {**region, "value": {"start": 0, "end": 1, "labels": ["B"]}}
    dataset = load(tasks([region], [other], []), config=xml)
    assert (dataset["c"].missing, dataset["c"].not_applicable) == (1, 2)


def test_missing_marks_are_what_the_caller_says(load):
    rows = tasks(*[[item("choices", {"choices": [v]})] for v in ("NA", "None", "A")])
    assert load(rows)["c"].missing == 0
    column = load(rows, missing=["NA"])["c"]
    assert (column.missing, sorted(column.values)) == (1, ["A", "None"])


def test_unusable_answer_is_missing_even_for_regions(load):
    bad = item("rectanglelabels", {"x": "?", "y": 1, "width": 2, "height": 2, "rectanglelabels": ["A"]})
    dataset = load(tasks([item("rectanglelabels", VALUES["rectanglelabels"])], [bad]), config=config("rectanglelabels"))
    assert list(cells(dataset)) == ["1"]
    assert dataset["c"].missing == 1
    assert dataset.report.codes["bad-geometry"] == 1


CASE_B75 = [
    {"id": 1, "annotations": [{"id": 1, "completed_by": 1, "result": []}, {"id": 2, "completed_by": 2, "result": []}]},
    {
        "id": 2,
        "annotations": [
            {"id": 3, "completed_by": 1, "result": []},
            {"id": 4, "completed_by": 2, "was_cancelled": False, "result": [
                {"from_name": "s", "to_name": "t", "type": "choices", "value": {"choices": ["yes"]}}]},
        ],
    },
    {
        "id": 3,
        "annotations": [
            {"id": 5, "completed_by": 1, "result": None},
            {"id": 6, "completed_by": 2, "was_cancelled": False, "result": [
                {"from_name": "s", "to_name": "t", "type": "choices", "value": {"choices": ["yes"]}}]},
        ],
    },
]  # fmt: skip


def test_case_b75_nothing_chosen_is_an_answer_of_a_multi_select_control(load):
    xml = (
        "<View><Text name='t' value='$t'/>"
        "<Choices name='s' toName='t' choice='multiple'><Choice value='yes'/></Choices></View>"
    )
    column = load(CASE_B75, config=xml)["s"]
    yes = frozenset({"yes"})
    assert [column.values[c] for c in column.code.tolist()] == [EMPTY, EMPTY, EMPTY, yes, EMPTY, yes]
    assert column.unit.tolist() == [0, 0, 1, 1, 2, 2]


def test_without_config_several_values_make_several_choices(load):
    rows = tasks([item("choices", {"choices": ["A", "B"]})], [item("choices", {"choices": ["A"]})], [])
    dataset = load(rows)
    assert dataset["c"].control.kind == "labels"
    assert cells(dataset) == {"1": frozenset("AB"), "2": frozenset("A"), "3": EMPTY}
    assert "inferred" in dataset.report.shape


def test_without_config_one_value_each_is_one_choice(load):
    rows = tasks([item("choices", {"choices": ["A"]})], [])
    dataset = load(rows)
    assert dataset["c"].control.kind == "label"
    assert (cells(dataset), dataset["c"].missing) == ({"1": "A"}, 1)


def test_a_single_choice_with_several_values_is_read_as_several_choices_but_blank_stays_missing(load):
    rows = tasks([item("choices", {"choices": ["A", "B"]})], [item("choices", {"choices": ["A"]})], [])
    dataset = load(rows, config=config("choices"))
    assert dataset["c"].control.kind == "labels"
    assert cells(dataset) == {"1": frozenset("AB"), "2": frozenset("A")}
    assert dataset["c"].missing == 1
    assert dataset.report.codes["several-for-single"] == 1
