"""One command on a fresh machine: from the printed link to the review of a disagreed task."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def link(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("fresh")
    command = [sys.executable, "-m", "accord", "serve", "--demo", "--port", "0"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        found = None
        while found is None:
            line = process.stdout.readline()
            assert line, process.stderr.read()
            found = re.search(r"http://\S+/welcome/\S+", line)
        yield found[0]
        process.terminate()
        process.wait(timeout=30)
    assert Path(folder / "accord-data" / "accord.db").exists()


def test_from_the_link_to_a_decision(browser: Any, link: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page, said = context.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.set_default_timeout(90_000)
    page.goto(link)
    page.fill("[name=password]", "correct horse battery")
    page.click("text=Continue")
    page.click("text=Example: support inbox")
    show = page.locator("text=Show them").or_(page.locator("#controls"))
    show.first.wait_for()
    if page.locator("#controls").count() == 0:
        page.click("text=Show them")
    page.wait_for_selector("#controls")
    page.click("nav >> text=Review")
    page.click("text=Review the first of")
    page.wait_for_selector("#answers")
    page.click(".chip >> nth=2")
    page.click("text=Accept A")
    page.wait_for_selector("text=Agreement has not changed")
    context.close()
    assert said == []
