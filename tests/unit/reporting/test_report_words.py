"""Numbers and names as people read them."""

import math

import pytest
import sample_report

from accord.dataset import Control
from accord.reporting import words
from accord.values import Kind


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [(0.5234, 2, "0.52"), (-0.06, 2, "\u22120.06"), (-0.001, 2, "0.00"), (1234.5, 1, "1,234.5"), (math.nan, 2, "–"),
     (math.inf, 2, "–"), (None, 2, "–")],
)  # fmt: skip
def test_number(value: float | None, digits: int, text: str) -> None:
    assert words.number(value, digits) == text


@pytest.mark.parametrize(("value", "text"), [(0.667, ".667"), (0.8, ".8"), (1.0, "1"), (0.0, "0"), (-0.2, "\u2212.2")])
def test_tick(value: float, text: str) -> None:
    assert words.short(value) == text


@pytest.mark.parametrize(("value", "text"), [(0.4, "0.4"), (-2.5, "\u22122.5"), (12345.6, "12,346"), (math.nan, "–")])
def test_compact(value: float, text: str) -> None:
    assert words.compact(value) == text


def test_counts_and_lists() -> None:
    assert words.plural(1, "task") == "1 task"
    assert words.plural(2000, "task") == "2,000 tasks"
    assert words.listing(["a", "b", "c"]) == "a, b and c"
    assert words.listing(list("abcdefg")) == "a, b, c and 4 more"
    assert words.halves(13.0) == "13"
    assert words.halves(13.5) == "13.5"


def test_control_characters_become_visible_one_for_one() -> None:
    hostile = "a\x00b\x1b\x7f\x85\ud800c\n\t"
    assert words.shown(hostile) == "a\u2400b\u241b\u2421\ufffd?c\n\t"
    assert len(words.shown(hostile)) == len(hostile)


def test_clip_is_never_longer_than_asked() -> None:
    assert words.clip("one  two\nthree", 20) == "one two three"
    assert words.clip("abcdefgh", 4) == "abc…"


def test_names_are_squeezed_in_the_middle() -> None:
    assert words.squeeze("Very long label number 7", 12) == "Very lo…er 7"
    assert words.squeeze("annotator.7@example.org", 14) == "annotator.7"
    assert words.squeeze("@handle", 14) == "@handle"
    assert words.squeeze("short", 5) == "short"


def test_similarity_in_short() -> None:
    make = sample_report.estimate
    assert words.similarity(make("krippendorff_alpha", 0.5, 0.4, 0.6)) == "α nominal"
    assert words.similarity(make("krippendorff_alpha", 0.5, 0.4, 0.6, similarity="jaccard")) == "α, Jaccard"
    assert (
        words.similarity(make("krippendorff_alpha", 0.5, 0.4, 0.6, similarity="span_overlap(x=1)")) == "α, span overlap"
    )


def test_kind_names_the_ends_of_a_scale() -> None:
    assert words.kind(Control(name="s", kind=Kind.RATING, domain=(1, 2, 3))) == "rating 1–3"
    assert {words.kind(Control(name="s", kind=kind)) for kind in Kind} == set(words.KIND_WORDS.values())
