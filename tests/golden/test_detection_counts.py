"""Precision, recall and F1 of matched boxes as Label Studio Enterprise's page on statistics works them out."""

import pytest

from accord.metrics.detection import detection
from accord.similarity.metric import compare_regions

#: Overlap of five matched pairs, and whether their labels are the same.
PAIRS = [(0.99, True), (0.34, True), (0.82, False), (0.44, False), (0.67, False)]


def box(row, width, label):
    return {"x": 0, "y": 20 * row, "width": width, "height": 10, "rectanglelabels": [label]}


COMPARED = compare_regions(
    "box_labels",
    [box(row, 100, "Car") for row in range(5)],
    [box(row, 100 * overlap, "Car" if same else "Bus") for row, (overlap, same) in enumerate(PAIRS)],
)


def test_the_pairs_are_those_of_the_page():
    assert [pair.geometry for pair in COMPARED.matched] == pytest.approx([overlap for overlap, _ in PAIRS])
    assert [pair.difference != "label" for pair in COMPARED.matched] == [same for _, same in PAIRS]


def test_precision_recall_and_f1_at_one_half():
    """One right, two placed well with another label, one named well but placed badly; .44 is neither."""
    scores = detection([COMPARED], 0.5, count="matched")
    assert (scores.precision, scores.recall, scores.f1) == pytest.approx((0.33, 0.50, 0.40), abs=0.005)
    assert (scores.found, scores.left, scores.right) == (1, 2, 3)


def test_by_default_every_region_counts():
    scores = detection([COMPARED], 0.5)
    assert (scores.precision, scores.recall, scores.f1) == pytest.approx((1 / 5, 1 / 5, 1 / 5))
