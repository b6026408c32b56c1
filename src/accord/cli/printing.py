"""Tables and JSON on standard output."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from accord.errors import printable, shorten
from accord.pipeline.report import ControlReport, Report
from accord.pipeline.words import interval_words, number, why_undefined

PIPE_WIDTH = 200


def console() -> Console:
    """Console that keeps whole lines in pipes."""
    return Console(width=None if sys.stdout.isatty() else PIPE_WIDTH, highlight=False, soft_wrap=False)


def print_json(data: Any) -> None:
    """Print one JSON object, never NaN."""
    sys.stdout.write(json.dumps(data, ensure_ascii=False, allow_nan=False, indent=2) + "\n")


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[int] = ()) -> None:
    """Print a table; ``numeric`` columns are right-aligned. Cell text is never read as markup."""
    table = Table(title=Text(title) if title else None, title_justify="left", box=None, pad_edge=False)
    for i, column in enumerate(columns):
        table.add_column(column, justify="right" if i in numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    console().print(table)


def print_headlines(report: Report) -> None:
    """Print the headline table and what stands out."""
    rows = [row for control in report.controls for row in _rows(control)]
    columns = ("control", "coefficient", "value", "interval", "units", "raters", "pairs", "pairwise")
    print_table("", columns, rows, numeric=(2, 4, 5, 6, 7))
    out = console()
    for control in report.controls:
        if control.main.undefined:
            out.print(Text(printable(f"{control.control.name}: undefined, {why_undefined(control.main)}")))
    out.print(Text(f"Read: {shorten(report.dataset.report.shape, 300)}"))
    notices = report.dataset.report.codes
    if notices:
        said = ", ".join(f"{code} {count}" for code, count in notices.items())
        out.print(Text(f"Import: {said}. See: accord inspect"))


def _rows(control: ControlReport) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for i, (key, estimate) in enumerate(control.coefficients.items()):
        rows.append(
            (
                control.control.name if i == 0 else "",
                f"{key} ({estimate.similarity})" if estimate.similarity else key,
                number(estimate.value, 3),
                f"{interval_words(estimate)}",
                f"{estimate.units:,}",
                f"{estimate.raters:,}",
                f"{estimate.pairs:,}",
                number(control.pairwise.value, 3) if i == 0 else "",
            )
        )
    return rows
