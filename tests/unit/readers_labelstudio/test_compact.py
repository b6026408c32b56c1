"""JSON-MIN, CSV and TSV exports: one record for each annotation."""

import csv
import io
import json

import pytest

from accord.errors import DataError
from accord.values import EMPTY, Box, Region, Span

XML = """<View><Text name="t" value="$text"/><Image name="i" value="$image"/>
<Choices name="mood" toName="t"><Choice value="good"/><Choice value="bad"/></Choices>
<Choices name="topics" toName="t" choice="multiple"><Choice value="a"/><Choice value="b"/></Choices>
<Rating name="stars" toName="t"/><TextArea name="note" toName="t"/>
<Taxonomy name="tree" toName="t"><Choice value="x"/></Taxonomy>
<Labels name="ner" toName="t"><Label value="P"/></Labels>
<RectangleLabels name="box" toName="i"><Label value="P"/></RectangleLabels></View>"""

RECORDS = [
    {
        "text": "some text",
        "id": 1,
        "mood": "good",
        "topics": {"choices": ["a", "b"]},
        "stars": [{"rating": 4}],
        "note": "fine",
        "tree": [{"taxonomy": [["x"]]}],
        "ner": [{"start": 0, "end": 4, "text": "some", "labels": ["P"]}],
        "box": [{"x": 1, "y": 2, "width": 3, "height": 4, "rotation": 0, "rectanglelabels": ["P"],
                 "original_width": 10, "original_height": 20}],
        "annotator": 7,
        "annotation_id": 11,
        "created_at": "2024-01-01T00:00:00Z",
        "updated_at": "2024-01-01T00:00:00Z",
        "lead_time": 2.5,
    },
    {
        "text": "some text",
        "id": 1,
        "mood": "bad",
        "note": {"text": ["one", "two"]},
        "annotator": "b@x.org",
        "annotation_id": 12,
        "created_at": "2024-01-01T00:00:00Z",
        "updated_at": "2024-01-01T00:00:00Z",
        "lead_time": 2.5,
    },
    {"text": "other", "id": 2, "annotator": 7, "annotation_id": 13, "mood": "good", "lead_time": 1.0},
    {"text": "nobody", "id": 3},
]  # fmt: skip


def as_csv(records, delimiter=","):
    columns = sorted({key for record in records for key in record})
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(columns)
    for record in records:
        cells = [record.get(column, "") for column in columns]
        writer.writerow([json.dumps(cell) if isinstance(cell, list | dict) else cell for cell in cells])
    return out.getvalue()


@pytest.fixture(params=["json-min", "csv", "tsv"])
def records(request, load):
    def read(rows, **options):
        if request.param == "json-min":
            return load(rows, **options)
        text = as_csv(rows, "\t" if request.param == "tsv" else ",")
        return load(text, names=[f"export.{request.param}"], **options)

    return read


def answers(dataset, control):
    column = dataset[control]
    return {
        (dataset.units[u], dataset.raters[r].name): column.values[c]
        for u, r, c in zip(column.unit.tolist(), column.rater.tolist(), column.code.tolist(), strict=True)
    }


def test_with_config(records):
    dataset = records(RECORDS, config=XML)
    assert answers(dataset, "mood") == {("1", "7"): "good", ("1", "b@x.org"): "bad", ("2", "7"): "good"}
    assert answers(dataset, "topics") == {
        ("1", "7"): frozenset("ab"), ("1", "b@x.org"): EMPTY, ("2", "7"): EMPTY,
    }  # fmt: skip
    assert answers(dataset, "stars") == {("1", "7"): 4}
    assert answers(dataset, "note") == {("1", "7"): "fine", ("1", "b@x.org"): ("one", "two")}
    assert answers(dataset, "tree")["1", "7"] == frozenset({("x",)})
    assert answers(dataset, "ner")["1", "7"] == (Region(Span(0, 4), frozenset("P")),)
    assert answers(dataset, "box")["1", "7"] == (Region(Box(1, 2, 3, 4, 0, (10, 20)), frozenset("P")),)
    assert dataset.annotations.lead_time.tolist() == [2.5, 2.5, 1.0]
    assert dataset.report.tasks == 4
    assert "one record for each annotation" in dataset.report.shape
    assert set(dataset.report.codes) == {"no-annotation"}


