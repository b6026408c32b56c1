"""A PostgreSQL server that the tests start themselves, and databases of their own on it."""

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin")) if Path("/usr/lib/postgresql").exists() else []


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def as_server(command, **options):
    """Run a command as a user that PostgreSQL accepts: it refuses to start as root."""
    prefix = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    return subprocess.run([*prefix, *map(str, command)], check=True, capture_output=True, **options)


@dataclass(frozen=True)
class Postgres:
    """A server without data."""

    folder: Path
    port: int

    @property
    def url(self):
        """Its URL up to the name of a database."""
        user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        return f"postgresql://{user}@127.0.0.1:{self.port}/"

    def start(self):
        options = f"-h 127.0.0.1 -p {self.port} -k {self.folder} -c fsync=off -c max_connections=200"
        self._control("-w", "-l", self.folder / "log", "-o", options, "start")

    def stop(self):
        """End it as a crash would."""
        self._control("-m", "immediate", "stop")

    def _control(self, *arguments):
        as_server([PROGRAMS[-1] / "pg_ctl", "-D", self.folder / "d", *arguments], cwd=self.folder)


@contextlib.contextmanager
def running():
    """A server that runs; whoever stops it starts it again."""
    if not PROGRAMS:
        pytest.skip("PostgreSQL is not installed")
    folder = Path(tempfile.mkdtemp(prefix="accord-postgres-"))
    if os.geteuid() == 0:
        os.chown(folder, pwd.getpwnam("postgres").pw_uid, -1)
    try:
        where = ["-D", folder / "d", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8"]
        as_server([PROGRAMS[-1] / "initdb", *where])
        server = Postgres(folder, free_port())
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def new_database(server):
    """A database of its own on the server of a URL."""
    import psycopg

    name = f"accord_{os.getpid()}_{free_port()}_{os.urandom(3).hex()}"
    with psycopg.connect(f"{server}postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    try:
        yield f"{server}{name}"
    finally:
        with psycopg.connect(f"{server}postgres", autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
