"""COCO."""

import numpy as np
import pytest

import accord
from accord.errors import DataError
from accord.metrics.masks import decode
from accord.readers.sniff import sniff
from accord.values import EMPTY, Box, KeyPoint, Kind, Mask, Polygon


def coco(*annotations, images=((1, "a.jpg"), (2, "b.jpg")), **more):
    return {
        "images": [{"id": n, "file_name": name, "width": 200, "height": 100} for n, name in images],
        "categories": [{"id": 7, "name": "cat", "keypoints": ["ear", "nose"]}, {"id": 9, "name": "dog"}],
        "annotations": [{"id": n, "image_id": 1, "category_id": 7, **one} for n, one in enumerate(annotations, 1)],
        **more,
    }


BOX = {"bbox": [20, 10, 50, 40], "segmentation": []}


def test_images_are_joined_by_name_and_categories_are_the_labels(load, marks, put, codes) -> None:
    other = coco({"bbox": [20, 10, 50, 40], "image_id": 5}, images=((5, "a.jpg"), (6, "b.jpg")))
    dataset = load({"ada.json": coco(BOX), "ben.json": other})
    box = ("cat", Box(10, 10, 25, 40, 0, (200, 100)))
    assert marks(dataset, "objects") == {
        ("a.jpg", "ada"): [box],
        ("a.jpg", "ben"): [box],
        ("b.jpg", "ada"): [],
        ("b.jpg", "ben"): [],
    }
    assert dataset["objects"].control.domain == ("cat", "dog")
    assert dataset["objects"].control.kind is Kind.BOXES
    assert codes(dataset) == {"empty-result": 2}
    assert sniff(put({}) / "ada.json") == "coco"


def test_outlines_with_parts(load, marks, codes) -> None:
    square, apart = [0, 0, 20, 0, 20, 10, 0, 10], [100, 0, 120, 0, 120, 10, 100, 10]
    across = [10, 0, 30, 0, 30, 10, 10, 10]
    dataset = load({"ada.json": coco({"segmentation": [square, apart]}, {"segmentation": [square, across]})})
    ((_, parts), (_, union)) = marks(dataset, "objects")["a.jpg", "ada"]
    assert parts == Polygon(
        ((0, 0), (10, 0), (10, 10), (0, 10)), True, (200, 100), (((50, 0), (60, 0), (60, 10), (50, 10)),)
    )
    assert set(union.points) == {(0, 0), (5, 0), (10, 0), (15, 0), (15, 10), (10, 10), (5, 10), (0, 10)}
    assert union.rings == ()
    assert codes(dataset)["parts-overlap"] == 1


def test_masks_stay_encoded(load, marks) -> None:
    counts = [100, 50, 20_000 - 150]
    dataset = load({
        "ada.json": coco({"segmentation": {"size": [100, 200], "counts": counts}, "iscrowd": 1}),
        "ben.json": coco({"segmentation": {"size": [100, 200], "counts": "T3b1Xic0"}}),
    })  # fmt: skip
    found = marks(dataset, "objects")
    ((_, listed),) = found["a.jpg", "ada"]
    assert listed == Mask("coco_counts", b"[100, 50, 19850]", (200, 100))
    assert decode(listed) is not None
    assert found["a.jpg", "ben"][0][1].encoding == "coco"
    assert dataset["objects"].control.kind is Kind.MASKS


def test_case_b44_boxes_have_a_corner_and_a_size_and_crowds_count_alike(load) -> None:
    """Taken as two corners the boxes would not meet; by the rule for crowds one direction would score one half."""
    one, crowd = {"bbox": [10, 10, 20, 20]}, {"bbox": [20, 10, 20, 20], "iscrowd": 1}
    for first, second in ((one, crowd), (crowd, one)):
        dataset = load({"ada.json": coco(first), "ben.json": coco(second)})
        (scored,) = [row.value for row in accord.measure(dataset, tasks=True)["objects"].tasks if row.unit == "a.jpg"]
        assert scored == pytest.approx(1 / 3, abs=1e-9)


def test_keypoints_carry_their_names(load, marks) -> None:
    dataset = load({"ada.json": coco({**BOX, "keypoints": [20, 10, 2, 0, 0, 0]})})
    assert marks(dataset, "keypoints")["a.jpg", "ada"] == [("ear", KeyPoint(10, 10, 0, (200, 100)))]
    assert dataset["keypoints"].control.domain == ("ear", "nose")


