"""Pascal VOC."""

import pytest

from accord.errors import DataError
from accord.readers.sniff import sniff
from accord.values import Box


def voc(*boxes, size="<size><width>200</width><height>100</height></size>"):
    things = "".join(
        f"<object><name>{name}</name><bndbox><xmin>{x}</xmin><ymin>{y}</ymin><xmax>{u}</xmax><ymax>{v}</ymax></bndbox>"
        f"<part><name>head</name></part></object>"
        for name, x, y, u, v in boxes
    )
    return f'<?xml version="1.0"?><annotation><filename>a.jpg</filename>{size}{things}</annotation>'


CAT = ("cat", 21, 11, 70, 50)
SAME = ("cat", "20.0", "10.0", "70.0", "50.0")


def test_folders_are_raters_and_files_are_images(load, marks, put, codes) -> None:
    files = {"work/ada/Annotations/a.xml": voc(CAT), "work/ada/Annotations/b.xml": voc(), "work/ben/a.xml": voc(SAME)}
    dataset = load(files, sources=["work"])
    box = ("cat", Box(10, 10, 25, 40, 0, (200, 100)))
    assert marks(dataset, "objects") == {
        ("a", "ada"): [box],
        ("a", "ben"): [box],
        ("b", "ada"): [],
    }
    assert codes(dataset) == {"empty-result": 1}
    noted = voc(CAT).replace("<bndbox>", "<pose>Left</pose><truncated>0</truncated><difficult>1</difficult><bndbox>")
    assert codes(load({"cy/a.xml": noted}, sources=["cy"])) == {"note-left-out": 2}
    assert sniff(put({}) / "work") == sniff(put({}) / "work/ben/a.xml") == "voc"


def test_several_files_of_several_folders(load, marks) -> None:
    files = {f"{rater}/{name}.xml": voc(CAT) for rater in ("ada", "ben") for name in ("a", "b")}
    del files["ben/b.xml"]
    assert len(marks(load(files), "objects")["a", "ben"]) == 1
    assert ("b", "ben") not in marks(load(files), "objects")


def test_odd_boxes_are_counted(load, codes) -> None:
    odd = voc(("cat", "x", 1, 2, 3), ("cat", 50, 50, 10, 60), size="")
    assert codes(load({"ada/a.xml": odd}, sources=["ada"])) == {
        "bad-geometry": 1, "negative-size": 1, "size-missing": 1,
    }  # fmt: skip


def test_entities_and_other_roots_are_refused(load) -> None:
    bomb = '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]>' + voc(("&c;", 1, 2, 3, 4))[21:]
    with pytest.raises(DataError, match=r"a\.xml: the XML declares a document type"):
        load({"ada/a.xml": bomb}, sources=["ada"], format="voc")
    with pytest.raises(DataError, match=r"a\.xml: this is no VOC file"):
        load({"ada/a.xml": "<annotations/>"}, sources=["ada"], format="voc")
    with pytest.raises(DataError, match=r"a\.xml: the XML nests too deeply"):
        load({"ada/a.xml": "<annotation>" * 5000}, sources=["ada"], format="voc")
    with pytest.raises(DataError, match=r"a\.xml, line 1: this is not well-formed"):
        load({"ada/a.xml": voc(CAT)[:-20]}, sources=["ada"], format="voc")


def test_damage(survives) -> None:
    survives("a.xml", voc(CAT, SAME), "voc")
