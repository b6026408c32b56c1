"""doccano's JSON lines."""

import json
import zipfile

import pytest

from accord.errors import DataError
from accord.readers import read
from accord.readers.sniff import sniff
from accord.values import EMPTY, Box, Polygon, Span

TEXT = "😀 Ada met Bob."


def lines(*records):
    return "\n".join(json.dumps(record) for record in records)


def test_offsets_count_characters_and_files_are_raters(load, marks, put, codes) -> None:
    ada = lines({"id": 1, "text": TEXT, "label": [[2, 5, "PER"], [10, 13, "PER"]]}, {"id": 2, "text": "x", "label": []})
    ben = lines({"id": 1, "text": TEXT, "label": [[2, 5, "PER"]]}, {"id": 2, "text": "x", "label": []})
    dataset = load({"ada.jsonl": ada, "ben.jsonl": ben})
    assert marks(dataset, "entities") == {
        ("1", "ada"): [("PER", Span(2, 5)), ("PER", Span(10, 13))],
        ("1", "ben"): [("PER", Span(2, 5))],
        ("2", "ada"): [],
        ("2", "ben"): [],
    }
    assert sniff(put({}) / "ada.jsonl") == "doccano"
    assert set(codes(dataset)) == {"empty-result"}


def test_a_zip_holds_one_file_for_each_user(put, marks) -> None:
    record = {"id": 1, "text": TEXT, "entities": [{"id": 7, "start_offset": 2, "end_offset": 5, "label": "PER"}]}
    path = put({}) / "project.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for user in ("ada", "ben"):
            archive.writestr(f"{user}.jsonl", lines(record))
    assert sniff(path) == "doccano"
    assert marks(read(path), "entities") == {("1", user): [("PER", Span(2, 5))] for user in ("ada", "ben")}


def test_pretty_printed_with_commas_between(load, answers) -> None:
    pretty = json.dumps({"id": 1, "text": "a", "label": ["pos"]}, indent=2)
    more = json.dumps({"id": 2, "text": "b", "label": []}, indent=2)
    dataset = load({"ada.jsonl": f"{pretty},\n{more},\n"}, format="doccano")
    assert answers(dataset, "categories") == {("1", "ada"): "pos"}


def test_several_categories_make_sets(load, answers) -> None:
    dataset = load({
        "ada.jsonl": lines({"id": 1, "text": "a", "label": ["x", "y"]}, {"id": 2, "text": "b", "label": []}),
        "ben.jsonl": lines({"id": 1, "text": "a", "label": ["x"]}, {"id": 2, "text": "b", "label": ["y"]}),
    })  # fmt: skip
    assert answers(dataset, "categories")["1", "ada"] == frozenset({"x", "y"})
    assert answers(dataset, "categories")["2", "ada"] is EMPTY


def test_a_label_that_is_null_is_no_label(load, answers, marks) -> None:
    records = {"id": 1, "text": "abc", "label": [None]}, {"id": 2, "text": "abc", "label": ["x"]}
    assert answers(load({"ada.jsonl": lines(*records)}), "categories") == {("2", "ada"): "x"}
    spans = {"id": 1, "text": "abc", "label": [[0, 1, None]]}
    assert marks(load({"ada.jsonl": lines(spans)}), "entities")["1", "ada"] == [("", Span(0, 1))]


def test_relations_and_their_irregularities(load, answers, codes) -> None:
    entities = [{"id": n, "start_offset": n, "end_offset": n + 1, "label": "L"} for n in (0, 1)]
    relations = [{"from_id": 0, "to_id": 1, "type": "next"}, {"from_id": 0, "to_id": 9, "type": "next"}]
    dataset = load({"ada.jsonl": lines({"text": "abc", "entities": entities, "relations": relations})})
    (links,) = answers(dataset, "relations").values()
    assert [(link.geometry.source, link.geometry.target) for link in links] == [
        ("entities#0", "entities#1"),
        ("entities#0", "9"),
    ]
    assert codes(dataset) == {"no-task-id": 1, "dangling-relation": 1}


def test_shapes_keep_their_proportions_without_a_size(load, marks) -> None:
    record = {"id": 4, "filename": "a.png", "bbox": [{"x": 10, "y": 20, "width": 30, "height": 40, "label": "cat"}],
              "segmentation": [{"points": [0, 0, 100, 0, 100, 200], "label": "dog"}]}  # fmt: skip
    dataset = load({"ada.jsonl": lines(record)})
    assert marks(dataset, "objects")["4", "ada"] == [
        ("cat", Box(0.1, 0.2, 0.3, 0.4)),
        ("dog", Polygon(((0, 0), (1, 0), (1, 2)))),
    ]


def test_what_cannot_be_used_is_counted(load, codes) -> None:
    record = {"id": 1, "text": "abc", "label": [[0, 1, "A"], [0, 1], ["x", None, "A"], [2, 90, "A"]]}
    dataset = load({"ada.jsonl": lines(record)})
    assert codes(dataset) == {"bad-geometry": 2, "span-range": 1}
    with pytest.raises(DataError, match="bad-geometry"):
        load({"ada.jsonl": lines(record)}, strict=True)


def test_a_folder_of_several_formats_and_a_record_of_another_tool_are_refused(put) -> None:
    record = {"id": 1, "text": TEXT, "label": [[2, 5, "PER"]]}
    folder = put({"mixed/ada.jsonl": lines(record), "mixed/ben.json": {"images": [], "annotations": []}})
    with pytest.raises(DataError, match=r"mixed: its documents are of several formats: doccano, coco"):
        read(folder / "mixed")
    put({"odd/ada.jsonl": lines(record), "odd/settings.json": {"size": 5}})
    with pytest.raises(DataError, match=r"settings\.json, task 1: this is no record of doccano"):
        read(folder / "odd")


def test_damage(survives) -> None:
    record = {"id": 1, "text": TEXT, "label": [[2, 5, "PER"]]}
    survives("ada.jsonl", lines(record, {**record, "id": 2}), "doccano")


def test_archives_that_are_broken_or_too_large(put) -> None:
    path = put({}) / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ada.jsonl", lines({"id": 1, "text": "a", "label": []}))
    whole = path.read_bytes()
    lie = whole.replace(len(lines({"id": 1, "text": "a", "label": []})).to_bytes(4, "little"), b"\xff\xff\xff\x7f")
    path.write_bytes(lie)
    with pytest.raises(DataError, match=r"bomb.zip: the archive unpacks to more than"):
        read(path, format="doccano")
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match=r"bomb.zip"):
        read(path, format="doccano")
