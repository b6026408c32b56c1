"""``accord reproduce``: recompute a bundle and compare every number."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from accord.cli.printing import print_json, print_table


def reproduce(
    folder: Annotated[Path, typer.Argument(help="Bundle written by: accord score --bundle.", show_default=False)],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Recompute a bundle from its coded table; exit 1 if a number differs by more than 1e-12."""
    from accord.pipeline.bundle import reproduce_bundle

    rows = reproduce_bundle(folder)
    same = all(row.same for row in rows)
    if as_json:
        print_json({"same": same, "numbers": [row.to_dict() for row in rows]})
    else:
        shown = [(r.control, r.number, r.written, r.again, "same" if r.same else "DIFFERS") for r in rows]
        print_table("", ("control", "number", "in the bundle", "recomputed", ""), shown, numeric=(2, 3))
        typer.echo(f"{len(rows)} numbers, {sum(not row.same for row in rows)} differ")
    if not same:
        raise typer.Exit(1)
