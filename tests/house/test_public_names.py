"""The list of public names is the truth, and every public function explains itself."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import accord

ROOT = Path(__file__).parents[2]


def functions() -> list[str]:
    return [name for name in accord.__all__ if inspect.isfunction(getattr(accord, name))]


def documented() -> list[str]:
    return [name for name in accord.__all__ if callable(getattr(accord, name))]


def order(name: str) -> tuple[int, str]:
    """Constants, then classes, then the rest."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def test_list_is_sorted_and_without_repetition() -> None:
    assert list(accord.__all__) == sorted(set(accord.__all__), key=order)


def test_list_holds_every_public_attribute() -> None:
    public = {name for name in dir(accord) if not name.startswith("_")}
    modules = {name for name in public if inspect.ismodule(getattr(accord, name, None))}
    assert public - modules <= set(accord.__all__)
    assert set(accord.__all__) - {"__version__"} <= public


@pytest.mark.parametrize("name", documented())
def test_first_line_is_a_sentence(name: str) -> None:
    text = inspect.getdoc(getattr(accord, name)) or ""
    first = text.splitlines()[0] if text else ""
    assert first.endswith((".", "?")), f"{name}: {first!r}"


@pytest.mark.parametrize("name", functions())
def test_public_function_has_an_example(name: str) -> None:
    assert ">>> " in (inspect.getdoc(getattr(accord, name)) or "")


@pytest.mark.parametrize("name", accord.__all__)
def test_python_guide_mentions(name: str) -> None:
    assert f"`{name}`" in (ROOT / "docs" / "python.md").read_text(encoding="utf-8")


def test_similarity_is_the_same_before_and_after_a_coefficient() -> None:
    code = (
        "import accord; before = accord.similarity; accord.krippendorff_alpha([['a', 'a'], ['b', 'b'], ['a', 'b']]);"
        "assert accord.similarity is before; print(accord.similarity('jaccard', ['a'], ['a', 'b']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "0.5"
