"""How a table is laid out: long, wide, counts or contingency. What cannot be told is an error with the way out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from accord.errors import DataError, UsageError
from accord.readers.table_data import RawColumn, Table, name_of, used_values
from accord.readers.table_roles import given, is_data, is_rater_like, only, several
from accord.readers.table_values import all_counts
from accord.values import Index

Shape = Literal["long", "wide", "counts", "contingency"]
TIMES = ("created", "updated", "lead")
SHAPES = ("long", "wide", "counts", "contingency")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the user said about the table; None or empty = recognise."""

    unit: str | None = None
    rater: str | Sequence[str] | None = None
    value: str | Sequence[str] | None = None
    text: str | Sequence[str] | None = None
    control: str | None = None
    time: str | None = None
    shape: str | None = None
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Columns by role. ``answers`` are the value columns of a long table, else the rater or category columns."""

    shape: Shape
    unit: str | None
    answers: tuple[str, ...]
    rater: str | None = None
    control: str | None = None
    times: Mapping[str, str] = field(default_factory=dict)
    free_text: bool = False

    @property
    def needed(self) -> tuple[str, ...]:
        """Columns to load."""
        named = (self.unit, self.rater, self.control, *self.times.values(), *self.answers)
        return tuple(dict.fromkeys(name for name in named if name is not None))


def find_layout(table: Table, asked: Asked, *, files: int = 1) -> Layout:
    """Find the layout of a table from what was asked, the column names, and last the cells.

    Raises
    ------
    DataError
        The layout is ambiguous, or is one that is not read (a row a rater).
    UsageError
        A named column or shape does not exist.
    """
    if asked.shape is not None and asked.shape not in SHAPES:
        raise UsageError(f"Unknown shape {asked.shape!r}. Allowed: {', '.join(SHAPES)}.")
    if asked.shape in (None, "long"):
        layout = _long(table, asked, files)
        if layout is not None:
            return layout
    return _by_cells(table, asked)


def _long(table: Table, asked: Asked, files: int) -> Layout | None:
    names, file = table.columns, table.name
    chosen = asked.text if asked.text is not None else asked.value
    answers = () if chosen is None else several("text" if asked.text is not None else "value", chosen, names, file)
    raters = () if asked.rater is None else several("rater", asked.rater, names, file)
    if len(raters) > 1 or (len(answers) > 1 and not raters and not only("rater", _free(names, answers), file)):
        return None
    taken = [*answers, *raters, *(name for name in (asked.unit, asked.control) if name), *asked.fields]
    rater = raters[0] if raters else only("rater", _free(names, taken), file)
    unit = given("unit", asked.unit, names, file) if asked.unit else only("unit", _free(names, [*taken, rater]), file)
    if not answers:
        value = only("value", _free(names, [*taken, rater, unit]), file)
        answers = () if value is None else (value,)
    if rater is None and (not answers or (files == 1 and asked.shape != "long" and len(names) > 2 and chosen is None)):
        if asked.shape == "long":
            raise _missing_role(table, "rater" if answers else "value")
        return None
    control = given("control", asked.control, names, file) if asked.control else None
    rest = [name for name in _free(names, [*taken, rater, unit, *answers, control]) if not is_data(name)]
    control = control or only("control", rest, file)
    rest = [name for name in rest if name != control]
    if not answers:
        answers = _remaining_answer(table, unit, rest)
        rest = []
    if unit is None:
        unit = _remaining_unit(table, rest)
    free = _free(names, [*taken, *answers])
    times = {role: name for role in TIMES if (name := only(role, free, file)) is not None}
    if asked.time is not None:
        times = {"created": given("time", asked.time, names, file)}
    return Layout(
        shape="long",
        unit=unit,
        answers=answers,
        rater=rater,
        control=control,
        free_text=asked.text is not None,
        times=times,
    )


def _free(names: Sequence[str], taken: Sequence[str | None]) -> list[str]:
    return [name for name in names if name not in taken]


def _remaining_answer(table: Table, unit: str | None, rest: Sequence[str]) -> tuple[str, ...]:
    if unit is not None and len(rest) == 1:
        return (rest[0],)
    if unit is None and len(rest) > 1:
        raise DataError.at(
            "one row seems to hold one rater; a table has one row an item, or one row an answer.",
            file=table.name,
            found=f"columns {', '.join(table.columns)}",
            hint="Transpose it, or name the columns: --unit C --rater C --value C.",
        )
    raise DataError.at(
        "it cannot be told which column holds the answers.",
        file=table.name,
        found=f"columns {', '.join(table.columns)}",
        hint="Say which: --value C, --value C,D for several controls, or --text C for free text.",
    )


def _remaining_unit(table: Table, rest: Sequence[str]) -> str:
    if len(rest) == 1:
        return rest[0]
    raise _missing_role(table, "unit")


def _missing_role(table: Table, role: str) -> DataError:
    return DataError.at(
        f"it cannot be told which column holds the {role}.",
        file=table.name,
        found=f"columns {', '.join(table.columns)}",
        hint=f"Say which: --{role} C.",
    )


def _by_cells(table: Table, asked: Asked) -> Layout:
    names, file = table.columns, table.name
    chosen = asked.rater if asked.rater is not None else asked.text if asked.text is not None else asked.value
    raters = () if chosen is None else several("rater", chosen, names, file)
    unit = given("unit", asked.unit, names, file) if asked.unit else _unit_by_name(table, raters)
    if raters:
        return Layout(shape="wide", unit=unit, answers=raters, free_text=asked.text is not None)
    columns = table.load(names)
    if asked.shape in (None, "contingency") and is_square(names, columns):
        return Layout(shape="contingency", unit=names[0], answers=names[1:])
    if unit is None:
        unit = _unit_by_cells(table, columns)
    others = [name for name in _free(names, [unit, *asked.fields]) if not is_data(name)]
    if not others:
        raise _missing_role(table, "rater")
    if asked.shape == "counts" or (asked.shape is None and _looks_counted(others, columns)):
        return Layout(shape="counts", unit=unit, answers=tuple(others))
    if asked.shape == "contingency":
        raise DataError.at(
            "a cross table has the same labels in its first column and in its header.",
            file=file,
            found=f"columns {', '.join(names)}",
        )
    _check_raters(table, others, columns)
    return Layout(shape="wide", unit=unit, answers=tuple(others))


def _unit_by_name(table: Table, taken: Sequence[str]) -> str | None:
    free = [name for name in _free(table.columns, taken) if not is_rater_like(name)]
    if table.columns[0] in free and not table.columns[0].strip():
        return table.columns[0]
    return only("unit", free, table.name)


def _unit_by_cells(table: Table, columns: Mapping[str, RawColumn]) -> str | None:
    """First column, if it names every row once and shares no value with the rest; None if all are raters."""
    names = table.columns
    if all(map(is_rater_like, names)):
        return None
    first = columns[names[0]]
    others = {name_of(value) for name in names[1:] for value in columns[name].distinct}
    labels = {name_of(value) for value in used_values(first).distinct}
    is_unique = len(labels) == len(first.codes) > 1
    if is_unique and not labels & others:
        return names[0]
    if not is_unique and labels & others:
        return None
    raise _missing_role(table, "unit")


def is_square(names: Sequence[str], columns: Mapping[str, RawColumn]) -> bool:
    """Whether a table holds counts with the same labels in its first column and in its header."""
    first = columns[names[0]]
    labels = [name_of(first.distinct[code]) if code >= 0 else None for code in first.codes[: len(names)].tolist()]
    same = len(first.codes) == len(names) - 1 and sorted(map(str, labels)) == sorted(names[1:])
    return same and len(set(labels)) == len(labels) and all(all_counts(columns[name]) for name in names[1:])


def _looks_counted(others: Sequence[str], columns: Mapping[str, RawColumn]) -> bool:
    """Whether rows of whole numbers add up to the same number of raters, and no column is called like a rater."""
    if len(others) < 2 or any(map(is_rater_like, others)) or not all(all_counts(columns[name]) for name in others):
        return False
    totals = np.sum([numbers_in(columns[name]) for name in others], axis=0)
    return len(totals) > 1 and int(totals[0]) > 1 and bool((totals == totals[0]).all())


def numbers_in(column: RawColumn) -> Index:
    """Cells of a column of whole numbers, (n,)."""
    return np.array([int(float(value)) for value in column.distinct] or [0], dtype=np.int64)[column.codes]


def _check_raters(table: Table, others: Sequence[str], columns: Mapping[str, RawColumn]) -> None:
    """Refuse a wide table in which one column shares no answer with any other: it may not be a rater."""
    if len(others) < 2:
        return
    said = {name: {name_of(v) for v in used_values(columns[name]).distinct} - {None} for name in others}
    numeric = {name for name in others if all(map(_is_number, said[name]))}
    for name in others:
        rest: set[str | None] = set().union(*(said[other] for other in others if other != name))
        if said[name] and rest and not said[name] & rest and not (numeric >= set(others)) and not is_rater_like(name):
            raise DataError.at(
                f"column {name!r} shares no answer with the other columns; it may not be a rater.",
                file=table.name,
                found=", ".join(sorted(map(str, said[name]))[:3]),
                hint=f"Name the columns of the raters: --rater {','.join(other for other in others if other != name)}.",
            )


def _is_number(text: str | None) -> bool:
    try:
        return text is None or float(text) == float(text)
    except ValueError:
        return False
