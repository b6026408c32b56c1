"""Label configs: kinds, domains, conditions, repeaters, and hostile XML."""

import json

import pytest

from accord.dataset import Condition
from accord.errors import DataError
from accord.readers.label_config import parse_label_config
from accord.values import Kind, Level


def config(body):
    return parse_label_config(f"<View><Text name='t' value='$text'/>{body}</View>")


def control(body, name="c"):
    return config(body).questions[name].control


@pytest.mark.parametrize(
    ("body", "kind", "domain"),
    [
        ("<Choices name='c' toName='t'><Choice value='A'/><Choice value='B'/></Choices>", Kind.LABEL, ("A", "B")),
        ("<choices NAME='c' toname='t'><choice VALUE='A'/></choices>", Kind.LABEL, ("A",)),
        ("<Choices name='c' toName='t' choice='multiple'><Choice value='A'/></Choices>", Kind.LABELS, ("A",)),
        ("<Choices name='c' toName='t' choice='single-radio'><Choice value='A'/></Choices>", Kind.LABEL, ("A",)),
        ("<Choices name='c' toName='t'><Choice value='A' alias='a'/></Choices>", Kind.LABEL, ("a",)),
        (
            "<Choices name='c' toName='t'><View><Choice value='A'/></View><Choice value='A'/></Choices>",
            Kind.LABEL,
            ("A",),
        ),
        ("<Choices name='c' toName='t' value='$options'/>", Kind.LABEL, None),
        ("<Choices name='c' toName='t'><Choice value='$x'/></Choices>", Kind.LABEL, None),
        (
            "<Choices name='c' toName='t' allowNested='true'><Choice value='A'><Choice value='B'/></Choice></Choices>",
            Kind.PATHS,
            (("A",), ("A", "B")),
        ),
        (
            (
                "<Taxonomy name='c' toName='t'><Choice value='A'><Choice value='B'/></Choice>"
                "<Choice value='B'/></Taxonomy>"
            ),
            Kind.PATHS,
            (("A",), ("A", "B"), ("B",)),
        ),
        (
            "<Taxonomy name='c' toName='t' leafsOnly='true'><Choice value='A'><Choice value='B'/></Choice></Taxonomy>",
            Kind.PATHS,
            (("A", "B"),),
        ),
        ("<Taxonomy name='c' toName='t' apiUrl='http://x'/>", Kind.PATHS, None),
        ("<Taxonomy name='c' toName='t' labeling='true'><Choice value='A'/></Taxonomy>", Kind.SPANS, ("A",)),
        ("<Rating name='c' toName='t'/>", Kind.RATING, (1, 2, 3, 4, 5)),
        ("<Rating name='c' toName='t' maxRating='3'/>", Kind.RATING, (1, 2, 3)),
        ("<Number name='c' toName='t' min='0' max='0.3' step='0.1'/>", Kind.NUMBER, (0.0, 0.1, 0.2, 0.3)),
        ("<Number name='c' toName='t' min='0' max='7' step='2'/>", Kind.NUMBER, (0.0, 2.0, 4.0, 6.0)),
        ("<Number name='c' toName='t' min='0'/>", Kind.NUMBER, None),
        ("<Number name='c' toName='t' min='0' max='1000000'/>", Kind.NUMBER, None),
        ("<DateTime name='c' toName='t'/>", Kind.DATETIME, None),
        ("<TextArea name='c' toName='t'/>", Kind.TEXT, None),
        ("<Pairwise name='c' toName='t,u'/>", Kind.SIDE, ("left", "right")),
        ("<Ranker name='c' toName='t'/>", Kind.RANKING, None),
        ("<Labels name='c' toName='t'><Label value='P'/><Label value='Q' alias='q'/></Labels>", Kind.SPANS, ("P", "q")),
        ("<Labels name='c' toName='t' value='$labels'/>", Kind.SPANS, None),
        ("<TimelineLabels name='c' toName='v'><Label value='P'/></TimelineLabels>", Kind.TIMELINE, ("P",)),
        ("<RectangleLabels name='c' toName='i'><Label value='P'/></RectangleLabels>", Kind.BOXES, ("P",)),
        ("<Brush name='c' toName='i'/>", Kind.MASKS, None),
        ("<Relations name='c'/>", Kind.RELATIONS, None),
        ("<Unheard name='c' toName='t'/>", Kind.OTHER, None),
    ],
)
def test_kind_and_domain(body, kind, domain):
    found = control(body)
    assert (found.kind, found.domain) == (kind, domain)


def test_levels():
    assert control("<Rating name='c' toName='t'/>").level is Level.ORDINAL
    assert control("<Number name='c' toName='t'/>").level is Level.INTERVAL
    assert control("<Choices name='c' toName='t'><Choice value='A'/></Choices>").level is Level.NOMINAL


def test_labels_on_an_image_take_the_kind_of_the_tool():
    body = (
        "<Image name='i' value='$i'/><Polygon name='p' toName='i'/>"
        "<Labels name='c' toName='i'><Label value='P'/></Labels>"
    )
    assert control(body).kind is Kind.POLYGONS


def test_labels_on_video_join_the_rectangle():
    body = (
        "<Video name='v' value='$v'/><Labels name='l' toName='v'><Label value='P'/></Labels>"
        "<VideoRectangle name='c' toName='v'/>"
    )
    found = config(body)
    assert list(found.questions) == ["c"]
    assert found.questions["c"].control.domain == ("P",)


