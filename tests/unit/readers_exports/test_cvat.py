"""CVAT's XML."""

import pytest

import accord
from accord.errors import DataError
from accord.readers.sniff import sniff
from accord.values import EMPTY, Box, Ellipse, KeyPoint, Mask, Polygon, Vector

META = """<meta><task><size>20</size>{more}<labels>
<label><name>cat</name><attributes>
 <attribute><name>pose</name><input_type>select</input_type><values>sits\nlies</values></attribute>
 <attribute><name>age</name><input_type>number</input_type><values>0\n20\n1</values></attribute>
 <attribute><name>note</name><input_type>text</input_type><values></values></attribute></attributes></label>
<label><name>dog</name></label></labels></task></meta>"""


def images(*shapes, size='width="200" height="100"'):
    inner = "".join(shapes)
    return (
        f'<?xml version="1.0"?><annotations><version>1.1</version>{META.format(more="")}'
        f'<image id="0" name="a.jpg" {size}>{inner}</image><image id="1" name="b.jpg" {size}></image></annotations>'
    )


def video(*tracks, more="<mode>interpolation</mode><stop_frame>19</stop_frame>"):
    size = "<original_size><width>200</width><height>100</height></original_size>"
    return (
        f"<annotations><version>1.1</version>{META.format(more=more + size)}"
        + "".join(f'<track id="{n}" label="cat">{track}</track>' for n, track in enumerate(tracks))
        + "</annotations>"
    )


def box(x=20, y=10, u=70, v=50, inner="", **more):
    attributes = "".join(f' {key}="{value}"' for key, value in more.items())
    return f'<box label="cat" xtl="{x}" ytl="{y}" xbr="{u}" ybr="{v}"{attributes}>{inner}</box>'


SIZE = (200, 100)


def test_shapes_of_every_kind(load, marks, put, codes) -> None:
    dataset = load({
        "ada.xml": images(
            box(),
            '<ellipse label="dog" cx="100" cy="50" rx="20" ry="10"/>',
            '<polygon label="dog" points="0,0;100,0;100,50"/>',
            '<polyline label="dog" points="0,0;100,0"/>',
            '<points label="dog" points="20,10;40,20"/>',
            '<skeleton label="cat"><points label="ear" points="2,1" outside="0"/>'
            '<points label="nose" points="2,1" outside="1"/></skeleton>',
            '<mask label="cat" rle="1,2,1" left="3" top="4" width="2" height="2"/>',
            '<cuboid label="cat" xtl1="1"/>',
        ),
    })  # fmt: skip
    found = marks(dataset, "objects")["a.jpg", "ada"]
    counts = (3 * 100 + 5, 1, 98, 1, 100 * 200 - 3 * 100 - 105)
    assert found == [
        ("cat", Box(10, 10, 25, 40, 0, SIZE)),
        ("dog", Ellipse(50, 50, 10, 10, 0, SIZE)),
        ("dog", Polygon(((0, 0), (50, 0), (50, 50)), True, SIZE)),
        ("cat", Mask("coco_counts", str(list(counts)).encode(), SIZE)),
    ]
    assert marks(dataset, "lines")["a.jpg", "ada"] == [("dog", Vector((((0, 0), (50, 0)),), SIZE))]
    assert marks(dataset, "keypoints")["a.jpg", "ada"] == [
        ("dog", KeyPoint(10, 10, 0, SIZE)),
        ("dog", KeyPoint(20, 20, 0, SIZE)),
        ("ear", KeyPoint(1, 1, 0, SIZE)),
    ]
    assert marks(dataset, "objects")["b.jpg", "ada"] == []
    assert codes(dataset) == {"unknown-shape": 1, "several-types": 1, "empty-result": 1}
    assert sniff(put({}) / "ada.xml") == "cvat"


def test_turned_boxes_keep_their_centre(load, marks, answers) -> None:
    turned = images(box(rotation=90))
    upright = images(box(25, 5, 65, 55))
    dataset = load({"ada.xml": turned, "ben.xml": upright})
    ((_, first),) = marks(dataset, "objects")["a.jpg", "ada"]
    assert (first.x, first.y) == pytest.approx((65 / 2, 5))
    pair = answers(dataset, "objects")["a.jpg", "ada"], answers(dataset, "objects")["a.jpg", "ben"]
    assert accord.similarity("box_iou", *pair) == pytest.approx(1.0)


