"""Workspaces on SQLite, and on a PostgreSQL server that the tests start themselves."""

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest
from sqlalchemy import insert

from accord.workspace import Workspace
from accord.workspace.tables import IDENTITIES, USERS
from accord.workspace.users import user_of

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin")) if Path("/usr/lib/postgresql").exists() else []


class Clock:
    """A time that moves when it is told to."""

    def __init__(self):
        self.now = 1_800_000_000.0

    def __call__(self):
        return self.now


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def as_server(command, **options):
    """Run a command as a user that PostgreSQL accepts: it refuses to start as root."""
    prefix = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    return subprocess.run([*prefix, *map(str, command)], check=True, capture_output=True, **options)


@pytest.fixture(scope="session")
def postgres():
    """URL of a server without data, up to the name of a database."""
    if not PROGRAMS:
        pytest.skip("PostgreSQL is not installed")
    programs, folder = PROGRAMS[-1], Path(tempfile.mkdtemp(prefix="accord-postgres-"))
    if os.geteuid() == 0:
        os.chown(folder, pwd.getpwnam("postgres").pw_uid, -1)
    port = free_port()
    try:
        as_server(
            [programs / "initdb", "-D", folder / "d", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8"]
        )
        options = f"-h 127.0.0.1 -p {port} -k {folder} -c fsync=off -c max_connections=200"
        as_server(
            [programs / "pg_ctl", "-D", folder / "d", "-w", "-l", folder / "log", "-o", options, "start"], cwd=folder
        )
        try:
            user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
            yield f"postgresql://{user}@127.0.0.1:{port}/"
        finally:
            as_server([programs / "pg_ctl", "-D", folder / "d", "-m", "immediate", "stop"], cwd=folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def new_database(server):
    """A database of its own on the server."""
    import psycopg

    name = f"accord_{os.getpid()}_{free_port()}_{os.urandom(3).hex()}"
    with psycopg.connect(f"{server}postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield f"{server}{name}"
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request, tmp_path):
    """URL of an empty database."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'accord.db'}"
        return
    with new_database(request.getfixturevalue("postgres")) as made:
        yield made


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def workspace(url, clock):
    with Workspace.open(url, clock=clock) as found:
        yield found


@pytest.fixture
def person(workspace):
    """Makes people with a login."""

    def make(name, role="reviewer", identities=()):
        return new_person(workspace, name, role, identities)

    return make


def new_person(workspace, name, role="reviewer", identities=()):
    """Make somebody with a login, as the service does."""
    with workspace.database.write() as connection:
        made = insert(USERS).values(name=name, role=role, created_at=0.0).returning(USERS.c.id)
        number = connection.execute(made).scalar_one()
        if identities:
            connection.execute(insert(IDENTITIES), [{"user_id": number, "name": other} for other in identities])
        return user_of(connection, number)
