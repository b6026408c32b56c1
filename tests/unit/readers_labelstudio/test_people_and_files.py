"""Who is who, several files, joins, repeated answers, flags."""

import json
import math

import pytest

from accord.dataset import Flag
from accord.errors import DataError, UsageError


def pick(value):
    return [{"id": "r", "from_name": "c", "to_name": "t", "type": "choices", "value": {"choices": [value]}}]


def annotation(identity, who, value, **more):
    given = {} if who is None else {"completed_by": who}
    return {"id": identity, "result": pick(value), **given, **more}


def task(identity, *annotations, data=None, **more):
    found = {"data": data or {}, "annotations": list(annotations), **more}
    return found if identity is None else {"id": identity, **found}


def names(dataset):
    return [rater.name for rater in dataset.raters]


def table(dataset):
    column = dataset["c"]
    return {
        (dataset.units[u], dataset.raters[r].name): column.values[c]
        for u, r, c in zip(column.unit.tolist(), column.rater.tolist(), column.code.tolist(), strict=True)
    }


@pytest.mark.parametrize(
    ("who", "name"),
    [
        (7, "7"),
        ("7", "7"),
        ("Ana", "Ana"),
        ("A@X.org", "a@x.org"),
        ({"id": 7, "email": "a@x.org", "first_name": "A", "last_name": "B"}, "a@x.org"),
        ({"email": " a@x.org "}, "a@x.org"),
        ({"id": 7}, "7"),
        ({"first_name": "A", "last_name": "B"}, "A B"),
    ],
)
def test_rater_name(load, who, name):
    assert names(load([task(1, annotation(1, who, "A"))])) == [name]


def test_id_and_email_of_one_person_are_linked(load):
    rows = [
        task(1, annotation(1, {"id": 7, "email": "a@x.org"}, "A"), annotation(2, 8, "A")),
        task(2, annotation(3, 7, "B"), annotation(4, 8, "B")),
    ]
    assert names(load(rows)) == ["8", "a@x.org"]


def test_created_username_stands_in(load):
    assert names(load([task(1, annotation(1, None, "A", created_username=" a@x.org, 7"))])) == ["a@x.org"]


def test_no_annotator_is_the_file_or_numbered(load):
    one = load([task(1, annotation(1, None, "A")), task(2, annotation(2, None, "A"))], names=["ana.json"])
    assert names(one) == ["ana"]
    two = load([task(1, annotation(1, None, "A"), annotation(2, None, "B"))])
    assert names(two) == ["unknown-1", "unknown-2"]
    assert two.report.codes["rater-unknown"] == 2


def test_one_id_for_everybody_is_warned_about(load):
    dataset = load([task(1, annotation(1, 1, "A"), annotation(2, 1, "B"))])
    assert dataset.report.codes["one-rater-id"] == 2
    assert dataset.report.codes["same-annotator-twice"] == 1


def test_one_rater_a_file_without_names_is_called_after_the_file(load):
    ana = [task(1, annotation(1, 1, "A")), task(2, annotation(2, 1, "B"))]
    ben = [task(1, annotation(1, 1, "A")), task(2, annotation(2, 1, "A"))]
    dataset = load(ana, ben, names=["ana.json", "ben.json"])
    assert table(dataset) == {("1", "ana"): "A", ("1", "ben"): "A", ("2", "ana"): "B", ("2", "ben"): "A"}
    assert dataset.report.codes["rater-from-file"] == 2


def test_same_person_in_two_exports_of_one_project_stays_one(load):
    first = [task(1, annotation(1, 1, "A"), project=3)]
    second = [task(2, annotation(2, 1, "B"), project=3)]
    assert names(load(first, second)) == ["1"]


def test_people_with_emails_keep_them(load):
    first = [task(1, annotation(1, "a@x.org", "A"), data={"k": 1})]
    second = [task(1, annotation(9, "b@x.org", "B"), data={"k": 1})]
    assert table(load(first, second)) == {("1", "a@x.org"): "A", ("1", "b@x.org"): "B"}


def test_files_of_one_project_merge_and_the_same_annotation_is_one(load):
    first = [task(1, annotation(1, 1, "A", created_at="2024-01-01T00:00:00Z"), project=3)]
    second = [
        task(1, annotation(1, 1, "A", created_at="2024-01-01T00:00:00Z"), annotation(2, 2, "B"), project=3),
    ]
    dataset = load(first, second)
    assert table(dataset) == {("1", "1"): "A", ("1", "2"): "B"}
    assert dataset.report.codes["duplicate-annotation"] == 1


def test_same_task_id_with_other_data_is_another_task(load):
    first = [task(1, annotation(1, "a@x.org", "A"), data={"k": 1})]
    second = [task(1, annotation(1, "b@x.org", "B"), data={"k": 2})]
    assert list(load(first, second, names=["p.json", "q.json"]).units) == ["p/1", "q/1"]


