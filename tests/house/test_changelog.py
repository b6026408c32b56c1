"""The changelog names the current version and keeps its four headings."""

import re
from pathlib import Path

from accord.version import __version__

ROOT = Path(__file__).parents[2]
HEADINGS = {"Added", "Changed", "Fixed", "Numbers that change"}


def test_version_has_a_section() -> None:
    assert re.search(rf"^## {re.escape(__version__)}\b", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)


def test_headings_are_the_agreed_ones() -> None:
    found = re.findall(r"^### (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert found
    assert set(found) <= HEADINGS


def test_citation_names_the_version() -> None:
    assert f"version: {__version__}" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
