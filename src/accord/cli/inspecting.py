"""``accord inspect``: what was read, before anything is measured."""

from __future__ import annotations

from typing import Any

import typer

from accord.cli.options import measuring
from accord.cli.printing import print_json, print_table
from accord.cli.progress import bar
from accord.cli.request import Request
from accord.dataset import Column, Dataset
from accord.errors import printable
from accord.pipeline.privacy import without_addresses
from accord.pipeline.words import show
from accord.values import Value


@measuring
def inspect(request: Request) -> None:
    """Show what is in the data: shape, controls, scales, raters, and everything repaired or left out."""
    plan = request.base_plan()
    with bar("Reading") as progress:
        dataset = request.read(plan, progress=progress.amount)
    if request.no_content:
        dataset = without_addresses(dataset)
    if request.json:
        print_json(dataset_object(dataset))
        return
    typer.echo(printable(f"{dataset.report.shape}"))
    typer.echo(f"{len(dataset.units):,} units, {len(dataset.raters):,} raters, {dataset.answers:,} answers")
    columns = ("control", "tag", "kind", "level", "categories", "answers", "missing", "not asked")
    print_table("", columns, [_row(column) for column in dataset.columns.values()], numeric=(5, 6, 7))
    notices = dataset.report.notices
    if notices:
        rows = [(n.code, f"{n.count:,}", n.meaning, n.examples[0] if n.examples else "") for n in notices]
        print_table("Import report", ("code", "count", "meaning", "example"), rows, numeric=(1,))


def dataset_object(dataset: Dataset) -> dict[str, Any]:
    """Return the dataset object of the JSON contract, with controls."""
    return {
        "fingerprint": dataset.fingerprint,
        "units": len(dataset.units),
        "raters": len(dataset.raters),
        "answers": dataset.answers,
        "shape": dataset.report.shape,
        "import": {
            "codes": dict(dataset.report.codes),
            "notices": [
                {"code": n.code, "count": n.count, "meaning": n.meaning, "examples": list(n.examples)}
                for n in dataset.report.notices
            ],
        },
        "controls": [_control(column) for column in dataset.columns.values()],
    }


def _control(column: Column) -> dict[str, Any]:
    control = column.control
    return {
        "name": control.name,
        "tag": control.tag,
        "kind": str(control.kind),
        "level": str(control.level),
        "domain": None if control.domain is None else [_plain(value) for value in control.domain],
        "answers": len(column.code),
        "missing": column.missing,
        "not_applicable": column.not_applicable,
    }


def _plain(value: Value) -> Any:
    """Value as JSON: numbers stay numbers, paths become lists."""
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int | float):
        return int(value) if float(value).is_integer() else float(value)
    return list(value) if isinstance(value, tuple) else show(value)


def _row(column: Column) -> tuple[str, ...]:
    control = column.control
    domain = "open" if control.domain is None else f"{len(control.domain)}: " + ", ".join(map(show, control.domain[:6]))
    counts = (len(column.code), column.missing, column.not_applicable)
    return (control.name, control.tag, str(control.kind), str(control.level), domain, *(f"{n:,}" for n in counts))
