"""YOLO."""

import pytest

from accord.errors import DataError
from accord.readers.sniff import sniff
from accord.values import Box, KeyPoint, Polygon

BOX = "1 0.225 0.3 0.25 0.4\n"
YAML = "path: data\nnames:\n  0: dog\n  1: cat\n"


def near(geometry):
    return Box(*(round(part, 9) for part in (geometry.x, geometry.y, geometry.width, geometry.height)))


def test_folders_are_raters_and_a_missing_file_means_no_boxes(load, marks, put, codes) -> None:
    files = {
        "work/ada/labels/train/a.txt": BOX, "work/ada/labels/train/b.txt": BOX, "work/ada/images/train/c.jpg": "-",
        "work/ben/labels/train/a.txt": BOX, "work/data.yaml": YAML, "work/README.roboflow.txt": "made by hand",
    }  # fmt: skip
    dataset = load(files, sources=["work"])
    found = marks(dataset, "objects")
    assert {where: [(label, near(box)) for label, box in regions] for where, regions in found.items()} == {
        ("train/a", "ada"): [("cat", Box(10, 10, 25, 40))],
        ("train/a", "ben"): [("cat", Box(10, 10, 25, 40))],
        ("train/b", "ada"): [("cat", Box(10, 10, 25, 40))],
        ("train/b", "ben"): [],
        ("train/c", "ada"): [],
        ("train/c", "ben"): [],
    }
    assert codes(dataset)["file-missing"] == 2
    assert dataset["objects"].control.domain == ("dog", "cat")
    assert sniff(put({}) / "work") == "yolo"


@pytest.mark.parametrize("name", ["classes.txt", "obj.names"])
def test_other_lists_of_classes(load, marks, name) -> None:
    dataset = load({f"ada/{name}": "dog\ncat\n", "ada/a.txt": BOX, "ben/a.txt": BOX}, sources=["ada", "ben"])
    assert [label for label, _ in marks(dataset, "objects")["a", "ada"]] == ["cat"]
    assert [label for label, _ in marks(dataset, "objects")["a", "ben"]] == ["1"]
    assert {unit for unit, _ in marks(dataset, "objects")} == {"a"}


def test_outlines_turned_boxes_and_predictions(load, marks) -> None:
    lines = "0 0.1 0.1 0.2 0.1 0.2 0.2\n0 0.1 0.1 0.2 0.1 0.2 0.2 0.1 0.2\n\n0 0.5 0.5 0.5 0.5 0.9\n"
    dataset = load({"ada/a.txt": lines}, sources=["ada"])
    first, second, third = (geometry for _, geometry in marks(dataset, "objects")["a", "ada"])
    assert first == Polygon(((10, 10), (20, 10), (20, 20)))
    assert second == Polygon(((10, 10), (20, 10), (20, 20), (10, 20)))
    assert near(third) == Box(25, 25, 50, 50)


def test_poses(load, marks) -> None:
    files = {"ada/data.yaml": "kpt_shape: [2, 3]\nnames: [cat]\n", "ada/a.txt": "0 .5 .5 .5 .5 .1 .2 2 0 0 0\n"}
    dataset = load(files, sources=["ada"])
    assert marks(dataset, "keypoints")["a", "ada"] == [("1", KeyPoint(10, 20))]
    assert len(marks(dataset, "objects")["a", "ada"]) == 1


def test_broken_lines_and_lists_are_named(load) -> None:
    for line in ("cat 0.1 0.1 0.1 0.1", "1 0.1", "1 0.1 nan 0.1 0.1", "1.5 0 0 1 1", "-1 0 0 1 1", "0 1 2 3 4 5 6 7"):
        with pytest.raises(DataError, match=r"a\.txt, line 2: the line"):
            load({"ada/a.txt": f"{BOX}{line}\n"}, sources=["ada"], format="yolo")
    bomb = "a: &a [x, x]\nb: &b [*a, *a, *a]\n" + "names: [*b, *b]\n"
    for text in ("names: [", bomb, "names: 5", "kpt_shape: [1, 9]"):
        with pytest.raises(DataError, match=r"data\.yaml"):
            load({"ada/a.txt": BOX, "ada/data.yaml": text}, sources=["ada"], format="yolo")


def test_a_table_of_numbers_is_no_yolo(put) -> None:
    folder = put({"table.txt": "1 0 1 1 0\n2 1 1 0 0\n"})
    assert sniff(folder / "table.txt") == "table"


def test_damage(survives) -> None:
    survives("a.txt", BOX * 5, "yolo")
