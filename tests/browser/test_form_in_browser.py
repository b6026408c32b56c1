"""The form for experts in a real browser: by keyboard alone, without network, accessible, and its file is read back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from accord.validation.forms import page as form
from accord.validation.key import Question
from accord.validation.ratings import read_ratings

pytestmark = pytest.mark.browser

PAIRS = (("heart attack", "myocardial infarction"), ("<b>cough</b>", "no cough"), ("\u05db\u05d0\u05d1", "pain"))
QUESTIONS = tuple(Question(f"id{k}", *pair, "pair", k) for k, pair in enumerate(PAIRS))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    target = tmp_path / "form.html"
    target.write_text(form(QUESTIONS), encoding="utf-8")
    return target


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1280, "dark")])
def test_a_form_is_filled_in_by_keyboard_and_read_back(
    browser: Any, axe: str, path: Path, tmp_path: Path, width: int, scheme: str
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme, offline=True)
    page = context.new_page()
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    page.fill("#expert", "Dr. Ana y")
    page.locator("#expert").blur()
    assert page.inner_text("#left") == "heart attack"
    page.keyboard.press("y")
    assert page.inner_text("#left") == "<b>cough</b>"
    page.keyboard.press("n")
    page.keyboard.press("u")
    page.keyboard.press("ArrowLeft")
    assert page.locator("[data-answer=no]").get_attribute("aria-pressed") == "true"
    page.click("[data-relation=related]")
    assert "3 answered" in page.inner_text("#place")
    page.evaluate(axe)
    found = page.evaluate("axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']})")
    inner, outer = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    with page.expect_download() as download:
        page.click("#save")
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)
    page.reload()
    assert "3 answered" in page.inner_text("#place")
    context.close()
    assert [violation["id"] for violation in found["violations"]] == []
    assert inner <= outer
    assert said == []
    assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []
    assert saved.name == "Dr-Ana-y.json"
    ratings = read_ratings([saved], QUESTIONS)
    assert ratings.experts == ("Dr. Ana y",)
    assert ratings.answers[0, :2].tolist() == [1.0, 0.0]
    assert ratings.answered == [2]
    assert json.loads(saved.read_text())["answers"]["id1"]["relation"] == "related"
