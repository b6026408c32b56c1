"""A server that is killed while it imports, recomputes and takes deliveries loses nothing and doubles nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from faults import KINDS, run
from postgres_server import new_database


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest) -> Iterator[str | None]:
    if request.param == "sqlite":
        yield None
        return
    with new_database(request.getfixturevalue("postgres")) as made:
        yield made


@pytest.mark.slow
def test_rounds_of_kills(tmp_path: Path, url: str | None) -> None:
    counts = run(tmp_path, len(KINDS), url)
    assert counts["kills"] == len(KINDS)
    assert counts["imports"] >= 1
    assert counts["recomputes asked for"] >= 1
    assert counts["changed tasks"] >= 1
    assert counts["webhooks"] >= 1