def test_filter_and_header_are_no_controls():
    body = (
        "<Filter name='f' toName='c'/><Header name='h' value='x'/>"
        "<Choices name='c' toName='t'><Choice value='A'/></Choices>"
    )
    assert list(config(body).questions) == ["c"]


def test_a_labelled_tag_in_nested_views_belongs_to_the_nearest_control():
    body = "<Choices name='a' toName='t'><View><Header value='x'/><View><Choice value='A'/></View></View></Choices>"
    assert control(body, "a").domain == ("A",)


PARENT = "<Choices name='p' toName='t'><Choice value='yes, sure'/><Choice value='no'/><Choice value='maybe'/></Choices>"


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ("visibleWhen='choice-selected' whenTagName='p' whenChoiceValue='no'", Condition("p", frozenset({"no"}))),
        (
            "visibleWhen='choice-selected' whenTagName='p' whenChoiceValue='no,maybe'",
            Condition("p", frozenset({"no", "maybe"})),
        ),
        (
            "visibleWhen='choice-selected' whenTagName='p' whenChoiceValue='yes, sure'",
            Condition("p", frozenset({"yes, sure"})),
        ),
        ("visibleWhen='choice-selected' whenTagName='p'", Condition("p", frozenset())),
        (
            "visibleWhen='choice-unselected' whenTagName='p' whenChoiceValue='no'",
            Condition("p", frozenset({"no"}), True),
        ),
        ("whenTagName='p' whenLabelValue='no'", Condition("p", frozenset({"no"}))),
        ("visibleWhen='no-region-selected' whenTagName='p'", None),
    ],
)
def test_condition(attributes, expected):
    body = f"{PARENT}<TextArea name='c' toName='t' {attributes}/>"
    assert control(body).condition == expected


def test_condition_of_a_view_counts_for_what_is_in_it():
    when = "visibleWhen='choice-selected' whenTagName='p' whenChoiceValue='no'"
    body = f"{PARENT}<View {when}><TextArea name='c' toName='t'/></View>"
    assert control(body).condition == Condition("p", frozenset({"no"}))


def test_repeater_names_are_templates_and_the_longest_wins():
    body = """<Repeater on='$turns' indexFlag='{{idx}}'>
        <Choices name='act_{{idx}}' toName='t'><Choice value='A'/></Choices>
        <Choices name='act_{{idx}}_{{idx}}' toName='t'><Choice value='A'/></Choices></Repeater>"""
    found = config(body)
    assert found.find("act_12") == ("act_{{idx}}", (12,))
    assert found.find("act_12_3") == ("act_{{idx}}_{{idx}}", (12,))
    assert found.find("act_x") is None
    assert found.questions["act_{{idx}}"].repeats == ("turns",)


def test_parsed_form_of_the_api():
    parsed = {
        "mood": {
            "type": "Choices",
            "to_name": ["t"],
            "inputs": [{"type": "Text", "value": "text"}],
            "labels": ["good", "bad"],
            "labels_attrs": {"bad": {"value": "bad", "alias": "b"}},
        },
        "stars": {"type": "Rating", "to_name": ["t"], "inputs": [], "labels": [], "maxRating": "3"},
    }
    found = parse_label_config(parsed)
    assert found.questions["mood"].control.domain == ("good", "b")
    assert found.questions["mood"].multiple is None
    assert found.questions["stars"].control.domain == (1, 2, 3)
    assert found.objects["t"].key == "text"


def test_config_from_files(tmp_path):
    xml = tmp_path / "c.xml"
    xml.write_bytes("\ufeff<?xml version='1.0' encoding='utf-8'?><View><TextArea name='é' toName='t'/></View>".encode())
    assert parse_label_config(str(xml)).controls[0].name == "é"
    parsed = tmp_path / "c.json"
    parsed.write_text(json.dumps({"c": {"type": "TextArea", "to_name": ["t"], "inputs": [], "labels": []}}))
    assert parse_label_config(parsed).controls[0].kind is Kind.TEXT


BILLION = '<!DOCTYPE x [<!ENTITY a "a"><!ENTITY b "' + "&a;" * 10 + '">]><View>&b;</View>'


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("<View><Choices></View>", "not well-formed"),
        (BILLION, "document type or entities"),
        ('<!DOCTYPE x SYSTEM "file:///etc/passwd"><View/>', "document type or entities"),
        ("<View>" * 5000 + "</View>" * 5000, "nests deeper"),
        ("<View><Number name='c' toName='t' min='a' max='2'/></View>", "min is not a number"),
        ("<View><Rating name='c' toName='t' maxRating='many'/></View>", "maxRating is not a number"),
        (b"<?xml version='1.0' encoding='nonsense'?><View/>", "label config"),
        ("<View><TextArea name='c' toName='t'/><Rating name='c' toName='t'/></View>", "same name"),
    ],
)
def test_bad_config_is_a_clear_error(content, words):
    with pytest.raises(DataError, match=words):
        parse_label_config(content)


def test_missing_file_is_a_clear_error(tmp_path):
    with pytest.raises(DataError, match=r"none\.xml"):
        parse_label_config(tmp_path / "none.xml")


def test_broken_parsed_form_is_a_clear_error():
    with pytest.raises(DataError, match="no control"):
        parse_label_config({"c": "Choices"})
