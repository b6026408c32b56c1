"""The report of the shipped example, as the command line writes it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from page_reader import Page

import accord
from accord.pipeline.measure import measure
from accord.pipeline.report import Report
from accord.reporting import render_report

ROOT = Path(__file__).parents[3]
EXPORT, CONFIG = ROOT / "examples" / "support-export.json", ROOT / "examples" / "support-config.xml"


def write(target: Path, *options: str) -> str:
    program = "import sys; from accord.cli import main; sys.exit(main())"
    command = ["report", str(EXPORT), "--config", str(CONFIG), "-o", str(target), *options]
    done = subprocess.run(
        [sys.executable, "-c", program, *command], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return target.read_text(encoding="utf-8")


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from strings(item)


def written_by_people() -> set[str]:
    """Every text of the export that somebody wrote, and every name and address."""
    found: set[str] = set()
    for task in json.loads(EXPORT.read_text(encoding="utf-8")):
        found |= set(strings(task["data"]["message"]))
        for annotation in task["annotations"]:
            found |= set(strings(annotation["completed_by"]))
            for item in annotation["result"]:
                found |= set(strings(item["value"].get("text", [])))
    return {text for text in found if len(text) > 14 or "@" in text}


@pytest.fixture(scope="module")
def html(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write(tmp_path_factory.mktemp("example") / "report.html")


def test_every_control_is_there_with_its_evidence(html: str) -> None:
    page = Page(html)
    assert page.mismatched == []
    assert len(page.by_class("card")) == 8
    assert "sentiment" in page.all("main")[0].text
    assert len(page.by_class("task")) > 100
    assert page.by_class("u0"), "spans are drawn on their text"
    assert page.by_class("dot"), "differences of numbers are drawn"


def test_tasks_show_what_people_wrote(html: str) -> None:
    text = Page(html).all("main")[0].text
    shown = [written for written in written_by_people() if written in text]
    assert len(shown) > 50


@pytest.fixture(scope="module")
def withheld() -> Report:
    dataset = accord.read(EXPORT, config=CONFIG, context=True)
    return measure(dataset, page=True, tasks=True, content=False)


@pytest.mark.parametrize("form", ["html", "md", "csv", "json"])
def test_without_content_nothing_that_people_wrote_is_in_the_file(withheld: Report, form: str) -> None:
    text = render_report(withheld, form)
    assert [written for written in written_by_people() if written in text] == []
    assert "example.org" not in text
    assert "sentiment" in text


def test_without_content_raters_stay_apart(withheld: Report) -> None:
    assert {row.rater for row in withheld["sentiment"].rater_rows} == {f"rater {i}" for i in (1, 2, 3, 4)}
