"""How a table is laid out: long, wide, counts or contingency. What cannot be told is an error with the way out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal

import numpy as np

from accord.errors import DataError, UsageError
from accord.readers.table_data import RawColumn, Table, name_of, used_values
from accord.readers.table_roles import given, is_data, is_rater_like, is_reference, only, several
from accord.readers.table_values import all_whole
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

    @property
    def answers(self) -> str | Sequence[str] | None:
        """Columns of the answers, free text or not."""
        return self.text if self.text is not None else self.value


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
    control_named: bool = False

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


class _Roles:
    """Columns not yet spoken for; what the user named is set aside first."""

    def __init__(self, table: Table, asked: Asked) -> None:
        self.table = table
        self.answers = self._named("text" if asked.text is not None else "value", asked.answers)
        self.raters = self._named("rater", asked.rater)
        self.named = {
            role: given(role, name, table.columns, table.name)
            for role in ("unit", "control", "time")
            if (name := getattr(asked, role)) is not None and (role != "control" or name in table.columns)
        }
        self._check_apart()
        taken = {*self.answers, *self.raters, *self.named.values(), *asked.fields}
        self.free = [name for name in table.columns if name not in taken]

    def _named(self, role: str, names: str | Sequence[str] | None) -> tuple[str, ...]:
        return () if names is None else several(role, names, self.table.columns, self.table.name)

    def _check_apart(self) -> None:
        roles: list[tuple[str, tuple[str, ...]]] = [(f"--{role}", (name,)) for role, name in self.named.items()]
        roles += [("--rater", self.raters), ("--value", self.answers)]
        for (one, names), (other, others) in combinations(roles, 2):
            for name in set(names) & set(others):
                raise UsageError(f"{self.table.name}: {one} and {other} both name column {name!r}. Give two columns.")

    def take(self, role: str) -> str | None:
        """Column with a role: the one named, else the one recognised; it is spoken for from now on."""
        if role in self.named:
            return self.named[role]
        found = only(role, self.free, self.table.name)
        if found is not None:
            self.free.remove(found)
        return found

    def times(self) -> dict[str, str]:
        """Columns with times, by role."""
        if "time" in self.named:
            return {"created": self.named["time"]}
        return {role: name for role in TIMES if (name := self.take(role)) is not None}


def _long(table: Table, asked: Asked, files: int) -> Layout | None:
    """Lay out a table with one row an answer; None if it does not look like one."""
    roles = _Roles(table, asked)
    if len(roles.raters) > 1:
        return None
    rater = roles.raters[0] if roles.raters else roles.take("rater")
    if rater is None and len(roles.answers) > 1 and files == 1 and asked.shape is None:
        return None
    unit = roles.take("unit")
    answers = roles.answers or tuple(filter(None, [roles.take("value")]))
    by_file = bool(answers) and (files > 1 or asked.shape == "long" or bool(roles.answers) or len(table.columns) == 2)
    if rater is None and not by_file:
        if asked.shape == "long":
            raise _missing_role(table, "value" if not answers else "rater")
        return None
    control, times = roles.take("control"), roles.times()
    rest = [name for name in roles.free if not is_data(name)]
    if not answers:
        answers, rest = _remaining_answer(table, unit, rest), []
    return Layout(
        shape="long",
        unit=unit if unit is not None else _remaining_unit(table, rest),
        answers=answers,
        rater=rater,
        control=control,
        control_named="control" in roles.named,
        times=times,
        free_text=asked.text is not None,
    )


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
    roles = _Roles(table, asked)
    raters = roles.raters or roles.answers
    unit = roles.named.get("unit") or _unit_by_name(table, roles.free)
    if raters:
        return Layout(shape="wide", unit=unit, answers=raters, free_text=asked.text is not None)
    columns = table.load(names)
    if asked.shape in (None, "contingency") and is_square(names, columns):
        return Layout(shape="contingency", unit=names[0], answers=names[1:])
    if unit is None:
        unit = _unit_by_cells(table, columns)
    others = [name for name in names if name not in (unit, *asked.fields) and not is_data(name)]
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


def _unit_by_name(table: Table, free: Sequence[str]) -> str | None:
    first = table.columns[0]
    if first in free and not first.strip():
        return first
    return only("unit", [name for name in free if not is_rater_like(name)], table.name)


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
    """Whether a table holds whole numbers with the same labels in its first column and in its header."""
    first = columns[names[0]]
    labels = [name_of(first.distinct[code]) if code >= 0 else None for code in first.codes[: len(names)].tolist()]
    same = len(first.codes) == len(names) - 1 and sorted(map(str, labels)) == sorted(names[1:])
    return same and len(set(labels)) == len(labels) and all(all_whole(columns[name]) for name in names[1:])


def _looks_counted(others: Sequence[str], columns: Mapping[str, RawColumn]) -> bool:
    """Whether rows of whole numbers add up to the same number of raters, and no column is called like a rater.

    Rows with a negative number are left to the reader of counts, which refuses them.
    """
    if len(others) < 2 or any(map(is_rater_like, others)) or not all(all_whole(columns[name]) for name in others):
        return False
    cells = np.stack([numbers_in(columns[name]) for name in others], axis=1)
    totals = cells[(cells >= 0).all(axis=1)].sum(axis=1)
    return len(totals) > max(1, len(cells) // 2) and int(totals[0]) > 1 and bool((totals == totals[0]).all())


def numbers_in(column: RawColumn) -> Index:
    """Cells of a column of whole numbers, (n,)."""
    return np.array([int(float(value)) for value in column.distinct] or [0], dtype=np.int64)[column.codes]


def _check_raters(table: Table, others: Sequence[str], columns: Mapping[str, RawColumn]) -> None:
    """Refuse a wide table in which a column may not be a rater: by its name, or as it shares no answer with others."""
    numbered = [name for name in others if is_rater_like(name) or is_reference(name)]
    odd = [name for name in others if name not in numbered]
    if len(others) < 2 or not odd:
        return
    if len([name for name in numbered if not is_reference(name)]) > 1:
        raise _not_a_rater(table, odd[0], "is not called like the other raters", numbered)
    said = {name: {name_of(v) for v in used_values(columns[name]).distinct} - {None} for name in others}
    if all(_is_number(text) for texts in said.values() for text in texts):
        return
    for name in odd:
        rest = [said[other] for other in others if other != name]
        alone = said[name] and not any(said[name] & texts for texts in rest)
        others_share = any(one & other for one, other in combinations(rest, 2))
        many = len(said[name]) > max(1, len(columns[name].codes) // 2)
        if alone and (others_share or many):
            raters = [other for other in others if other != name]
            raise _not_a_rater(table, name, "shares no answer with the other columns", raters)


def _not_a_rater(table: Table, name: str, why: str, raters: Sequence[str]) -> DataError:
    without, both = ",".join(raters), ",".join([name, *raters])
    return DataError.at(
        f"column {name!r} {why}; it may not be a rater.",
        file=table.name,
        found=f"columns {', '.join(table.columns)}",
        hint=f"Name the columns of the raters: --rater {without}, or with it --rater {both}.",
    )


def _is_number(text: str | None) -> bool:
    try:
        return text is None or float(text) == float(text)
    except ValueError:
        return False
