"""Labelbox's export of data rows."""

import json

import pytest

from accord.errors import DataError
from accord.readers.sniff import sniff
from accord.values import EMPTY, Box, KeyPoint, Polygon, Span, Vector

TEXT = "😀 Ada met Bob."


def lines(*records):
    return "\n".join(json.dumps(record) for record in records)


def label(by, **annotations):
    return {"label_kind": "Default", "annotations": annotations,
            "label_details": {"created_by": by, "created_at": "2024-01-02T03:04:05Z"}}  # fmt: skip


def row(*labels, data=TEXT, key="row-1", **media):
    return {"data_row": {"id": "ck1", "global_key": key, "row_data": data}, "media_attributes": media,
            "projects": {"p1": {"name": "x", "labels": list(labels)}}}  # fmt: skip


def span(start, end, token="Ada", name="PER", **more):
    place = {"start": start, "end": end} | ({} if token is None else {"token": token})
    return {"name": name, "feature_id": f"f{start}", "location": place, **more}


def test_spans_with_their_last_unit_or_the_one_behind_it(load, marks, put, codes) -> None:
    inclusive, exclusive = span(3, 5), span(3, 6)
    dataset = load(
        {"a.ndjson": lines(row(label("ada@x.org", objects=[inclusive]), label("ben@x.org", objects=[exclusive])))}
    )
    assert marks(dataset, "entities") == {
        ("row-1", "ada@x.org"): [("PER", Span(2, 5))],
        ("row-1", "ben@x.org"): [("PER", Span(2, 5))],
    }
    assert codes(dataset) == {"utf16-offsets": 2}
    assert sniff(put({}) / "a.ndjson") == "labelbox"
    unclear = load({"b.ndjson": lines(row(label("ada", objects=[span(0, 2, None)]), data="Ada met"))})
    assert marks(unclear, "entities")["row-1", "ada"] == [("PER", Span(0, 3))]
    assert codes(unclear) == {"end-unclear": 1}


def test_shapes_on_images(load, marks, codes) -> None:
    objects = [
        {"name": "cat", "feature_id": "1", "bounding_box": {"left": 20, "top": 10, "width": 50, "height": 40}},
        {"name": "dog", "feature_id": "2", "polygon": [{"x": 0, "y": 0}, {"x": 100, "y": 0}, {"x": 100, "y": 50}]},
        {"name": "road", "feature_id": "3", "line": [{"x": 0, "y": 0}, {"x": 100, "y": 50}]},
        {"name": "nose", "feature_id": "4", "point": {"x": 20, "y": 10}},
        {"name": "sky", "feature_id": "5", "annotation_kind": "ImageSegmentationMask", "mask": {"url": "https://x"}},
        {"name": "odd", "feature_id": "6", "polygon": [7]},
    ]
    size = {"width": 200, "height": 100, "mime_type": "image/png"}
    dataset = load(
        {"a.ndjson": lines(row(label("ada", objects=objects), label("ben"), data="https://x/a.png", **size))}
    )
    assert marks(dataset, "objects") == {
        ("row-1", "ada"): [
            ("cat", Box(10, 10, 25, 40, 0, (200, 100))),
            ("dog", Polygon(((0, 0), (50, 0), (50, 50)), True, (200, 100))),
        ],
        ("row-1", "ben"): [],
    }
    assert marks(dataset, "lines")["row-1", "ada"] == [("road", Vector((((0, 0), (50, 50)),), (200, 100)))]
    assert marks(dataset, "keypoints")["row-1", "ada"] == [("nose", KeyPoint(10, 10, 0, (200, 100)))]
    assert codes(dataset) == {"unknown-shape": 1, "bad-geometry": 1, "several-types": 1, "empty-result": 1}


def test_classifications_inside_and_outside_objects(load, answers) -> None:
    sure = {"name": "sure", "radio_answer": {"name": "yes"}}
    topics = {"name": "topics", "checklist_answers": [
        {"name": "war", "classifications": [{"name": "which", "text_answer": {"content": "the last"}}]},
        {"name": "peace"}]}  # fmt: skip
    ada = label("ada", objects=[span(3, 5, classifications=[sure])], classifications=[topics])
    ben = label("ben", classifications=[{**topics, "checklist_answers": []}, {"name": "broken"}])
    dataset = load({"a.ndjson": lines(row(ada, ben))})
    assert answers(dataset, "topics") == {
        ("row-1", "ada"): frozenset({"war", "peace"}), ("row-1", "ben"): EMPTY}  # fmt: skip
    assert answers(dataset, "which") == {("row-1", "ada"): "the last"}
    (region,) = answers(dataset, "entities")["row-1", "ada"]
    assert region.choices == frozenset({"yes"})


def test_relations(load, answers) -> None:
    ends = {"name": "met", "unidirectional_relationship": {"source": "f3", "target": "f11"}}
    dataset = load(
        {"a.ndjson": lines(row(label("ada", objects=[span(3, 5), span(11, 13, "Bob")], relationships=[ends])))}
    )
    (link,) = answers(dataset, "relations")["row-1", "ada"]
    assert (link.geometry.source, link.geometry.target) == ("entities#0", "entities#1")


def test_names_that_are_taken_by_another_sort_of_question(load, answers, marks) -> None:
    chosen = [{"name": name, "radio_answer": {"name": "yes"}} for name in ("entities", "relations")]
    link = {"name": "is", "unidirectional_relationship": {"source": "f3", "target": "f3"}}
    label_ = label("ada", objects=[span(3, 5)], classifications=chosen, relationships=[link])
    dataset = load({"a.ndjson": lines(row(label_))})
    assert marks(dataset, "entities")["row-1", "ada"] == [("PER", Span(2, 5))]
    assert answers(dataset, "entities (choices)") == {("row-1", "ada"): "yes"}
    assert answers(dataset, "relations") == {("row-1", "ada"): "yes"}
    assert len(answers(dataset, "relations (links)")["row-1", "ada"]) == 1


def test_video_boxes_become_tracks(load, marks, codes) -> None:
    box = {"name": "car", "bounding_box": {"left": 20, "top": 10, "width": 50, "height": 40}}
    frames = {str(n): {"objects": {"f1": box}, "classifications": []} for n in (1, 2, 5)} | {"9": {"objects": {}}}
    size = {"width": 200, "height": 100, "asset_type": "video", "frame_count": 9}
    frames["2"] = {**frames["2"], "classifications": [{"name": "rain"}]}
    dataset = load({"a.ndjson": lines(row(label("ada", frames=frames), data="https://x/v", **size))})
    assert codes(dataset) == {"note-left-out": 1}
    ((name, track),) = marks(dataset, "tracks")["row-1", "ada"]
    assert (name, track.frames_count) == ("car", 9)
    assert [(key.frame, key.enabled) for key in track.sequence] == [(1, True), (2, False), (5, False)]


def test_skipped_labels_and_unlabelled_rows(load, answers, codes) -> None:
    skipped = {**label("ada"), "performance_details": {"skipped": True}}
    dataset = load({"a.ndjson": lines(row(skipped, label("ben", objects=[span(3, 5)])), row(key="row-2"))})
    assert list(answers(dataset, "entities")) == [("row-1", "ben")]
    assert codes(dataset)["cancelled"] == 1


def test_what_is_no_list_is_refused(load) -> None:
    with pytest.raises(DataError, match=r"a\.ndjson: objects is no list of objects"):
        load({"a.ndjson": lines(row(label("ada", objects=5)))})


def test_damage(survives) -> None:
    survives("a.ndjson", lines(row(label("ada", objects=[span(3, 5)]), label("ben"))), "labelbox")
