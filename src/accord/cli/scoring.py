"""``accord score`` and ``accord report``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from accord.cli.most_lost import print_most_lost
from accord.cli.options import measuring
from accord.cli.printing import print_headlines, print_json
from accord.cli.progress import bar
from accord.cli.request import Request
from accord.dataset import Dataset
from accord.errors import UsageError, printable
from accord.pipeline.contract import to_dict
from accord.pipeline.gate import fail_under, load_criteria
from accord.pipeline.measure import measure
from accord.pipeline.plan import Plan
from accord.pipeline.privacy import KEY_FILE, pseudonymise
from accord.pipeline.report import Report

FORMATS = {".html": "html", ".htm": "html", ".md": "md", ".csv": "csv", ".json": "json"}
BELOW = 1


@measuring
def score(request: Request) -> None:
    """Measure agreement and print the numbers.

    Every number carries its interval, its counts and its recipe. Undefined is an outcome with a reason.
    """
    _, _, found = run(request)
    _print(request, found)
    _finish(request, found)


@measuring
def report(
    request: Request,
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write.", show_default=False)],
    form: Annotated[
        str | None,
        typer.Option("--format", help="html, md, csv or json; by default from the name.", show_default=False),
    ] = None,
    criteria: Annotated[
        Path | None, typer.Option(help="Criteria file (see gate); gives verdicts.", show_default=False)
    ] = None,
    title: Annotated[str, typer.Option(help="Title of the report.", show_default=False)] = "",
    images: Annotated[
        Path | None,
        typer.Option(
            help="Folder with the pictures of the tasks, found by name, to show behind drawn regions.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Write a report: one self-contained HTML file, or Markdown, CSV or JSON."""
    from accord.reporting import write_report
    from accord.reporting.writing import check_target

    chosen = form or FORMATS.get(output.suffix.lower())
    if chosen is None or chosen not in FORMATS.values():
        raise UsageError(f"Cannot tell the format of {output}. Give --format: html, md, csv or json.")
    if not (chosen == "csv" and output.is_dir()):
        check_target(output)
    _check_no_input(output, (*request.sources, request.config, request.plan, criteria))
    if images is not None and (chosen != "html" or request.no_content or not images.is_dir()):
        raise UsageError(_no_images(images, chosen, hidden=request.no_content))
    if criteria is not None:
        load_criteria(criteria)
    _, _, found = run(request, page=True, title=title)
    if criteria is not None:
        from accord.pipeline.verdict import with_criteria

        found = with_criteria(found, criteria)
    write_report(found, output, chosen, images=images)
    _print(request, found)
    typer.echo(f"Report: {output}", err=request.json)
    _finish(request, found)


def _no_images(images: Path, form: str, *, hidden: bool) -> str:
    """Why pictures cannot be embedded."""
    if form != "html":
        return f"--images is for HTML, and this report is {form}."
    if hidden:
        return "--images and --no-content contradict each other. Give one of them."
    return f"--images {images} is no folder. Give the folder that holds the pictures."


def _check_no_input(output: Path, inputs: Iterable[str | Path | None]) -> None:
    for name in inputs:
        if name is not None and output.exists() and Path(name).exists() and output.samefile(name):
            raise UsageError(f"{output} is read from and would be overwritten. Give --output another name.")


def run(request: Request, *, page: bool = False, title: str = "") -> tuple[Dataset, Plan, Report]:
    """Read, measure and, where asked, write the bundle."""
    plan = request.base_plan()
    with bar("Reading") as progress:
        dataset = request.read(plan, context=page and not request.no_content, progress=progress.amount)
    if request.pseudonyms:
        dataset = pseudonymise(dataset, Path(KEY_FILE))
    plan = request.full_plan(plan, dataset)
    with bar("Measuring") as progress:
        found = measure(
            dataset,
            plan,
            tasks=request.tasks or page,
            page=page,
            content=not request.no_content,
            title=title,
            progress=progress.step,
            announce=lambda words: typer.echo(printable(words), err=True),
        )
    if request.bundle is not None:
        from accord.pipeline.bundle import write_bundle

        write_bundle(request.bundle, dataset, plan, found)
    return dataset, plan, found


def _print(request: Request, found: Report) -> None:
    if request.json:
        print_json(to_dict(found, tasks=request.tasks))
    else:
        print_headlines(found)
        print_most_lost(found.controls if request.tasks else ())


def _finish(request: Request, found: Report) -> None:
    if request.fail_under is None:
        return
    decision = fail_under(found, request.fail_under, request.fail_on)
    if decision.passed:
        return
    for check in decision.checks:
        if not check.passed:
            typer.echo(printable(f"{check.control}: {check.criterion}: {check.why}"), err=True)
    raise typer.Exit(BELOW)
