import numpy as np
import pytest

from accord.errors import UnknownNameError, UsageError
from accord.measures import krippendorff_alpha
from accord.metrics.spec import METRICS
from accord.similarity.alias import compat_options, default_metric, resolve
from accord.similarity.metric import from_function, from_metric, similarity
from accord.similarity.partition import Partition
from accord.similarity.sampled import Sampled
from accord.similarity.scored import CACHED_VALUES, MetricSimilarity
from accord.values import EMPTY, Frames, Kind, Region, Span

TEXTS = ["cat", "cats", "dog", EMPTY, "the cat", "catastrophe", 7]


def scored(values, name, threshold=None, **options):
    choice = resolve(name, options, threshold)
    return MetricSimilarity(values, choice.spec, choice.options, choice.threshold)


@pytest.mark.parametrize("metric", ["text_similarity", "jaro_winkler", "chrf", "token_dice", "bleu"])
def test_at_times_known_and_dense_tell_the_same(metric):
    s = scored(TEXTS, metric)
    dense, p = s.dense(), np.random.default_rng(1).random((3, len(TEXTS)))
    i, j = np.indices(dense.shape)
    np.testing.assert_array_equal(s.at(i.ravel(), j.ravel()).reshape(dense.shape), dense)
    np.testing.assert_allclose(s.times(p), p @ np.nan_to_num(dense), rtol=1e-12)
    np.testing.assert_allclose(s.known(p), p @ ~np.isnan(dense), rtol=1e-12)


def test_blocks_give_what_the_whole_matrix_gives(monkeypatch):
    words = [f"{a}{b}{c}" for a in "abcd" for b in "efgh" for c in "ijkl"]
    p = np.random.default_rng(2).random(len(words))
    whole = scored(words, "text_similarity").times(p)
    monkeypatch.setattr("accord.similarity.scored.CACHED_VALUES", 0)
    monkeypatch.setattr("accord.similarity.scored.ROWS", 7)
    np.testing.assert_allclose(scored(words, "text_similarity").times(p), whole, rtol=1e-12)
    np.testing.assert_allclose(scored(words, "bleu").times(p), p @ scored(words, "bleu").dense(), rtol=1e-12)


def test_empty_equals_itself_and_nothing_else():
    s = from_metric(TEXTS, "text_similarity")
    empty = TEXTS.index(EMPTY)
    row = s.dense()[empty]
    assert row.tolist() == [float(value is EMPTY) for value in TEXTS]


def test_values_that_do_not_fit_are_not_comparable():
    row = from_metric(TEXTS, "text_similarity").dense()[TEXTS.index(7)]
    assert np.isnan(row).tolist() == [value is not EMPTY for value in TEXTS]
    assert similarity("numeric_difference", "a", "b") is None
    assert similarity("box_iou", "a", "b") is None
    assert similarity("kendall_tau", 3, 4) is None


def test_metrics_with_a_direction_count_as_the_mean_of_both():
    s = from_metric(["a b c", "a b c d e"], "wer", options={"reference": "left"})
    left = similarity("wer", "a b c", "a b c d e", reference="left")
    right = similarity("wer", "a b c d e", "a b c", reference="left")
    assert left != right
    assert s.at(np.array([0]), np.array([1])).tolist() == pytest.approx([(left + right) / 2])
    assert s.dense()[1, 0] == pytest.approx((left + right) / 2)


def test_thresholds_apply_to_the_mean_of_both_directions():
    s = from_metric(["a b c", "a b c d e"], "wer", options={"reference": "left"}, threshold=0.5)
    assert s.dense().tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_threshold_is_not_missed_by_rounding():
    assert similarity("text_similarity", "a" * 17 + "bbb", "a" * 17 + "ccc", threshold=0.85) == 1.0


def test_single_labels_need_no_matrix():
    labels = [f"label {k}" for k in range(30_000)]
    s = from_metric(labels, "jaccard")
    assert isinstance(s, Partition)
    p = np.random.default_rng(0).random(len(labels))
    np.testing.assert_array_equal(s.times(p), p)


