"""Prodigy's JSON lines."""

import json

import pytest

from accord.errors import DataError, UsageError
from accord.readers.sniff import sniff
from accord.values import EMPTY, Box, Polygon, Span

TEXT = "😀 Ada met Bob in Rome."


def lines(*records):
    return "\n".join(json.dumps(record) for record in records) + "\n"


def ner(rater, *spans, item=1, **more):
    tokens = [{"text": word, "id": i} for i, word in enumerate(TEXT.split())]
    return {"text": TEXT, "_input_hash": item, "_task_hash": 10 * item, "tokens": tokens, "_view_id": "ner_manual",
            "spans": [{"start": s, "end": e, "label": label, "token_start": a, "token_end": b}
                      for s, e, label, a, b in spans],
            "answer": "accept", "_annotator_id": f"ner-{rater}", **more}  # fmt: skip


ADA, BOB = (2, 5, "PER", 1, 1), (10, 13, "PER", 3, 3)


def test_spans_of_several_annotators_in_one_file(load, marks, put) -> None:
    dataset = load({"ner.jsonl": lines(ner("ada", ADA, BOB), ner("ben", ADA), ner("cy"))})
    assert marks(dataset, "spans") == {
        ("1", "ner-ada"): [("PER", Span(2, 5)), ("PER", Span(10, 13))],
        ("1", "ner-ben"): [("PER", Span(2, 5))],
        ("1", "ner-cy"): [],
    }
    assert dataset.report.shape.startswith("Prodigy JSON lines; raters: _annotator_id")
    assert sniff(put({}) / "ner.jsonl") == "prodigy"
    assert not dataset.report.notices or {n.code for n in dataset.report.notices} == {"empty-result"}


def test_rejected_and_ignored_examples_are_missing(load, marks, codes) -> None:
    records = [ner("ada", ADA), ner("ben", ADA, answer="reject"), ner("cy", ADA, answer="ignore")]
    dataset = load({"a.jsonl": lines(*records, ner("dee", ADA, answer="maybe"))})
    assert list(marks(dataset, "spans")) == [("1", "ner-ada")]
    assert codes(dataset) == {"answer-rejected": 1, "bad-value": 1, "cancelled": 3, "no-annotation": 3}


def test_relations_find_their_spans_by_tokens(load, answers, codes) -> None:
    relation = {"head": 1, "child": 3, "label": "met", "head_span": {"token_start": 1, "token_end": 1},
                "child_span": {"token_start": 3, "token_end": 3}}  # fmt: skip
    lost = {**relation, "child_span": None}
    dataset = load({"a.jsonl": lines(ner("ada", ADA, BOB, relations=[relation, lost]))})
    (links,) = answers(dataset, "relations").values()
    assert next((r.geometry.source, r.geometry.target, *r.labels) for r in links) == ("spans#0", "spans#1", "met")
    assert codes(dataset)["dangling-relation"] == 1


def test_choices_and_binary_questions_about_one_input(load, answers) -> None:
    options = [{"id": "pos", "text": "good"}, {"id": "neg", "text": "bad"}]
    asked = {"text": "x", "_input_hash": 5, "answer": "accept"}
    records = [
        {**asked, "options": options, "accept": ["pos"], "_session_id": "set-ada"},
        {**asked, "options": options, "accept": ["neg"], "_session_id": "set-ben"},
        {**asked, "label": "SPAM", "answer": "reject", "_session_id": "set-ada"},
        {**asked, "label": "SPAM", "answer": "accept", "_session_id": "set-ben"},
    ]
    dataset = load({"a.jsonl": lines(*records)})
    assert answers(dataset, "choice") == {("5", "set-ada"): "pos", ("5", "set-ben"): "neg"}
    assert answers(dataset, "SPAM") == {("5", "set-ada"): "reject", ("5", "set-ben"): "accept"}
    assert dataset["choice"].control.domain == ("pos", "neg")
    assert dataset["SPAM"].control.domain == ("accept", "reject")


def test_stretches_of_audio_and_typed_texts(load, marks, answers, codes) -> None:
    heard = {"audio": "a.wav", "_input_hash": 1, "answer": "accept", "audio_spans": [
        {"start": 0.5, "end": 2, "label": "anna", "channel": 0}]}  # fmt: skip
    typed = {"text": "x", "_input_hash": 2, "answer": "accept", "user_input": "a cat"}
    nothing = {"text": "y", "_input_hash": 3, "answer": "accept"}
    dataset = load({"ada.jsonl": lines(heard, typed, {**typed, "answer": "ignore", "_input_hash": 4}, nothing)})
    assert marks(dataset, "audio_spans")["1", "ada"] == [("anna", Span(0.5, 2))]
    assert answers(dataset, "user_input") == {("2", "ada"): "a cat"}
    assert codes(dataset)["no-value"] == 1


def test_several_choices_may_be_none(load, answers) -> None:
    asked = {"text": "x", "_input_hash": 5, "answer": "accept", "config": {"choice_style": "multiple"},
             "options": [{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]}  # fmt: skip
    dataset = load({"ada.jsonl": lines({**asked, "accept": [1, 2]}), "ben.jsonl": lines({**asked, "accept": []})})
    assert answers(dataset, "choice") == {("5", "ada"): frozenset({"1", "2"}), ("5", "ben"): EMPTY}


def test_shapes_on_images_are_brought_to_percent(load, marks, codes) -> None:
    image = {"image": "a.png", "_input_hash": 3, "answer": "accept", "width": 200, "height": 100}
    box = {"label": "cat", "x": 20, "y": 10, "width": 50, "height": 40, "type": "rect"}
    ring = {"label": "dog", "points": [[0, 0], [100, 0], [100, 50]], "type": "polygon"}
    dataset = load({"ada.jsonl": lines({**image, "spans": [box, ring, {"label": "x", "points": "no"}]})})
    assert marks(dataset, "objects") == {
        ("3", "ada"): [
            ("cat", Box(10, 10, 25, 40, 0, (200, 100))),
            ("dog", Polygon(((0, 0), (50, 0), (50, 50)), True, (200, 100))),
        ]
    }
    assert codes(dataset)["bad-geometry"] == 1


def test_files_are_raters_where_no_annotator_is_named(load, marks) -> None:
    record = {key: value for key, value in ner("x", ADA).items() if key != "_annotator_id"}
    dataset = load({"ada.jsonl": lines(record), "ben.jsonl": lines(record)})
    assert list(marks(dataset, "spans")) == [("1", "ada"), ("1", "ben")]


def test_strict_and_wrong_options(load) -> None:
    with pytest.raises(DataError, match=r"a.jsonl.*answer-rejected"):
        load({"a.jsonl": lines(ner("ada", ADA, answer="reject"))}, strict=True)
    with pytest.raises(UsageError, match="rater='tier' does not fit the format prodigy"):
        load({"a.jsonl": lines(ner("ada", ADA))}, rater="tier")
    with pytest.raises(DataError, match=r"a.jsonl.*spans is no list of objects"):
        load({"a.jsonl": lines({**ner("ada"), "spans": [7]})})
    with pytest.raises(DataError, match="the text differs"):
        load({"a.jsonl": lines(ner("ada", ADA)), "b.jsonl": lines(ner("ben", ADA, text="Other"))})


def test_damage(survives) -> None:
    survives("ada.jsonl", lines(ner("ada", ADA, BOB), ner("ben", ADA)), "prodigy")
    survives("deep.jsonl", '{"_input_hash": 1, "spans": ' + "[" * 100_000, "prodigy", rounds=4)
