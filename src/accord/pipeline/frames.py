"""The headline table of a report as a dataframe, and for notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib.util import find_spec
from typing import Any

from accord.coefficients.estimate import finite
from accord.pipeline.report import Report
from accord.pipeline.words import interval_words, number

COLUMNS = ("control", "kind", "coefficient", "similarity", "value", "low", "high", "se", "observed", "expected")
COUNTS = ("units", "raters", "pairs", "undefined", "signature")


def headline_rows(report: Report) -> Iterator[dict[str, Any]]:
    """One row per control and coefficient; None where a number does not exist."""
    for control in report.controls:
        for key, estimate in control.coefficients.items():
            ends = estimate.interval
            row = {
                "control": control.control.name,
                "kind": str(control.control.kind),
                "coefficient": key,
                "low": None if ends is None else finite(ends.low),
                "high": None if ends is None else finite(ends.high),
            }
            names = ("similarity", "value", "se", "observed", "expected", *COUNTS)
            row |= {name: finite(getattr(estimate, name)) for name in names}
            yield {name: row[name] for name in (*COLUMNS, *COUNTS)}


def headline_frame(report: Report) -> Any:
    """Return the rows as a pandas dataframe where pandas is installed, else as a pyarrow table."""
    rows = list(headline_rows(report))
    if find_spec("pandas") is not None:
        import pandas as pd

        return pd.DataFrame(rows, columns=[*COLUMNS, *COUNTS])
    import pyarrow as pa

    return pa.table({name: [row[name] for row in rows] for name in (*COLUMNS, *COUNTS)})


def headline_html(report: Report) -> str:
    """Return the table of headlines for a notebook; text from data is escaped."""
    heads = ("control", "coefficient", "value", "interval", "units", "raters")
    lines = ["<table><thead><tr>", *(f"<th>{head}</th>" for head in heads), "</tr></thead><tbody>"]
    for control in report.controls:
        main = control.main
        cells = (
            control.control.name,
            f"{control.headline} ({main.similarity})",
            number(main.value, 3),
            interval_words(main),
            f"{main.units:,}",
            f"{main.raters:,}",
        )
        lines.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
    return "".join(lines) + "</tbody></table>"
