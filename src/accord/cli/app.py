"""The command table."""

from __future__ import annotations

from typing import Annotated

import typer

from accord.cli import (
    about,
    benchmarking,
    decide,
    free_text,
    inspecting,
    pulling,
    reproducing,
    scoring,
    serving,
    sweeping,
)
from accord.version import __version__

app = typer.Typer(
    name="accord",
    help="Measure how well annotators agree: coefficients with intervals, and a report that says what to fix.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(show: bool) -> None:
    if show:
        typer.echo(f"accord {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Measure how well annotators agree."""


app.command("inspect")(inspecting.inspect)
app.command("score")(scoring.score)
app.command("report")(scoring.report)
app.command("sweep")(sweeping.sweep_command)
app.command("gate")(decide.gate)
app.command("reproduce")(reproducing.reproduce)
app.command("bench")(benchmarking.bench)
app.add_typer(free_text.app)
app.command("catalog")(about.catalog)
app.command("selftest")(about.selftest)
app.command("serve")(serving.serve)
app.command("worker")(serving.worker)
app.command("recompute")(serving.recompute)
app.command("backup")(serving.backup)
app.command("restore")(serving.restore)
app.command("pull")(pulling.pull)
