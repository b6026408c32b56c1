"""A whole workspace as one file, the same from SQLite and PostgreSQL; and back into an empty database of either."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final

from sqlalchemy import Connection, Table, func, insert, select, text

from accord.errors import DataError, UsageError
from accord.version import __version__
from accord.workspace.database import Database
from accord.workspace.migrating import migrate
from accord.workspace.tables import METADATA

FORMAT: Final = "accord-workspace"
VERSION: Final = 1
#: Rows written at a time.
ROWS: Final = 500
#: Characters of a line; a row holds at most one annotation or report.
LONGEST: Final = 1 << 30


def backup(database: Database, target: Path) -> int:
    """Write everything to a new file, as it is at one moment; returns the number of rows.

    Tokens of other servers are left out: they are entered again after a restore.

    Raises
    ------
    UsageError
        The file exists already or cannot be written.
    """
    try:
        with target.open("xb") as raw, gzip.open(raw, "wt", encoding="ascii") as file, database.read() as connection:
            head = {"format": FORMAT, "version": VERSION, "accord": __version__, "schema": _schema(connection)}
            file.write(json.dumps(head) + "\n")
            count = 0
            for line in _lines(connection):
                file.write(line + "\n")
                count += 1
            file.write(json.dumps({"rows": count}) + "\n")
    except FileExistsError:
        raise UsageError(f"{target} exists already. Give the name of a new file.") from None
    except OSError as error:
        raise UsageError(f"{target}: cannot be written: {error.strerror or error}.") from None
    return count


def _schema(connection: Connection) -> str:
    return str(connection.scalar(text("SELECT version_num FROM alembic_version")))


def _lines(connection: Connection) -> Iterator[str]:
    for table in METADATA.sorted_tables:
        secret = {place for place, column in enumerate(table.columns) if column.info.get("secret")}
        query = select(table).order_by(*table.primary_key.columns).execution_options(yield_per=ROWS)
        for row in connection.execute(query):
            values = ["" if place in secret else _plain(value) for place, value in enumerate(row)]
            yield json.dumps([table.name, values], separators=(",", ":"))


def _plain(value: Any) -> Any:
    return {"base64": base64.b64encode(value).decode("ascii")} if isinstance(value, bytes | memoryview) else value


def restore(database: Database, source: Path) -> int:
    """Read a backup into an empty database, all of it or nothing; returns the number of rows.

    Raises
    ------
    UsageError
        The database is not empty.
    DataError
        The file is no backup, is cut off, or was made by another version of the schema.
    """
    migrate(database)
    try:
        with gzip.open(source, "rt", encoding="ascii") as file, database.write() as connection:
            _check_head(connection, file, source)
            for table in METADATA.sorted_tables:
                if connection.scalar(select(func.count()).select_from(table)):
                    raise UsageError("The database is not empty. Restore into a new one.")
            count = _insert_all(connection, file, source)
            if not database.is_sqlite:
                _continue_numbers(connection)
    except (OSError, EOFError, UnicodeDecodeError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is cut off, or no backup"
        raise DataError.at(f"cannot be read: {why}.", file=source.name) from None
    return count


def _check_head(connection: Connection, file: IO[str], source: Path) -> None:
    head = json.loads(file.readline(10_000) or "null")
    if not isinstance(head, dict) or head.get("format") != FORMAT or head.get("version") != VERSION:
        raise DataError.at("is no backup of a workspace.", file=source.name)
    if head.get("schema") != _schema(connection):
        raise DataError.at(
            f"was made with schema {head.get('schema')}, and this version has {_schema(connection)}.",
            file=source.name,
            hint=f"Restore it with Accord {head.get('accord')}, then install this version and start it.",
        )


def _insert_all(connection: Connection, file: IO[str], source: Path) -> int:
    count, name, waiting = 0, "", list[dict[str, Any]]()
    while line := file.readline(LONGEST):
        found = json.loads(line)
        if isinstance(found, dict):
            _insert(connection, name, waiting)
            if found.get("rows") != count:
                raise DataError.at("is incomplete.", file=source.name)
            return count
        if found[0] != name or len(waiting) >= ROWS:
            _insert(connection, name, waiting)
            name, waiting = found[0], []
        columns = METADATA.tables[name].columns.keys()
        waiting.append(dict(zip(columns, map(_value, found[1]), strict=True)))
        count += 1
    raise DataError.at("is cut off.", file=source.name)


def _insert(connection: Connection, name: str, rows: list[dict[str, Any]]) -> None:
    if rows:
        connection.execute(insert(METADATA.tables[name]), rows)


def _value(value: Any) -> Any:
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else value


def _continue_numbers(connection: Connection) -> None:
    """Let PostgreSQL give new numbers after those that were restored."""
    for table in METADATA.sorted_tables:
        if _numbered(table):
            query = text(
                f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), "  # noqa: S608 - names of our own tables
                f"greatest((SELECT max(id) FROM {table.name}), 1))"
            )
            connection.execute(query)


def _numbered(table: Table) -> bool:
    return [column.name for column in table.primary_key.columns] == ["id"]
