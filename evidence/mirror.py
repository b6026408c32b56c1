"""A project that follows another server: storms of webhooks at its address, and whether it holds what is there."""

from __future__ import annotations

import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import httpx
from studio import PROJECT, TOKEN, Studio

#: Changes that one burst of deliveries tells of, and how many deliveries are under way at a time.
BURST, AT_ONCE = 20, 4
PATIENCE = 120.0


@dataclass
class Mirror:
    """The project, the server it follows, and the secret of its webhooks."""

    studio: Studio
    project: int
    secret: str

    @classmethod
    def connected(cls, line: httpx.Client, studio: Studio, minutes: int = 1) -> Mirror:
        """Make a project and connect it."""
        line.put("/api/hosts", json={"hosts": {"127.0.0.1": True}}).raise_for_status()
        project = line.post("/api/projects", json={"name": "Mirror"}).raise_for_status().json()["id"]
        link = {"url": studio.url, "remote": PROJECT, "token": TOKEN, "minutes": minutes}
        made = line.put(f"/api/projects/{project}/connection", json=link).raise_for_status()
        return cls(studio, project, made.json()["secret"])

    def burst(self, line: httpx.Client, choose: random.Random) -> int:
        """Change much and tell of it: in any order, some of it up to three times, some never; returns how often."""
        told = [self.studio.change() for _ in range(BURST)]
        sent = [one for one in told for _ in range(choose.choice((0, 1, 1, 2, 3)))]
        choose.shuffle(sent)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return sum(pool.map(lambda body: self.deliver(line, body), sent))

    def deliver(self, line: httpx.Client, body: dict) -> int:
        """Deliver one event to the address of the webhook."""
        address = f"/hooks/label-studio/{self.project}"
        answer = line.post(address, json=body, headers={"X-Accord-Secret": self.secret})
        assert (answer.status_code, answer.json()) == (202, {"taken": True}), answer.text
        return 1

    def check(self, line: httpx.Client) -> list[dict]:
        """Pull, and compare every answer; returns the headline numbers of every control."""
        root = f"/api/projects/{self.project}"
        job = line.post(f"{root}/connection/pull").raise_for_status().json()["job"]
        until = time.monotonic() + PATIENCE
        while (status := line.get(f"/api/jobs/{job}").json()["status"]) in ("queued", "running"):
            assert time.monotonic() < until, f"pull {job} is {status}"
            time.sleep(0.1)
        assert status == "done", line.get(f"/api/jobs/{job}").text
        tasks = line.get(f"{root}/export").raise_for_status().json()
        assert max(Counter(task["id"] for task in tasks).values()) == 1, "a pulled task is there twice"
        pulled, wanted = said(tasks), said(self.studio.tasks())
        wrong = {
            key: (pulled.get(key), wanted.get(key)) for key in pulled | wanted if pulled.get(key) != wanted.get(key)
        }
        assert not wrong, f"pulled, and there: {wrong}"
        while not (live := line.get(f"{root}/quality/live").raise_for_status().json())["fresh"]:
            assert time.monotonic() < until, "scores of what was pulled are stuck"
            time.sleep(0.1)
        return live["controls"]


def said(tasks: list[dict]) -> dict[int, list[tuple[int, int, str]]]:
    """Annotation, rater and choice of every answer, by task."""
    marks = ((task["id"], one) for task in tasks for one in task["annotations"])
    found: dict[int, list[tuple[int, int, str]]] = {task["id"]: [] for task in tasks}
    for key, one in marks:
        found[key].append((one["id"], one["completed_by"], one["result"][0]["value"]["choices"][0]))
    return {key: sorted(answers) for key, answers in found.items()}
