"""The report of the shipped example in a real browser, at desktop and phone width, light and dark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import accord
from accord.pipeline.measure import measure
from accord.reporting import write_report

pytestmark = pytest.mark.browser

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    dataset = accord.read(EXAMPLES / "support-export.json", config=EXAMPLES / "support-config.xml", context=True)
    target = tmp_path_factory.mktemp("example") / "report.html"
    write_report(measure(dataset, page=True, tasks=True), target, "html")
    return target


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_example_is_silent_and_fits(browser: Any, path: Path, width: int, scheme: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True)
    page = context.new_page()
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    inner, outer = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    cards = page.locator(".card").count()
    image = page.screenshot(full_page=True)
    context.close()
    assert said == []
    assert [url for url in asked if url != "data:,"] == [path.as_uri()]
    assert inner <= outer
    assert cards == 8
    assert image.startswith(b"\x89PNG")


def test_every_link_to_evidence_shows_tasks(browser: Any, path: Path) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(path.as_uri())
    links = page.locator("#fix a[data-show]")
    assert links.count() > 3
    for i in range(links.count()):
        link = links.nth(i)
        section = link.get_attribute("href").removeprefix("#").removesuffix("-tasks")
        link.click()
        assert page.locator(f"#{section} .task:visible").count() == len(link.get_attribute("data-show").split())
    context.close()
