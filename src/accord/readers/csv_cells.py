"""The cells of a delimited file as codes, block by block, so that memory follows the codes and the distinct cells."""

from __future__ import annotations

import contextlib
import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from accord.readers.csv_scan import Scan
from accord.readers.dictionaries import one_dictionary
from accord.readers.table_data import ArrowTexts, Numerals, RawColumn, used_values
from accord.values import IntArray

BLOCK: Final = 1 << 20
LARGEST: Final = (1 << 31) - 1
WHOLE: Final = re.compile(rb"[0-9]{1,10}")


class UnreadableError(Exception):
    """What Arrow says of a file that it cannot read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvForm:
    """How a file is written."""

    encoding: str
    delimiter: str
    scan: Scan


class Coder(Protocol):
    """Collects the blocks of one column."""

    type: Any

    def add(self, block: Any) -> None:
        """Take the cells of a block, an Arrow array."""

    def column(self) -> RawColumn:
        """Give the whole column, and let go of the blocks."""


def read_cells(path: Path, form: CsvForm, names: Sequence[str]) -> Mapping[str, RawColumn]:
    """Read columns of text; those that hold plain whole numbers are read as such, which is quicker.

    Raises
    ------
    UnreadableError
        Rows differ in length, or the file is not text.
    """
    with system_memory():
        numbers = _whole_columns(path, form, names) if form.scan.plain else frozenset()
        try:
            return _read(path, form, names, numbers)
        except UnreadableError:
            if not numbers:
                raise
            return _read(path, form, names, frozenset())


@contextlib.contextmanager
def system_memory() -> Iterator[None]:
    """Let Arrow use the system's allocator, and give back what it kept."""
    import pyarrow as pa

    before, system = pa.default_memory_pool(), pa.system_memory_pool()
    pa.set_memory_pool(system)
    try:
        yield
    finally:
        pa.set_memory_pool(before)
        system.release_unused()


def _read(path: Path, form: CsvForm, names: Sequence[str], numbers: frozenset[str]) -> Mapping[str, RawColumn]:
    """Blocks grow until the longest row fits."""
    import pyarrow as pa

    size, rows = BLOCK, form.scan.lines
    while True:
        coders: dict[str, Coder] = {name: NumberCoder(rows) if name in numbers else TextCoder(rows) for name in names}
        try:
            for block in _blocks(path, form, {name: coder.type for name, coder in coders.items()}, size):
                for name, coder in coders.items():
                    if len(block):
                        coder.add(block.column(name))
        except (pa.ArrowException, UnicodeDecodeError) as error:
            if "straddl" not in str(error) or size >= LARGEST:
                raise UnreadableError(str(error)) from None
            size = min(max(path.stat().st_size + 1, 2 * size), LARGEST)
        else:
            return {name: coders.pop(name).column() for name in names}


def _blocks(path: Path, form: CsvForm, types: Mapping[str, Any], size: int) -> Iterator[Any]:
    import pyarrow.csv as pc

    convert = pc.ConvertOptions(
        column_types=types,
        null_values=[],
        strings_can_be_null=False,
        include_columns=list(types),
        check_utf8=False,
    )
    parse = pc.ParseOptions(delimiter=form.delimiter, newlines_in_values=form.scan.quotes > 0)
    reading = pc.ReadOptions(block_size=size, encoding=form.encoding, use_threads=False)
    with pc.open_csv(path, read_options=reading, parse_options=parse, convert_options=convert) as reader:
        yield from reader


def _whole_columns(path: Path, form: CsvForm, names: Sequence[str]) -> frozenset[str]:
    """Columns with a whole number in the first row; whether all others hold one is seen when they are read."""
    import pyarrow as pa

    try:
        first = next(_blocks(path, form, dict.fromkeys(names, pa.binary()), BLOCK), None)
    except pa.ArrowInvalid:
        return frozenset()
    if not first:
        return frozenset()
    return frozenset(name for name in names if WHOLE.fullmatch(first.column(name)[0].as_py()))


