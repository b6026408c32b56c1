"""Units of text offsets, paragraphs on one axis, and texts that are only checks."""

import json

import pytest

from accord.values import Region, Span

TEXT = "🙂🙂 red barn"
SPAN = {"id": "s", "from_name": "s", "to_name": "t", "type": "labels"}
XML = "<View><Text name='t' value='$text'/><Labels name='s' toName='t'><Label value='P'/></Labels></View>"


def task(identity, start, end, text, data=TEXT, **more):
    value = {"start": start, "end": end, "labels": ["P"]} | ({} if text is None else {"text": text})
    result = [{**SPAN, "value": value}]
    return {
        "id": identity,
        "data": {"text": data},
        "annotations": [{"id": identity, "completed_by": 1, "result": result}],
        **more,
    }


def spans(dataset):
    column = dataset["s"]
    return [tuple(r.geometry for r in column.values[c]) for c in column.code.tolist()]


@pytest.mark.parametrize("config", [XML, None])
def test_case_b55_offsets_in_utf16_units_are_converted(load, config):
    dataset = load([task(1, 5, 8, "red")], config=config)
    assert spans(dataset) == [(Span(3, 6),)]
    assert TEXT[3:6] == "red"
    assert dataset.report.codes["utf16-offsets"] == 1


@pytest.mark.parametrize("config", [XML, None])
def test_case_b55_offsets_in_characters_stay(load, config):
    dataset = load([task(1, 3, 6, "red")], config=config)
    assert spans(dataset) == [(Span(3, 6),)]
    assert dataset.report.codes == {}


def test_the_unit_is_decided_for_the_whole_project(load):
    rows = [task(1, 5, 8, "red"), task(2, 5, 8, "red"), task(3, 5, 8, None)]
    assert spans(load(rows, config=XML)) == [(Span(3, 6),)] * 3


def test_projects_may_differ(load):
    rows = [task(1, 5, 8, "red", project=1), task(2, 3, 6, "red", project=2)]
    assert spans(load(rows, config=XML)) == [(Span(3, 6),)] * 2


def test_without_stored_text_the_unit_is_unclear_and_characters_are_taken(load):
    dataset = load([task(1, 5, 8, None)], config=XML)
    assert spans(dataset) == [(Span(5, 8),)]
    assert dataset.report.codes["text-units-unclear"] == 1


def test_spans_before_the_first_wide_character_need_no_decision(load):
    dataset = load([task(1, 0, 2, None, data="ab 🙂")], config=XML)
    assert spans(dataset) == [(Span(0, 2),)]
    assert dataset.report.codes == {}


@pytest.mark.parametrize(
    ("start", "end", "text", "expected", "code"),
    [
        (0, 5, "a b ", (0, 5), None),
        (0, 4, "a\\nb", (0, 4), None),
        (0, 2, "zz", (0, 2), "text-mismatch"),
        (4, 0, None, (0, 4), "span-range"),
        (0, 99, None, (0, 8), "span-range"),
        (-3, 2, None, (0, 2), "span-range"),
        ("0", "2", None, (0, 2), None),
    ],
)
def test_offsets_are_the_truth_and_the_text_a_check(load, start, end, text, expected, code):
    dataset = load([task(1, start, end, text, data="a \nb  xyz"[:8])], config=XML)
    assert spans(dataset) == [(Span(*expected),)]
    assert list(dataset.report.codes) == ([code] if code else [])


def test_line_breaks_are_not_translated(load):
    assert spans(load([task(1, 3, 4, "b", data="a\r\nb")], config=XML)) == [(Span(3, 4),)]


def test_an_address_instead_of_the_text_is_not_checked(load):
    dataset = load([task(1, 500, 508, "whatever", data="https://x.org/a.txt")], config=XML)
    assert spans(dataset) == [(Span(500, 508),)]
    assert dataset.report.codes == {}


TURNS = [{"author": "a", "text": "hi 🙂 there"}, {"author": "b", "text": "yes"}, {"author": "a", "text": "bye now"}]


def paragraph(start, end, first, last):
    value = {"start": start, "end": end, "startOffset": first, "endOffset": last, "paragraphlabels": ["P"]}
    return {"id": "s", "from_name": "s", "to_name": "d", "type": "paragraphlabels", "value": value}


def test_paragraphs_lie_on_one_axis_in_characters(load):
    xml = (
        "<View><Paragraphs name='d' value='$talk' textKey='text'/>"
        "<ParagraphLabels name='s' toName='d'><Label value='P'/></ParagraphLabels></View>"
    )
    result = [paragraph("0", "0", 6, 11), paragraph("1", "2", 1, 3), paragraph(2, 2, 0, 3)]
    rows = [{"id": 1, "data": {"talk": TURNS}, "annotations": [{"id": 1, "completed_by": 1, "result": result}]}]
    dataset = load(rows, config=xml, context=True)
    # UTF-16 offsets 6..11 of the first turn are characters 5..10; turns are joined by a line break.
    assert spans(dataset) == [(Span(5, 10), Span(12, 18), Span(15, 18))]
    text = dataset.context["d"][0]
    assert text[5:10] == "there"
    assert text[12:18] == "es\nbye"
    assert spans(load(rows)) == spans(dataset)


def test_paragraphs_without_the_dialogue_compare_within_one(load):
    result = [paragraph("4", "4", 2, 5), paragraph("4", "5", 2, 5)]
    rows = [{"id": 1, "data": {}, "annotations": [{"id": 1, "completed_by": 1, "result": result}]}]
    dataset = load(rows)
    assert dataset["s"].values[0] == (
        Region(Span(2, 5, "paragraph 4"), frozenset("P")),
        Region(Span(0, 1, "paragraph 4:2 to 5:5"), frozenset("P")),
    )
    assert dataset.report.codes["paragraph-no-text"] == 2


def test_escaped_and_plain_emoji_are_the_same(load):
    rows = [task(1, 3, 6, "red")]
    plain, escaped = json.dumps(rows, ensure_ascii=False), json.dumps(rows)
    assert load(plain, config=XML).fingerprint == load(escaped, config=XML).fingerprint
