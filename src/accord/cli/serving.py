"""``accord serve`` and ``accord worker``: the programs of a team's server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from accord.errors import MissingExtraError

DATA = Path("accord-data")
Folder = Annotated[Path, typer.Option("--data", help="Folder for the database.")]
Url = Annotated[
    str | None,
    typer.Option(
        "--database",
        envvar="ACCORD_DATABASE",
        help="Database, as postgresql://USER:PASSWORD@HOST/NAME; a SQLite file in the data folder if absent.",
        show_default=False,
        show_envvar=True,
    ),
]


def serve(
    data: Folder = DATA,
    database: Url = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.")] = 8080,
    token_out: Annotated[
        Path | None,
        typer.Option("--token-out", help="Write a new token of an admin to this file.", show_default=False),
    ] = None,
    workers: Annotated[int, typer.Option(help="Worker processes to start beside the server.")] = 1,
    demo: Annotated[bool, typer.Option("--demo", help="Begin with the project of the example.")] = False,
) -> None:
    """Serve projects, scores and review to a team, as pages and as an API.

    The first start prints a link that makes the first admin. Only this machine can reach the server unless --host says
    otherwise, and that needs somebody who has set a password, or a token.
    """
    _need_extra()
    from accord.service.run import serve as run
    from accord.service.settings import Settings

    settings = Settings(
        data=data, database=database, host=host, port=port, token_out=token_out, workers=workers, demo=demo
    )
    run(settings, typer.echo)


def worker(
    data: Folder = DATA,
    database: Url = None,
) -> None:
    """Do the long work of a server, on this machine or another one; as many as one likes may run."""
    _need_extra()
    from accord.service.settings import Settings
    from accord.service.working import work

    work(Settings(data=data, database=database).url)


def _need_extra() -> None:
    """Say what to install where the packages of the server are missing.

    Raises
    ------
    MissingExtraError
        If one of them is not installed.
    """
    try:
        import alembic  # noqa: F401 - only to see whether it is there
        import fastapi  # noqa: F401
        import prometheus_client  # noqa: F401
        import pwdlib  # noqa: F401
        import python_multipart  # noqa: F401
        import sqlalchemy  # noqa: F401
        import uvicorn  # noqa: F401
    except ModuleNotFoundError:
        raise MissingExtraError.install("The server", "serve") from None


def backup(
    target: Annotated[Path, typer.Argument(help="File to write.", show_default=False)],
    data: Folder = DATA,
    database: Url = None,
) -> None:
    """Write the whole workspace of a server to one file; the server may go on running."""
    _need_extra()
    from accord.service.settings import Settings
    from accord.workspace import Workspace
    from accord.workspace.backup import backup as write

    with Workspace.open(Settings(data=data, database=database).url) as workspace:
        typer.echo(f"{write(workspace.database, target):,} rows written to {target}")


def restore(
    source: Annotated[Path, typer.Argument(help="File that `accord backup` wrote.", show_default=False)],
    data: Folder = DATA,
    database: Url = None,
) -> None:
    """Read a backup into a new database, which may be of the other kind."""
    _need_extra()
    from accord.service.settings import Settings
    from accord.workspace import Workspace
    from accord.workspace.backup import restore as read

    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    with Workspace.open(Settings(data=data, database=database).url) as workspace:
        typer.echo(f"{read(workspace.database, source):,} rows restored")


def recompute(
    project: Annotated[int, typer.Option(help="Number of the project.", show_default=False)],
    data: Folder = DATA,
    database: Url = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Score every task of a server's project anew; the server may go on running."""
    _need_extra()
    from accord.cli.printing import print_json
    from accord.service.settings import Settings
    from accord.service.working import recompute as run

    found = run(Settings(data=data, database=database).url, project)
    if as_json:
        print_json(found)
    else:
        typer.echo(", ".join(f"{count:,} {name}" for name, count in found.items()))