def test_equal_classes_share_their_mass():
    s = from_metric(["caf\xe9", "cafe\u0301", "tea"], "exact_match")
    p = np.array([[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]])
    np.testing.assert_allclose(s.times(p), p @ s.dense())
    assert s.at(np.array([0, 0]), np.array([1, 2])).tolist() == [1.0, 0.0]


def test_dates_are_compared_as_instants():
    values = ["2025-03-19T10:00Z", "2025-03-19T11:00+01:00", "2025-03-19T11:00", "soon"]
    s = from_metric(values, "exact_match", kind=Kind.DATETIME)
    assert s.dense()[0].tolist() == [1.0, 1.0, 0.0, 0.0]
    assert similarity("exact_match", {"datetime": values[0]}, {"datetime": values[1]}) == 1.0
    assert from_metric(values, "exact_match", kind=Kind.TEXT).dense()[0].tolist() == [1.0, 0.0, 0.0, 0.0]


def test_many_region_answers_are_sampled_and_unbiased(monkeypatch):
    monkeypatch.setattr("accord.similarity.metric.AFFORDABLE", 1e4)
    rng = np.random.default_rng(4)
    starts, widths = rng.integers(0, 60, 100).tolist(), rng.integers(1, 30, 100).tolist()
    values = list(dict.fromkeys((Region(Span(s, s + w)),) for s, w in zip(starts, widths, strict=True)))
    s = from_metric(values, "span_overlap", seed=3)
    assert isinstance(s, Sampled)
    p = rng.dirichlet(np.ones(len(values)))
    exact = p @ s.dense() @ p
    assert abs(s.times(p) @ p - exact) < 5 * s.error(p, p)
    assert 0 < s.error(p, p) < 0.01
    assert s.at(np.array([0]), np.array([0])).tolist() == [1.0]
    same = from_metric(values, "span_overlap", seed=3)
    np.testing.assert_array_equal(same.times(p), s.times(p))
    assert "seed=3" in s.name
    np.testing.assert_allclose(s.known(p), 1.0)


def test_samples_with_pairs_that_do_not_compare_estimate_what_does(monkeypatch):
    monkeypatch.setattr("accord.similarity.metric.AFFORDABLE", 1e4)
    values = [(Region(Span(k, k + 5)),) for k in range(60)] + [(Region(Frames(((k, k),))),) for k in range(1, 21)]
    s = from_metric(values, "span_overlap")
    assert isinstance(s, Sampled)
    p = np.full(80, 1 / 80)
    assert s.known(p) @ p == pytest.approx((60**2 + 20**2) / 80**2, abs=0.02)


def test_names_carry_the_options_that_differ():
    assert from_metric(["a b"], "text_similarity").name == "text_similarity"
    s = from_metric(["a b"], "chrf", options={"convention": "sacrebleu"}, threshold=0.5)
    assert s.name == "chrf(convention=sacrebleu,threshold=0.5)"


def test_unknown_names_and_options_are_errors_with_suggestions():
    with pytest.raises(UnknownNameError, match="text_similarity"):
        similarity("text_similarty", "a", "b")
    with pytest.raises(UnknownNameError, match="min_overlap"):
        similarity("span_overlap", (), (), min_overlp=0.1)
    with pytest.raises(UsageError, match="optimal, greedy, last"):
        similarity("span_overlap", (), (), matching="best")
    with pytest.raises(UsageError, match="finite number"):
        similarity("span_overlap", (), (), min_overlap=float("nan"))
    with pytest.raises(UsageError, match="out of range"):
        similarity("text_similarity", "a", "b", threshold=85)
    with pytest.raises(UsageError, match="platform"):
        similarity("text_similarity", "a", "b", compat="other")


