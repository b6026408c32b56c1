"""Shapes of JSON exports, and damaged or hostile files: always a clear error, never a traceback or a hang."""

import json
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord.errors import AccordError, DataError
from accord.readers import read

ITEM = {"id": "r", "from_name": "c", "to_name": "t", "type": "choices", "value": {"choices": ["A"]}}
ANNOTATION = {"id": 1, "completed_by": 1, "result": [ITEM]}
TASK = {"id": 1, "data": {"text": "x"}, "annotations": [ANNOTATION, {"id": 2, "completed_by": 2, "result": [ITEM]}]}
OTHER = {**TASK, "id": 2, "annotations": [{**ANNOTATION, "id": 3}]}
ALONE = {**ANNOTATION, "task": {"id": 1, "data": {"text": "x"}}}


@pytest.mark.parametrize(
    ("content", "answers"),
    [
        (json.dumps([TASK, OTHER]), 3),
        (json.dumps(TASK), 2),
        (json.dumps(TASK, indent=2), 2),
        (json.dumps(TASK) + "\n" + json.dumps(OTHER) + "\n\n", 3),
        (json.dumps({"total": 2, "tasks": [TASK, OTHER]}), 3),
        (json.dumps({"tasks": [TASK], "total": 1}), 2),
        (json.dumps(ALONE), 1),
        (json.dumps([ALONE, {**ALONE, "id": 2, "completed_by": 2}]), 2),
        (json.dumps({**ANNOTATION, "task": 1}), 1),
        ("\ufeff" + json.dumps([TASK]), 2),
        ("  \n" * 3000 + json.dumps([TASK]), 2),
    ],
)
def test_shape(load, content, answers):
    assert load(content).answers == answers


def test_old_exports(load):
    old = {
        "id": 1,
        "data": {},
        "completions": [
            {"id": 1, "result": [[ITEM]], "created_at": 1577836800, "honeypot": True},
            {"id": 2, "result": [ITEM], "skipped": True},
        ],
    }
    dataset = load([old])
    assert dataset.answers == 1
    assert dataset.annotations.created.tolist() == [1577836800]
    assert dataset.report.codes["old-format"] == 1
    assert dataset.report.cancelled == 1


def test_tasks_without_annotations_count(load):
    dataset = load([{"id": 1, "data": {}, "annotations": []}, TASK, {"id": 3, "data": {}}])
    assert dataset.report.tasks == 3
    assert list(dataset.units) == ["1"]
    assert dataset.report.codes["no-annotation"] == 2


GOOD = json.dumps([TASK, OTHER]).encode()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"  \n ", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"[]", "no tasks"),
        (b'{"tasks": []}', "no tasks"),
        (GOOD[:-40], "line 1: the JSON ends too early"),
        (b"[\n" + GOOD[1:-40], "line 2: the JSON ends too early"),
        (GOOD.replace(b'"id": 2', b'"id": ' + b"9" * 5000, 1), "a number is too long"),
        (GOOD[:-1] + b",]", "broken JSON"),
        (GOOD + b"x", "something follows the end"),
        (b"[" + b"\n" + GOOD[1:-1] + b" {}]", "line 2: broken JSON: ',' is missing between two objects"),
        (json.dumps([TASK]).encode("utf-16"), "UTF-16"),
        (json.dumps([TASK]).encode("utf-16-le"), "UTF-16"),
        ("é".encode("latin-1").join((b'[\n{"id": "', b'"}]')), "line 2: this is not UTF-8"),
        (b"[" * 100_000, "nests too deeply"),
        (b"[" * 100_000 + b"]" * 100_000, "nests too deeply"),
        (b'[{"data":' * 100_000, "nests too deeply"),
        (b'{"tasks":' * 100_000, "nests too deeply"),
        (b'[{"a": "\x00"}]', "control character"),
        (b"\x00\x01\x02", "not a JSON export"),
        (b"just words", "not a JSON export"),
        (b"[1, 2]", "not a task"),
        (b"[[]]", "not a task"),
        (b'[{"id": 1, "annotations": [1, 2]}]', "no list of annotations"),
        (b'[{"id": 1, "annotations": {"1": {}}}]', "no list of annotations"),
        (b'[{"id": 1, "annotations": [{"result": {"a": 1}}]}]', "task 1: the result of an annotation is no list"),
    ],
)
def test_damaged_file_is_a_clear_error(load, content, words):
    with pytest.raises(DataError, match=words) as caught:
        load(content, format="labelstudio")
    assert "export0.json" in str(caught.value)


def test_error_far_into_a_file_names_the_line(load):
    lines = [json.dumps({**TASK, "id": n}) for n in range(20_000)]
    lines[15_000] = lines[15_000].replace(":", "", 1)
    with pytest.raises(DataError, match="line 15001: broken JSON: expecting ':' delimiter"):
        load("[" + "\n,".join(lines) + "]")


def test_line_of_json_lines(load):
    lines = [json.dumps({**TASK, "id": n}) for n in range(10)]
    with pytest.raises(DataError, match="line 4: broken JSON"):
        load("\n".join([*lines[:3], lines[3].replace(":", "", 1), *lines[4:]]))


@pytest.mark.parametrize("constant", [b"NaN", b"-Infinity"])
def test_what_json_does_not_know_is_no_value(load, constant):
    content = GOOD.replace(b'"id": 2', b'"lead_time": ' + constant + b', "id": 2', 1)
    dataset = load(content)
    assert dataset.answers == 3
    assert dataset.report.codes["not-a-number"] == 1
    with pytest.raises(DataError, match=f"{constant.decode()} is not JSON"):
        load(content, strict=True)


