"""Pictures: nothing outside its frame, undefined values as words, colours from classes only."""

import math

import pytest
import sample_report
from hypothesis import given
from hypothesis import strategies as st
from page_reader import Element, Page

from accord.coefficients.estimate import Interval
from accord.reporting.charts import differences, histogram, intervals, matrix, shares
from accord.reporting.charts.axis import Axis, lower_end

finite = st.floats(-5, 5)


def frame(svg: Element) -> tuple[float, float]:
    return float(svg.attributes["width"]), float(svg.attributes["height"])


def assert_inside(html: str) -> Page:
    page = Page(html)
    width, height = frame(page.all("svg")[0])
    for element in page.elements:
        for name, limit in (("x", width), ("x1", width), ("x2", width), ("cx", width), ("y", height), ("cy", height)):
            if name in element.attributes and not element.inside("g"):
                assert -0.1 <= float(element.attributes[name]) <= limit + 0.1, element
        assert "fill" not in element.attributes
        assert "style" not in element.attributes
        assert "nan" not in str(element.attributes)
    return page


@pytest.mark.parametrize(
    ("values", "low"),
    [
        ([0.3, 0.9], 0.0),
        ([-0.01], -0.2),
        ([-0.2], -0.2),
        ([-0.21], -0.4),
        ([-7.0], -1.0),
        ([math.nan, None], 0.0),
        ([], 0),
    ],
)
def test_the_axis_starts_at_zero_or_a_step_below_the_lowest(values: list[float | None], low: float) -> None:
    assert lower_end(values) == pytest.approx(low)


def test_the_axis_holds_values_inside() -> None:
    axis = Axis(10, 290, -0.2)
    assert (axis.at(-9), axis.at(9)) == (10, 290)
    assert axis.at(0) == pytest.approx(10 + 280 * 0.2 / 1.2)


@given(finite, finite, finite)
def test_a_card_is_drawn_inside(value: float, low: float, high: float) -> None:
    main = sample_report.estimate("krippendorff_alpha", value, min(low, high), max(low, high))
    page = assert_inside(intervals.card("c", main, lower_end([value, low, high]), (0.667, 0.8), 0.7))
    assert len(page.by_class("pt")) == 1


def test_a_card_marks_zero_bands_and_criterion() -> None:
    main = sample_report.estimate("krippendorff_alpha", 0.5, 0.4, 0.6)
    page = Page(intervals.card("c", main, -0.2, (0.667, 0.8), 0.667))
    for name in ("ax", "b1", "b2", "crit", "pt", "iv"):
        assert page.by_class(name), name
    assert "0.50, 95\u202f% interval 0.40 to 0.60; criterion 0.67" in page.all("svg")[0].attributes["aria-label"]


def test_an_undefined_card_has_no_point() -> None:
    page = Page(intervals.card("c", sample_report.undefined("krippendorff_alpha", "no_variation"), 0.0, (), None))
    assert not page.by_class("pt")
    assert not page.by_class("pto")
    assert "every answer is the same" in page.all("svg")[0].attributes["aria-label"]


def test_thin_rows_are_dashed_and_open() -> None:
    rows = [intervals.Row("a", "3 answers", 0.4, Interval(0.1, 0.7, 0.95, "score"), True)]
    page = assert_inside(intervals.rows("t", rows, 0.5, ()))
    assert page.by_class("dash")
    assert page.by_class("pto")


def test_undefined_rows_are_words() -> None:
    rows = [intervals.Row("a", "3 answers", math.nan, None, False)]
    assert "undefined" in assert_inside(intervals.rows("t", rows, math.nan, ())).root.text


@given(st.lists(st.integers(0, 10**7), min_size=1, max_size=20))
def test_histograms_name_their_counts(counts: list[int]) -> None:
    for draw in (histogram.small, histogram.large):
        page = assert_inside(draw("c", counts))
        assert len(page.by_class("bar")) == sum(n > 0 for n in counts)


@pytest.mark.parametrize("raters", [2, 3, 4, 7, 13, 25, 40])
def test_a_triangle_of_any_size_fits(raters: int) -> None:
    names = [f"rater number {i}" for i in range(raters)]
    page = assert_inside(
        matrix.triangle(
            "t",
            matrix.Grid(names, diagonal=False),
            lambda i, j: matrix.PairCell("3", "0.55", "12 tasks"),
            matrix.scale("κ"),
        )
    )
    cells = [element for element in page.by_class("cell-3") if not element.inside("g")]
    assert len(cells) == raters * (raters - 1) / 2


def test_shades_follow_the_steps() -> None:
    assert [matrix.shade(v) for v in (-1, 0.19, 0.2, 0.5, 0.79, 0.85, 1.0)] == ["0", "0", "1", "2", "3", "4", "5"]
    assert matrix.shade(math.nan) == "none"


def test_shares_are_printed() -> None:
    page = assert_inside(shares.by_rater(["a", "b"], [("R1", 10, {"a": 0.25, "b": 0.75})]))
    assert "25\u202f%" in page.root.text
    page = assert_inside(shares.against_chance(0.5, 0.39))
    assert page.by_class("tick")
    assert not Page(shares.against_chance(0.5, math.nan)).by_class("tick")


@given(st.lists(st.tuples(finite, finite, st.integers(1, 50)), max_size=30), finite)
def test_bland_altman_holds_any_points(points: list[tuple[float, float, int]], bias: float) -> None:
    limits = [differences.Limit("bias", bias, bias - 1, bias + 1), differences.Limit("upper", math.nan)]
    page = assert_inside(differences.bland_altman("t", points, limits))
    assert len(page.by_class("dot")) == len(points)
