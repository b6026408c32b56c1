"""The report as CSV: the headline table, or one file a table; cells cannot run as formulas."""

from __future__ import annotations

import csv
import io
import math
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from accord.coefficients.estimate import Estimate
from accord.pipeline.report import ControlReport, Report
from accord.reporting.privacy import without_addresses
from accord.reporting.words import shown
from accord.reporting.writing import write_text
from accord.writers.tables import safe_cell

Row = Sequence[str | int | float | None]

ESTIMATE = (
    *("value", "low", "high", "level", "method", "observed", "expected"),
    *("units", "raters", "pairs", "undefined", "signature"),
)
HEADLINE = ("control", "kind", "coefficient", *ESTIMATE)


def render(report: Report) -> str:
    """Render the headline table: one row a control, numbers in full precision, blank where undefined."""
    rows = [_headline(control, control.headline, control.main) for control in report.controls]
    return _text(report, HEADLINE, rows)


def write(report: Report, folder: str | Path) -> tuple[Path, ...]:
    """Write every table of the report into ``folder``, which is made if needed; return the files.

    Raises
    ------
    UsageError, DataError
        If a file cannot be written.
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in tables(report).items():
        write_text(place / name, text)
        written.append(place / name)
    return tuple(written)


def archive(report: Report) -> bytes:
    """Return every table of the report as one zip file, the same bytes for the same report."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in tables(report).items():
            file.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), text, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def tables(report: Report) -> dict[str, str]:
    """Return every table of the report as CSV by file name."""
    return {f"{name}.csv": _text(report, head, rows) for name, (head, rows) in _tables(report).items()}


def _tables(report: Report) -> dict[str, tuple[Row, list[Row]]]:
    controls = report.controls
    return {
        "headline": (HEADLINE, [_headline(c, c.headline, c.main) for c in controls]),
        "coefficients": (HEADLINE, [_headline(c, key, e) for c in controls for key, e in c.coefficients.items()]),
        "labels": (
            ("control", "label", "count", "specific", *ESTIMATE),
            [(_name(c), r.label, r.count, r.specific, *_estimate(r.agreement)) for c in controls for r in c.labels],
        ),
        "raters": (
            ("control", "rater", "answers", "units", "agreement", "low", "high", "influence", "lead_time_median"),
            [row for c in controls for row in _raters(c)],
        ),
        "rater_pairs": (
            ("control", "a", "b", "units", "agreement", "cohen_kappa", "low", "high"),
            [row for c in controls for row in _rater_pairs(c)],
        ),
        "gold": (
            ("control", "rater", "units", "score", "low", "high"),
            [row for c in controls for row in _gold(c)],
        ),
        "confused": (
            ("control", "first", "second", "observed", "expected", "share", "expected_share", "supported"),
            [row for c in controls for row in _confused(c)],
        ),
        "tasks": (
            ("control", "unit", "agreement"),
            [(_name(c), task.unit, task.value) for c in controls for task in (c.tasks or c.disagreed)],
        ),
        "findings": (
            ("control", "kind", "title", "share", "chance_share", "detail", "action"),
            [(f.control, f.kind, f.title, f.share, f.chance_share, f.detail, f.action) for f in report.findings],
        ),
        "import": (
            ("code", "count", "meaning"),
            [(n.code, n.count, n.meaning) for n in report.dataset.report.notices],
        ),
    }


def _name(control: ControlReport) -> str:
    return control.control.name


def _headline(control: ControlReport, key: str, value: Estimate) -> Row:
    return (_name(control), str(control.control.kind), key, *_estimate(value))


def _estimate(value: Estimate) -> Row:
    interval = value.interval
    ends: Row = (interval.low, interval.high, interval.level, interval.method) if interval else (None,) * 4
    numbers = (value.observed, value.expected, value.units, value.raters, value.pairs)
    return (value.value, *ends, *numbers, value.undefined, value.signature)


def _raters(control: ControlReport) -> Iterable[Row]:
    for row in control.rater_rows:
        interval = row.agreement.interval
        ends: Row = (interval.low, interval.high) if interval else (None, None)
        yield (_name(control), row.rater, row.answers, row.units, row.agreement.value, *ends, row.influence,
               row.lead_time_median)  # fmt: skip


def _rater_pairs(control: ControlReport) -> Iterable[Row]:
    for pair in control.rater_pairs:
        kappa = pair.cohen_kappa
        ends: Row = (kappa.interval.low, kappa.interval.high) if kappa.interval else (None, None)
        yield (_name(control), pair.a, pair.b, pair.units, pair.value, kappa.value, *ends)


def _gold(control: ControlReport) -> Iterable[Row]:
    for row in control.gold_rows:
        interval = row.score.interval
        ends: Row = (interval.low, interval.high) if interval else (None, None)
        yield (_name(control), row.rater, row.score.units, row.score.value, *ends)


def _confused(control: ControlReport) -> Iterable[Row]:
    for pair in control.confused:
        numbers = (pair.observed, pair.expected, pair.share, pair.expected_share)
        yield (_name(control), pair.first, pair.second, *numbers, str(pair.supported).lower())


def _text(report: Report, head: Row, rows: Iterable[Row]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return stream.getvalue() if report.content else without_addresses(stream.getvalue())


def _cell(value: str | float | None) -> str:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    return safe_cell(shown(value)) if isinstance(value, str) else repr(value)
