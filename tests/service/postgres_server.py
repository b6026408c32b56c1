"""A PostgreSQL server that the tests start themselves, and databases of their own on it."""

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
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


@contextlib.contextmanager
def running():
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
