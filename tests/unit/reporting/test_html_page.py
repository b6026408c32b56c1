"""The HTML report: self-contained, safe, complete, and silent about what it must not say."""

import base64
import hashlib
import re
from dataclasses import replace

import pytest
import sample_report
from hypothesis import given, settings
from hypothesis import strategies as st
from page_reader import Page

from accord.pipeline.report import Report
from accord.reporting.html import render
from accord.reporting.tasks import EMBEDDED, quotas


@pytest.fixture(scope="module")
def html() -> str:
    return render(sample_report.report())


@pytest.fixture(scope="module")
def page(html: str) -> Page:
    return Page(html)


def test_markup_is_balanced(page: Page) -> None:
    assert page.mismatched == []
    assert [element.tag for element in page.open] == ["root"]


def test_nothing_is_loaded_from_anywhere(page: Page) -> None:
    for element in page.elements:
        assert "src" not in element.attributes
        link = element.attributes.get("href", "#")
        assert link.startswith("#") or link == "data:,"
    assert {element.tag for element in page.elements}.isdisjoint({"img", "iframe", "object", "embed", "form", "base"})


def test_policy_allows_this_script_and_style_only(page: Page) -> None:
    (policy,) = [e for e in page.all("meta") if e.attributes.get("http-equiv") == "Content-Security-Policy"]
    (script,), (style,) = page.all("script"), page.all("style")
    for part, element in (("script-src", script), ("style-src", style)):
        digest = base64.b64encode(hashlib.sha256(element.text.encode()).digest()).decode()
        assert f"{part} 'sha256-{digest}'" in policy.attributes["content"]
    assert "default-src 'none'" in policy.attributes["content"]
    assert "unsafe" not in policy.attributes["content"]


def test_sources_are_named_without_their_folders(html: str) -> None:
    assert "notes &lt;2&gt;.json" in html
    assert "1 more files" in html
    assert "secret-folder" not in html


def test_no_inline_styles_or_handlers(page: Page) -> None:
    for element in page.elements:
        assert "style" not in element.attributes
        assert not [name for name in element.attributes if name.startswith("on")]


def test_hostile_names_are_text(html: str, page: Page) -> None:
    texts = " ".join(element.text for element in page.all("main"))
    assert "<script>alert(1)</script>" in texts
    assert "</title></style></script><img src=x onerror=alert(3)>" in texts
    assert "{{ 7*7 }}" in texts
    assert "\u2400\u2407 controls" in texts
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f]", html)


