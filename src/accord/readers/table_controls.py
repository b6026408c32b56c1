"""From a stack of answers to the coded columns of a dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from accord.dataset import Annotations, Column, Control
from accord.errors import DataError, UsageError
from accord.readers.codes import Notices
from accord.readers.coding import Coded, settle
from accord.readers.table_cells import Cells, Duplicates, Repeated, in_order, without_repeats
from accord.readers.table_data import RawColumn, used_values
from accord.readers.table_layout import TIMES
from accord.readers.table_notices import looks_missing, near_equal, tell
from accord.readers.table_parts import Part
from accord.readers.table_values import Meaning, meaning
from accord.values import FloatArray, IntArray, Kind, Value

MANY: Final = 10_000
TAGS: Final = {Kind.LABEL: "Choices", Kind.LABELS: "Choices", Kind.NUMBER: "Number", Kind.TEXT: "TextArea"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How answers are read: marks of missing answers, declared controls, the rule for duplicates, free text or not."""

    missing: frozenset[Value] = frozenset()
    declared: Mapping[str, Control]
    duplicates: Duplicates = "newest"
    free_text: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """The raw answers to one control: its rows of the part (None = all) and their values."""

    name: str
    values: RawColumn
    rows: IntArray | None = None


def blocks_of(part: Part) -> list[Block]:
    """Split a part by control: by its control column, else by its value columns."""
    if part.control is None:
        return [Block(name=name, values=column) for name, column in part.values.items()]
    ((title, column),) = part.values.items()
    del title
    blocks = []
    for code, name in enumerate(part.control.distinct):
        rows = np.flatnonzero(part.control.codes == code).astype(np.int32)
        values = used_values(RawColumn(column.codes[rows], column.distinct, column.is_text))
        blocks.append(Block(name=name, values=values, rows=rows))
    return blocks


def settle_controls(part: Part, declared: Mapping[str, Control], *, named: bool) -> Part:
    """Drop a control column that only repeats the item, and give the one answer the name of the one declared control.

    A column such as ``question`` holds controls if items have several, or many items share one; where almost every
    item has its own, it is part of the item.

    Raises
    ------
    UsageError
        Controls are declared, but none of the table's answers is one of them.
    """
    if part.control is not None and not named and _repeats_unit(part.unit, part.control):
        part = replace(part, control=None)
    names = list(part.values) if part.control is None else list(part.control.distinct)
    if not declared or set(names) & set(declared):
        return part
    if part.control is None and len(names) == 1 and len(declared) == 1:
        return replace(part, values={next(iter(declared)): part.values[names[0]]})
    raise UsageError(
        f"The label config declares {', '.join(declared)}, but the table answers {', '.join(names)}. "
        "Name the control of a wide table with --control, or rename the column."
    )


def _repeats_unit(unit: RawColumn, control: RawColumn) -> bool:
    last = np.zeros(len(unit.distinct), dtype=np.int32)
    last[unit.codes] = control.codes
    alone = bool((last[unit.codes] == control.codes).all())
    return alone and len(control.distinct) > 1 and 2 * len(control.distinct) > len(unit.distinct)


def column_of_block(part: Part, block: Block, rules: Rules, notices: Notices) -> tuple[Column, Cells, str]:
    """Code one control; also return its cells with their rows, and what the answers were read as, in words."""
    declared = rules.declared.get(block.name)
    read, coded = _coded(part, block, rules, declared)
    cells = _cells(part, block, coded)
    missing = len(block.values.codes) - len(cells.unit)
    cells, repeated = without_repeats(
        in_order(cells, rows=bool(part.times)), rules.duplicates, _refusal(part, block.name)
    )
    _tell(part, block.name, coded, repeated, notices)
    control = declared or Control(name=block.name, kind=read.kind, level=read.level, tag=TAGS.get(read.kind, ""))
    column = Column(
        control=control,
        unit=cells.unit,
        rater=cells.rater,
        code=cells.code,
        values=coded.values,
        missing=missing,
        outside=coded.outside,
    )
    return column, cells, read.words


