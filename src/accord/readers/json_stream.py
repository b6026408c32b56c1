"""JSON files as a stream of objects: lists, single objects, JSON lines, pages; errors name line and byte."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeAlias

import numpy as np

from accord.errors import DataError, shorten

Progress: TypeAlias = Callable[[int, int], None]
"""Called with bytes read and bytes in all."""

#: JSON nested deeper than this is refused; exports stay below 40.
DEPTH: Final = 250
CHUNK: Final = 1 << 16
LARGEST_CHUNK: Final = 1 << 25
_STEP: Final = np.zeros(256, dtype=np.int8)
_STEP[list(b"[{")] = 1
_STEP[list(b"]}")] = -1
_DEEPER: Final = {"start_map": 1, "start_array": 1, "end_map": -1, "end_array": -1}
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff", b"\x00[", b"\x00{", b"[\x00", b"{\x00")


@dataclass(frozen=True, slots=True)
class Layout:
    """How the objects lie in a file: ``prefix`` as ijson writes it, and in words."""

    prefix: str
    words: str


LIST: Final = Layout("item", "a list")
PAGE: Final = Layout("tasks.item", "a page of the API")
OBJECTS: Final = Layout("", "one object, or one on each line")


class Watched:
    """A file that reports progress and refuses bottomless nesting before the parser follows it.

    Depth is counted on raw brackets since the last whole object, which strings can only disturb; when it looks
    deep, the file is checked exactly, once. Reads grow while no object ends, since the parser starts a token that
    is not whole all over again.
    """

    def __init__(self, file: BinaryIO, path: Path, progress: Progress | None = None) -> None:
        self._file = file
        self._path = path
        self._progress = progress
        self._total = path.stat().st_size
        self._done = file.tell()
        self._depth = 0
        self._trusted = False
        self._size = CHUNK
        self.emitted = False

    def read(self, size: int = CHUNK) -> bytes:
        """Read the next bytes, more than ``size`` where an object is long."""
        if size == 0:
            return b""
        self._size = CHUNK if self.emitted else min(2 * self._size, LARGEST_CHUNK)
        chunk = self._file.read(self._size)
        self._done += len(chunk)
        if self._progress is not None and chunk:
            self._progress(self._done, self._total)
        if not self._trusted and chunk:
            self._watch(chunk)
        self.emitted = False
        return chunk

    def _watch(self, chunk: bytes) -> None:
        brackets = chunk.translate(None, _NO_BRACKETS)
        if not brackets:
            return
        level = np.cumsum(_STEP[np.frombuffer(brackets, np.uint8)], dtype=np.int64)
        rise = level - np.minimum.accumulate(np.minimum(level, 0))
        before = 0 if self.emitted else self._depth
        if before + int(rise.max()) > DEPTH:
            refuse_deep(self._path)
            self._trusted = True
        self._depth = max(before + int(level[-1]), int(rise[-1]))


def refuse_deep(path: Path) -> None:
    """Raise a DataError if the JSON of a file nests deeper than the limit; brackets in strings do not count."""
    depth, offset = 0, 0
    parse = Parse()
    with opened(path) as file:
        while chunk := file.read(CHUNK):
            if not parse.takes(chunk):
                return
            for event in parse.events:
                depth += _DEEPER.get(event, 0)
                if depth > DEPTH:
                    line = _line_of(path, offset)[0]
                    raise DataError.at(f"the JSON nests deeper than {DEPTH} levels.", file=str(path), line=line)
            offset += len(chunk)


class Parse:
    """A parser fed by hand; ``events`` are the names of the events of the last bytes."""

    def __init__(self) -> None:
        import ijson

        self._found = ijson.sendable_list()
        self._parser = ijson.basic_parse_coro(self._found, multiple_values=True, use_float=True)
        self._errors = (ijson.JSONError, UnicodeDecodeError)
        self.events: list[str] = []

    def takes(self, data: bytes) -> bool:
        """Feed bytes; False if they break the JSON."""
        try:
            self._parser.send(data)
        except self._errors:
            return False
        self.events = [event for event, _ in self._found]
        self._found.clear()
        return True


def first_bytes(path: Path) -> bytes:
    """Beginning of a file without byte order mark and white space; refuses what is not UTF-8 JSON at all."""
    try:
        with path.open("rb") as file:
            head = file.read(4096)
            while head and not head.removeprefix(b"\xef\xbb\xbf").strip() and (more := file.read(4096)):
                head = more
    except OSError as error:
        raise DataError.at(f"the file cannot be read: {error.strerror or error}.", file=str(path)) from None
    if head[:2] in _UTF16:
        raise DataError.at("the file is UTF-16.", file=str(path), hint="Save it as UTF-8, as the tool exports it.")
    head = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not head:
        raise DataError.at("the file is empty.", file=str(path))
    return head


def layout_of(path: Path, names: frozenset[str]) -> Layout:
    """Find how objects lie in a file; ``names`` are keys that tell an object from a page of objects."""
    head = first_bytes(path)
    if head[:1] == b"[":
        return LIST
    if head[:1] != b"{":
        raise DataError.at(
            "this is not a JSON export.",
            file=str(path),
            line=1,
            found=head[:60].decode("utf-8", "replace"),
            allowed="a list of tasks, a task, or one task on each line",
        )
    import ijson

    with opened(path) as file:
        try:
            source = Watched(file, path)
            for prefix, event, value in ijson.parse(source, multiple_values=True, use_float=True):
                source.emitted = True
                if prefix == "" and event == "map_key" and value in names:
                    return OBJECTS
                if prefix == "tasks" and event == "start_array":
                    return PAGE
                if prefix == "" and event == "end_map":
                    return OBJECTS
        except (ijson.JSONError, UnicodeDecodeError) as error:
            raise unreadable(path, error) from None
    return OBJECTS


def opened(path: Path) -> BinaryIO:
    """Open a file behind its byte order mark."""
    file = path.open("rb")
    if file.read(3) != b"\xef\xbb\xbf":
        file.seek(0)
    return file


def stream(path: Path, layout: Layout, *, strict: bool = False, progress: Progress | None = None) -> Iterator[Any]:
    """Objects of a JSON file, one at a time.

    Raises
    ------
    DataError
        The JSON is broken, cut off, nested too deeply, or (``strict``) holds a key twice.
    """
    import ijson

    with opened(path) as file:
        source = Watched(file, path, progress)
        options: dict[str, Any] = {"use_float": True, "multiple_values": layout is OBJECTS}
        if strict:
            options["map_type"] = OnceOnly
        try:
            for item in ijson.items(source, layout.prefix, buf_size=CHUNK, **options):
                source.emitted = True
                yield item
        except (ijson.JSONError, UnicodeDecodeError) as error:
            raise unreadable(path, error) from None
        except RepeatedKeyError as error:
            raise DataError.at(f"the key {error.args[0]!r} occurs twice in one object.", file=str(path)) from None


class RepeatedKeyError(Exception):
    """A key twice in one object."""


class OnceOnly(dict[str, Any]):
    """A mapping that takes each key once."""

    def __setitem__(self, key: str, value: Any) -> None:
        if key in self:
            raise RepeatedKeyError(key)
        super().__setitem__(key, value)


def unreadable(path: Path, error: Exception) -> DataError:
    """Error for broken JSON: reads the file again up to the byte that breaks it."""
    offset, at_end = _breaking_byte(path)
    line, around = _line_of(path, offset)
    if at_end:
        return DataError.at(
            "the JSON ends too early.", file=str(path), line=line, hint="The file seems cut off; export it again."
        )
    if isinstance(error, UnicodeDecodeError):
        what = "this is not UTF-8"
    else:
        text = error.args[0] if error.args else ""
        what = (text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)).split("\n", 1)[0].strip(" .")
    return DataError.at(f"broken JSON at byte {offset}: {what}.", file=str(path), line=line, found=around)


def _breaking_byte(path: Path) -> tuple[int, bool]:
    """Offset of the byte where parsing fails, and whether that is the end of the file.

    Looks in ever smaller pieces: the failing piece is read again in sixty-four parts.
    """
    begin, size = 0, 0
    while True:
        end = _failing_piece(path, begin, size)
        if end is None:
            return path.stat().st_size, True
        begin, found = end
        if found <= 1:
            return begin, False
        size = max(1, found // 64)


def _failing_piece(path: Path, begin: int, size: int) -> tuple[int, int] | None:
    """Offset and length of the piece that fails; pieces have ``size`` bytes from ``begin`` on."""
    parse = Parse()
    with opened(path) as file:
        step = CHUNK
        while True:
            offset = file.tell()
            if size and offset >= begin:
                step = size
            elif size:
                step = min(step, begin - offset)
            piece = file.read(step)
            if not piece:
                return None
            if not parse.takes(piece):
                return offset, len(piece)
            if not size or offset < begin:
                step = CHUNK if parse.events else min(2 * step, LARGEST_CHUNK)


def _line_of(path: Path, offset: int) -> tuple[int, str]:
    """Line of a byte, counted from 1, and the text around it."""
    line, left = 1, offset
    with path.open("rb") as file:
        while left and (chunk := file.read(min(CHUNK, left))):
            line += chunk.count(b"\n")
            left -= len(chunk)
        file.seek(max(0, offset - 30))
        around = file.read(40)
    return line, shorten(around.decode("utf-8", "replace"), 60)