def test_attributes_and_tags(load, answers) -> None:
    attributes = (
        '<attribute name="pose">sits</attribute><attribute name="age">7</attribute>'
        '<attribute name="note">big</attribute><attribute name="pose"></attribute>'
    )
    tag = '<tag label="cat"><attribute name="pose">lies</attribute></tag><tag label="dog"/>'
    dataset = load({"ada.xml": images(box(inner=attributes), tag), "ben.xml": images()})
    (region,) = answers(dataset, "objects")["a.jpg", "ada"]
    assert (region.choices, region.text, region.attributes) == (frozenset({"sits"}), "big", (("age", "7.0"),))
    assert answers(dataset, "tags") == {
        ("a.jpg", "ada"): frozenset({"cat", "dog"}), ("a.jpg", "ben"): EMPTY,
        ("b.jpg", "ada"): EMPTY, ("b.jpg", "ben"): EMPTY,
    }  # fmt: skip
    assert answers(dataset, "cat.pose")["a.jpg", "ada"] == "lies"


def test_tracks_count_frames_from_one_and_end_where_a_box_is_outside(load, marks) -> None:
    track = box(frame=3, outside=0) + box(40, 10, 90, 50, frame=5, outside=0) + box(frame=9, outside=1)
    gap = box(frame=0, outside=0) + box(frame=1, outside=1) + box(frame=12, outside=0)
    dataset = load({"ada.xml": video(track, gap)})
    (_, first), (_, second) = marks(dataset, "tracks")["document", "ada"]
    assert [(key.frame, key.box.x, key.enabled) for key in first.sequence] == [
        (4, 10, True), (6, 20, True), (9, 20, False)]  # fmt: skip
    assert [(key.frame, key.enabled) for key in second.sequence] == [(1, False), (13, True)]
    assert first.frames_count == 20
    assert first.sequence[0].box.size == SIZE


def test_frames_that_were_left_out_do_not_count(load, marks) -> None:
    more = "<mode>interpolation</mode><stop_frame>95</stop_frame><frame_filter>step=5</frame_filter>"
    dataset = load({"ada.xml": video(box(frame=10, outside=0) + box(frame=20, outside=1), more=more)})
    ((_, track),) = marks(dataset, "tracks")["document", "ada"]
    assert [(key.frame, key.enabled) for key in track.sequence] == [(3, True), (4, False)]
    assert track.frames_count == 20


def test_videos_without_tracks_and_with_tracks_of_other_shapes(load, marks, codes) -> None:
    polygon = '<polygon frame="1" points="0,0;1,0;1,1"/>'
    dataset = load({"ada.xml": video(), "ben.xml": video(polygon)})
    assert marks(dataset, "tracks") == {("document", "ada"): [], ("document", "ben"): []}
    assert codes(dataset)["unknown-shape"] == 1


def test_images_on_which_nobody_drew_anything(load, marks) -> None:
    dataset = load({"ada.xml": images(), "ben.xml": images()})
    assert set(dataset.columns) == {"objects"}
    assert marks(dataset, "objects")["a.jpg", "ada"] == []


def test_odd_shapes_are_counted(load, codes) -> None:
    odd = [
        box("x"),
        box(rotation="x"),
        '<polygon label="cat" points="0,0;1"/>',
        '<polygon label="cat"/>',
        '<mask label="cat" rle="1,2" left="3" top="4" width="2" height="2"/>',
        '<mask label="cat" rle="9999999999999" left="0" top="0" width="9999999999" height="1000"/>',
        '<ellipse label="cat" cx="1"/>',
    ]
    assert codes(load({"ada.xml": images(*odd)})) == {
        "bad-geometry": 7, "mask-length": 2, "several-types": 1, "empty-result": 1,
    }  # fmt: skip
    huge = images(odd[-2], size='width="9999999999" height="1000"')
    assert codes(load({"ada.xml": huge}))["mask-length"] == 1


def test_entities_and_other_files_are_refused(load) -> None:
    with pytest.raises(DataError, match=r"ada\.xml: the XML declares"):
        load({"ada.xml": f'<!DOCTYPE a [<!ENTITY b "c">]>{images(box())[21:]}'}, format="cvat")
    with pytest.raises(DataError, match=r"ada\.xml: this is no CVAT file"):
        load({"ada.xml": "<annotation/>"}, format="cvat")


def test_damage(survives) -> None:
    survives("ada.xml", images(box(), '<mask label="cat" rle="1,2,1" left="3" top="4" width="2" height="2"/>'), "cvat")
    survives("ben.xml", video(box(frame=3, outside=0) + box(frame=9, outside=1)), "cvat")