def test_functions_become_similarities():
    s = from_function([1, 2, 4], lambda a, b: None if {a, b} == {1, 4} else min(a, b) / max(a, b))
    assert s.at(np.array([0, 0]), np.array([1, 2])).tolist()[0] == 0.5
    assert np.isnan(s.at(np.array([0]), np.array([2]))).all()
    with pytest.raises(UsageError, match="between 0 and 1"):
        from_function([1, 2], lambda a, b: a + b)
    with pytest.raises(UsageError, match="too many"):
        from_function(range(2000), lambda a, b: 1.0)


def test_defaults_are_metrics_for_their_kind():
    for kind in Kind:
        spec = METRICS.catalog()[default_metric(kind)]
        assert spec.fits(kind), kind
    assert default_metric(Kind.SPANS, "HyperTextLabels") == "html_labels"


def test_platform_options_are_allowed_values():
    for spec in METRICS.catalog():
        spec.checked(compat_options(spec))


def test_the_platform_sees_only_the_last_region_whatever_the_metric():
    a = (Region(Span(0, 3)), Region(Span(5, 9)))
    b = (Region(Span(5, 9)),)
    s = from_metric([a, b], "exact_match", compat="platform")
    assert s.dense()[0, 1] == 1.0
    assert from_metric([a, b], "exact_match").dense()[0, 1] == 0.0


def test_many_values_stay_within_rows_of_memory():
    assert CACHED_VALUES**2 * 8 <= 64 * 1024**2


def test_long_texts_cost_more_and_are_sampled_sooner():
    short, long = [f"{k:08d}" for k in range(300)], [f"{k:08d}" * 300 for k in range(300)]
    assert isinstance(from_metric(short, "text_similarity"), MetricSimilarity)
    assert scored(long, "text_similarity").cost > 2000 * scored(short, "text_similarity").cost


def test_nothing_is_nothing_however_it_is_written():
    assert similarity("jaccard", set(), []) == similarity("jaccard", [], {"choices": []}) == 1.0
    assert similarity("jaccard", [], {"a"}) == similarity("jaccard", set(), {"a"}) == 0.0


def test_estimates_carry_the_error_of_a_sampled_chance_term(monkeypatch):
    rng = np.random.default_rng(5)
    starts = rng.integers(0, 60, (40, 2)).tolist()
    rows = [[(Region(Span(s, s + 9)),) for s in row] for row in starts]
    exact = krippendorff_alpha(rows, similarity="span_overlap", ci=None)
    monkeypatch.setattr("accord.similarity.metric.AFFORDABLE", 1e4)
    sampled = krippendorff_alpha(rows, similarity="span_overlap", ci=None)
    assert exact.expected_error is None
    assert 0 < sampled.expected_error < 0.01
    assert abs(sampled.expected - exact.expected) < 5 * sampled.expected_error


@pytest.mark.parametrize(
    ("metric", "values"),
    [
        ("span_overlap", [EMPTY, (Region(Span(0, 3)),)]),
        ("jaccard", [EMPTY, frozenset("ab")]),
        ("exact_match", [EMPTY, "a"]),
    ],
)
def test_an_answer_without_content_equals_itself_only(metric, values):
    """What was not used at all is no answer to the platform; that is settled before anything is compared."""
    for compat in (None, "platform"):
        assert from_metric(values, metric, compat=compat).dense().tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_the_platform_skips_texts_that_are_both_empty():
    found = from_metric([EMPTY, "so"], "text_similarity", kind=Kind.TEXT, compat="platform").dense()
    assert found[0].tolist() == pytest.approx([np.nan, 0.0], nan_ok=True)
    assert found[1, 1] == 1.0


def test_a_choice_can_be_scored_graded_or_by_threshold():
    choice = resolve("span_labels_similarity_threshold")
    assert (choice.options["labels"], choice.settled["labels"]) == ("auto", "equal")
    graded = from_metric([()], choice.spec, options=choice.options)
    cut = from_metric([()], choice.spec, options=choice.options, threshold=choice.threshold)
    assert (graded.name, cut.name) == ("span_labels", "span_labels(labels=equal,threshold=0.5)")