def test_different_projects_never_merge_by_task_id(load):
    first = [task(1, annotation(1, "a@x.org", "A"), project=1)]
    second = [task(1, annotation(1, "b@x.org", "B"), project=2)]
    assert list(load(first, second).units) == ["project 1/1", "project 2/1"]


@pytest.mark.parametrize(
    ("join", "more"),
    [("data.key", {}), ("inner_id", {"inner_id": 5}), ("data", {})],
)
def test_join_merges_different_projects(load, join, more):
    first = [task(1, annotation(1, 1, "A"), data={"key": "k"}, project=1, **more)]
    second = [task(2, annotation(1, 2, "B"), data={"key": "k"}, project=2, **more)]
    dataset = load(first, second, join=join)
    assert len(dataset.units) == 1
    assert sorted(table(dataset).values()) == ["A", "B"]
    if join == "data.key":
        assert list(dataset.units) == ["k"]


def test_ambiguous_join_names_both_tasks(load):
    rows = [task(1, annotation(1, 1, "A"), data={"k": "x"}), task(2, annotation(2, 1, "A"), data={"k": "x"})]
    with pytest.raises(DataError, match=r"tasks 1 and 2 have the same data\.k"):
        load(rows, join="data.k")


def test_missing_join_value_names_the_task(load):
    with pytest.raises(DataError, match=r"task 1: the task has no data\.k"):
        load([task(1, annotation(1, 1, "A"))], join="data.k")


def test_unknown_join_is_a_usage_error(load):
    with pytest.raises(UsageError, match="inner_id"):
        load([task(1, annotation(1, 1, "A"))], join="nonsense")


def test_the_same_file_twice_is_read_once(load):
    rows = [task(1, annotation(1, 1, "A"))]
    dataset = load(rows, rows)
    assert names(dataset) == ["1"]
    assert dataset.report.codes["duplicate-file"] == 1


def test_order_of_files_and_records_has_no_say(load):
    rows = [
        task(n, *[annotation(10 * n + k, f"r{k}@x.org", "AB"[(n * k) % 2]) for k in (1, 2, 3)]) for n in range(1, 6)
    ]
    mixed = [{**t, "annotations": t["annotations"][::-1]} for t in rows[::-1]]
    one, other = load(rows), load(mixed)
    assert one.fingerprint == other.fingerprint
    assert one.fingerprint == load(rows[:2], rows[2:]).fingerprint == load(rows[2:], rows[:2]).fingerprint


TWICE = [
    task(
        1,
        annotation(5, 1, "A", updated_at="2024-01-02T00:00:00Z"),
        annotation(3, 1, "B", updated_at="2024-01-03T00:00:00Z"),
        annotation(4, 2, "A"),
    )
]


@pytest.mark.parametrize(("duplicates", "expected"), [("newest", "B"), ("first", "A")])
@pytest.mark.parametrize("turn", [1, -1])
def test_same_annotator_twice(load, duplicates, expected, turn):
    rows = [{**TWICE[0], "annotations": TWICE[0]["annotations"][::turn]}]
    dataset = load(rows, duplicates=duplicates)
    assert table(dataset)["1", "1"] == expected
    assert dataset.report.codes["same-annotator-twice"] == 1
    flags = dict(zip(dataset.annotations.ids, dataset.annotations.flags.tolist(), strict=True))
    assert [i for i, flag in flags.items() if flag & Flag.SUPERSEDED] == [{"B": "5", "A": "3"}[expected]]


def test_same_annotator_twice_without_times_the_higher_id_counts(load):
    rows = [task(1, annotation(10, 1, "new"), annotation(9, 1, "old"))]
    assert table(load(rows)) == {("1", "1"): "new"}


def test_all_answers_of_one_annotator_can_be_kept(load):
    dataset = load(TWICE, duplicates="all")
    assert names(dataset) == ["1", "2", "1 #2"]
    assert table(dataset)["1", "1 #2"] == "B"


def test_same_annotator_twice_can_be_refused(load):
    with pytest.raises(DataError, match="task 1: 1 has several annotations"):
        load(TWICE, duplicates="error")


def test_undecidable_duplicate_is_an_error_and_not_the_order_of_the_file(load):
    rows = [task(1, {"completed_by": 1, "result": pick("A")}, {"completed_by": 1, "result": pick("B")})]
    with pytest.raises(DataError, match="neither time nor id"):
        load(rows)


def test_duplicate_task_in_one_file_is_dropped_by_annotation_id(load):
    rows = [task(1, annotation(1, 1, "A"), annotation(2, 2, "B"))]
    dataset = load(rows + rows)
    assert len(dataset["c"].code) == 2
    assert dataset.report.codes["duplicate-annotation"] == 2
    assert "same-annotator-twice" not in dataset.report.codes


