"""Exports with anything anywhere: they are read, or refused with a message; measuring them gives numbers or reasons."""

import json
import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import accord
from accord.errors import AccordError, DataError
from accord.metrics.spec import METRICS

ODD = (None, True, 0, -1, 10**400, -(10**400), 1e308, 1e-320, "", "=1+1", "\x00", "1e999", "nan", "日本", [], {}, [[]])
ODD_TEXTS = ("0001-01-01T00:00:00+23:59", "9999-12-31T23:59-23:59", "ab " * 200)
NAMES = (
    "x",
    "y",
    "width",
    "points",
    "start",
    "labels",
    "choices",
    "text",
    "ranges",
    "sequence",
    "frame",
    "rle",
    "value",
)
anything = st.recursive(
    st.sampled_from(ODD + ODD_TEXTS) | st.integers(-10, 300) | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
    max_leaves=6,
)
PAYLOADS = {
    "choices": {"choices": ["a"]},
    "taxonomy": {"taxonomy": [["a", "b"]]},
    "rating": {"rating": 3},
    "number": {"number": 2.5},
    "datetime": {"datetime": "2020-01-02"},
    "textarea": {"text": ["x y"]},
    "ranker": {"ranker": {"_": ["a", "b"]}},
    "labels": {"start": 1, "end": 5, "labels": ["a"], "text": "ello"},
    "hypertextlabels": {"start": "/p[1]/text()[1]", "end": "/p[1]/text()[1]", "startOffset": 1, "endOffset": 4},
    "timelinelabels": {"ranges": [{"start": 1, "end": 4}], "timelinelabels": ["a"]},
    "rectanglelabels": {"x": 1, "y": 2, "width": 30, "height": 4, "rotation": 5, "rectanglelabels": ["a"]},
    "polygonlabels": {"points": [[0, 0], [5, 1], [5, 5]], "polygonlabels": ["a"]},
    "keypointlabels": {"x": 1, "y": 2, "width": 1, "keypointlabels": ["a"]},
    "brushlabels": {"format": "rle", "rle": [0, 0, 0, 16, 57, 27, 252, 96, 19, 255, 198, 0], "brushlabels": ["a"]},
    "videorectangle": {"sequence": [{"frame": 1, "x": 1, "y": 1, "width": 5, "height": 5, "enabled": True}]},
}


def export(kinds):
    def item(kind):
        size = {"original_width": 4, "original_height": 1}
        return {"id": kind, "from_name": kind, "to_name": "t", "type": kind, "value": PAYLOADS[kind], **size}

    def annotation(task, rater):
        times = {"created_at": "2024-01-01T00:00:00Z", "lead_time": 3.5}
        relation = {"type": "relation", "from_id": kinds[0], "to_id": kinds[-1], "direction": "right"}
        result = [*map(item, kinds), relation]
        return {"id": 10 * task + rater, "completed_by": rater, "result": result, "item_index": 0, **times}

    tasks = [{"id": i, "data": {"t": "hello"}, "annotations": [annotation(i, 1), annotation(i, 2)]} for i in range(3)]
    return json.loads(json.dumps(tasks))


def places(data):
    """Every place in nested lists and objects: (container, key)."""
    keys = range(len(data)) if isinstance(data, list) else list(data) if isinstance(data, dict) else ()
    return [(data, key) for key in keys] + [place for key in keys for place in places(data[key])]


@given(st.data(), st.lists(st.sampled_from(sorted(PAYLOADS)), min_size=1, max_size=3, unique=True))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
def test_an_export_with_anything_anywhere_is_read_or_refused(tmp_path, data, kinds):
    tasks = export(kinds)
    for _ in range(data.draw(st.integers(1, 4))):
        container, key = data.draw(st.sampled_from(places(tasks)))
        container[key] = data.draw(anything)
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks))
    refused = ""
    try:
        dataset = accord.read(path)
        report = accord.measure(dataset)
    except AccordError as error:
        refused = str(error)
    if refused:
        assert "export.json" in refused
        return
    for column in dataset.columns.values():
        assert not len(column.unit) or int(column.unit.min()) >= 0
    for control in report.controls:
        for estimate in control.coefficients.values():
            assert math.isfinite(estimate.value) or estimate.undefined


@given(st.sampled_from([spec.key for spec in METRICS.catalog()]), st.data())
@settings(deadline=None)
def test_a_metric_scores_any_two_answers_or_says_that_it_cannot(key, data):
    answers = []
    for _ in range(2):
        payload = json.loads(json.dumps(PAYLOADS[data.draw(st.sampled_from(sorted(PAYLOADS)))]))
        container, name = data.draw(st.sampled_from(places(payload)))
        container[name] = data.draw(anything)
        answers.append(data.draw(st.sampled_from([payload, {"value": payload, "original_width": 100}, [payload]])))
    try:
        score = accord.similarity(key, *answers)
    except AccordError:
        return
    assert score is None or 0.0 <= score <= 1.0 + 1e-12


@pytest.mark.parametrize("cut", [1, 2, 30, 400, -1, -2, -10])
def test_a_cut_off_export_says_that_it_is_cut_off(tmp_path, cut):
    path = tmp_path / "export.json"
    path.write_text(json.dumps(export(["choices", "labels"]), indent=1)[:cut])
    with pytest.raises(DataError, match=r"export\.json, line \d+: the JSON ends too early.*export it again"):
        accord.read(path)


@pytest.mark.parametrize("size", ["1e999", "9" * 400, "-1", "true", '"4"'])
def test_the_size_of_an_image_may_be_anything(tmp_path, size):
    tasks = export(["rectanglelabels", "brushlabels", "keypointlabels"])
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks).replace('"original_width": 4', f'"original_width": {size}'))
    assert all(control.main.units == 3 for control in accord.measure(accord.read(path)).controls)


def test_an_answer_without_the_number_of_its_item_counts_for_the_whole_task(tmp_path):
    tasks = export(["number"])
    for task in tasks:
        for annotation in task["annotations"]:
            annotation["result"][0]["item_index"] = 0
    tasks[0]["annotations"][0]["result"][0]["item_index"] = [1]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks))
    dataset = accord.read(path)
    assert dataset.report.codes["item-index"] == 1
    assert [dataset.units[i] for i in dataset["number"].unit.tolist()] == ["0", "0[0]", "1[0]", "1[0]", "2[0]", "2[0]"]
