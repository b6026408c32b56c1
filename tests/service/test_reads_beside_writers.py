"""Programs get answers while somebody writes for long, in this process or in another one."""

from __future__ import annotations

import threading
import time

import pytest
from live_server import Server

from accord.service.roles import Role
from accord.workspace.database import Database


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_new_token_reads_while_somebody_writes(server: Server, elsewhere: bool) -> None:
    _, secret = server.accounts.new_token(f"reads {elsewhere}", Role.VIEWER, None, actor="tests")
    client = server.opened({"Authorization": f"Bearer {secret}"})
    database = Database(server.settings.url) if elsewhere else server.workspace.database
    held, go = threading.Event(), threading.Event()

    def write() -> None:
        with database.write():
            held.set()
            go.wait(60)

    thread = threading.Thread(target=write)
    thread.start()
    assert held.wait(5)
    try:
        started = time.monotonic()
        assert client.get("/api/projects").status_code == 200
        assert time.monotonic() - started < 10
    finally:
        go.set()
        thread.join()
        if elsewhere:
            database.close()
    assert client.get("/api/projects").status_code == 200
    user = server.accounts.tokens.user_of(secret)
    assert user is not None
    assert [token.used_at is not None for token in server.accounts.tokens.all(user.id)] == [True]
