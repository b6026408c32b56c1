"""The example with every kind of region, from its export to every form of the report."""

import json
from pathlib import Path

import jsonschema
import pytest
from page_reader import Page

import accord
from accord.pipeline.contract import schema, to_dict, to_full_dict
from accord.pipeline.measure import measure
from accord.reporting import render_report

EXAMPLES = Path(__file__).parents[3] / "examples"
TAGS = {
    *("RectangleLabels", "EllipseLabels", "PolygonLabels", "BrushLabels", "BitmaskLabels", "KeyPointLabels"),
    *("VectorLabels", "VideoRectangle", "TimelineLabels", "TimeSeriesLabels", "Labels", "ParagraphLabels"),
    *("OcrLabels", "VideoVectorLabels", "MagicWand"),
    *("HyperTextLabels", "Relations", "Choices", "Taxonomy", "Number", "Rating", "TextArea"),
}


@pytest.fixture(scope="module", params=["with config", "without config"])
def report(request):
    config = EXAMPLES / "harbour-config.xml" if request.param == "with config" else None
    return measure(accord.read(EXAMPLES / "harbour-export.json", config=config), tasks=True, page=True)


def test_every_tag_is_measured(report):
    assert {control.control.tag for control in report.controls} >= TAGS - {"VideoRectangle"}
    for control in report.controls:
        units = 20 if control.control.per_region else 10
        assert (control.units, control.raters) == (units, 3), control.control.name
        assert not control.main.undefined, control.control.name
        if control.regions is not None:
            lost = sum(control.regions.losses.values())
            assert lost == pytest.approx(1 - control.pairwise.value, abs=1e-12)


def test_the_json_is_the_contract(report):
    validator = jsonschema.Draft202012Validator(schema())
    for document in (to_dict(report, tasks=True), to_full_dict(report)):
        assert [
            error.message for error in validator.iter_errors(json.loads(json.dumps(document, allow_nan=False)))
        ] == []


def test_every_form_is_written(report):
    page = Page(render_report(report, "html"))
    assert page.mismatched == []
    drawn = {
        element.attributes["aria-label"].split(":")[0].split(", ")[1]
        for element in page.elements
        if element.tag == "svg" and element.attributes.get("aria-label", "").startswith("Regions of task")
    }
    assert drawn >= {
        "boxes",
        "buoys",
        "outlines",
        "oil",
        "sky",
        "points",
        "lines",
        "tracks",
        "phases",
        "sounds",
        "tides",
        "sand",
        "stamps",
    }
    for form in ("md", "csv", "json"):
        assert render_report(report, form)
