"""Tables of counts and cross tables of two raters as datasets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from accord.dataset import Column, Control, Dataset, ImportReport, Rater
from accord.errors import DataError
from accord.readers.counts import crossed, spread
from accord.readers.studies import Numbered
from accord.readers.table_data import RawColumn, Table, name_of
from accord.readers.table_layout import Layout, numbers_in
from accord.readers.table_parts import names_of
from accord.readers.table_values import all_counts, typed_labels
from accord.study import Study
from accord.values import Index, Kind, Value


def counted(table: Table, layout: Layout, name: str) -> Dataset:
    """Read counts (items x categories) or a cross table (labels of one rater x labels of the other)."""
    columns = table.load(layout.needed)
    for title in layout.answers:
        if not all_counts(columns[title]):
            _refuse_cell(table, title, columns[title])
    counts = np.stack([numbers_in(columns[title]) for title in layout.answers], axis=1)
    values = typed_labels(layout.answers)
    if layout.shape == "counts":
        study = spread(counts, values, _unit_names(table, layout, columns, len(counts)))
        words = f"counts table: {len(counts)} items x {len(values)} categories; raters are interchangeable"
    else:
        study = crossed(_same_order(layout, columns, counts), values)
        words = f"cross table of two raters over {len(values)} labels: rows the first, columns the second"
    return _dataset(table, study, name, words)


def _refuse_cell(table: Table, title: str, column: RawColumn) -> None:
    for row, code in enumerate(column.codes.tolist()):
        cell = RawColumn(column.codes[row : row + 1], column.distinct)
        if not all_counts(cell if code < 0 else RawColumn(np.zeros(1, dtype=np.int32), [column.distinct[code]])):
            raise DataError.at(
                f"column {title!r} holds something that is not a count.",
                **table.place(row),
                found="nothing" if code < 0 else str(column.distinct[code]),
                allowed="whole numbers, none negative",
                hint="If the columns are raters, name them: --rater C,C.",
            )


def _unit_names(table: Table, layout: Layout, columns: Mapping[str, RawColumn], rows: int) -> Sequence[str]:
    if layout.unit is None:
        return Numbered(rows)
    unit = names_of(columns[layout.unit], table, layout.unit)
    return [unit.distinct[code] for code in unit.codes.tolist()]


def _same_order(layout: Layout, columns: Mapping[str, RawColumn], counts: Index) -> Index:
    """Put the rows into the order of the columns."""
    first = columns[str(layout.unit)]
    labels = [name_of(first.distinct[code]) for code in first.codes.tolist()]
    return counts[[labels.index(title) for title in layout.answers]]


def _dataset(table: Table, study: Study, name: str, words: str) -> Dataset:
    values: tuple[Value, ...] = study.values
    column = Column(
        control=Control(name=name, kind=Kind.LABEL, domain=values, tag="Choices"),
        unit=study.unit,
        rater=study.rater,
        code=study.code,
        values=values,
        slots=study.slots,
    )
    report = ImportReport(sources=(table.name,), shape=f"{table.kind}: {words}.", tasks=study.U, annotations=study.C)
    return Dataset(
        units=study.unit_names,
        raters=tuple(Rater(rater) for rater in study.rater_names),
        columns={name: column},
        report=report,
        source_kind="table",
    )
