"""The files of a finished benchmark."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from accord.bench.figures import Figure
from accord.bench.log import Log
from accord.bench.pages import document
from accord.bench.settings import Settings
from accord.bench.summary import BUDGET, Row, Summary
from accord.reporting.document import to_html, to_markdown
from accord.reporting.writing import write_text

TABLE, DATA, PAGE, TEXT = "table.csv", "results.json", "index.html", "table.md"


def write(log: Log, summary: Summary, settings: Settings, manifest: Mapping[str, Any]) -> None:
    """Write table.md, table.csv, results.json, index.html and the pictures."""
    made = document(summary, log.entries.values(), settings, manifest)
    for picture in made.pictures:
        write_text(log.folder / picture.name, f"{picture.svg}\n")
    write_text(log.folder / TEXT, to_markdown(made))
    write_text(log.folder / PAGE, to_html(made))
    write_text(log.folder / TABLE, _csv(summary))
    write_text(log.folder / DATA, json.dumps(to_dict(summary, manifest), indent=1, allow_nan=False) + "\n")


def to_dict(summary: Summary, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Everything as JSON has it; what does not exist is null."""
    found: dict[str, Any] = {
        "manifest": dict(manifest),
        "rows": [asdict(row) for row in summary.rows],
        "costs": [{**asdict(c), "rate": c.rate, "projected": c.projected} for c in summary.costs],
        "permutations": [asdict(p) for p in summary.permuted],
    }
    return _plain(found)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


_FIGURES = ("mae", "bias", "rmse", "slope")


def _csv(summary: Summary) -> str:
    plain = [f.name for f in fields(Row) if f.name not in (*_FIGURES, "budget")]
    ends = [f"{name}{end}" for name in _FIGURES for end in ("", "_low", "_high")]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow((*plain, *ends, *BUDGET))
    for row in summary.rows:
        figures: list[Figure] = [getattr(row, name) for name in _FIGURES]
        numbers = [v for f in figures for v in (f.value, f.low, f.high)]
        writer.writerow(_cell(v) for v in (*(getattr(row, name) for name in plain), *numbers, *row.budget))
    return out.getvalue()


def _cell(value: Any) -> Any:
    return "" if value is None or (isinstance(value, float) and math.isnan(value)) else value
