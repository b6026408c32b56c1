"""Argilla's records."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from accord.errors import DataError
from accord.readers import read
from accord.readers.sniff import sniff
from accord.values import Kind, Span

TEXT = "😀 Ada met Bob."


def record(name, **answers):
    """Record; ``question=[(user, value), (user, value, status)]``."""
    responses = {
        question: [dict(zip(("user_id", "value", "status"), one, strict=False)) for one in given]
        for question, given in answers.items()
    }
    return {"id": name, "fields": {"text": TEXT}, "responses": responses, "suggestions": {}, "metadata": {}}


def spans(*found):
    return [{"start": start, "end": end, "label": label} for start, end, label in found]


def test_questions_of_every_form(load, answers, marks, put, codes) -> None:
    records = [
        record("r1", topic=[("ada", "war"), ("ben", "peace")], topics=[("ada", ["war", "art"]), ("ben", ["art"])],
               stars=[("ada", 3), ("ben", 4)], order=[("ada", [{"rank": 2, "value": "x"}, {"rank": 1, "value": "y"}])],
               why=[("ada", "because\nof this")], who=[("ada", spans((2, 5, "PER"))), ("ben", [])]),
    ]  # fmt: skip
    dataset = load({"records.json": records})
    assert answers(dataset, "topic") == {("r1", "ada"): "war", ("r1", "ben"): "peace"}
    assert answers(dataset, "topics")["r1", "ada"] == frozenset({"war", "art"})
    assert answers(dataset, "stars") == {("r1", "ada"): 3, ("r1", "ben"): 4}
    assert answers(dataset, "order")["r1", "ada"].order == ("y", "x")
    assert answers(dataset, "why")["r1", "ada"] == "because\nof this"
    assert marks(dataset, "who") == {("r1", "ada"): [("PER", Span(2, 5))], ("r1", "ben"): []}
    assert [dataset[name].control.kind for name in ("topic", "stars", "why")] == [Kind.LABEL, Kind.RATING, Kind.TEXT]
    assert codes(dataset) == {"min-inferred": 3}
    assert sniff(put({}) / "records.json") == "argilla"


def test_settings_of_a_saved_dataset_declare_the_questions(load, answers, put, codes) -> None:
    settings = {"questions": [
        {"name": "topic", "settings": {"type": "label_selection", "options": [{"value": "war"}, {"value": "art"}]}},
        {"name": "stars", "settings": {"type": "rating", "options": [{"value": n} for n in (1, 2, 3, 4, 5)]}},
        {"name": "who", "settings": {"type": "span", "field": "text", "options": [{"value": "PER"}]}},
        {"name": "odd", "settings": {"type": "unheard of"}}]}  # fmt: skip
    records = [record("r1", topic=[("ada", "war")], stars=[("ada", 2)], who=[("ada", spans((2, 5, "PER")))])]
    files = {"set/.argilla/settings.json": settings, "set/.argilla/dataset.json": {"a": 1}, "set/records.json": records}
    dataset = load(files, sources=["set"])
    assert dataset["topic"].control.domain == ("war", "art")
    assert dataset["stars"].control.domain == (1, 2, 3, 4, 5)
    assert answers(dataset, "stars") == {("r1", "ada"): 2}
    assert codes(dataset) == {}
    assert sniff(put({}) / "set") == "argilla"


def test_only_submitted_answers_count(load, answers, codes) -> None:
    given = [("ada", "war", "submitted"), ("ben", "art", "draft"), ("cy", "art", "discarded")]
    dataset = load({"records.json": [record("r1", topic=given), record("r2", topic=[("ben", "war", "submitted")])]})
    assert answers(dataset, "topic") == {("r1", "ada"): "war", ("r2", "ben"): "war"}
    assert codes(dataset)["cancelled"] == codes(dataset)["draft-left-out"] == 1


def test_columns_of_a_dataset_on_the_hub(load, answers, put) -> None:
    rows = [{"id": "r1", "status": "completed", "text": TEXT, "idea": "war or art?", "topic.responses": ["war", "art"],
             "topic.responses.users": ["ada", "ben"], "topic.responses.status": ["submitted", None],
             "topic.suggestion": "war", "metadata": None}]  # fmt: skip
    dataset = load({"hub.jsonl": "\n".join(map(json.dumps, rows))}, fields=["text", "idea"])
    assert answers(dataset, "topic") == {("r1", "ada"): "war", ("r1", "ben"): "art"}
    assert set(dataset.clusters) >= {"text", "idea"}
    assert sniff(put({}) / "hub.jsonl") == "argilla"
    pq.write_table(pa.Table.from_pylist(rows), put({}) / "hub.parquet")
    assert sniff(put({}) / "hub.parquet") == "argilla"
    assert answers(read(put({}) / "hub.parquet"), "topic") == answers(dataset, "topic")
    rows[0]["topic.responses.users"] = ["ada"]
    with pytest.raises(DataError, match=r"hub\.jsonl: topic\.responses has other users"):
        load({"hub.jsonl": json.dumps(rows[0])})


def test_odd_answers_are_counted(load, codes) -> None:
    ranks = [{"rank": 1, "value": "x"}, {"rank": 1, "value": "y"}]
    broken = [{"rank": "first", "value": "x"}, {"rank": 1, "value": "y"}]
    records = [
        record("r1", order=[("ada", ranks), ("ben", broken)], who=[("ada", spans((2, 5, "PER"))), ("ben", [7])]),
        record("r2", stars=[("ada", 3), ("ben", "many")]),
    ]
    found = codes(load({"records.json": records}))
    assert {code: found.get(code) for code in ("tied-ranks", "bad-value", "bad-geometry")} == {
        "tied-ranks": 1, "bad-value": 2, "bad-geometry": 1}  # fmt: skip


def test_broken_parquet_is_named(load) -> None:
    with pytest.raises(DataError, match=r"hub\.parquet.*this is no Parquet file"):
        load({"hub.parquet": b"PAR1 no"}, format="argilla")


def test_damage(survives) -> None:
    survives("records.json", [record("r1", topic=[("ada", "war"), ("ben", "art")])] * 3, "argilla")
