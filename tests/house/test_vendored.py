"""Files of other projects are the ones that their notice names, by checksum; what was built says from what and how."""

import hashlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src/accord/service/static/vendor"
NOTICES = [STATIC / "NOTICE.txt", ROOT / "tests/browser/vendor/README.md"]
VERSION = r"\d+\.\d+\.\d+"


@pytest.mark.parametrize("notice", NOTICES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_files_are_those_of_the_notice(notice):
    named = dict(map(reversed, re.findall(r"\b([0-9a-f]{64})\W+([\w.-]+\.js)\b", notice.read_text(encoding="utf-8"))))
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in notice.parent.glob("*.js")}
    assert found == named


def test_no_other_folder_holds_files_of_others():
    folders = {
        path for top in ("src", "tests", "docs", "examples", "benchmarks") for path in (ROOT / top).rglob("vendor")
    }
    assert folders == {notice.parent for notice in NOTICES}


def test_the_editor_is_built_from_exact_versions():
    notice = (STATIC / "NOTICE.txt").read_text(encoding="utf-8").replace("\\\n", " ")
    command = re.search(r"npm install --save-exact (.*)", notice)[1].split()
    pinned = dict(package.rsplit("@", 1) for package in command)
    assert all(re.fullmatch(VERSION, version) for version in pinned.values())
    source = (STATIC / "editor.source.js").read_text(encoding="utf-8")
    imported = set(re.findall(r'^import .* from "([^"]+)";', source, re.MULTILINE))
    assert imported
    assert imported < pinned.keys()
    assert "npx esbuild editor.source.js --bundle --minify --format=iife" in notice