def test_ids_are_unique_and_links_arrive(page: Page) -> None:
    ids = [element.attributes["id"] for element in page.elements if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    for link in page.all("a"):
        assert link.attributes["href"].removeprefix("#") in ids
    for element in page.elements:
        for name in ("aria-labelledby", "data-copy"):
            assert element.attributes.get(name, ids[0]) in ids


def test_evidence_links_name_tasks_of_their_control(page: Page) -> None:
    links = [element for element in page.all("a") if "data-show" in element.attributes]
    assert links
    for link in links:
        anchor = link.attributes["href"].removeprefix("#").removesuffix("-tasks")
        (section,) = [e for e in page.all("section") if e.attributes["id"] == anchor]
        there = {e.attributes["data-task"] for e in section.within() if "data-task" in e.attributes}
        assert set(link.attributes["data-show"].split()) <= there


def test_every_picture_has_words_and_every_figure_a_table(page: Page) -> None:
    pictures = [svg for svg in page.all("svg") if svg.attributes.get("role") == "img"]
    assert len(pictures) > 30
    assert all(svg.attributes["aria-label"] for svg in pictures)
    assert all(svg.attributes.get("aria-hidden") == "true" for svg in page.all("svg") if svg not in pictures)
    for figure in page.all("figure"):
        assert [element for element in figure.within() if element.tag == "table"]


def test_tables_have_captions_and_scopes(page: Page) -> None:
    for table in page.by_class("data"):
        parts = table.within()
        assert next(element.text for element in parts if element.tag == "caption")
        assert all(th.attributes.get("scope") in ("row", "col") for th in parts if th.tag == "th")
        assert all("data-key" in td.attributes for td in parts if td.tag == "td")


def test_numbers_come_with_interval_counts_and_recipe(page: Page) -> None:
    card = page.by_class("card")[0]
    for words in ("0.52", "0.43 to 0.60", "231 tasks · 4 raters · 303 pairs", "interval=score", "Below the criterion"):
        assert words in card.text


def test_undefined_shows_its_reason_and_no_number(page: Page) -> None:
    card = page.by_class("card")[8]
    assert "undefined" in card.text
    assert "no unit has two answers" in card.text
    main = page.all("main")[0].text
    assert not re.search(r"\bnan\b", main, re.IGNORECASE)


def test_one_task_has_no_interval_and_says_so(page: Page) -> None:
    card = page.by_class("card")[9]
    assert "no interval" in card.text
    assert "1 task · 2 raters · 1 pair" in card.text


def test_no_verdict_without_criteria() -> None:
    base = sample_report.report()
    controls = tuple(replace(control, verdict=None, criterion=None) for control in base.controls)
    page = Page(render(replace(base, criteria="", controls=controls)))
    assert page.by_class("vd") == []


def test_thin_cells_are_hatched_and_bracketed(page: Page) -> None:
    assert page.by_class("cell-hatch")
    cells = {td.text for td in page.all("td") if td.text.startswith("(")}
    assert cells == {"(0.63)", "(0.70)"}


def test_without_content_no_answer_and_no_address() -> None:
    text = render(sample_report.report(content=False))
    assert sample_report.SECRET not in text
    assert sample_report.ADDRESS not in text
    assert "bisoprolol" not in text
    assert not re.search(r"[\w.+-]+@[\w-]+\.\w", text)
    shown = render(sample_report.report())
    assert sample_report.SECRET in shown
    assert sample_report.ADDRESS in shown


def _long(n: int, controls: int) -> Report:
    base = sample_report.report()
    control = sample_report.choice()
    row = control.disagreed[0]
    rows = tuple(replace(row, unit=f"unit {i}") for i in range(n))
    many = tuple(replace(control, disagreed=rows, disagreed_total=n) for _ in range(controls))
    return replace(base, controls=many, findings=())


def test_at_most_a_thousand_tasks_are_embedded() -> None:
    page = Page(render(_long(700, 3)))
    assert len(page.by_class("task")) == 3 * (EMBEDDED // 3)
    assert "367 further disagreed tasks are not in this page" in page.all("main")[0].text


@given(st.lists(st.integers(0, 3000), max_size=12), st.integers(0, 1500))
def test_quotas_fill_the_page_and_not_more(sizes: list[int], limit: int) -> None:
    found = quotas(sizes, limit)
    assert sum(found) <= limit
    assert all(quota <= size for quota, size in zip(found, sizes, strict=True))
    short = [quota for quota, size in zip(found, sizes, strict=True) if quota < size]
    assert not short or limit - sum(found) < len(short)


def test_a_report_without_controls_is_a_page() -> None:
    page = Page(render(replace(sample_report.report(), controls=(), findings=(), readiness=None, overall={})))
    assert page.mismatched == []
    assert "Nothing stands out" in page.all("main")[0].text


def _tags(called: str, said: str) -> list[str]:
    labels = (said, f"{said}1", f"{said}2", f"{said}3")
    control = replace(
        sample_report.choice(called, labels), disagreed=sample_report.choice(called, labels).disagreed[:4]
    )
    page = Page(render(replace(sample_report.report(), controls=(control,), findings=(), answer="")))
    assert page.mismatched == []
    return [element.tag for element in page.elements]


PLAIN = _tags("plain", "word")


@settings(max_examples=15)
@given(st.text(min_size=1, max_size=40), st.text(max_size=16))
def test_no_name_changes_the_structure(name: str, label: str) -> None:
    assert _tags(name, label) == PLAIN
