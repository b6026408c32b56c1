"""Several thresholds at once are the threshold forms one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.metrics.spec import METRICS
from accord.similarity import cuts, scored
from accord.similarity.core import Identity
from accord.similarity.cuts import at_thresholds
from accord.similarity.metric import from_metric
from accord.similarity.sampled import Sampled
from accord.values import EMPTY, Region, Span

THRESHOLDS = (0.0, 0.3, 0.5, 1.0)
WORDS = ["cat", "cats", "dog", "a dog", "dogs"]
SPANS = [
    EMPTY,
    (Region(Span(0, 10), frozenset({"a"})),),
    (Region(Span(0, 5), frozenset({"a"})),),
    (Region(Span(0, 5), frozenset({"b"})), Region(Span(7, 9))),
    "no region",
]


def graded(values, key):
    spec = METRICS.catalog()[key]
    return from_metric(values, spec, options=spec.threshold_options)


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize(("values", "key"), [(WORDS, "text_similarity"), (SPANS, "span_labels"), (WORDS, "wer")])
def test_every_cut_is_the_threshold_form(monkeypatch, values, key, wide):
    """Also where values are too many for a table, and block by block."""
    if wide:
        monkeypatch.setattr(cuts, "CACHED_VALUES", 1)
        monkeypatch.setattr(scored, "ROWS", 2)
    p = np.random.default_rng(3).integers(0, 4, (2, len(values))).astype(float)
    forms = at_thresholds(graded(values, key), THRESHOLDS)
    i, j = (k.ravel() for k in np.indices((len(values), len(values))))
    for threshold, form in zip(THRESHOLDS, forms, strict=True):
        one = from_metric(values, key, threshold=threshold)
        np.testing.assert_array_equal(form.dense(), one.dense())
        np.testing.assert_array_equal(form.at(i, j), one.at(i, j))
        np.testing.assert_allclose(form.times(p), one.times(p))
        np.testing.assert_allclose(form.known(p), one.known(p))
        assert form.name == one.name
        assert form.size == one.size


def test_pairs_are_scored_once_for_all_thresholds(monkeypatch):
    similarity = graded(WORDS, "text_similarity")
    forms = at_thresholds(similarity, THRESHOLDS)
    for form in forms:
        form.dense()
    monkeypatch.setattr(type(similarity), "_rectangle", lambda *_: pytest.fail("scored again"))
    assert [form.times(np.ones(5)).sum() for form in forms] == sorted(
        (form.dense().sum() for form in forms), reverse=True
    )


@given(st.integers(0, 1000))
@settings(max_examples=10)
def test_sampled_sums_keep_their_draws(seed):
    counts = np.arange(1.0, 6.0)
    exact = graded(WORDS, "text_similarity")
    (form,) = at_thresholds(Sampled(exact, counts, seed, draws=50), (0.5,))
    again = Sampled(from_metric(WORDS, "text_similarity", threshold=0.5), counts, seed, draws=50)
    np.testing.assert_allclose(form.times(counts), again.times(counts))
    np.testing.assert_allclose(form.error(counts, counts), again.error(counts, counts))
    assert form.name == again.name


def test_classes_have_one_form_and_formulas_have_none():
    same = graded(["x", "y"], "exact_match")
    assert at_thresholds(same, THRESHOLDS) == (same,) * 4
    with pytest.raises(TypeError, match="nominal"):
        at_thresholds(Identity(3), THRESHOLDS)
