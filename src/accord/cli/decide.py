"""``accord gate``: criteria in, decision out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from accord.cli.options import measuring
from accord.cli.printing import print_json, print_table
from accord.cli.request import Request
from accord.cli.scoring import BELOW, run
from accord.pipeline.gate import decide, load_criteria
from accord.pipeline.signoff import sign_off, sign_off_page
from accord.pipeline.words import number
from accord.reporting.writing import check_target, write_text


@measuring
def gate(
    request: Request,
    criteria: Annotated[Path, typer.Option(help="Criteria file (JSON).", show_default=False)],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the one-page sign-off (Markdown).", show_default=False)
    ] = None,
) -> None:
    """Check criteria per control; exit 1 if one fails. Undefined fails.

    The criteria file holds {"criteria": [{"control": "sentiment", "at_least": 0.667, "on": "lower", "units": 100}]}.
    Each may also ask for a "coefficient", a number of "raters", and "gold_accuracy" against answers marked as truth.
    """
    wanted = load_criteria(criteria)
    if output is not None:
        check_target(output)
    dataset, _, report = run(request)
    decision = decide(report, wanted)
    data = sign_off(dataset, report, decision)
    if output is not None:
        write_text(output, sign_off_page(data))
    if request.json:
        print_json(data)
    else:
        rows = [
            (
                c.control,
                c.criterion,
                "–" if c.found is None else number(c.found, 3),
                "pass" if c.passed else "fail",
                c.why,
            )
            for c in decision.checks
        ]
        print_table("", ("control", "criterion", "found", "result", "why"), rows, numeric=(2,))
        typer.echo("PASSED" if decision.passed else "FAILED")
    if not decision.passed:
        raise typer.Exit(BELOW)