def _coded(part: Part, block: Block, rules: Rules, declared: Control | None) -> tuple[Meaning, Coded]:
    """Decide what the cells are and code them; an error names the file and the control."""
    column = block.values
    try:
        read = meaning(
            list(column.distinct),
            is_text=column.is_text,
            missing=rules.missing,
            declared=declared,
            free_text=rules.free_text,
        )
        return read, settle(column.codes, read.values, (), None if declared is None else declared.domain)
    except DataError as error:
        raise DataError(f"{part.name}, control {block.name}: {error}") from None


def _cells(part: Part, block: Block, coded: Coded) -> Cells:
    """Answers that are there, with their rows."""
    codes, rows = coded.codes, block.rows
    if len(codes) and int(codes.min()) < 0:
        kept = np.flatnonzero(codes >= 0).astype(np.int32)
        codes, rows = codes[kept], kept if rows is None else rows[kept]
    return Cells(
        unit=part.unit.codes if rows is None else part.unit.codes[rows],
        rater=part.rater.codes if rows is None else part.rater.codes[rows],
        code=codes,
        row=rows,
        time=_deciding(part, rows),
    )


def _deciding(part: Part, rows: IntArray | None) -> FloatArray | None:
    """Time that decides between duplicates: of the change, else of creation."""
    created, updated = part.times.get("created"), part.times.get("updated")
    time = updated if updated is not None else created
    if updated is not None and created is not None:
        time = np.where(np.isnan(updated), created, updated)
    return time if time is None or rows is None else time[rows]


def _refusal(part: Part, control: str) -> Any:
    def refuse(rows: Sequence[int], why: str) -> DataError:
        first = rows[0]
        places = [part.place(row) for row in sorted(rows)[:5]]
        unit, rater = part.unit.distinct[part.unit.codes[first]], part.rater.distinct[part.rater.codes[first]]
        lines = ", ".join(str(place.get("line", place["file"])) for place in places)
        return DataError.at(
            f"rater {rater!r} gave {len(rows)} answers to item {unit!r} (lines {lines}), {why}.",
            file=str(places[0]["file"]),
            control=control,
            hint="Keep one of them, or add a column with the time of each answer.",
        )

    return refuse


def _tell(part: Part, control: str, coded: Coded, repeated: Repeated, notices: Notices) -> None:
    notices.file = part.name
    pairs = [f"{part.rater.distinct[rater]} on {part.unit.distinct[unit]}" for unit, rater in repeated.groups]
    tell(notices, "duplicate-answer", control, pairs, repeated.dropped)
    notices.add("nfc", control=control, count=coded.merged)
    tell(notices, "unknown-value", control, list(map(repr, coded.outside)))
    said = [value for value in coded.values if isinstance(value, str)]
    if len(said) <= MANY:
        tell(notices, "near-equal-label", control, near_equal(said))
        tell(notices, "looks-missing", control, looks_missing(said))


def annotations_of(part: Part, rows: IntArray) -> Annotations | None:
    """One annotation a row that was kept, if the table has times."""
    if not part.times:
        return None
    unknown = np.full(len(rows), np.nan)
    created, updated, lead = (part.times[role][rows] if role in part.times else unknown for role in TIMES)
    return Annotations(
        ids=RowNames(rows),
        unit=part.unit.codes[rows],
        rater=part.rater.codes[rows],
        flags=np.zeros(len(rows), dtype=np.int32),
        created=created,
        updated=updated,
        lead_time=lead,
    )


class RowNames(Sequence[str]):
    """Names of annotations by the row of the table they came from, made on demand."""

    def __init__(self, rows: IntArray) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: Any) -> Any:
        found = self._rows[index]
        return [f"row {row + 1}" for row in found.tolist()] if isinstance(index, slice) else f"row {int(found) + 1}"
