"""Differences between answers, and spans on their text."""

from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup
from page_reader import Page

from accord.reporting.answers import TEXT_LIMIT, differences, on_text, span_list, whole


def marks(html: Markup) -> list[str]:
    return [element.text for element in Page(html).all("mark")]


def text(html: Markup) -> str:
    return Page(f"<div>{html}</div>").all("div")[0].text


def test_only_the_words_that_differ_are_marked() -> None:
    left, right = differences(["Mild swelling, improving today.", "Mild swelling, unchanged today."])
    assert (marks(left), marks(right)) == (["improving"], ["unchanged"])


def test_neighbouring_words_become_one_mark() -> None:
    left, _ = differences(["a b c d", "a d"])
    assert marks(left) == ["b c"]


def test_with_three_texts_a_word_is_marked_if_anybody_lacks_it() -> None:
    found = differences(["red dry", "red", "red dry"])
    assert [marks(html) for html in found] == [["dry"], [], ["dry"]]


def test_scripts_without_spaces_are_compared_by_character() -> None:
    left, right = differences(["我喜欢猫", "我喜欢狗"])
    assert (marks(left), marks(right)) == (["猫"], ["狗"])


def test_equal_texts_have_no_mark() -> None:
    assert [marks(html) for html in differences(["same", "same"])] == [[], []]
    assert [marks(html) for html in whole(["same", "same"])] == [[], []]
    assert [marks(html) for html in whole(["a", "b", "a"])] == [["a"], ["b"], ["a"]]


@given(st.lists(st.text("ab <&\n", max_size=30), min_size=1, max_size=4))
def test_marking_changes_no_text(texts: list[str]) -> None:
    assert [text(html) for html in differences(texts)] == texts


def test_long_texts_are_cut() -> None:
    (found,) = differences(["x" * 5000])
    assert text(found) == "x" * TEXT_LIMIT + "…"


def spans(html: Markup, lane: int) -> str:
    return "".join(e.text for e in Page(html).by_class(f"u{lane}"))


def test_spans_are_drawn_where_they_lie() -> None:
    html = on_text("Ankle swelling today", [[(0, 14, "Finding")], [(6, 14, "Finding"), (15, 20, "Time")]])
    assert text(html) == "Ankle swelling today"
    assert (spans(html, 0), spans(html, 1)) == ("Ankle swelling", "swellingtoday")


@given(
    st.text("abc <&", min_size=1, max_size=40),
    st.lists(st.lists(st.tuples(st.integers(-5, 60), st.integers(-5, 60), st.just("L")), max_size=4), max_size=8),
)
def test_any_offsets_leave_the_text_whole(context: str, lanes: list[list[tuple[int, int, str]]]) -> None:
    assert text(on_text(context, lanes)) == context


def test_a_long_text_is_cut_to_where_raters_differ() -> None:
    context = "x" * 6000 + "needle" + "y" * 6000
    html = on_text(context, [[(6000, 6006, "L")], []])
    assert spans(html, 0) == "needle"
    assert len(text(html)) < 400
    assert text(html).startswith(" … ")
    assert text(html).endswith(" …")


def test_many_differences_stay_within_the_limit() -> None:
    context = "word " * 20000
    html = on_text(context, [[(i, i + 4, "L") for i in range(0, 90000, 400)], []])
    assert len(text(html)) < 2 * TEXT_LIMIT


def test_spans_in_words_mark_what_not_everyone_has() -> None:
    html = span_list("Ankle swelling", [(0, 5, "Body"), (6, 14, "Finding")], frozenset({(0, 5, "Body")}))
    assert marks(html) == ["swelling · Finding"]
    assert "nothing marked" in text(span_list(None, [], frozenset()))
    assert "3 to 9" in text(span_list(None, [(3, 9, "L")], frozenset()))