@pytest.mark.parametrize(
    ("more", "flag", "code"),
    [
        ({"updated_by": 9}, Flag.EDITED_BY_OTHER, "edited-by-other"),
        ({"updated_by": {"id": 9, "email": "z@x.org"}}, Flag.EDITED_BY_OTHER, "edited-by-other"),
        ({"updated_by": 1}, Flag.NONE, None),
        ({"updated_by": {"id": 1}}, Flag.NONE, None),
        ({"parent_annotation": 4}, Flag.COPIED, "copied"),
        ({"parent_prediction": 4}, Flag.FROM_PREDICTION, "prediction-started"),
        ({"prediction": {"id": 3}}, Flag.FROM_PREDICTION, "prediction-started"),
        ({"prediction": {}}, Flag.NONE, None),
        ({"ground_truth": True}, Flag.GROUND_TRUTH, "ground-truth"),
        ({"honeypot": True}, Flag.GROUND_TRUTH, "ground-truth"),
    ],
)
def test_flags(load, more, flag, code):
    dataset = load([task(1, annotation(1, {"id": 1, "email": "a@x.org"}, "A", **more))])
    assert dataset.annotations.flags.tolist() == [flag]
    assert code is None or dataset.report.codes[code] == 1
    assert len(dataset["c"].code) == 1


def test_item_from_a_prediction_flags_the_annotation(load):
    rows = [task(1, annotation(1, 1, "A"))]
    rows[0]["annotations"][0]["result"][0]["origin"] = "prediction-changed"
    assert load(rows).annotations.flags.tolist() == [Flag.FROM_PREDICTION]


def test_times(load):
    more = {"created_at": "1970-01-01T00:01:00Z", "updated_at": "1970-01-01T02:00:00+01:00", "lead_time": 2.5}
    found = load([task(1, annotation(1, 1, "A", **more)), task(2, annotation(2, 1, "A", created_at=60))]).annotations
    assert found.created.tolist() == [60, 60]
    assert found.updated.tolist()[0] == 3600
    assert math.isnan(found.updated.tolist()[1])
    assert found.lead_time.tolist()[0] == 2.5


def test_fields_are_clusters(load):
    rows = [
        task(n, annotation(n, 1, "A"), data={"site": site}) for n, site in ((1, "x"), (2, "y"), (3, "x"), (4, None))
    ]
    dataset = load(rows, fields=["site"])
    assert dataset.clusters["site"].tolist() == [0, 1, 0, 2]
    assert dataset.clusters["task"].tolist() == [0, 1, 2, 3]
    assert dataset.clusters["file"].tolist() == [0, 0, 0, 0]


def test_context_keeps_the_texts(load):
    xml = (
        "<View><Text name='t' value='$text'/><Paragraphs name='d' value='$talk'/>"
        "<Choices name='c' toName='t'><Choice value='A'/></Choices><TextArea name='n' toName='d'/></View>"
    )
    data = {"text": "shown", "talk": [{"author": "a", "text": "hi"}, {"author": "b", "text": "ho"}]}
    rows = [task(1, annotation(1, 1, "A"), data=data)]
    assert load(rows, config=xml, context=True).context == {"t": ["shown"], "d": ["hi\nho"]}
    assert load(rows, config=xml).context == {}


def test_units_and_raters_sort_like_numbers(load):
    rows = [task(n, annotation(n, n, "A")) for n in (10, 9, 100)]
    dataset = load(rows)
    assert list(dataset.units) == ["9", "10", "100"]
    assert names(dataset) == ["9", "10", "100"]


def test_progress_goes_over_all_files(load):
    seen = []
    first, second = [task(1, annotation(1, 1, "A"))], [task(2, annotation(2, 2, "B"))]
    load(first, second, progress=lambda done, total: seen.append((done, total)))
    total = len(json.dumps(first)) + len(json.dumps(second))
    assert seen[-1] == (total, total)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_what_is_no_user_is_not_taken_for_one(load):
    rows = [
        task(1, annotation(1, True, "A"), annotation(2, 1, "B")),
        task(2, annotation(3, "", "A"), annotation(4, 1, "B")),
    ]
    assert names(load(rows, names=["x.json"])) == ["1", "x"]


def test_nobody_is_somebody_else_in_each_file(load):
    first = [task(1, annotation(1, "", "A"), annotation(2, 5, "B"), project=1)]
    second = [task(1, annotation(3, "", "B"), annotation(4, 6, "B"), project=1)]
    assert names(load(first, second, names=["p.json", "q.json"])) == ["5", "6", "p", "q"]


def test_controls_keep_the_order_of_their_first_answer(load):
    value = {"start": 0, "end": 1, "labels": ["P"]}
    span = {"id": "s", "from_name": "a", "to_name": "t", "type": "labels", "value": value}
    rows = [task(1, {"id": 1, "completed_by": 1, "result": [*pick("A"), span]})]
    assert list(load(rows).columns) == ["c", "a"]