def test_captions(load, answers) -> None:
    dataset = load({"ada.json": coco({"caption": "a cat"}), "ben.json": coco({"caption": "the cat"})})
    assert answers(dataset, "caption") == {("a.jpg", "ada"): "a cat", ("a.jpg", "ben"): "the cat"}


def test_a_list_of_results_takes_images_from_the_file_before_it(load, marks, put) -> None:
    results = [{"image_id": 1, "category_id": 9, "bbox": [20, 10, 50, 40], "score": 0.5}]
    dataset = load({"truth.json": coco(BOX), "model.json": results})
    assert marks(dataset, "objects")["a.jpg", "model"] == [("dog", Box(10, 10, 25, 40, 0, (200, 100)))]
    assert sniff(put({}) / "model.json") == "coco"
    assert list(marks(load({"model.json": results}), "objects")) == [("1", "model")]
    with pytest.raises(DataError, match=r"model.json.*Name the file with the images first"):
        load({"model.json": results, "truth.json": coco(BOX)}, format="coco")


def test_what_is_odd_is_counted(load, codes, answers) -> None:
    odd = [
        {"bbox": [1, 2, "x", 4]},
        {"bbox": [1, 2, 3]},
        {"segmentation": [[1, 2, 3, 4, 5]]},
        {"segmentation": {"size": [100], "counts": []}},
        {"segmentation": {"size": [100, 200], "counts": [5, 5]}},
        {"segmentation": {"size": [100, 200], "counts": [5, -5]}},
        {"keypoints": [1, 2]},
        {"area": 7},
        {"bbox": [0, 0, 1, 1], "image_id": 77, "category_id": 50, "attributes": {"occluded": True}},
    ]
    dataset = load({"ada.json": coco(*odd)})
    assert codes(dataset) == {
        "bad-geometry": 6, "mask-length": 1, "no-value": 1, "note-left-out": 1, "empty-result": 1, "unknown-value": 1,
        "several-types": 1,
    }  # fmt: skip
    assert ("77", "ada") in answers(dataset, "objects")
    assert answers(dataset, "objects")["b.jpg", "ada"] is EMPTY


def test_what_is_no_coco_is_refused(load) -> None:
    for content in ({"images": 5, "annotations": []}, {"images": [], "annotations": [3]}, 7, {"a": 1}):
        with pytest.raises(DataError, match=r"ada\.json"):
            load({"ada.json": content}, format="coco")
    with pytest.raises(DataError, match="nothing annotated"):
        load({"ada.json": coco(images=())})


def test_a_folder_holds_a_rater_in_each_file_and_a_readme_is_none(load, marks) -> None:
    files = {"work/ada.json": coco(BOX), "work/ben.json": coco(), "work/readme.json": {"made": "by hand"}}
    found = marks(load(files, sources=["work"]), "objects")
    assert {rater for _, rater in found} == {"ada", "ben"}


def test_damage(survives) -> None:
    survives("ada.json", coco(BOX, {"segmentation": [[0, 0, 20, 0, 20, 10]]}), "coco")


def test_a_mask_in_a_box_becomes_run_lengths_down_the_columns() -> None:
    from accord.readers.exports.parts import column_counts

    rng = np.random.default_rng(3)
    for _ in range(30):
        width, height, wide, high = 9, 7, *rng.integers(1, 7, 2).tolist()
        left, top = rng.integers(0, width - wide + 1), rng.integers(0, height - high + 1)
        inner = rng.random((high, wide)) < 0.5
        whole = np.zeros((height, width), dtype=bool)
        whole[top : top + high, left : left + wide] = inner
        flat = np.concatenate(([False], inner.ravel(), [False]))
        rows = np.diff(np.concatenate(([0], np.flatnonzero(flat[1:-1] != flat[:-2]), [inner.size]))).tolist()
        value = column_counts(rows, (int(left), int(top)), (wide, high), (width, height))
        decoded = np.repeat(np.arange(len(value["counts"])) % 2 == 1, value["counts"]).reshape(width, height).T
        assert (decoded == whole).all()
    with pytest.raises(ValueError, match="3 pixels in a box of 2 x 2"):
        column_counts([1, 2], (0, 0), (2, 2), (9, 7))
