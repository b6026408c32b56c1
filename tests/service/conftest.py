"""One server for each test module and database: every test that uses it runs on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from live_server import Server, start
from postgres_server import new_database

from accord.service.settings import Settings

#: Generated requests by the hundred: what they find does not depend on the database.
ON_SQLITE_ALONE = frozenset({"test_api_description"})


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "database" in metafunc.fixturenames:
        alone = metafunc.module.__name__.rpartition(".")[2] in ON_SQLITE_ALONE
        others = () if alone else (pytest.param("postgres", marks=pytest.mark.postgres),)
        metafunc.parametrize("database", ["sqlite", *others], scope="module", indirect=True)


@pytest.fixture(scope="module")
def database(request: pytest.FixtureRequest) -> Iterator[str | None]:
    """URL of an empty database on PostgreSQL; None = the file of the server itself."""
    if request.param == "sqlite":
        yield None
        return
    with new_database(request.getfixturevalue("postgres")) as url:
        yield url


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, database: str | None) -> Iterator[Server]:
    yield from start(Settings(data=tmp_path_factory.mktemp("service"), database=database))
