"""``accord sweep``: agreement against the threshold of a metric."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from accord.cli.options import measuring
from accord.cli.printing import print_json, print_table
from accord.cli.progress import bar
from accord.cli.request import Request
from accord.dataset import Dataset
from accord.errors import UsageError, printable
from accord.pipeline.custom import WHOLE
from accord.pipeline.privacy import KEY_FILE, pseudonymise
from accord.pipeline.sweep import STEPS, Sweep, sweep

FORMATS = {".svg": "svg", ".html": "html", ".htm": "html", ".csv": "csv", ".json": "json"}


@measuring
def sweep_command(
    request: Request,
    start: Annotated[
        float | None, typer.Option("--from", help="First threshold. Default 0.", show_default=False)
    ] = None,
    stop: Annotated[
        float | None,
        typer.Option("--to", help="Last threshold. Default 1; twice the default of a distance.", show_default=False),
    ] = None,
    steps: Annotated[int, typer.Option(help="Number of thresholds.")] = STEPS,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File to write: .svg, .html, .csv or .json.", show_default=False),
    ] = None,
) -> None:
    """Measure one control at every threshold of its metric: score, coefficient, and F1 of matched regions.

    At each threshold two answers are the same or not. All pairs are scored once.
    """
    if request.bundle is not None or request.fail_under is not None:
        raise UsageError("A sweep is a curve: --bundle and --fail-under are options of score.")
    form = None if output is None else FORMATS.get(output.suffix.lower())
    if output is not None and form is None:
        raise UsageError(f"Cannot tell the format of {output}. Allowed: {', '.join(FORMATS)}.")
    found = _run(request, start, stop, steps)
    if output is not None and form is not None:
        from accord.reporting.sweeps import render_sweep
        from accord.reporting.writing import write_text

        write_text(output, render_sweep(found, form))
    if request.json:
        print_json(found.to_dict())
    else:
        _print(found)
    if output is not None:
        typer.echo(f"Sweep: {output}", err=request.json)


def _run(request: Request, start: float | None, stop: float | None, steps: int) -> Sweep:
    plan = request.base_plan()
    with bar("Reading") as progress:
        dataset = request.read(plan, progress=progress.amount)
    if request.pseudonyms:
        dataset = pseudonymise(dataset, Path(KEY_FILE))
    control = _control(request, dataset)
    metrics = tuple(text if "=" in text else f"{control}={text}" for text in request.metric)
    plan = replace(request, metric=metrics).full_plan(plan, dataset)
    return sweep(dataset, control, plan, start=start, stop=stop, steps=steps)


def _control(request: Request, dataset: Dataset) -> str:
    """Return the control asked for, or the only one there is."""
    names = request.control or tuple(dataset.columns)
    if len(names) != 1:
        known = ", ".join((*dataset.columns, *(nested.control.name for nested in dataset.nested))) or "none"
        raise UsageError(f"A sweep is about one control: give --control NAME once. Controls: {known}.")
    return WHOLE if names[0] == WHOLE else dataset.control(names[0]).name


def _print(found: Sweep) -> None:
    from accord.reporting.sweeps import row, summary

    columns = ["threshold", "pairwise", "interval", "consensus", found.coefficient, "interval"]
    if "f1" in found.curves:
        columns += ["F1", "matched", "unmatched"]
    print_table(
        printable(f"{found.control}, {found.metric}"),
        columns,
        [row(point) for point in found.points],
        numeric=range(len(columns)),
    )
    typer.echo(printable(summary(found)))
