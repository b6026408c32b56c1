"""Kill a server again and again while it works, and look for what is lost, doubled, half done or stuck.

``python evidence/faults.py [ROUNDS [DATABASE_URL]]``. Rounds take turns: imports of many tasks, recompute, a storm of
imports of single tasks, a storm of webhooks from a scripted server. Every round ends with SIGKILL at a random moment;
the next one starts on what is left.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from load import Running, server
from mirror import Mirror
from studio import CHOICES, CONFIG, Studio, answer, served

KINDS = ("import", "recompute", "storm", "webhooks")
SIZE = 120


@dataclass
class Ledger:
    """What was sent: tasks by batch, answers by task, and what the server said it had kept."""

    project: int = 0
    mirror: Mirror | None = None
    batches: dict[int, list[dict]] = field(default_factory=dict)
    kept: set[int] = field(default_factory=set)
    said: dict[int, str] = field(default_factory=dict)
    asked: dict[int, str] = field(default_factory=dict)
    jobs: set[int] = field(default_factory=set)
    answers: int = 0
    counts: Counter[str] = field(default_factory=Counter)


def batch(number: int, choose: random.Random) -> list[dict]:
    """Tasks with two answers each; ids say which batch they are of."""
    tasks = range(number * SIZE + 1, (number + 1) * SIZE + 1)
    return [task(key, [choose.choice(CHOICES) for _ in range(2)]) for key in tasks]


def task(key: int, answers: list[str], updated: str = "2026-01-01T00:00:00Z") -> dict:
    return {
        "id": key,
        "data": {"t": f"text {key}"},
        "annotations": [answer(10 * key + rater, rater, said, updated) for rater, said in enumerate(answers, 1)],
    }


def client(running: Running) -> httpx.Client:
    return httpx.Client(
        base_url=running.address, headers={"Authorization": f"Bearer {running.token}"}, timeout=httpx.Timeout(60)
    )


def import_batches(line: httpx.Client, ledger: Ledger, choose: random.Random) -> None:
    """Import one new batch after the other."""
    while True:
        number = len(ledger.batches)
        ledger.batches[number] = batch(number, choose)
        given = line.post(f"/api/projects/{ledger.project}/import", json=ledger.batches[number])
        assert given.status_code == 200, given.text
        ledger.kept.add(number)
        ledger.counts["imports"] += 1
        ledger.answers += 1


def recompute(line: httpx.Client, ledger: Ledger, choose: random.Random) -> None:
    """Ask for everything anew, again and again."""
    while True:
        given = line.post(f"/api/projects/{ledger.project}/quality/recompute", json={"async": True})
        assert given.status_code == 202, given.text
        ledger.jobs.add(given.json()["job"])
        ledger.counts["recomputes asked for"] += 1
        ledger.answers += 1
        time.sleep(choose.uniform(0.0, 0.1))


def storm(line: httpx.Client, ledger: Ledger, choose: random.Random) -> None:
    """Import one changed task after the other; some twice."""
    kept = sorted(ledger.kept)
    while True:
        key = choose.choice(kept) * SIZE + choose.randrange(SIZE) + 1
        ledger.counts["changed tasks"] += 1
        said = choose.choice(CHOICES)
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(1_800_000_000 + ledger.counts["changed tasks"]))
        ledger.asked[key] = said
        body = [task(key, [said, said], f"{stamp}Z")]
        for _ in range(choose.choice((1, 1, 2))):
            given = line.post(f"/api/projects/{ledger.project}/import", json=body)
            assert given.status_code == 200, given.text
        ledger.said[key] = said
        ledger.answers += 1


def webhooks(line: httpx.Client, ledger: Ledger, choose: random.Random) -> None:
    """Change the server that is followed, and tell of it by one burst of deliveries after the other."""
    while True:
        ledger.counts["webhooks"] += ledger.mirror.burst(line, choose)
        ledger.answers += 1


WORK = {"import": import_batches, "recompute": recompute, "storm": storm, "webhooks": webhooks}


def disturbed(running: Running, ledger: Ledger, kind: str, choose: random.Random) -> None:
    """Work until the server is killed."""
    with ThreadPoolExecutor(1) as pool:
        before, wanted = ledger.answers, choose.randrange(1, 12)
        working = pool.submit(_work, running, ledger, kind, choose)
        until = time.monotonic() + 20
        while ledger.answers < before + wanted and time.monotonic() < until and not working.done():
            time.sleep(0.005)
        time.sleep(choose.uniform(0.0, 0.2))
        os.kill(running.process, signal.SIGKILL)
        working.result()


def _work(running: Running, ledger: Ledger, kind: str, choose: random.Random) -> None:
    with contextlib.suppress(httpx.TransportError), client(running) as line:  # the server will be gone
        WORK[kind](line, ledger, choose)


def check(line: httpx.Client, ledger: Ledger) -> None:
    """Look at what is there: nothing lost, nothing doubled, nothing half."""
    tasks = line.get(f"/api/projects/{ledger.project}/export").raise_for_status().json()
    keys = Counter(one["id"] for one in tasks)
    assert max(keys.values(), default=1) == 1, "a task is there twice"
    marks = Counter(mark["id"] for one in tasks for mark in one["annotations"])
    assert max(marks.values(), default=1) == 1, "an annotation is there twice"
    for number, sent in ledger.batches.items():
        there = sum(one["id"] in keys for one in sent)
        assert there in (0, SIZE), f"batch {number} is there in part: {there} of {SIZE}"
        if there:
            ledger.kept.add(number)
        assert there or number not in ledger.kept, f"batch {number} was kept and is lost"
    found = {one["id"]: {m["result"][0]["value"]["choices"][0] for m in one["annotations"]} for one in tasks}
    for key, said in ledger.said.items():
        allowed = {said, ledger.asked[key]}  # the last one may have been kept although nobody heard of it
        assert len(found[key]) == 1, f"half of a delivery is there for task {key}"
        assert found[key] <= allowed, f"task {key} says {found[key]}, not {allowed}"
        ledger.said[key] = ledger.asked[key] = next(iter(found[key]))
    assert len(tasks) == SIZE * len(ledger.kept)


def settled(line: httpx.Client, ledger: Ledger) -> dict:
    """Wait until all jobs have ended well; returns the report then."""
    until = time.monotonic() + 300
    while True:
        jobs = line.get(f"/api/jobs?project={ledger.project}&limit=1000").raise_for_status().json()["items"]
        if not any(job["status"] in ("queued", "running") for job in jobs):
            given = line.get(f"/api/projects/{ledger.project}/quality/report")
            if given.headers.get("Accord-Fresh") == "true":
                break
        assert time.monotonic() < until, f"jobs are stuck: {jobs[:3]}"
        time.sleep(0.2)
    status = {job["id"]: job["status"] for job in jobs}
    assert set(status.values()) == {"done"}, status
    assert ledger.jobs <= set(status), "a job is lost"
    return given.json()


def of_file(tasks: bytes, folder: Path) -> dict:
    """Report of the command line on an export."""
    (folder / "export.json").write_bytes(tasks)
    (folder / "config.xml").write_text(CONFIG, encoding="utf-8")
    command = [sys.executable, "-m", "accord", "score", "export.json", "--config", "config.xml", "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, cwd=folder).stdout)


def same_numbers(found: list[dict], tasks: bytes, folder: Path) -> None:
    """Compare the numbers of a server with those of an export."""
    for one, other in zip(found, of_file(tasks, folder)["controls"], strict=True):
        for key, value in one["coefficients"].items():
            assert value["value"] == other["coefficients"][key]["value"], key


def check_mirror(line: httpx.Client, ledger: Ledger, folder: Path) -> None:
    """Pull once; then everything is as on the server that is followed, and so are the numbers."""
    controls = ledger.mirror.check(line)
    same_numbers(controls, json.dumps(ledger.mirror.studio.tasks()).encode(), folder)


def begin(line: httpx.Client, ledger: Ledger, studio: Studio, choose: random.Random) -> None:
    """Make a project with a first batch, and one that follows the other server."""
    ledger.project = line.post("/api/projects", json={"name": "Faults", "label_config": CONFIG}).json()["id"]
    first = ledger.batches[0] = batch(0, choose)
    line.post(f"/api/projects/{ledger.project}/import", json=first).raise_for_status()
    ledger.kept.add(0)
    ledger.mirror = Mirror.connected(line, studio)


def run(folder: Path, rounds: int, database: str | None = None, seed: int = 1) -> Counter[str]:
    """Do the rounds on one folder; raises AssertionError at the first thing wrong."""
    choose, ledger = random.Random(seed), Ledger()
    more = () if database is None else ("--database", database)
    with served(Studio(60, random.Random(seed))) as studio:
        with server(folder, *more) as running, client(running) as line:
            begin(line, ledger, studio, choose)
        for number in range(rounds):
            with server(folder, *more) as running:
                with client(running) as line:
                    check(line, ledger)
                    if KINDS[(number - 1) % len(KINDS)] == "webhooks":
                        check_mirror(line, ledger, folder)
                disturbed(running, ledger, KINDS[number % len(KINDS)], choose)
                ledger.counts["kills"] += 1
            print(f"round {number + 1}: {dict(ledger.counts)}", file=sys.stderr)
        with server(folder, *more) as running, client(running) as line:
            check(line, ledger)
            check_mirror(line, ledger, folder)
            found = settled(line, ledger)
            tasks = line.get(f"/api/projects/{ledger.project}/export").content
            ledger.counts["jobs done"] = line.get("/api/jobs").json()["total"]
    same_numbers(found["controls"], tasks, folder)
    ledger.counts["tasks at the end"] = SIZE * len(ledger.kept)
    ledger.counts["tasks followed at the end"] = len(studio.tasks())
    return ledger.counts


def main(rounds: int = 50, database: str | None = None) -> None:
    """Run and print."""
    with tempfile.TemporaryDirectory() as folder:
        counts = run(Path(folder), rounds, database)
    print("; ".join(f"{name}: {number:,}" for name, number in counts.items()))
    print("nothing lost, nothing doubled, no batch in part, no job stuck; the numbers are those of the exported files")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]), *sys.argv[2:3])
