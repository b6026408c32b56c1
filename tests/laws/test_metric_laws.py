"""Laws that every metric of the catalogue obeys, whatever the answers."""

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.metrics.spec import METRICS, fitting
from accord.similarity.alias import compat_options
from accord.similarity.metric import from_metric, similarity
from accord.values import (
    EMPTY,
    Box,
    Ellipse,
    Frames,
    KeyFrame,
    KeyPoint,
    Kind,
    Link,
    Mask,
    Polygon,
    Ranking,
    Region,
    Span,
    Track,
    Vector,
)

SPECS = sorted(METRICS.catalog(), key=lambda spec: spec.key)
KEYS = [spec.key for spec in SPECS]

labels = st.sampled_from(["a", "b", "c", "a b", "é"])
names = st.frozensets(labels, max_size=3)
coordinates = st.integers(0, 20).map(float)
sides = st.integers(0, 8).map(float)
sizes = st.sampled_from([None, (40, 20)])


def regions(geometry):
    parts = {"choices": st.none() | names, "text": st.none() | st.sampled_from(["", "cat", "cats", "a dog"])}
    region = st.builds(Region, geometry, names, **parts)
    return st.lists(region, max_size=3).map(tuple)


def mask(pixels):
    """Mask of 8 x 4 pixels: header, then one run of four values per pixel."""
    bits = f"{128:032b}" + f"{7:05b}" + "".join(f"{size - 1:04b}" for size in (3, 4, 8, 16))
    bits += "".join("100011" + f"{255 if pixel in pixels else 0:08b}" for pixel in range(32))
    bits += "0" * (-len(bits) % 8)
    return Mask("rle", int(bits, 2).to_bytes(len(bits) // 8, "big"), (8, 4))


spans = st.builds(lambda s, w: Span(s, s + w), coordinates, sides)
frame_ranges = st.lists(st.tuples(st.integers(1, 9), st.integers(0, 5)), min_size=1, max_size=3)
frames = frame_ranges.map(lambda ranges: Frames(tuple((s, s + w) for s, w in ranges)))
boxes = st.builds(Box, coordinates, coordinates, sides, sides, st.sampled_from([0.0, 0.0, 30.0, 270.0]), sizes)
ellipses = st.builds(Ellipse, coordinates, coordinates, sides, sides, st.sampled_from([0.0, 45.0]), sizes)
places = st.tuples(coordinates, coordinates)
rings = st.lists(places, max_size=6).map(tuple)
polygons = st.builds(Polygon, rings, size=sizes, rings=st.just(()) | st.tuples(rings))
lines = st.lists(places, min_size=1, max_size=4).map(tuple)
vectors = st.builds(Vector, st.lists(lines, min_size=1, max_size=2).map(tuple), sizes)
masks = st.frozensets(st.integers(0, 31), max_size=12).map(mask)
points = st.builds(KeyPoint, coordinates, coordinates)
key_frames = st.builds(KeyFrame, st.integers(1, 8), boxes, st.booleans())
tracks = st.lists(key_frames, max_size=4, unique_by=lambda key: key.frame).map(
    lambda keys: Track(8, tuple(sorted(keys, key=lambda key: key.frame)))
)
marked = st.builds(Region, st.one_of(spans, boxes, points), names)
ends = st.none() | st.tuples(st.none() | marked, st.none() | marked)
links = st.builds(Link, st.sampled_from(["s#0", "s#1"]), st.just("b#0"), st.sampled_from(["left", "right", "bi"]), ends)
relations = st.lists(st.builds(Region, links, names), max_size=3).map(tuple)
rankings = st.permutations(["x", "y", "z", "w"]).map(lambda order: Ranking((("rank", tuple(order)),)))
bucketed = st.permutations(["x", "y", "z", "w"]).map(lambda o: Ranking((("top", tuple(o[:2])), ("_", tuple(o[2:])))))
paths = st.frozensets(st.lists(labels, min_size=1, max_size=3).map(tuple), max_size=3)

VALUES = {
    Kind.LABEL: labels,
    Kind.LABELS: names,
    Kind.PATHS: paths,
    Kind.NUMBER: st.integers(-5, 5) | st.floats(-1e6, 1e6),
    Kind.RATING: st.integers(1, 5),
    Kind.TEXT: st.text(alphabet="ab ce\u0301\u00e9", max_size=12) | st.lists(labels, max_size=3).map(tuple),
    Kind.RANKING: rankings | bucketed,
    Kind.SIDE: st.sampled_from(["left", "right"]),
    Kind.DATETIME: st.sampled_from(["2025-03-19", "2025-03-20"]),
    Kind.SPANS: regions(spans),
    Kind.TIMELINE: regions(frames),
    Kind.BOXES: regions(boxes),
    Kind.ELLIPSES: regions(ellipses),
    Kind.POLYGONS: regions(polygons),
    Kind.MASKS: regions(masks),
    Kind.KEYPOINTS: regions(points),
    Kind.VECTORS: regions(vectors),
    Kind.TRACKS: regions(tracks),
    Kind.RELATIONS: relations,
}
ANYTHING = st.one_of(*VALUES.values(), st.just(EMPTY))


def fitting_values(spec):
    """Answers of one kind the metric is meant for."""
    kinds = sorted(spec.kinds) or sorted(VALUES)
    return st.sampled_from(kinds).flatmap(lambda kind: st.lists(VALUES[kind], min_size=2, max_size=4))


@pytest.mark.parametrize("spec", SPECS, ids=KEYS)
@given(data=st.data())
@settings(max_examples=20)
def test_symmetric_bounded_one_for_equals_and_pure(spec, data):
    """And the same alone, in a pool, in a block, and under the platform's rules."""
    values = list(dict.fromkeys(data.draw(fitting_values(spec))))
    before = copy.deepcopy(values)
    for compat in (None, "platform"):
        table = from_metric(values, spec.key, compat=compat).dense()
        known = table[~np.isnan(table)]
        assert ((known >= 0.0) & (known <= 1.0)).all()
        np.testing.assert_allclose(table, table.T, atol=1e-9)
        own = np.diag(table)
        np.testing.assert_allclose(own[~np.isnan(own)], 1.0, atol=1e-9)
    assert values == before
    table = from_metric(values, spec.key).dense()
    for i, a in enumerate(values):
        alone = similarity(spec.key, copy.deepcopy(a), values[0])
        np.testing.assert_allclose(table[i, 0], np.nan if alone is None else alone, atol=1e-12)


@pytest.mark.parametrize("spec", SPECS, ids=KEYS)
@given(data=st.data())
@settings(max_examples=20)
def test_whatever_does_not_fit_has_no_score_and_never_fails(spec, data):
    a, b = data.draw(ANYTHING), data.draw(ANYTHING)
    score = similarity(spec.key, a, b)
    assert score is None or 0.0 <= score <= 1.0


@pytest.mark.parametrize("spec", SPECS, ids=KEYS)
@given(data=st.data())
@settings(max_examples=10)
def test_threshold_forms_are_binary_and_monotone_and_blocks_equal_pairs(spec, data):
    a, b, *_ = values = data.draw(fitting_values(spec))
    options = spec.checked({})
    pool = spec.prepared(values, options)
    i, j = np.indices((len(pool), len(pool)))
    pairs = spec.pairs(pool, i.ravel(), j.ravel(), options).reshape(i.shape)
    np.testing.assert_allclose(spec.rectangle(pool, pool, options), pairs, atol=1e-12)
    if "threshold" in spec.options:
        return
    scores = [similarity(spec.key, a, b, threshold=cut) for cut in (0.25, 0.5, 0.75, 1.0)]
    assert set(scores) <= {None, 0.0, 1.0}
    known = [score for score in scores if score is not None]
    assert len(known) in (0, 4)
    assert known == sorted(known, reverse=True)


@pytest.mark.parametrize("spec", SPECS, ids=KEYS)
def test_specs_are_complete(spec):
    assert spec.summary.endswith(".")
    assert spec.reference
    assert spec.bounds == (0.0, 1.0)
    assert spec.checked({}) == {name: option.default for name, option in spec.options.items()}
    for option in spec.options.values():
        assert option.help
        assert not option.allowed or option.default in option.allowed
    assert METRICS.catalog()[spec.family].key == spec.family
    assert set(compat_options(spec)) <= set(spec.options)


def test_every_kind_is_offered_something():
    for kind in Kind:
        assert fitting(kind), kind
    assert fitting(Kind.NUMBER)[0].key == "numeric_difference"
