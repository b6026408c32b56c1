"""Clients that ask a running server for everything at once: what each of them does, and what came back."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

Request = tuple[str, str, object]


@dataclass(frozen=True, slots=True)
class Target:
    """A server, and the project on it that is asked about."""

    address: str
    token: str
    project: int
    tasks: Sequence[dict]


@dataclass(slots=True)
class Tally:
    """Seconds and status of every answer, by what was asked."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    status: Counter[int] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)
    bodies: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Take in what another client saw."""
        for name, taken in other.seconds.items():
            self.seconds.setdefault(name, []).extend(taken)
        self.status += other.status
        self.broken += other.broken
        self.bodies += other.bodies

    @property
    def all_seconds(self) -> list[float]:
        """Every answer, fastest first."""
        return sorted(one for taken in self.seconds.values() for one in taken)

    @property
    def failed(self) -> int:
        """Answers of the server's own failure, and connections that broke."""
        return sum(n for status, n in self.status.items() if status >= 500) + self.broken.total()


def quantile(seconds: Sequence[float], share: float) -> float:
    """Value below which a share of sorted numbers lies."""
    return seconds[min(int(len(seconds) * share), len(seconds) - 1)] if seconds else float("nan")


def changed_answer(task: dict, choose: random.Random) -> dict:
    """Return a task with one annotation that says something else than before, as a tool delivers it."""
    annotation = dict(choose.choice(task["annotations"]))
    annotation["updated_at"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    annotation["lead_time"] = round(choose.uniform(1, 60), 3)
    return {"id": task["id"], "data": task["data"], "annotations": [annotation]}


def requests_of(target: Target) -> Sequence[tuple[str, float, Callable[[random.Random], Request]]]:
    """Give every kind of request, its share, and what makes one."""
    api, pages = f"/api/projects/{target.project}", f"/projects/{target.project}"

    def some(choose: random.Random) -> str:
        return str(choose.choice(target.tasks)["number"])

    return (
        ("list of tasks", 0.24, lambda c: ("GET", f"{api}/tasks?limit=20&offset={c.randrange(100)}", None)),
        ("one task", 0.20, lambda c: ("GET", f"{api}/tasks/{some(c)}", None)),
        ("report", 0.15, lambda _: ("GET", f"{api}/quality/report", None)),
        ("live numbers", 0.05, lambda _: ("GET", f"{api}/quality/live", None)),
        ("page of tasks", 0.08, lambda _: ("GET", f"{pages}/tasks", None)),
        ("page of a task", 0.08, lambda c: ("GET", f"{pages}/tasks/{some(c)}", None)),
        ("page of the project", 0.08, lambda _: ("GET", pages, None)),
        ("decision", 0.08, lambda c: ("POST", f"{api}/tasks/{some(c)}/reviews", {"outcome": "none", "reason": "slip"})),
        ("changed answer", 0.04, lambda c: ("POST", f"{api}/import", [changed_answer(c.choice(target.tasks), c)])),
    )


def hammer(target: Target, clients: int, seconds: float, pause: float = 0.0, seed: int = 0) -> Tally:
    """Let many clients ask for a time, each on a connection of its own, with pauses of ``pause`` s on average."""
    until, found, guard = time.monotonic() + seconds, Tally(), threading.Lock()

    def one(number: int) -> None:
        mine = _client(target, random.Random(seed * 100_003 + number), until, pause)
        with guard:
            found.add(mine)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def _client(target: Target, choose: random.Random, until: float, pause: float) -> Tally:
    mine, kinds = Tally(), requests_of(target)
    place = urlsplit(target.address)
    line = http.client.HTTPConnection(place.hostname or "", place.port, timeout=120)
    tags: dict[str, str] = {}
    while time.monotonic() < until:
        if pause:
            time.sleep(choose.expovariate(1 / pause))
        name, _, make = choose.choices(kinds, [share for _, share, _ in kinds])[0]
        method, path, body = make(choose)
        headers = {"Authorization": f"Bearer {target.token}", "Accept": "text/html, application/json"}
        if method == "GET" and path in tags:
            headers["If-None-Match"] = tags[path]
        if body is not None:
            headers["Content-Type"] = "application/json"
        started = time.monotonic()
        try:
            line.request(method, path, None if body is None else json.dumps(body), headers)
            answer = line.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException) as error:
            mine.broken[type(error).__name__] += 1
            line.close()
            continue
        mine.seconds.setdefault(name, []).append(time.monotonic() - started)
        mine.status[answer.status] += 1
        if answer.status >= 400:
            mine.bodies.append(text[:300].decode("utf-8", "replace"))
        if "ETag" in answer.headers and path.endswith("/report"):
            tags[path] = answer.headers["ETag"]
    line.close()
    return mine


def megabytes(process: int) -> float:
    """Resident memory of a process."""
    text = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return int(next(line.split()[1] for line in text.splitlines() if line.startswith("VmRSS"))) / 1024
