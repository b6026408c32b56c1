"""Everything printed in the documentation runs.

In every Markdown file the ``python`` blocks run in order in one namespace: blocks with prompts are compared with the
output they show, others must not raise. In ``console`` blocks the commands that call ``accord`` run in one folder
that holds a copy of ``examples``; output shown below a command is compared, ``...`` stands for anything. A comment
``# exit 1`` after a command announces its exit code.
"""

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FENCE = re.compile(r"^```(python|console)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def pages() -> list[Path]:
    top = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md")]
    return top + sorted((ROOT / "docs").rglob("*.md"))


def with_blocks() -> list[Path]:
    return [page for page in pages() if FENCE.search(page.read_text(encoding="utf-8"))]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", with_blocks(), ids=name)
def test_blocks_run(page: Path, workplace: Path) -> None:
    namespace: dict[str, object] = {"__name__": "__main__"}
    text = page.read_text(encoding="utf-8")
    for block in FENCE.finditer(text):
        line = text.count("\n", 0, block.start()) + 2
        if block[1] == "console":
            run_console(block[2], f"{name(page)}:{line}", workplace)
        elif block[2].lstrip().startswith(">>>"):
            run_session(block[2], f"{name(page)}:{line}", namespace)
        else:
            exec(compile(block[2], f"{name(page)}:{line}", "exec"), namespace)


@pytest.mark.parametrize("page", pages(), ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def run_session(block: str, place: str, namespace: dict[str, object]) -> None:
    test = doctest.DocTestParser().get_doctest(block, namespace, place, place, 0)
    test.globs = namespace
    out: list[str] = []
    failed = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=out.append, clear_globs=False).failed
    assert failed == 0, "".join(out)


def run_console(block: str, place: str, workplace: Path) -> None:
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, shown = part.replace("\\\n", " ").partition("\n")
        if "accord " in command:
            run_command(command, shown, place, workplace)


def run_command(command: str, shown: str, place: str, workplace: Path) -> None:
    announced = re.search(r"# exit (\d)$", command)
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "110",
        "NO_COLOR": "1",
        "TERM": "dumb",
    }
    done = subprocess.run(
        command, shell=True, cwd=workplace, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == (int(announced[1]) if announced else 0), f"{place}: {command}\n{done.stdout}{done.stderr}"
    if shown.strip():
        got = "\n".join(line.rstrip() for line in done.stdout.splitlines())
        fits = doctest.OutputChecker().check_output(shown, got + "\n", FLAGS)
        assert fits, f"{place}: {command} printed\n{done.stdout}"
