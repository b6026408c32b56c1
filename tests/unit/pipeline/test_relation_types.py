"""Relations from an export to the report: score, coefficient, and the loss by what is missing."""

import json

import jsonschema
import pytest

import accord
from accord.pipeline import relation_types
from accord.pipeline.contract import schema, to_dict
from accord.pipeline.measure import measure
from accord.pipeline.relation_types import REGION, RELATION
from accord.reporting import render_report


def span(identity, start, end, label):
    value = {"start": start, "end": end, "labels": [label]}
    return {"id": identity, "from_name": "ner", "to_name": "t", "type": "labels", "value": value}


def link(source, target, label="of", direction="right"):
    return {"type": "relation", "from_id": source, "to_id": target, "direction": direction, "labels": [label]}


def spans(shift=0, label="P"):
    return [span("a", 0 + shift, 10, label), span("b", 20, 30 - shift, label)]


TASKS = [
    ([*spans(), link("a", "b")], [*spans(1)[::-1], link("a", "b")]),
    ([*spans(), link("a", "b")], [*spans(), link("b", "a")]),
    ([*spans(), link("a", "b")], spans()[:1]),
    ([*spans(), link("a", "b")], spans()),
    (spans(), spans()),
]


@pytest.fixture
def dataset(tmp_path):
    data = [
        {
            "id": n,
            "data": {"t": "x" * 60},
            "annotations": [{"id": 10 * n + k, "completed_by": k + 1, "result": r} for k, r in enumerate(pair)],
        }
        for n, pair in enumerate(TASKS, start=1)
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(data))
    return accord.read(path)


def test_relations_are_scored_by_their_edges(dataset):
    report = measure(dataset, tasks=True, page=True)
    control = report["relations"]
    assert control.metric == "relation_match"
    assert [task.value for task in control.tasks] == [1.0, 0.0, 0.0, 0.0, 1.0]
    assert control.pairwise.value == pytest.approx(2 / 5)
    assert control.coefficients["krippendorff_alpha"].undefined is None
    found = control.relations
    assert (found.pairs, found.of, found.shared, found.region, found.relation) == (5, 5, 1, 1, 3)
    assert found.losses == pytest.approx({"region": 1 / 5, "relation": 2 / 5})
    assert sum(found.losses.values()) == pytest.approx(1 - control.pairwise.value)
    assert list(control.differences["types"]) == [RELATION, REGION]
    assert to_dict(report)["controls"][1]["relations"] == found.to_dict()
    jsonschema.validate(json.loads(json.dumps(to_dict(report))), schema())
    page = render_report(report, "html")
    assert REGION in page
    assert "Drawn by both of two raters: 1; by one only: 4. Of these 1 hang on a region" in page
    assert "Settle first what to link" in page


def test_a_sample_of_pairs_splits_the_whole_loss(dataset, monkeypatch):
    monkeypatch.setattr(relation_types, "MOST_PAIRS", 4)
    control = measure(dataset, page=True)["relations"]
    assert (control.relations.pairs, control.relations.of) == (4, 5)
    assert sum(control.relations.losses.values()) == pytest.approx(1 - control.pairwise.value)


def test_other_kinds_lose_no_relations(dataset):
    report = measure(dataset)
    assert report["ner"].relations is None
    assert "relations" not in to_dict(report)["controls"][0]


def test_the_order_of_regions_does_not_make_another_relation(dataset):
    first = dataset["relations"].values
    assert len(set(first)) == len(first)
    ends = {region.geometry.source for value in first if isinstance(value, tuple) for region in value}
    assert ends == {"ner#0", "ner#1"}


def test_relations_survive_a_bundle(dataset):
    from accord.pipeline.value_json import decode, encode

    for value in dataset["relations"].values:
        assert decode(json.loads(json.dumps(encode(value)))) == value


def test_ends_in_unclear_units_become_clear(tmp_path):
    """Emoji before a span: offsets count characters or UTF-16 units, which the stored text tells."""
    text = "🙂🙂 one two"
    items = [
        {"id": k, "from_name": "ner", "to_name": "t", "type": "labels",
         "value": {"start": start, "end": start + 3, "text": word, "labels": ["P"]}}
        for k, start, word in (("a", 5, "one"), ("b", 9, "two"))
    ]  # fmt: skip
    config = "<View><Text name='t' value='$t'/><Labels name='ner' toName='t'><Label value='P'/></Labels></View>"
    path, xml = tmp_path / "e.json", tmp_path / "c.xml"
    annotation = {"id": 1, "completed_by": 1, "result": [*items, link("a", "b")]}
    path.write_text(json.dumps([{"id": 1, "data": {"t": text}, "annotations": [annotation]}]))
    xml.write_text(config)
    found = accord.read(path, config=xml)
    (relation,) = found["relations"].values[0]
    assert relation.geometry.ends == found["ner"].values[0]
    assert (relation.geometry.ends[0].geometry.start, relation.geometry.ends[1].geometry.start) == (3, 7)
