"""A window on the text of a JSON file, from which values are taken one after the other; errors name their line.

The decoder of the standard library works on a window that grows while a value does not fit. It is faster than
event-based parsers and knows the place of every error.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn, TypeAlias

from accord.errors import DataError, shorten

Progress: TypeAlias = Callable[[int, int], None]
"""Called with bytes read and bytes in all."""

CHUNK: Final = 1 << 17
#: A token cut by the end of the window is reported at most this far from it.
_CUT: Final = 16
_COMMA: Final = re.compile(r"[ \t\r\n]*,")
_SPACE: Final = re.compile(r"[ \t\r\n]*")
_ESCAPE: Final = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<lone>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


class ConstantError(ValueError):
    """NaN or Infinity, which are no JSON; an error only where ``strict``."""


class RepeatedKeyError(ValueError):
    """A key twice in one object."""


def _no_constant(name: str) -> NoReturn:
    raise ConstantError(name)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise RepeatedKeyError(next(key for key in keys if keys.count(key) > 1))
    return found


class JsonText:
    """Window on the text of a JSON file; ``at`` is the place in it.

    Parameters
    ----------
    strict
        Refuse keys that occur twice in an object, and NaN and Infinity, which else are read as null.
    repaired
        Called with the code of whatever was replaced in an object.
    """

    def __init__(
        self,
        file: BinaryIO,
        path: Path | str,
        *,
        strict: bool = False,
        progress: Progress | None = None,
        repaired: Callable[[str], None] | None = None,
    ) -> None:
        self._file = file
        self._path = path
        self._progress = progress
        self._repaired = repaired
        self._size = 0 if progress is None else Path(path).stat().st_size
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._value = json.JSONDecoder(
            parse_constant=_no_constant if strict else self._null, object_pairs_hook=_once if strict else None
        ).raw_decode
        self._window = ""
        self._line = 1
        self._at = 0
        self._longest = 0
        self._ended = False
        self._nulls = 0

    def _null(self, _name: str) -> None:
        """Read NaN and Infinity, which Python writes and JSON does not know, as nothing."""
        self._nulls += 1

    def peek(self) -> str:
        """Next character that is no white space, "" at the end."""
        while True:
            found = _SPACE.match(self._window, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._window) or not self._more(CHUNK):
                return self._window[self._at : self._at + 1]

    def beginning(self) -> str:
        """What comes next, to show."""
        return self._window[self._at : self._at + 60]

    def take(self, character: str) -> bool:
        """Step over a character if it is the next one."""
        if self.peek() != character:
            return False
        self._at += 1
        return True

    def expect(self, character: str, where: str) -> None:
        """Step over a character that must be the next one."""
        if not self.take(character):
            self._fail(f"{character!r} is missing {where}", self._at, at_end=not self.peek())

    def value(self) -> Any:
        """Decode the next value.

        A value cut by the end of the window is decoded again, so the window is filled up to what the longest took.
        """
        if len(self._window) - self._at < self._longest:
            self._more(CHUNK)
        self.peek()
        size = CHUNK
        while True:
            self._nulls = 0
            try:
                value, end = self._value(self._window, self._at)
            except json.JSONDecodeError as error:
                open_string = error.msg.startswith("Unterminated string")
                cut = open_string or len(self._window) - error.pos <= _CUT
                if not (cut and self._more(size)):
                    at_end = open_string or error.pos >= len(self._window.rstrip())
                    self._fail(error.msg[:1].lower() + error.msg[1:], error.pos, at_end=at_end)
                size = min(2 * size, 1 << 26)
                continue
            except (ValueError, RecursionError) as error:
                self._refuse(error)
            if end == len(self._window) and type(value) not in (dict, list, str) and self._more(size):
                continue
            return self._whole_characters(value, end)

    def _whole_characters(self, value: Any, end: int) -> Any:
        """Replace escapes for half a character, which no text file could hold."""
        begin, self._at = self._at, end
        self._longest = max(self._longest, min(end - begin, CHUNK))
        if self._nulls:
            self._tell("not-a-number")
        if self._window.find("\\", begin, end) < 0:
            return value
        raw = self._window[begin:end]
        if "\\ud" not in raw and "\\uD" not in raw:
            return value
        if not any(escape["lone"] for escape in _ESCAPE.finditer(raw)):
            return value
        self._tell("half-character")
        return self._value(_ESCAPE.sub(lambda e: "\\ufffd" if e["lone"] else e[0], raw))[0]

    def _tell(self, code: str) -> None:
        if self._repaired is not None:
            self._repaired(code)

    def _more(self, size: int) -> bool:
        """Read on, dropping what is behind; False at the end of the file."""
        if self._ended:
            return False
        self._line += self._window.count("\n", 0, self._at)
        rest = self._window[self._at :]
        begin = self._file.tell()
        waiting = len(self._decoder.getstate()[0])
        data = self._file.read(size)
        self._ended = not data
        try:
            self._window = rest + self._decoder.decode(data, final=self._ended)
        except UnicodeDecodeError as error:
            start = error.start - waiting
            line = self._line + rest.count("\n") + data.count(b"\n", 0, max(start, 0))
            raise DataError.at(
                f"this is not UTF-8 (byte {begin + start}).",
                file=str(self._path),
                line=line,
                hint="Save the file as UTF-8, as the tool exports it.",
            ) from None
        self._at = 0
        if self._progress is not None and data:
            self._progress(begin + len(data), self._size)
        return True

    def _fail(self, what: str, position: int, *, at_end: bool = False) -> NoReturn:
        line = self._line + self._window.count("\n", 0, position)
        if at_end and self._ended:
            raise DataError.at(
                "the JSON ends too early.",
                file=str(self._path),
                line=line,
                hint="The file seems cut off; export it again.",
            )
        around = self._window[max(0, position - 30) : position + 10]
        raise DataError.at(f"broken JSON: {what}.", file=str(self._path), line=line, found=shorten(around, 60))

    def _refuse(self, error: Exception) -> NoReturn:
        """Raise for what the decoder reads but nobody should."""
        line = self._line + self._window.count("\n", 0, self._at)
        what = f"a number is too long ({error})"
        if isinstance(error, RecursionError):
            what = "the JSON nests too deeply"
        elif isinstance(error, RepeatedKeyError):
            what = f"the key {error.args[0]!r} occurs twice in one object"
        elif isinstance(error, ConstantError):
            what = f"{error.args[0]} is not JSON"
            found = re.compile(rf"[:,\[]\s*{re.escape(error.args[0])}").search(self._window, self._at)
            line += self._window.count("\n", self._at, found.end()) if found else 0
        raise DataError.at(f"{what}.", file=str(self._path), line=line) from None

    def items(self) -> Iterator[Any]:
        """Values of the list that begins here."""
        self.expect("[", "at the beginning of a list")
        if self.take("]"):
            return
        while True:
            yield self.value()
            comma = _COMMA.match(self._window, self._at)
            if comma:
                self._at = comma.end()
            elif self.take("]"):
                return
            else:
                self.expect(",", "between two objects")

    def finish(self) -> None:
        """Refuse anything but white space behind the end."""
        if self.peek():
            self._fail("something follows the end", self._at)
