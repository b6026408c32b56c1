"""Bring the schema of a database up to date."""

from __future__ import annotations

import logging
from importlib import resources
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from accord.errors import DataError
from accord.workspace.database import Database

#: Any number, the same in all processes: only one at a time changes the schema.
_LOCK: Final = 4_711_020


def migrate(database: Database) -> None:
    """Run the migrations that the database lacks, all or none.

    Raises
    ------
    DataError
        The database was made by a newer version of Accord.
    """
    logging.getLogger("alembic").setLevel(logging.WARNING)
    with database.write() as connection:
        if not database.is_sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})
        config = _config(connection)
        script = ScriptDirectory.from_config(config)
        known = {revision.revision for revision in script.walk_revisions()}
        found = MigrationContext.configure(connection).get_current_revision()
        if found is not None and found not in known:
            raise DataError.at(
                f"the database has schema {found}, which this version does not know.",
                file=database.where,
                hint="It was made by a newer version of Accord; install that one.",
            )
        if found != script.get_current_head():
            command.upgrade(config, "head")


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(resources.files("accord.workspace").joinpath("migrations")))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
