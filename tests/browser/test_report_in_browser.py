"""The report in a real browser: silent, self-contained, fitting, accessible, usable by keyboard, printable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sample_report

from accord.pipeline.report import Report
from accord.reporting import write_report

pytestmark = pytest.mark.browser

WIDTHS = (360, 768, 1280)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Report with every kind of control, and enough rows for filters."""
    target = tmp_path_factory.mktemp("report") / "report.html"
    write_report(sample_report.report(), target, "html")
    return target


class Opened:
    """A page and everything it said or asked for while it was open."""

    def __init__(self, browser: Any, path: Path, width: int, scheme: str) -> None:
        self.context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True, permissions=["clipboard-write"]
        )
        self.page = self.context.new_page()
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: self.said.append(f"dialog {dialog.message}"))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(path.as_uri())


@pytest.fixture
def opened(browser: Any, path: Path) -> Iterator[Opened]:
    window = Opened(browser, path, 1280, "light")
    yield window
    window.context.close()
    assert window.said == []
    assert window.asked in ([path.as_uri()], [path.as_uri(), "data:,"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_silent_alone_and_fitting(browser: Any, path: Path, width: int, scheme: str) -> None:
    window = Opened(browser, path, width, scheme)
    window.page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    inner, outer = window.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    too_wide = window.page.evaluate(
        """() => [...document.querySelectorAll('main *')]
            .filter((e) => !e.closest('.scroll, svg, .vh') && e.getBoundingClientRect().right > innerWidth + 1)
            .map((e) => e.outerHTML.slice(0, 80))"""
    )
    window.context.close()
    assert inner <= outer
    assert too_wide == []
    assert window.said == []
    assert [url for url in window.asked if url not in (path.as_uri(), "data:,")] == []


def _small() -> Report:
    """One control of each kind of picture, a few tasks each: the checker takes minutes on the full sample."""
    base = sample_report.report()
    kept = [base.controls[i] for i in (0, 3, 5, 8)]
    controls = tuple(replace(control, disagreed=control.disagreed[:4]) for control in kept)
    return replace(base, controls=controls, findings=base.findings[:3])


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (360, "light")])
def test_no_accessibility_problem(browser: Any, tmp_path: Path, axe: str, width: int, scheme: str) -> None:
    path = tmp_path / "report.html"
    write_report(_small(), path, "html")
    window = Opened(browser, path, width, scheme)
    window.page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    window.page.evaluate(axe)
    found = window.page.evaluate("axe.run({ resultTypes: ['violations', 'passes'] })")
    window.context.close()
    problems = [
        (violation["id"], violation["impact"], violation["nodes"][0]["html"][:120], len(violation["nodes"]))
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
    ]
    assert problems == []
    assert len(found["passes"]) > 20


def test_text_in_pictures_has_contrast(browser: Any, path: Path) -> None:
    """Axe leaves text in SVG out: every cell of the matrices is checked here."""
    for scheme in ("light", "dark"):
        window = Opened(browser, path, 1280, scheme)
        ratios = window.page.evaluate(CONTRAST)
        window.context.close()
        assert ratios
        assert min(ratios.values()) >= 4.5, ratios


CONTRAST = """() => {
  const light = (color) => {
    const [r, g, b] = color.match(/[\\d.]+/g).slice(0, 3).map((v) => Number(v) / 255)
      .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const found = {};
  document.querySelectorAll('svg rect[class^=cell-]').forEach((cell) => {
    const text = cell.nextElementSibling;
    if (!text || text.tagName !== 'text' || cell.classList[0].match(/none|outline|hatch/)) return;
    found[cell.classList[0]] = ratio(light(getComputedStyle(cell).fill), light(getComputedStyle(text).fill));
  });
  document.querySelectorAll('svg text.q').forEach((text) => {
    found.soft = ratio(light(getComputedStyle(document.body).backgroundColor), light(getComputedStyle(text).fill));
  });
  return found;
}"""


def _column(page: Any, table: str, column: int) -> list[str]:
    return page.locator(f"{table} tbody tr :nth-child({column})").all_text_contents()


def test_tables_sort_by_keyboard(opened: Opened) -> None:
    table = "#raters table"
    page = opened.page
    button = page.locator(f"{table} thead th:nth-child(5) button")
    button.focus()
    page.keyboard.press("Enter")
    heading = page.locator(f"{table} thead th:nth-child(5)")
    assert heading.get_attribute("aria-sort") == "ascending"
    values = [int(text.split("\u202f")[0]) for text in _column(page, table, 5)]
    assert values == sorted(values)
    page.keyboard.press("Enter")
    assert heading.get_attribute("aria-sort") == "descending"
    values = [int(text.split("\u202f")[0]) for text in _column(page, table, 5)]
    assert values == sorted(values, reverse=True)


