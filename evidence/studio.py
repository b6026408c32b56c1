"""A scripted server with the addresses of Label Studio that a pull asks for, and the deliveries of its webhooks."""

from __future__ import annotations

import copy
import json
import random
import sys
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

CONFIG = (
    '<View><Text name="t" value="$t"/><Choices name="mood" toName="t">'
    '<Choice value="good"/><Choice value="bad"/><Choice value="mixed"/></Choices></View>'
)
CHOICES = ("good", "bad", "mixed")
PROJECT, TOKEN = 7, "scripted"
FIRST = 1_700_000_000


def answer(key: int, rater: int, said: str, updated: str) -> dict:
    """One annotation as Label Studio writes it."""
    return {
        "id": key,
        "completed_by": rater,
        "updated_at": updated,
        "result": [{"from_name": "mood", "to_name": "t", "type": "choices", "value": {"choices": [said]}}],
    }


class Studio:
    """Tasks of one project that change at random."""

    def __init__(self, tasks: int, choose: random.Random, raters: int = 2) -> None:
        self._choose, self._lock, self._raters = choose, threading.Lock(), raters
        self._tasks: dict[int, dict] = {}
        self._made = 0
        self.url = ""
        for _ in range(tasks):
            self._new_task()

    def tasks(self) -> list[dict]:
        """All tasks with their annotations, as an export has them."""
        return self.page(range(sys.maxsize))[0]

    def page(self, rows: range, only: Collection[int] = ()) -> tuple[list[dict], int]:
        """Some of the tasks, or of those asked for, and how many there are."""
        with self._lock:
            found = [self._tasks[key] for key in (only or self._tasks) if key in self._tasks]
            return copy.deepcopy(found[rows.start : rows.stop]), len(found)

    def update(self) -> dict:
        """Change one answer into another; returns the delivery that tells of it."""
        with self._lock:
            return {"project": {"id": PROJECT}, **self._update()}

    def change(self) -> dict:
        """Change something; returns the delivery that tells of it."""
        kinds = (self._update, self._annotate, self._withdraw, self._new_task, self._remove)
        with self._lock:
            told = self._choose.choices(kinds, (60, 10, 10, 15, 5))[0]()
        return {"project": {"id": PROJECT}, **told}

    def _number(self) -> int:
        self._made += 1
        return self._made

    def _stamp(self) -> str:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(FIRST + self._number()))

    def _any(self) -> dict:
        return self._choose.choice(list(self._tasks.values()))

    def _put(self, task: dict, rater: int, key: int) -> dict:
        before = next((one["result"][0]["value"]["choices"][0] for one in task["annotations"] if one["id"] == key), "")
        said = self._choose.choice([one for one in CHOICES if one != before])
        mark = answer(key, rater, said, self._stamp())
        task["annotations"] = [one for one in task["annotations"] if one["id"] != key] + [mark]
        self._touch(task)
        return {"task": {"id": task["id"]}, "annotation": {**mark, "task": task["id"]}}

    def _touch(self, task: dict) -> None:
        counts = {"total_annotations": len(task["annotations"]), "cancelled_annotations": 0}
        task |= {"updated_at": self._stamp(), **counts}

    def _update(self) -> dict:
        task = self._any()
        if not task["annotations"]:
            return self._annotate()
        mark = self._choose.choice(task["annotations"])
        return {"action": "ANNOTATION_UPDATED", **self._put(task, mark["completed_by"], mark["id"])}

    def _annotate(self) -> dict:
        rater = self._choose.randrange(1, 5)
        return {"action": "ANNOTATION_CREATED", **self._put(self._any(), rater, self._number())}

    def _withdraw(self) -> dict:
        task = self._any()
        if not task["annotations"]:
            return self._annotate()
        gone = task["annotations"].pop(self._choose.randrange(len(task["annotations"])))
        self._touch(task)
        return {"action": "ANNOTATIONS_DELETED", "annotations": [{"id": gone["id"]}]}

    def _new_task(self) -> dict:
        key = self._number()
        task = {"id": key, "project": PROJECT, "data": {"t": f"text {key}"}, "annotations": []}
        self._tasks[key] = task
        for rater in range(1, self._raters + 1):
            self._put(task, rater, self._number())
        return {"action": "TASKS_CREATED", "tasks": [{"id": key}]}

    def _remove(self) -> dict:
        key = self._any()["id"]
        del self._tasks[key]
        return {"action": "TASKS_DELETED", "tasks": [{"id": key}]}


def found(studio: Studio, address: str) -> object:
    """What the server says at an address; None where there is nothing."""
    parts = urlsplit(address)
    if parts.path == f"/api/projects/{PROJECT}/":
        return {"id": PROJECT, "title": "Scripted", "label_config": CONFIG}
    asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
    if parts.path != "/api/tasks" or asked.get("project") != str(PROJECT):
        return None
    only = {item["value"] for item in json.loads(asked.get("query", "{}")).get("filters", {}).get("items", ())}
    size = int(asked["page_size"])
    first = size * (int(asked["page"]) - 1)
    shown, total = studio.page(range(first, first + size), only)
    if asked.get("fields") != "all":
        shown = [{name: value for name, value in task.items() if name != "annotations"} for task in shown]
    return {"tasks": shown, "total": total}


@contextmanager
def served(studio: Studio) -> Iterator[Studio]:
    """Serve a project on loopback."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = found(studio, self.path)
            allowed = self.headers.get("Authorization") == f"Token {TOKEN}"
            self.send_response(401 if not allowed else 404 if body is None else 200)
            content = json.dumps(body if allowed else None).encode()
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        server.daemon_threads = True
        studio.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield studio
        finally:
            server.shutdown()
            thread.join()
