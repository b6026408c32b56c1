"""One pass over the bytes of a delimited file: NUL bytes, quotes, and whether its whole numbers are plainly written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from accord.errors import DataError
from accord.values import BoolArray

BLOCK: Final = 1 << 18
BREAK, RETURN, QUOTE, ZERO = (ord(sign) for sign in '\n\r"0')


@dataclass(frozen=True, slots=True)
class Scan:
    """Number of quotes, and of lines at most.

    ``plain`` if no cell has a blank at an end, or begins with a zero that more follows: a cell that reads as a whole
    number is then written in the one way that number is written, so that 007 and 7 do not become one.
    """

    quotes: int
    lines: int
    plain: bool


def scan(path: Path, delimiter: str) -> Scan:
    """Look at all bytes of a file in UTF-8.

    Raises
    ------
    DataError
        There is a NUL byte.
    """
    quotes, lines, plain = 0, 0, True
    for text in _blocks(path):
        if b"\0" in text:
            raise _nul(path)
        letters = np.frombuffer(text, dtype=np.uint8)
        edge = letters == BREAK
        if b"\r" in text:
            edge |= letters == RETURN
        lines += int(np.count_nonzero(edge[2:]))
        if b'"' in text:
            quote = letters == QUOTE
            quotes += int(np.count_nonzero(quote[2:]))
            edge |= quote
        if plain:
            edge |= letters == ord(delimiter)
            plain = _is_plain(letters, text, edge, delimiter)
    return Scan(quotes, lines, plain)


def _blocks(path: Path) -> Iterator[bytes]:
    """Blocks of a file, each with the two bytes before it; line breaks stand around the file."""
    with path.open("rb") as file:
        before = b"\n\n"
        while block := file.read(BLOCK):
            text = before + block
            yield text
            before = text[-2:]
        yield before + b"\n"


def _is_plain(letters: npt.NDArray[np.uint8], text: bytes, edge: BoolArray, delimiter: str) -> bool:
    """Whether between edges no number begins with a zero, and no blank is beside an edge."""
    zero = letters[1:-1] == ZERO
    zero &= edge[:-2]
    zero &= ~edge[2:]
    return not zero.any() and not any(
        _touches(letters == ord(blank), edge) for blank in " \t" if blank != delimiter and blank.encode() in text
    )


def _touches(some: BoolArray, edge: BoolArray) -> bool:
    return bool((some[1:] & edge[:-1]).any() or (some[:-1] & edge[1:]).any())


def _nul(path: Path) -> DataError:
    with path.open("rb") as file:
        line = next(number for number, text in enumerate(file, start=1) if b"\0" in text)
    return DataError.at(
        "the file holds a NUL byte.",
        file=str(path),
        line=line,
        hint="It is damaged, or UTF-16 without a byte order mark; save it as UTF-8.",
    )
