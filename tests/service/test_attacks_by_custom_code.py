"""Custom code that attacks, tried over HTTP: each ends with its kind, and the server answers others all the while."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from live_server import Server

from accord.service.roles import Role

pytest.importorskip("pydantic_monty", reason="the extra custom is not installed")

HEAD = "def agreement(annotation_1, annotation_2, per_label=False):\n    "
ATTACKS = {
    "files": ("return open('/etc/passwd').read()", "sandbox"),
    "network": ("import socket\n    return socket.socket()", "sandbox"),
    "imports": ("return __import__('os').system('id')", "sandbox"),
    "dunders": ("return ().__class__.__bases__[0].__subclasses__()", "sandbox"),
    "memory": ("x = 'a'\n    while True: x = x + x", "sandbox"),
    "time": ("while True: pass", "timeout"),
    "recursion": ("return agreement(annotation_1, annotation_2)", "run time"),
    "numbers": ("return 10 ** 10 ** 8", "sandbox"),
    "patterns": ("return re.match(r'(a*)*\\1b', 'a' * 40)", "timeout"),
    "output": ("while True: print('x' * 1000)", "timeout"),
}
#: Seconds that anybody else waits at most, on a machine whose cores are all taken.
LONGEST = 30.0


def test_all_at_once_end_with_their_kinds_while_others_get_answers(server: Server) -> None:
    project = server.example("Attacked")
    manager, viewer = server.client(Role.MANAGER), server.client(Role.VIEWER)
    manager.timeout, viewer.timeout = 120, 60

    def attack(name: str) -> tuple[str, str]:
        answer = manager.post(f"/api/projects/{project}/quality/test", json={"code": HEAD + ATTACKS[name][0]})
        assert answer.status_code == 200, answer.text
        return name, answer.json()["error"]["kind"]

    waited = []
    with ThreadPoolExecutor(4) as pool:
        found = [pool.submit(attack, name) for name in ATTACKS]
        while not all(one.done() for one in found):
            for path in ("/healthz", "/readyz", f"/api/projects/{project}/tasks?limit=5"):
                started = time.monotonic()
                assert viewer.get(path).status_code == 200
                waited.append(time.monotonic() - started)
            time.sleep(0.1)
        kinds = dict(one.result() for one in found)
    slow = {name for name, kind in kinds.items() if kind == "timeout"}  # where cores are taken, time runs out first
    assert kinds == {name: "timeout" if name in slow else kind for name, (_, kind) in ATTACKS.items()}
    assert slow <= {"time", "patterns", "output", "memory", "numbers", "recursion"}
    assert len(waited) > 3
    assert max(waited) < LONGEST
    assert manager.get(f"/api/projects/{project}/quality/metrics").json()["has_custom_code"] is False