class Numbers:
    """Whole numbers block after block, about as many as foreseen."""

    def __init__(self, foreseen: int) -> None:
        self._array = np.empty(foreseen, dtype=np.int32)
        self.size = 0

    def add(self, block: npt.NDArray[np.integer[Any]]) -> None:
        end = self.size + len(block)
        if end > len(self._array):
            self._array = np.concatenate((self._array[: self.size], np.empty(end, dtype=np.int32)))
        self._array[self.size : end] = block
        self.size = end

    def all(self) -> IntArray:
        return self._array[: self.size]


class TextCoder:
    """Cells as text: codes in the dictionary of their block, and the dictionaries in a row.

    Only distinct texts are checked to be UTF-8.
    """

    def __init__(self, rows: int) -> None:
        import pyarrow as pa

        self.type = pa.dictionary(pa.int32(), pa.string())
        self._codes = Numbers(rows)
        self._lengths, self._letters = array("i"), array("B")
        self._rows, self._texts = [0], [0]

    def add(self, block: Any) -> None:
        self._codes.add(block.indices.to_numpy())
        texts = block.dictionary
        _, offsets, letters = texts.buffers()
        ends = np.frombuffer(offsets, dtype=np.int32)[texts.offset : texts.offset + len(texts) + 1]
        self._lengths.frombytes(np.diff(ends).tobytes())
        self._letters.frombytes(memoryview(letters or b"")[ends[0] : ends[-1]])
        self._rows.append(self._codes.size)
        self._texts.append(len(self._lengths))

    def column(self) -> RawColumn:
        codes = self._codes.all()
        if not len(codes):
            return RawColumn(codes, [], is_text=True)
        every = self._dictionaries()
        tables, values = one_dictionary([every.slice(*part) for part in _parts(self._texts)])
        for (begin, rows), table in zip(_parts(self._rows), tables, strict=True):
            if table is not None and not _keeps(table):
                codes[begin : begin + rows] = table[codes[begin : begin + rows]]
        return RawColumn(codes, ArrowTexts(values), is_text=True)

    def _dictionaries(self) -> Any:
        import pyarrow as pa

        offsets = np.cumsum([0, *self._lengths])
        if offsets[-1] > LARGEST:
            raise UnreadableError("a column has more than 2 GB of distinct text")
        buffers = [None, pa.py_buffer(offsets.astype(np.int32)), pa.py_buffer(self._letters)]
        texts = pa.Array.from_buffers(pa.string(), len(self._lengths), buffers)
        try:
            texts.validate(full=True)
        except pa.ArrowInvalid as error:
            raise UnreadableError(str(error)) from None
        return texts


class NumberCoder:
    """Cells that are whole numbers below 2³¹; a block with anything else in it is refused."""

    def __init__(self, rows: int) -> None:
        import pyarrow as pa

        self.type = pa.uint32()
        self._numbers = Numbers(rows)

    def add(self, block: Any) -> None:
        numbers = block.to_numpy()
        if numbers.max() > LARGEST:
            raise UnreadableError("a number is too large")
        self._numbers.add(numbers)

    def column(self) -> RawColumn:
        import pyarrow as pa

        numbers = self._numbers.all()
        low, high = int(numbers.min()), int(numbers.max())
        if high - low < 2 * len(numbers) + 1024:
            numbers -= np.int32(low)
            return used_values(RawColumn(numbers, Numerals(range(low, high + 1)), is_text=True))
        coded = pa.array(numbers).dictionary_encode()
        return RawColumn(coded.indices.to_numpy(), ArrowTexts(coded.dictionary.cast(pa.string())), is_text=True)


def _keeps(table: IntArray) -> bool:
    """Whether a table of new codes leaves all as they are."""
    return bool((table[:-1] == np.arange(len(table) - 1)).all())


def _parts(ends: Sequence[int]) -> list[tuple[int, int]]:
    """Begin and length of each part."""
    return [(begin, end - begin) for begin, end in pairwise(ends)]
