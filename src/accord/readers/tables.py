"""Tables as datasets: long, wide, counts and cross tables, from files and dataframes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from accord.dataset import Column, Control, Dataset, ImportReport, Rater, Role
from accord.errors import DataError
from accord.readers.codes import Notices
from accord.readers.table_cells import Duplicates
from accord.readers.table_clusters import clusters_of
from accord.readers.table_controls import Rules, annotations_of, blocks_of, column_of_block, settle_controls
from accord.readers.table_counts import counted
from accord.readers.table_data import RawColumn, Table
from accord.readers.table_files import open_table
from accord.readers.table_layout import Asked, Layout, find_layout
from accord.readers.table_parts import Part, join_parts, long_part, wide_part
from accord.readers.table_roles import is_reference
from accord.values import IntArray, Value

LABEL: Final = "label"


def read_tables(
    sources: Any,
    *,
    unit: str | None = None,
    rater: str | Sequence[str] | None = None,
    value: str | Sequence[str] | None = None,
    text: str | Sequence[str] | None = None,
    control: str | None = None,
    time: str | None = None,
    missing: Iterable[Value] = (),
    config: Any = None,
    strict: bool = False,
    fields: Sequence[str] = (),
    duplicates: Duplicates = "newest",
    shape: str | None = None,
    sheet: str | None = None,
) -> Dataset:
    """Read one or more tables as a dataset.

    Parameters
    ----------
    sources
        A path or dataframe, or a list of them: CSV, TSV, JSON lines, a JSON list of objects, Parquet, Excel
        (``book.xlsx#sheet``), pandas, polars, pyarrow, a mapping of columns.
    unit, rater, value, control, time
        Columns by role where their names do not tell. Several ``rater`` columns (a list, or names with commas)
        are the raters of a wide table; several ``value`` columns are one control each.
    text
        Like ``value``, for free text.
    missing
        Further marks for a missing answer; only blank, None and NaN are by default.
    config
        Label config that declares kinds and domains of controls.
    strict
        Make every repair or ambiguity an error.
    fields
        Columns kept as clusters.
    duplicates
        Which of several answers by one rater to one unit counts, by time: ``newest``, ``first``, or ``error``.
    shape
        ``long``, ``wide``, ``counts`` or ``contingency`` where it cannot be told.

    Raises
    ------
    DataError
        A file cannot be read, a row is malformed, the layout is ambiguous, types are mixed, or different answers
        by one rater to one unit cannot be ordered by time.
    UsageError
        An option names a column or shape that does not exist.

    Examples
    --------
    >>> from accord.readers.tables import read_tables
    >>> data = read_tables({"item": [1, 1, 2], "rater": ["a", "b", "a"], "label": ["x", "y", "x"]})
    >>> len(data.units), data.answers
    (2, 3)
    """
    tables = [open_table(source, sheet) for source in _listed(sources)]
    asked = Asked(
        unit=unit, rater=rater, value=value, text=text, control=control, time=time, shape=shape, fields=tuple(fields)
    )
    layouts = [find_layout(table, asked, files=len(tables)) for table in tables]
    _check_alike(tables, layouts)
    declared = _declared(config)
    name = control or (next(iter(declared)) if len(declared) == 1 else LABEL)
    if layouts[0].shape in ("counts", "contingency"):
        return counted(tables[0], layouts[0], name)
    parts = [
        long_part(table, layout) if layout.shape == "long" else wide_part(table, layout, name)
        for table, layout in zip(tables, layouts, strict=True)
    ]
    clusters = clusters_of(tables, layouts, parts, asked.fields)
    rules = Rules(missing=frozenset(missing), declared=declared, duplicates=duplicates, free_text=layouts[0].free_text)
    part = settle_controls(join_parts(parts), declared, named=layouts[0].control_named)
    parts.clear()
    part, raters = _sorted_raters(part)
    return _dataset(tables, layouts, part, raters, rules, clusters, Notices(strict=strict))


def _listed(sources: Any) -> list[Any]:
    listed = list(sources) if isinstance(sources, list | tuple) else [sources]
    if not listed:
        raise DataError.at("there is nothing to read: no source was given.")
    return listed


def _check_alike(tables: Sequence[Table], layouts: Sequence[Layout]) -> None:
    for table, layout in zip(tables, layouts, strict=True):
        if layout.shape != layouts[0].shape or (layout.control is None) != (layouts[0].control is None):
            raise DataError.at(
                f"this table is {layout.shape}, but {tables[0].name} is {layouts[0].shape}.",
                file=table.name,
                hint="Read tables of one layout together.",
            )
    if len(tables) > 1 and layouts[0].shape in ("counts", "contingency"):
        raise DataError.at("tables of counts are read one at a time.", file=tables[1].name)


def _declared(config: Any) -> Mapping[str, Control]:
    if config is None:
        return {}
    from accord.readers.label_config import LabelConfig, parse_label_config

    parsed = config if isinstance(config, LabelConfig) else parse_label_config(config)
    return {control.name: control for control in parsed.controls if not control.per_region}


def _dataset(
    tables: Sequence[Table],
    layouts: Sequence[Layout],
    part: Part,
    raters: Sequence[str],
    rules: Rules,
    clusters: Mapping[str, Any],
    notices: Notices,
) -> Dataset:
    if not len(part):
        raise DataError.at("the table has a header but no rows.", file=part.name)
    if layouts[0].shape == "long" and layouts[0].rater is None:
        notices.add("rater-from-file", count=len(raters))
    columns: dict[str, Column] = {}
    words: list[str] = []
    rows: list[IntArray] = []
    for block in blocks_of(part):
        columns[block.name], cells, read = column_of_block(part, block, rules, notices)
        words.append(f"{block.name!r} = {read}")
        if part.times:
            rows.append(cells.rows())
    return Dataset(
        units=part.unit.distinct,
        raters=tuple(_rater(name, layouts[0]) for name in raters),
        columns=_with_annotations(columns, rows) if part.times else columns,
        annotations=annotations_of(part, np.concatenate(rows)) if part.times else None,
        clusters=clusters,
        report=ImportReport(
            sources=tuple(table.name for table in tables),
            shape=_words(tables, layouts, words, has_controls=part.control is not None),
            notices=notices.all(),
            tasks=len(part.unit.distinct),
            annotations=sum(len(column.code) for column in columns.values()),
        ),
        source_kind="table",
    )


def _sorted_raters(part: Part) -> tuple[Part, list[str]]:
    """Number raters by name, so that the order of the rows does not matter."""
    names = list(part.rater.distinct)
    order = sorted(names) if part.by_rows else names
    if order == names:
        return part, names
    place = {name: number for number, name in enumerate(order)}
    table = np.array([place[name] for name in names], dtype=np.int32)
    return replace(part, rater=RawColumn(table[part.rater.codes], order)), order


def _rater(name: str, layout: Layout) -> Rater:
    return Rater(name, Role.REFERENCE if layout.shape == "wide" and is_reference(name) else Role.RATER)


def _with_annotations(columns: Mapping[str, Column], rows: Sequence[IntArray]) -> dict[str, Column]:
    """Number the annotations: one for each kept answer, control after control."""
    begins = np.cumsum([0, *(len(kept) for kept in rows)]).tolist()
    return {
        name: replace(column, annotation=np.arange(begin, begin + len(column.code), dtype=np.int32))
        for (name, column), begin in zip(columns.items(), begins, strict=False)
    }


def _words(tables: Sequence[Table], layouts: Sequence[Layout], answers: Sequence[str], *, has_controls: bool) -> str:
    """Say what was read: kind of file, layout, roles, what the answers are, and columns not used."""
    table, layout = tables[0], layouts[0]
    files = f"{len(tables)} tables, the first {table.kind}" if len(tables) > 1 else table.kind
    roles = [f"item = {layout.unit!r}" if layout.unit is not None else "items numbered by row"]
    if layout.shape == "wide":
        roles.append(f"raters = {', '.join(map(repr, layout.answers))}")
    else:
        roles.append(f"rater = {layout.rater!r}" if layout.rater is not None else "rater = name of the file")
        roles += [f"{role} = {name!r}" for role, name in layout.times.items()]
        if layout.control is not None and has_controls:
            roles.append(f"control = {layout.control!r}")
    used = [name for name in layout.needed if has_controls or name != layout.control]
    unused = [name for name in table.columns if name not in used]
    rest = f"; not used: {', '.join(map(repr, unused))}" if unused else ""
    return f"{'; '.join((files, *table.notes))}: {layout.shape} table, {', '.join(roles)}; {'; '.join(answers)}{rest}."
