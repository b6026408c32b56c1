"""``accord inspect``: what was read, before anything is measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import typer

from accord.cli.most_lost import most_lost, print_most_lost
from accord.cli.options import measuring
from accord.cli.printing import print_json, print_table
from accord.cli.progress import bar
from accord.cli.request import Request
from accord.dataset import Column, Control, Dataset, Nested
from accord.errors import printable
from accord.pipeline.measure import measure
from accord.pipeline.plan import Plan
from accord.pipeline.privacy import without_addresses
from accord.pipeline.region_answers import times_answered
from accord.pipeline.report import ControlReport
from accord.pipeline.words import show
from accord.values import Value


@measuring
def inspect(request: Request) -> None:
    """Show what is in the data: shape, controls, scales, raters, and everything repaired or left out.

    With --control also where those controls lose most agreement: tasks, and for regions what they lose it to.
    """
    plan = request.base_plan()
    with bar("Reading") as progress:
        dataset = request.read(plan, progress=progress.amount)
    if request.no_content:
        dataset = without_addresses(dataset)
    lost = _lost(request, plan, dataset) if request.control else ()
    if request.json:
        found = dataset_object(dataset)
        print_json(found | {"most_lost": most_lost(lost)} if lost else found)
        return
    typer.echo(printable(f"{dataset.report.shape}"))
    typer.echo(f"{len(dataset.units):,} units, {len(dataset.raters):,} raters, {dataset.answers:,} answers")
    columns = ("control", "tag", "kind", "level", "categories", "answers", "missing", "not asked")
    rows = [_row(column) for column in dataset.columns.values()]
    print_table("", columns, [*rows, *(_nested_row(dataset, nested) for nested in dataset.nested)], numeric=(5, 6, 7))
    notices = dataset.report.notices
    if notices:
        rows = [(n.code, f"{n.count:,}", n.meaning, n.examples[0] if n.examples else "") for n in notices]
        print_table("Import report", ("code", "count", "meaning", "example"), rows, numeric=(1,))
    print_most_lost(lost)


def _lost(request: Request, plan: Plan, dataset: Dataset) -> Sequence[ControlReport]:
    """Measure the controls that were asked for."""
    with bar("Measuring") as progress:
        chosen = request.full_plan(plan, dataset)
        return measure(dataset, chosen, tasks=True, content=not request.no_content, progress=progress.step).controls


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
        "controls": [
            *(_control(column) for column in dataset.columns.values()),
            *(_nested(dataset, nested) for nested in dataset.nested),
        ],
    }


def _control(column: Column) -> dict[str, Any]:
    return {
        **_declared(column.control),
        "answers": len(column.code),
        "missing": column.missing,
        "not_applicable": column.not_applicable,
    }


def _nested(dataset: Dataset, nested: Nested) -> dict[str, Any]:
    """A question about regions: its answers are regions that carry one."""
    return {**_declared(nested.control), "answers": times_answered(dataset, nested), "per_region": True}


def _declared(control: Control) -> dict[str, Any]:
    return {
        "name": control.name,
        "tag": control.tag,
        "kind": str(control.kind),
        "level": str(control.level),
        "domain": None if control.domain is None else [_plain(value) for value in control.domain],
    }


def _plain(value: Value) -> Any:
    """Value as JSON: numbers stay numbers, paths become lists."""
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int | float):
        return int(value) if float(value).is_integer() else float(value)
    return list(value) if isinstance(value, tuple) else show(value)


def _row(column: Column) -> tuple[str, ...]:
    counts = (len(column.code), column.missing, column.not_applicable)
    return (*_head(column.control), *(f"{n:,}" for n in counts))


def _nested_row(dataset: Dataset, nested: Nested) -> tuple[str, ...]:
    name, tag, *rest = _head(nested.control)
    return (name, f"{tag}, about regions", *rest, f"{times_answered(dataset, nested):,}", "", "")


def _head(control: Control) -> tuple[str, ...]:
    domain = "open" if control.domain is None else f"{len(control.domain)}: " + ", ".join(map(show, control.domain[:6]))
    return control.name, control.tag, str(control.kind), str(control.level), domain
