"""Size, names and words of the source tree."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
TEXT_SUFFIXES = {
    ".py",
    ".md",
    ".toml",
    ".cff",
    ".xml",
    ".json",
    ".csv",
    ".R",
    ".txt",
    ".html",
    ".css",
    ".js",
    ".jinja",
    ".j2",
}
FOLDERS = ("src", "docs", "tests", "examples", "benchmarks", "evidence")
TOP = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff", "pyproject.toml", "Makefile", ".ci/run")

FILE_ALARM = 300
FUNCTION_ALARM = 60
#: Files that may be longer than the alarm, and why.
LONG_FILES: dict[str, str] = {}
#: Functions that may be longer than the alarm, and why.
LONG_FUNCTIONS: dict[str, str] = {}

VAGUE_NAMES = {"utils", "util", "helpers", "helper", "base", "common", "misc"}
UNFINISHED = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X|Not" + r"ImplementedError)\b")
#: Places and files of a developer's machine have no business in the product.
FOREIGN = re.compile(
    r"/wo" + r"rk/|/tm" + r"p/|/ro" + r"ot/|/ho" + r"me/\w|require" + r"ments\.md|for" + r"mats\.md|facts/vec" + r"tors"
)


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def texts() -> list[Path]:
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in TEXT_SUFFIXES]
    return sorted(path for path in found if "vendor" not in path.parts) + [ROOT / name for name in TOP]


def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def code_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_file_is_short(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= FILE_ALARM or relative(path) in LONG_FILES, f"{lines} lines"


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_functions_are_short(path: Path) -> None:
    long = [f"{relative(path)}:{f.name}" for f in functions(path) if code_lines(f) > FUNCTION_ALARM]
    assert set(long) <= set(LONG_FUNCTIONS)


def test_allow_lists_hold_only_what_is_needed() -> None:
    for name in LONG_FILES:
        assert len((ROOT / name).read_text(encoding="utf-8").splitlines()) > FILE_ALARM
    for name in LONG_FUNCTIONS:
        file, _, function = name.partition(":")
        assert any(f.name == function and code_lines(f) > FUNCTION_ALARM for f in functions(ROOT / file))


def test_modules_have_telling_names() -> None:
    assert not [relative(path) for path in SOURCES if path.stem in VAGUE_NAMES or path.parent.name in VAGUE_NAMES]


@pytest.mark.parametrize("path", texts(), ids=relative)
def test_nothing_unfinished_and_nothing_foreign(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not UNFINISHED.findall(text)
    assert not FOREIGN.findall(text)
