"""One database, SQLite or PostgreSQL: transactions that read a snapshot, transactions that write, clear errors."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, TimeoutError  # noqa: A004 - of its pool

from accord.errors import DataError, MissingExtraError, UsageError, shorten

#: Seconds a writer waits for another one before it gives up.
PATIENCE: Final = 30.0
#: Memory of one connection to SQLite for pages; the system keeps them for all connections together.
CACHE_KIB: Final = 256
_FULL: Final = ("full", "disk i/o error", "no space left", "file too large", "could not extend file")
_BUSY: Final = ("locked", "busy", "lock timeout", "deadlock")


class StoreError(DataError):
    """The database cannot be reached, read or written; nothing of the transaction was kept."""

    @classmethod
    def of(cls, error: DBAPIError, where: str) -> StoreError:
        """Say in words what the driver reported, without the statement and its values."""
        said = str(error.orig).strip().splitlines()[0] if str(error.orig).strip() else type(error.orig).__name__
        low = said.lower()
        if any(word in low for word in _FULL):
            what, hint = "cannot be written, there is no room left", "Free space on the disk, then try again."
        elif any(word in low for word in _BUSY):
            what, hint = "is busy with another writer", "Try again."
        else:
            what, hint = "cannot be used", "Check that it is there and can be reached, then try again."
        return cls(str(cls.at(f"the database {what}; nothing was changed.", file=where, found=said, hint=hint)))


class Database:
    """Connections to one database.

    Parameters
    ----------
    url
        ``sqlite:///FILE``, ``postgresql://...``, or the path of an SQLite file.

    Raises
    ------
    UsageError
        The URL is no URL of SQLite or PostgreSQL.
    MissingExtraError
        PostgreSQL is asked for and its driver is not installed.
    """

    def __init__(self, url: str | Path) -> None:
        found = _url(url)
        self.is_sqlite = found.get_backend_name() == "sqlite"
        self.where = str(found.database) if self.is_sqlite else found.render_as_string(hide_password=True)
        self.engine = _engine(found)
        #: SQLite lets whoever asks at the right moment write next; in one process, threads take turns instead.
        self._turn = threading.Lock()
        if self.is_sqlite:
            event.listen(self.engine, "connect", _prepare_sqlite)
            event.listen(self.engine, "begin", _begin_sqlite)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Read a snapshot: what others write meanwhile is not seen."""
        options = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        with self._connected(options) as connection:
            yield connection

    @contextmanager
    def write(self, patience: float = PATIENCE) -> Iterator[Connection]:
        """Write all or nothing; on SQLite one writer at a time, for whom others wait this many seconds."""
        if not self.is_sqlite:
            with self._connected({}) as connection:
                yield connection
            return
        if not self._turn.acquire(timeout=patience if patience < PATIENCE else -1):
            raise StoreError(str(StoreError.at("the database is busy with another writer.", file=self.where)))
        try:
            with self._connected({"writes": True, "patience": patience}) as connection:
                yield connection
        finally:
            self._turn.release()

    @contextmanager
    def _connected(self, options: dict[str, Any]) -> Iterator[Connection]:
        try:
            with self.engine.connect().execution_options(**options) as connection, connection.begin():
                yield connection
        except DBAPIError as error:
            raise StoreError.of(error, self.where) from error
        except TimeoutError as error:
            what = StoreError.at("all connections to the database are in use.", file=self.where, hint="Try again.")
            raise StoreError(str(what)) from error

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()


def _url(given: str | Path) -> URL:
    if isinstance(given, Path) or "://" not in given:
        return URL.create("sqlite", database=str(given))
    try:
        found = make_url(given)
    except ArgumentError:
        raise UsageError(f"{shorten(given)!r} is no database URL. Allowed: {_ALLOWED}.") from None
    if found.drivername in ("postgresql", "postgres"):
        return found.set(drivername="postgresql+psycopg")
    if found.get_backend_name() not in ("sqlite", "postgresql"):
        raise UsageError(f"A workspace is not kept in {shorten(found.drivername)}. Allowed: {_ALLOWED}.")
    if found.get_backend_name() == "sqlite" and found.database in (None, "", ":memory:"):
        raise UsageError("A workspace needs a file: sqlite:///FILE.")
    return found


_ALLOWED: Final = "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"


def _engine(url: URL) -> Engine:
    options: dict[str, Any] = {"pool_size": 10, "max_overflow": 20, "pool_timeout": PATIENCE}
    if url.get_backend_name() == "sqlite":
        options["pool_size"] = 50  # a file has no limit of its own, and each thread that answers may want one
        options["connect_args"] = {"timeout": PATIENCE, "check_same_thread": False}
    else:
        options["pool_pre_ping"] = True
        options["connect_args"] = {"connect_timeout": 10}
    try:
        return create_engine(url, **options)
    except (ModuleNotFoundError, NoSuchModuleError):
        raise MissingExtraError.install("PostgreSQL", "postgres") from None


def _prepare_sqlite(connection: Any, record: Any) -> None:
    """Leave transactions to us; write ahead, so that readers and the writer do not wait for each other."""
    del record
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"cache_size=-{CACHE_KIB}"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    """Take the lock of the writer at once: one taken later may be refused after reading."""
    options = connection.get_execution_options()
    writes = options.get("writes", False)
    if writes:
        connection.exec_driver_sql(f"PRAGMA busy_timeout={round(1000 * options['patience'])}")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
