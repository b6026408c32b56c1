"""The drawn regions of every kind in a real browser, at desktop and phone width, light and dark, and on paper."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import accord
from accord.pipeline.measure import measure
from accord.pipeline.report import Report
from accord.reporting import write_report

pytestmark = pytest.mark.browser

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def report() -> Report:
    dataset = accord.read(EXAMPLES / "harbour-export.json", config=EXAMPLES / "harbour-config.xml", context=True)
    return measure(dataset, page=True)


@pytest.fixture(scope="module")
def path(report: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("harbour") / "report.html"
    write_report(report, target, "html")
    return target


OUTSIDE = """() => [...document.querySelectorAll('.task > svg')].flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text')].map((text) => text.getBoundingClientRect())
    .filter((box) => box.width && (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1))
    .map((box) => [box.left - frame.left, box.right - frame.right]);
})"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_drawings_fit_and_ask_for_nothing(browser: Any, path: Path, width: int, scheme: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True)
    page = context.new_page()
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    inner, outer = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    outside = page.evaluate(OUTSIDE)
    drawn = page.locator(".task > svg").count()
    context.close()
    assert said == []
    assert [url for url in asked if url != "data:,"] == [path.as_uri()]
    assert inner <= outer
    assert drawn > 50
    assert outside == []


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_regions_lie_on_their_pictures(
    browser: Any, report: Report, tmp_path: Path, axe: str, width: int, scheme: str
) -> None:
    for number in range(1, 11):
        Image.new("RGB", (80, 60), (200, 10, 10)).save(tmp_path / f"harbour-{number:02d}.png")
    target = tmp_path / "report.html"
    boxes = replace(report["boxes"], disagreed=report["boxes"].disagreed[:2])
    write_report(replace(report, controls=(boxes,), findings=()), target, "html", images=tmp_path)
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True)
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(target.as_uri())
    drawing = page.locator(".task > svg").first
    shot = Image.open(BytesIO(drawing.screenshot()))
    page.evaluate(axe)
    found = page.evaluate("axe.run({ resultTypes: ['violations'] })")
    context.close()
    assert said == []
    red, green, blue = shot.convert("RGB").getpixel((shot.width // 2, shot.height - 20))
    assert red > max(green, blue) + 40
    assert [one["id"] for one in found["violations"] if one["impact"] in ("serious", "critical")] == []


CONTRAST = """() => {
  const light = (color) => {
    const [r, g, b] = color.match(/[\\d.]+/g).slice(0, 3).map((v) => Number(v) / 255)
      .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = light(getComputedStyle(document.body).backgroundColor);
  const ratio = (a) => (Math.max(a, ground) + 0.05) / (Math.min(a, ground) + 0.05);
  const holder = document.querySelector('.task > svg');
  return [0, 1, 2, 3, 4, 5].map((number) => {
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    path.setAttribute('class', `shape r${number}`);
    holder.append(path);
    return ratio(light(getComputedStyle(path).stroke));
  });
}"""


def test_the_colour_of_every_rater_stands_out(browser: Any, path: Path) -> None:
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme=scheme)
        page = context.new_page()
        page.goto(path.as_uri())
        assert min(page.evaluate(CONTRAST)) >= 4.5
        context.close()


def test_no_accessibility_problem(browser: Any, report: Report, tmp_path: Path, axe: str) -> None:
    target = tmp_path / "report.html"
    few = [replace(report[name], disagreed=report[name].disagreed[:2]) for name in ("boxes", "tracks")]
    write_report(replace(report, controls=tuple(few), findings=()), target, "html")
    for width, scheme in ((1280, "light"), (360, "dark")):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True)
        page = context.new_page()
        page.goto(target.as_uri())
        page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        page.evaluate(axe)
        found = page.evaluate("axe.run({ resultTypes: ['violations', 'passes'] })")
        context.close()
        problems = [
            (violation["id"], violation["nodes"][0]["html"][:120])
            for violation in found["violations"]
            if violation["impact"] in ("serious", "critical")
        ]
        assert problems == []
        assert len(found["passes"]) > 20


def test_drawings_are_printed_whole(browser: Any, path: Path) -> None:
    context = browser.new_context(viewport={"width": 680, "height": 960})
    page = context.new_page()
    page.goto(path.as_uri())
    page.emulate_media(media="print")
    wide = page.evaluate("document.documentElement.scrollWidth")
    cut = page.evaluate("getComputedStyle(document.querySelector('.task')).breakInside")
    context.close()
    assert wide <= 680
    assert cut == "avoid"
