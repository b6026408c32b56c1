"""Many clients at once on a server in a process of its own: no failure, and memory that does not run away."""

from __future__ import annotations

from pathlib import Path

from clients import hammer
from load import project, server, watched

MOST_MEGABYTES = 450


def test_fifty_clients_get_answers(tmp_path: Path) -> None:
    with server(tmp_path) as running:
        target = project(running)
        with watched(running.process) as memory:
            found = hammer(target, 50, 5.0)
        assert found.failed == 0, found.bodies[:5]
        assert set(found.status) <= {200, 201, 304}
        assert {"decision", "changed answer", "page of the project", "report"} <= set(found.seconds)
        assert max(memory) < MOST_MEGABYTES
