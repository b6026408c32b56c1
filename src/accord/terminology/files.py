"""Text files of terminologies, opened with one kind of error."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, TextIO

from accord.errors import DataError, listed

#: Longest line and longest cell that any terminology has reason to hold, in characters.
LONGEST, LONGEST_CELL = 1_000_000, 100_000


@contextmanager
def opened(path: Path, encoding: str = "utf-8-sig") -> Iterator[TextIO]:
    """Open a text file; what it cannot give is a DataError that names it."""
    try:
        with path.open(encoding=encoding, newline="") as stream:
            yield stream
    except OSError as problem:
        raise DataError.at(f"cannot read: {problem.strerror or problem}.", file=str(path)) from None
    except UnicodeDecodeError as problem:
        raise DataError.at(f"this is no {problem.encoding} text.", file=str(path)) from None


def lines(path: Path, encoding: str = "utf-8-sig") -> Iterator[tuple[int, str]]:
    """Lines of a file with their numbers, without the line ends."""
    with opened(path, encoding) as stream:
        number = 0
        while line := stream.readline(LONGEST + 1):
            number += 1
            if len(line) > LONGEST:
                raise DataError.at("this line is longer than any terminology needs.", file=str(path), line=number)
            yield number, line.rstrip("\r\n")


def records(path: Path, needed: Sequence[str], delimiter: str = ",") -> Iterator[tuple[int, dict[str, str]]]:
    """Rows of a table with a header line, and their line numbers.

    Raises
    ------
    DataError
        If a column is missing or a row is no row of the table.
    """
    quoting: Literal[0, 3] = csv.QUOTE_NONE if delimiter == "\t" else csv.QUOTE_MINIMAL
    with opened(path) as stream:
        reader = csv.DictReader(stream, delimiter=delimiter, restval="", quoting=quoting)
        try:
            columns = [name or "" for name in reader.fieldnames or ()]
            absent = [name for name in needed if name not in columns]
            if absent:
                raise DataError.at(
                    f"the table lacks the column {listed(absent)}.", file=str(path), found=listed(columns)
                )
            for row in reader:
                yield reader.line_num, _cells(row, path, reader.line_num)
        except csv.Error as problem:
            raise DataError.at(f"this is no table: {problem}.", file=str(path), line=reader.line_num) from None


def _cells(row: Mapping[str, str], path: Path, line: int) -> dict[str, str]:
    cells = {name: cell.strip() for name, cell in row.items() if isinstance(name, str)}
    if max(map(len, cells.values())) > LONGEST_CELL:
        raise DataError.at(
            f"this is no table: a cell has more than {LONGEST_CELL:,} characters.", file=str(path), line=line
        )
    return cells