def test_undefined_values_sort_last_both_ways(opened: Opened) -> None:
    opened.page.locator("#c1 > details:not(.more) > summary").click()
    button = opened.page.locator("#c1 > details:not(.more) thead th:nth-child(2) button")
    for _ in range(2):
        button.click()
        assert _column(opened.page, "#c1 > details:not(.more) table", 2)[-1] == "undefined"


def test_tables_filter(opened: Opened) -> None:
    page = opened.page
    page.locator("#raters input").fill("R3")
    shown = page.locator("#raters tbody tr:visible")
    assert shown.count() == page.locator("#raters tbody tr").count() / 4
    assert "of" in page.locator("#raters .filter [role=status]").inner_text()
    page.locator("#raters input").fill("")
    assert page.locator("#raters tbody tr:visible").count() == page.locator("#raters tbody tr").count()


def test_a_number_leads_to_its_tasks_and_back(opened: Opened) -> None:
    page = opened.page
    link = page.locator("#fix a[data-show]").first
    wanted = link.get_attribute("data-show").split()
    link.focus()
    page.keyboard.press("Enter")
    shown = page.locator("#c1 .task:visible")
    assert [shown.nth(i).get_attribute("data-task") for i in range(shown.count())] == wanted
    assert f"Showing {len(wanted)} of 17 tasks." in page.locator("#c1 .shown").inner_text()
    assert page.locator("#c1-tasks").bounding_box()["y"] < 900
    page.locator("#c1 button.all").click()
    assert page.locator("#c1 .task:visible").count() == 17
    assert not page.locator("#c1 .shown").is_visible()


def test_only_tables_that_scroll_are_tab_stops(browser: Any, path: Path) -> None:
    stops = {}
    for width in (1280, 360):
        window = Opened(browser, path, width, "light")
        window.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
        stops[width] = window.page.locator("#raters .scroll[tabindex]").count()
        window.context.close()
    assert stops == {1280: 0, 360: 1}


def test_copy_says_that_it_copied(opened: Opened) -> None:
    button = opened.page.locator("[data-copy=c1-methods]")
    button.click()
    status = opened.page.locator("[data-copy=c1-methods] ~ [role=status]")
    status.filter(has_text="Cop").or_(status.filter(has_text="Selected")).wait_for(timeout=5000)


def test_the_first_tab_stop_skips_to_the_report(opened: Opened) -> None:
    opened.page.keyboard.press("Tab")
    assert opened.page.evaluate("document.activeElement.getAttribute('href')") == "#main"
    opened.page.keyboard.press("Tab")
    outline = opened.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


def test_without_script_the_facts_are_there(browser: Any, path: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    assert page.locator("#raters tbody tr").first.is_visible()
    assert not page.locator(".filter").first.is_visible()
    assert not page.locator("[data-copy]").first.is_visible()
    context.close()


def test_prints_to_a4_light_and_whole(browser: Any, path: Path, tmp_path: Path) -> None:
    window = Opened(browser, path, 1280, "dark")
    window.page.emulate_media(media="print", color_scheme="dark")
    paper = window.page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--paper')")
    assert paper.strip() == "#fff"
    assert not window.page.locator(".idx").is_visible()
    window.page.set_viewport_size({"width": 680, "height": 960})
    wide = window.page.evaluate("document.documentElement.scrollWidth")
    pdf = window.page.pdf(format="A4", print_background=True)
    window.context.close()
    assert wide <= 680
    assert pdf.startswith(b"%PDF")
    assert 5 < pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page ") + pdf.count(b"/Type/Page/") < 80


def test_a_thousand_tasks_stay_fast(browser: Any, tmp_path: Path) -> None:
    control = sample_report.choice()
    rows = tuple(replace(control.disagreed[i % 17], unit=f"unit {i}") for i in range(1000))
    big = replace(
        sample_report.report(), controls=(replace(control, disagreed=rows, disagreed_total=5000),), findings=()
    )
    target = tmp_path / "big.html"
    write_report(big, target, "html")
    window = Opened(browser, target, 1280, "light")
    took = window.page.evaluate("performance.getEntriesByType('navigation')[0].domComplete")
    window.page.locator("#c1 details.more > summary").click()
    window.page.locator("#c1 details.more input").fill("unit 777")
    count = window.page.locator("#c1 details.more .task:visible").count()
    window.context.close()
    assert count == 1
    assert took < 5000
    assert target.stat().st_size < 4_000_000
    assert window.said == []
