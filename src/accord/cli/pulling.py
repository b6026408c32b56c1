"""``accord pull``."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Any

import typer

from accord.cli.progress import bar
from accord.errors import DataError, UsageError, printable


def pull(
    url: Annotated[str, typer.Option(help="Address of the Label Studio server.", show_default=False)],
    project: Annotated[int, typer.Option(help="Number of the project.", min=1, show_default=False)],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Export to write, or to bring up to date.", show_default=False)
    ],
    token: Annotated[
        str | None,
        typer.Option(
            envvar="ACCORD_LABEL_STUDIO_TOKEN",
            help="Access token, better given in ACCORD_LABEL_STUDIO_TOKEN.",
            show_default=False,
        ),
    ] = None,
    config: Annotated[Path | None, typer.Option(help="File for the label config (XML).", show_default=False)] = None,
) -> None:
    """Fetch a project from a running Label Studio server; again, only what changed.

    The file is what the server's own JSON export of all tasks holds, as far as agreement is concerned.
    """
    from accord.labelstudio import Client, stamps_of
    from accord.labelstudio import pull as pull_changes
    from accord.reporting.writing import check_target

    if token is None:
        raise UsageError("A token is needed: set ACCORD_LABEL_STUDIO_TOKEN, or give --token.")
    check_target(output)
    before = _read(output, project)
    with Client(url, token) as client, bar("Pulling") as progress:
        about = client.project(project)
        found = pull_changes(client, project, stamps_of(before), progress=progress.amount)
    changed = {task["id"]: task for task in found.changed}
    kept = {task["id"]: task for task in before if task["id"] in found.stamps}
    tasks = {**kept, **changed}
    _write(output, json.dumps([tasks[number] for number in sorted(tasks)], ensure_ascii=False))
    if config is not None:
        _write(config, str(about.get("label_config") or ""))
    typer.echo(
        printable(f"{output}: {len(tasks):,} tasks, {len(changed):,} new or changed, {len(found.deleted):,} deleted")
    )


def _read(path: Path, project: int) -> list[Any]:
    """Tasks of an earlier pull of this project."""
    if not path.exists():
        return []
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        found = None
    known = isinstance(found, list) and all(isinstance(t, dict) and isinstance(t.get("id"), int) for t in found)
    if not known or any(task.get("project") != project for task in found):
        raise DataError.at(
            f"exists and is no export of project {project}.", file=str(path), hint="Give another name, or remove it."
        )
    return list(found)


def _write(path: Path, text: str) -> None:
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
