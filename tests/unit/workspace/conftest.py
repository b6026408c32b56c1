"""Workspaces on SQLite, and on a PostgreSQL server that the tests start themselves."""

import pytest
from postgres_server import new_database
from sqlalchemy import insert

from accord.workspace import Workspace
from accord.workspace.tables import IDENTITIES, USERS
from accord.workspace.users import user_of


class Clock:
    """A time that moves when it is told to."""

    def __init__(self):
        self.now = 1_800_000_000.0

    def __call__(self):
        return self.now


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