def test_without_config_controls_are_told_by_shape_or_variation(records):
    dataset = records(RECORDS)
    assert set(dataset.columns) == {"mood", "topics", "stars", "note", "tree", "ner", "box"}
    assert dataset["note"].control.kind == "text"
    assert dataset["mood"].control.kind == "label"
    assert dataset.report.codes["min-inferred"] == 1
    assert "mood" in dataset.report.shape


def test_without_config_strict_refuses_to_guess(records):
    with pytest.raises(DataError, match="min-inferred"):
        records(RECORDS, strict=True)


def test_named_controls(records):
    dataset = records(RECORDS, value="mood", text=["note"])
    assert list(dataset.columns) == ["mood", "note"]
    assert dataset["note"].control.kind == "text"


def test_nothing_recognised_is_an_error(records):
    rows = [{"id": n, "text": "x", "annotator": n, "annotation_id": n, "lead_time": 1} for n in (1, 2)]
    with pytest.raises(DataError, match="no column of this export"):
        records(rows)


def test_a_choice_that_looks_like_json_stays_text(records):
    rows = [
        {**RECORDS[1], "mood": value, "note": "[not json", "annotation_id": n} for n, value in ((1, "1"), (2, "null"))
    ]
    dataset = records([{**rows[0], "annotator": 1}, {**rows[1], "annotator": 2}], config=XML)
    assert sorted(map(str, answers(dataset, "mood").values())) == ["1", "null"]
    assert set(answers(dataset, "note").values()) == {"[not json"}


def test_line_breaks_in_cells_keep_offsets(records):
    row = {**RECORDS[0], "text": "a\r\nb", "ner": [{"start": 3, "end": 4, "text": "b", "labels": ["P"]}]}
    dataset = records([row], config=XML)
    assert answers(dataset, "ner")["1", "7"] == (Region(Span(3, 4), frozenset("P")),)
    assert "text-mismatch" not in dataset.report.codes


def test_a_very_long_cell(load):
    row = {**RECORDS[0], "text": "x" * 300_000}
    assert load(as_csv([row]), names=["export.csv"], config=XML).answers == 7


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("annotator,annotation_id,id,lead_time\n1,2,3\n", "line 2: the row does not have 4 cells"),
        ("annotator,annotation_id,id,lead_time\n1,2,3,4,5\n", "line 2: the row does not have 4 cells"),
        (b"annotator,annotation_id,id,lead_time,mood\n1,2,3,4,\xff\n", "cannot be read as CSV"),
        ('annotator,annotation_id,id,lead_time,mood\n1,2,3,4,"open\n', "cannot be read as CSV"),
    ],
)
def test_damaged_csv_is_a_clear_error(load, content, words):
    with pytest.raises(DataError, match=words) as caught:
        load(content, names=["export.csv"], config=XML)
    assert "export.csv" in str(caught.value)


def test_data_column_that_was_renamed(load):
    row = {**RECORDS[2], "_data_mood": "the data"}
    assert load([row], config=XML, fields=["mood"]).clusters["mood"].tolist() == [0]


def test_compact_and_full_exports_give_the_same_answers(load):
    full = [
        {"id": 1, "data": {"text": "some text"}, "annotations": [
            {"id": 11, "completed_by": 7, "result": [
                {"from_name": "mood", "to_name": "t", "type": "choices", "value": {"choices": ["good"]}}]},
            {"id": 12, "completed_by": "b@x.org", "result": [
                {"from_name": "mood", "to_name": "t", "type": "choices", "value": {"choices": ["bad"]}}]}]}
    ]  # fmt: skip
    xml = XML.split('<Choices name="topics"')[0] + "</View>"
    rows = [
        {k: v for k, v in row.items() if k in ("id", "text", "mood", "annotator", "annotation_id", "lead_time")}
        for row in RECORDS[:2]
    ]
    assert answers(load(full, config=xml), "mood") == answers(load(rows, config=xml), "mood")


def test_answers_about_regions_find_them_by_equal_geometry(records):
    span, other = {"start": 0, "end": 4, "text": "some"}, {"start": 5, "end": 9, "text": "text"}
    row = {
        **RECORDS[0],
        "ner": [{**span, "labels": ["P"]}, {**other, "labels": ["P"]}],
        "why": [{**other, "text": ["because"]}],
    }
    xml = XML.replace("</View>", '<TextArea name="why" toName="t" perRegion="true"/></View>')
    dataset = records([row], config=xml)
    first, second = answers(dataset, "ner")["1", "7"]
    assert (first.text, second.text) == (None, "because")
