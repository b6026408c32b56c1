"""Alpha without each unit is what finishing the remaining totals gives, whatever the similarity."""

from dataclasses import replace

import numpy as np
import pytest

from accord.coefficients.spec import COEFFICIENTS
from accord.inference.recipe import complete_options
from accord.inference.rows import by_cluster, without_each
from accord.similarity.metric import from_metric
from accord.similarity.sampled import Sampled
from accord.study import Study
from accord.values import EMPTY, Box, KeyPoint, Kind, Region

ALPHA = COEFFICIENTS.catalog()["krippendorff_alpha"]


def study_of(values, kind, raters=3, missing=0.2, seed=0):
    """Every value given once, some left out, so that units have no, one or more answers."""
    rng = np.random.default_rng(seed)
    cells = np.flatnonzero(rng.random(len(values)) >= missing)
    unit = np.unique(cells // raters, return_inverse=True)[1]
    return Study(
        unit=unit.astype(np.int32),
        rater=(cells % raters).astype(np.int32),
        code=cells.astype(np.int32),
        values=tuple(values),
        unit_names=range(int(unit.max()) + 1),
        rater_names=list("abcdef"[:raters]),
        kind=kind,
    )


def boxes(count=180, seed=1):
    rng = np.random.default_rng(seed)
    answers = []
    for number in range(count):
        if number % 3 == 0:
            truth = rng.random((rng.integers(0, 4), 2)) * 40
        corners = truth + rng.normal(0, 2, truth.shape)
        answers.append(
            tuple(Region(Box(x, y, 12.0, 12.0), frozenset({"ab"[k % 2]})) for k, (x, y) in enumerate(corners))
        )
    return [value or EMPTY if number else EMPTY for number, value in enumerate(dict.fromkeys(answers))]


def points(count=120, seed=2):
    """Key points in pixels: some cannot be compared, not even with themselves, for their image has no size."""
    rng = np.random.default_rng(seed)
    sizes = [(200, 100), None]
    return [(Region(KeyPoint(*(rng.random(2) * 5), 1.0, sizes[int(rng.random() < 0.3)])),) for _ in range(count)]


def slowly(spec, rows, context):
    return without_each(replace(spec, without=None), rows, context)


CASES = {
    "boxes": (boxes(), Kind.BOXES, "box_labels", {}),
    "points": (points(), Kind.KEYPOINTS, "keypoint_distance", {"unit": "pixel", "threshold": 4.0}),
    "texts": ([f"{'abc'[k % 3] * (k % 7)} {k // 2}" for k in range(150)], Kind.TEXT, "text_similarity", {}),
}


@pytest.mark.parametrize("chance", ["classical", "unbiased"])
@pytest.mark.parametrize("how", ["every pair", "sample", "clusters", "clusters, sample"])
@pytest.mark.parametrize("name", CASES)
def test_the_short_way_gives_the_values_of_the_long_one(name, how, chance):
    values, kind, metric, options = CASES[name]
    study = study_of(values, kind)
    similarity = from_metric(study.values, metric, options=options)
    if "sample" in how:
        similarity = Sampled(similarity, study.counts.astype(np.float64), seed=3, draws=4000)
    tally = ALPHA.tally(study, similarity, complete_options(ALPHA, {"chance": chance}))
    rows = by_cluster(tally.rows, np.arange(study.U, dtype=np.int32) // 4 if "clusters" in how else None)
    assert not isinstance(rows, np.ndarray)
    short, long = without_each(ALPHA, rows, tally.context), slowly(ALPHA, rows, tally.context)
    assert np.isfinite(long).sum() > 5
    np.testing.assert_allclose(short, long, atol=1e-12, equal_nan=True)


def test_the_short_way_is_taken_where_rows_are_sparse():
    study = study_of(boxes(), Kind.BOXES)
    similarity = from_metric(study.values, "box_labels")
    tally = ALPHA.tally(study, similarity, complete_options(ALPHA, None))
    use, values = ALPHA.without(tally.rows, tally.totals(), tally.context)
    assert len(use) == len(values) == study.U


def test_dense_rows_are_finished_as_they_are():
    study = study_of(boxes(30), Kind.BOXES)
    tally = ALPHA.tally(study, from_metric(study.values, "box_labels"), complete_options(ALPHA, None))
    assert ALPHA.without(tally.rows, tally.totals(), tally.context) is None
    assert np.isfinite(without_each(ALPHA, tally.rows, tally.context)).all()