def test_repeated_key_is_an_error_where_strict(load):
    content = GOOD.replace(b'"id": 2', b'"data": {}, "id": 2', 1).replace(
        b'"data": {}, ', b'"data": 1, "data": {}, ', 1
    )
    assert load(content).answers == 3
    with pytest.raises(DataError, match="the key 'data' occurs twice"):
        load(content, strict=True)


def test_half_a_character_is_replaced(load):
    content = GOOD.replace(b'["A"]', b'["\\ud83d"]', 1).replace(b'["A"]', b'["\\ud83d\\ude42"]', 1)
    dataset = load(content)
    assert dataset["c"].values[:2] == ("\ufffd", "🙂")
    assert dataset.report.codes["half-character"] == 1


def test_no_such_file_and_folder(tmp_path):
    with pytest.raises(DataError, match=r"none\.json: there is no such file"):
        read(tmp_path / "none.json")
    with pytest.raises(DataError, match="this is a folder"):
        read(tmp_path)


def test_a_long_single_line_is_read_in_reasonable_time(load):
    long = {**TASK, "data": {"text": "x" * 30_000_000}}
    begin = time.process_time()
    assert load([long]).answers == 2
    assert time.process_time() - begin < 20


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=150)
@given(data=st.data())
def test_mutated_exports_never_end_in_a_traceback(load, data):
    """Cut, overwrite or double parts of a real export: a dataset or a deliberate error, nothing else."""
    content = bytearray(RICH)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content) - 1))
        length = data.draw(st.integers(0, 60))
        way = data.draw(st.sampled_from(["cut", "drop", "double", "write", "number"]))
        if way == "cut":
            del content[at:]
            content = content or bytearray(b"[")
        elif way == "drop":
            del content[at : at + length]
            content = content or bytearray(b"[")
        elif way == "double":
            content[at:at] = content[at : at + length]
        else:
            content[at : at + 1] = data.draw(st.binary(min_size=1, max_size=4)) if way == "write" else b"1e999"
    try:
        load(bytes(content), format="labelstudio")
    except AccordError as error:
        assert "export0.json" in str(error)  # noqa: PT017 - most mutations are errors, but not all


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KEYS = ["choices", "taxonomy", "rating", "number", "datetime", "text", "selected", "ranker", "labels", "start", "end",
        "startOffset", "endOffset", "globalOffsets", "x", "y", "width", "height", "rotation", "radiusX", "radiusY",
        "points", "ranges", "sequence", "rle", "vertices", "imageDataURL", "channel", "item_index", "pageIndex",
        "framesCount", "closed", "rectanglelabels"]  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=200)
@given(
    values=st.lists(st.dictionaries(st.sampled_from(KEYS), JUNK, max_size=6), max_size=4),
    more=st.dictionaries(
        st.sampled_from(
            ["id", "type", "origin", "item_index", "original_width", "original_height", "image_rotation"]
        ),
        JUNK,
    ),
    about=st.dictionaries(
        st.sampled_from(["id", "completed_by", "updated_by", "created_at", "updated_at", "lead_time", "ground_truth",
                         "was_cancelled", "parent_annotation", "prediction"]), JUNK),
)  # fmt: skip
def test_nonsense_in_the_right_places_never_ends_in_a_traceback(load, values, more, about):
    items = [{"id": "r", "from_name": "c", "to_name": "t", "value": value, **more} for value in values]
    items.append({"from_name": "c", **more})
    annotations = [{**about, "result": items}, {"id": 1, "completed_by": 2, "result": items}]
    try:
        load([{"id": 1, "data": {"t": "text 🙂"}, "annotations": annotations}])
    except AccordError as error:
        assert "export0.json" in str(error)  # noqa: PT017


RICH = json.dumps(
    [
        {
            "id": n,
            "data": {"text": "Some 🙂 text", "turns": [{"text": "a"}]},
            "project": 3,
            "annotations": [
                {
                    "id": 10 * n + k,
                    "completed_by": {"id": k, "email": f"r{k}@x.org"},
                    "created_at": "2024-01-01T00:00:00Z",
                    "lead_time": 2.5,
                    "result": [
                        ITEM,
                        {"id": "s", "from_name": "s", "to_name": "text", "type": "labels",
                         "value": {"start": 5, "end": 6, "text": "🙂", "labels": ["P"]}},
                        {"id": "b", "from_name": "b", "to_name": "i", "type": "rectanglelabels", "original_width": 9,
                         "value": {"x": 1, "y": 2, "width": 3, "height": 4, "rectanglelabels": ["P"]}},
                        {"id": "b", "from_name": "q", "to_name": "i", "type": "textarea",
                         "value": {"x": 1, "y": 2, "width": 3, "height": 4, "text": ["t"]}},
                        {"type": "relation", "from_id": "s", "to_id": "b", "direction": "right"},
                    ],
                }
                for k in (1, 2)
            ],
        }
        for n in (1, 2)
    ]
).encode()  # fmt: skip


@pytest.mark.parametrize("depth", range(900, 1010, 5))
def test_nesting_near_the_limit(load, depth):
    nested = "[" * depth + "]" * depth
    text = json.dumps([{**TASK, "data": {"x": "NESTED"}}, OTHER]).replace('"NESTED"', nested)
    text = text.replace('{"choices": ["A"]}', '{"custom": ' + nested + "}", 1)
    try:
        assert load(text, join="data").report.tasks == 2
    except DataError as error:
        assert "nests too deeply" in str(error)  # noqa: PT017 - just below the limit it is read
