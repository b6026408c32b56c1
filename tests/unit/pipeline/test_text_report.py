"""Free text in the report: measures side by side, chance, the pairs that decide; no text without leave."""

import json

import jsonschema
import numpy as np
import pytest

import accord
from accord.pipeline.contract import schema, to_full_dict
from accord.pipeline.measure import measure
from accord.pipeline.plan import ControlPlan, Plan
from accord.pipeline.text_model import UNCHECKED
from accord.reporting import html, json_twin, markdown

SAME = ("severe dry cough", "dry cough severe")
NEAR = ("fever since yesterday", "fever since monday")
ROWS = [SAME, NEAR, ("rash", "rash"), ("headache", "broken leg"), NEAR, ("no pain at all", "no pain at all today")]


def dataset(tmp_path, rows=ROWS):
    path = tmp_path / "answers.jsonl"
    cells = [
        {"item": f"t{k}", "annotator": who, "finding": text}
        for k, row in enumerate(rows)
        for who, text in zip("ab", row, strict=True)
    ]
    path.write_text("\n".join(map(json.dumps, cells)))
    return accord.read(path, unit="item", rater="annotator", text="finding")


def plan(similarity=None, **more):
    return Plan(controls={"finding": ControlPlan(similarity=similarity)}, cache="off", **more)


def text_of(report):
    return report.controls[0].text


def test_the_pairs_that_decide_lie_on_either_side_of_the_threshold(tmp_path):
    found = text_of(measure(dataset(tmp_path), plan("jaccard", max_calls=None), page=True))
    assert found.threshold == 0.85
    close = {frozenset((pair.left, pair.right)): (pair.score, pair.count) for pair in found.closest}
    assert close[frozenset(NEAR)] == (pytest.approx(0.5), 2)
    assert [pair.score for pair in found.closest] == sorted((pair.score for pair in found.closest), reverse=True)
    assert found.closest[0].unit == "t5"
    assert frozenset(SAME) not in close
    assert found.farthest == ()


def test_different_texts_that_count_as_the_same_are_shown(tmp_path):
    rows = [*ROWS, ("abcdefghijklmnopqrst", "abcdefghijklmnopqrsX"), ("abcdefghij", "abcdefghiX")]
    found = text_of(measure(dataset(tmp_path, rows), plan(), page=True))
    assert [(pair.unit, pair.score) for pair in found.farthest] == [
        ("t7", pytest.approx(0.9)),
        ("t6", pytest.approx(0.95)),
    ]


def test_exact_wording_and_the_measure_in_use_stand_side_by_side(tmp_path):
    report = measure(dataset(tmp_path), plan("jaccard"))
    found = {one.key: one for one in text_of(report).measures}
    assert list(found) == ["exact_match", "text_similarity", "jaccard"]
    assert [one.chosen for one in found.values()] == [False, False, True]
    assert found["jaccard"].estimate is report.controls[0].main
    for key in ("exact_match", "text_similarity"):
        alone = measure(dataset(tmp_path), plan(key)).controls[0].main
        assert found[key].estimate.value == alone.value
        assert found[key].estimate.notes == alone.notes
        assert UNCHECKED not in found[key].estimate.notes
    assert UNCHECKED in found["jaccard"].estimate.notes


def test_the_page_also_shows_meaning_where_the_shipped_model_can_read(tmp_path):
    pytest.importorskip("onnxruntime", reason="needs the extra text")
    shown = [one.title for one in text_of(measure(dataset(tmp_path), plan(), page=True)).measures]
    assert shown == ["Exact match", "Wording", "Meaning"]
    russian = [("боль в груди", "боль в груди слева")] * 4
    shown = [one.title for one in text_of(measure(dataset(tmp_path, russian), plan(), page=True)).measures]
    assert shown == ["Exact match", "Wording"]


def test_chance_says_how_it_was_had(tmp_path):
    exact = text_of(measure(dataset(tmp_path), plan("jaccard"))).chance
    texts = 9
    assert (exact.design, exact.scored, exact.pairs, exact.error) == ("exact", texts * 8 // 2, texts * 8 // 2, None)
    report = measure(dataset(tmp_path), plan("jaccard", max_calls=12))
    sampled, main = text_of(report).chance, report.controls[0].main
    assert sampled.design.startswith("stratified by")
    assert sampled.scored <= 12
    assert sampled.error == main.expected_error
    assert sampled.low <= sampled.expected < sampled.high
    assert sampled.other == main.details["unbiased"]
    assert text_of(measure(dataset(tmp_path), plan())).chance is None


def test_effective_number_of_texts(tmp_path):
    rows = [("a", "b"), ("c", "d"), ("a", "b"), ("c", "d")]
    assert text_of(measure(dataset(tmp_path, rows), plan("exact"))).effective == pytest.approx(4.0)


@pytest.mark.parametrize("measured", [plan(), plan("jaccard"), plan("jaccard", set_measure="dice")])
def test_the_json_is_valid_under_its_schema(tmp_path, measured):
    data = json.loads(json.dumps(to_full_dict(measure(dataset(tmp_path), measured, page=True)), allow_nan=False))
    assert [error.message for error in jsonschema.Draft202012Validator(schema()).iter_errors(data)] == []
    assert set(data["report"]["controls"]["finding"]["deciding_texts"]) == {"closest", "farthest"}


def test_without_content_no_text_leaves(tmp_path):
    report = measure(dataset(tmp_path), plan("jaccard"), page=True, content=False)
    for text in (json_twin.render(report), markdown.render(report), html.render(report)):
        assert not any(said in text for row in ROWS[:2] for said in row)
    assert report.controls[0].text.closest
    assert "One coefficient, several measures of texts" in html.render(report)


def test_texts_in_the_page_are_escaped(tmp_path):
    rows = [*ROWS, ("<script>alert(1)</script> yes", "<script>alert(1)</script> no")]
    page = html.render(measure(dataset(tmp_path, rows), plan("jaccard"), page=True))
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_the_label_stands_wherever_the_number_does(tmp_path):
    report = measure(dataset(tmp_path), plan("jaccard"), page=True)
    assert report.controls[0].methods.count("model-based, not yet checked by people") == 1
    page = html.render(report)
    card = page[page.index('class="card"') : page.index("</article>")]
    assert "model-based, not yet checked by people" in card
    assert "graded by jaccard" in report.controls[0].why_headline


def test_an_undefined_number_has_no_chance_and_no_traceback(tmp_path):
    report = measure(dataset(tmp_path, [("a", "a")] * 3), plan("jaccard"), page=True)
    assert report.controls[0].main.undefined == "no_variation"
    assert text_of(report).chance is None
    assert np.isfinite(text_of(report).effective)
    assert "undefined" in html.render(report)
