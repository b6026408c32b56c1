"""The server in a real browser: from the printed link to a decision and back, silent, accessible, at any width."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "service"))

from live_server import EXAMPLES, PASSWORD, Server, start  # noqa: E402 - the folder of the server's tests

from accord.service.settings import Settings  # noqa: E402
from accord.workspace.worker import Worker  # noqa: E402

PAGES = (
    "",
    "/tasks",
    "/review",
    "/raters",
    "/insights",
    "/settings",
    "/settings/custom",
    "/settings/connections",
    "/exports",
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    for server in start(Settings(data=tmp_path_factory.mktemp("browser"))):
        worker = Worker(server.workspace)
        thread = threading.Thread(target=worker.run)
        thread.start()
        yield server
        worker.stop.set()
        thread.join()


@dataclass
class Person:
    """Somebody at a browser, and everything their pages said or asked for."""

    context: Any
    page: Any
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def person(browser: Any, server: Server) -> Iterator[Person]:
    """The first admin, who came by the printed link and imported the example."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    found = Person(context, context.new_page())
    found.page.on("console", lambda message: found.said.append(message.text))
    found.page.on("pageerror", lambda error: found.said.append(str(error)))
    found.page.on("dialog", lambda dialog: found.said.append(f"dialog {dialog.message}"))
    found.page.on("request", lambda request: found.asked.append(request.url))
    page = found.page
    page.goto(f"{server.address}/welcome/{server.accounts.first_link()}")
    page.fill("[name=password]", PASSWORD)
    page.click("text=Continue")
    page.fill("[name=name]", "Support tickets")
    page.fill("[name=label_config]", (EXAMPLES / "support-config.xml").read_text(encoding="utf-8"))
    page.set_input_files("[name=file]", EXAMPLES / "support-export.json")
    page.click("text=Create project")
    page.wait_for_url(re.compile(r"/projects/\d+"))
    page.click("text=Show them", timeout=60_000)
    page.wait_for_selector("#controls")
    yield found
    context.close()
    assert found.said == []
    assert [url for url in found.asked if not url.startswith((server.address, "data:"))] == []


def root(person: Person) -> str:
    return re.match(r"http://[^/]+/projects/\d+", person.page.url)[0]


def overview(person: Person) -> Any:
    """The page every test starts from, since tests run in any order."""
    person.page.goto(root(person))
    return person.page


def test_from_the_overview_to_a_decision_and_back_by_keyboard(person: Person) -> None:
    page = overview(person)
    assert page.locator(".card").count() == 8
    headline = page.locator(".c-val").all_inner_texts()
    page.click("nav >> text=Review")
    page.click("text=Review the first of")
    page.wait_for_selector("#answers")
    page.keyboard.press("3")
    assert page.locator("[name=reason]:checked").get_attribute("value") == "ambiguous_item"
    page.keyboard.press("a")
    page.wait_for_selector("text=Agreement has not changed")
    assert page.locator("text=one answer accepted").count() == 1
    page.click("main >> text=Undo")
    page.wait_for_selector("text=undone")
    page.click("nav >> text=Overview")
    assert page.locator(".c-val").all_inner_texts() == headline


def test_a_number_leads_to_its_tasks(person: Person) -> None:
    page = overview(person)
    page.click("text=All tasks by agreement in sentiment")
    page.wait_for_selector("tbody tr")
    assert page.locator("select[name=control]").input_value() == "sentiment"
    page.fill("[name=below]", "0.4")
    page.click("main >> text=Show")
    page.wait_for_url(re.compile("below=0.4"))
    assert page.locator("tbody tr").count() > 3
    page.locator("tbody a").first.click()
    page.wait_for_selector("text=Names are hidden")
    assert page.locator(".ctl").count() > 3


@pytest.mark.parametrize("path", PAGES)
def test_fits_and_is_accessible(browser: Any, person: Person, axe: str, path: str) -> None:
    for width, scheme in ((1280, "light"), (360, "dark")):
        context = browser.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme, storage_state=person.context.storage_state()
        )
        page = context.new_page()
        page.goto(root(person) + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.evaluate(axe)
        found = page.evaluate("axe.run({ resultTypes: ['violations'] })")
        problems = [
            (one["id"], one["nodes"][0]["html"][:150], len(one["nodes"]))
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
        ]
        context.close()
        assert problems == []


def test_the_first_tab_stop_skips_to_the_content(person: Person) -> None:
    page = overview(person)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#main"


def test_a_suspension_is_taken_back(person: Person) -> None:
    page = overview(person)
    page.click("nav >> text=Annotators")
    for button, reason in (("Suspend", "many slips"), ("Undo the suspension", "talked")):
        box = page.locator("details", has_text="Pause this annotator").first
        box.locator("summary").click()
        box.locator("[name=reason]").fill(reason)
        box.locator("button", has_text=button).click()
        page.wait_for_selector("text=Saved.")
    assert page.locator("text=many slips").count() == 1


def test_settings_are_kept(person: Person) -> None:
    page = overview(person)
    page.click("nav >> text=Settings")
    page.fill("[name='review.threshold']", "0.7")
    page.click("text=Save settings")
    page.wait_for_selector("text=Saved.")
    assert page.locator("[name='review.threshold']").input_value() == "0.7"


def test_a_custom_metric_with_an_error_and_then_a_fix(person: Person) -> None:
    pytest.importorskip("pydantic_monty", reason="the extra custom is not installed")
    page = overview(person)
    page.click("nav >> text=Settings")
    page.click("text=Custom metric in Python")
    editor = page.locator(".cm-content")
    editor.wait_for()
    assert page.locator(".cm-line span").count() > 10
    editor.click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.insert_text("def agreement(a, b):\n    return missing")
    page.click("text=Test on the first scorable task")
    page.wait_for_selector("text=Run time error")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.insert_text("def agreement(a, b):\n    return 0.25")
    page.click("text=Test on the first scorable task")
    page.wait_for_selector("text=Score 0.2500")
    page.click("text=Save and use")
    page.wait_for_selector("text=Stop using it")
    page.click("text=Stop using it")
    page.wait_for_selector("text=None is in use")
