"""One server for each test module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from live_server import Server, start

from accord.service.settings import Settings


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    yield from start(Settings(data=tmp_path_factory.mktemp("service")))
