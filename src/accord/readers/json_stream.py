"""JSON files as a stream of objects: lists, single objects, JSON lines, pages. One object is in memory at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn

from accord.errors import DataError
from accord.readers.json_text import JsonText, Progress

BOM: Final = b"\xef\xbb\xbf"
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff", b"\x00[", b"\x00{", b"[\x00", b"{\x00")


@dataclass(frozen=True, slots=True)
class Layout:
    """How objects lie in a file, in words."""

    words: str


LIST: Final = Layout("a list")
PAGE: Final = Layout("a page of the API")
OBJECTS: Final = Layout("one object, or one on each line")


def open_json(path: Path) -> BinaryIO:
    """Open a file behind its byte order mark; refuses what is no UTF-8 JSON at all."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise DataError.at(f"the file cannot be read: {error.strerror or error}.", file=str(path)) from None
    return behind_mark(file, str(path))


def behind_mark(file: BinaryIO, name: str) -> BinaryIO:
    """Step behind the byte order mark of an open file; refuse what is no UTF-8 JSON at all."""
    head = file.read(3)
    if head[:2] in _UTF16:
        file.close()
        raise DataError.at("the file is UTF-16.", file=name, hint="Save it as UTF-8, as the tool exports it.")
    if head != BOM:
        file.seek(0)
    return file


def layout_of(path: Path, names: frozenset[str]) -> Layout:
    """Find how objects lie in a file; ``names`` are keys that tell an object from a page of objects."""
    with open_json(path) as file:
        text = JsonText(file, path)
        first = text.peek()
        if first == "[":
            return LIST
        if first != "{":
            _refuse_beginning(path, text, first)
        return PAGE if _to_page(text, names) else OBJECTS


def _refuse_beginning(path: Path, text: JsonText, first: str) -> NoReturn:
    if not first:
        raise DataError.at("the file is empty.", file=str(path))
    raise DataError.at(
        "this is not a JSON export.",
        file=str(path),
        line=1,
        found=text.beginning(),
        allowed="a list of tasks, a task, or one task on each line",
    )


def _to_page(text: JsonText, names: frozenset[str]) -> bool:
    """Step into the first object up to its list of tasks; False if it is no page."""
    text.expect("{", "at the beginning of an object")
    while text.peek() not in ("}", ""):
        key = text.value()
        if key in names:
            return False
        text.expect(":", "behind a key")
        if key == "tasks" and text.peek() == "[":
            return True
        text.value()
        if not text.take(","):
            return False
    return False


def stream(
    path: Path,
    layout: Layout,
    *,
    strict: bool = False,
    progress: Progress | None = None,
    repaired: Callable[[str], None] | None = None,
) -> Iterator[Any]:
    """Objects of a JSON file, one at a time.

    Raises
    ------
    DataError
        The JSON is broken, cut off, nested too deeply, or (``strict``) holds a key twice or NaN.
    """
    with open_json(path) as file:
        text = JsonText(file, path, strict=strict, progress=progress, repaired=repaired)
        if layout is OBJECTS:
            while text.peek():
                yield text.value()
            return
        if layout is PAGE:
            _to_page(text, frozenset())
            yield from text.items()
            _rest_of_page(text)
        else:
            yield from text.items()
        text.finish()


def _rest_of_page(text: JsonText) -> None:
    while text.take(","):
        text.value()
        text.expect(":", "behind a key")
        text.value()
    text.expect("}", "at the end of an object")
