"""The workspace at 10^5 tasks of three raters: recompute, one changed answer, the page of the project; custom code."""

from __future__ import annotations

import itertools
import json
import random
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import accord
from accord.sandbox import CustomCode, score_pairs
from accord.service.drawing import draw
from accord.workspace import Workspace
from accord.workspace.worker import HANDLERS, Worker, report
from benchmarks.inputs import FOLDER
from benchmarks.timing import Call, Case

LABELS = ("good", "bad", "mixed", "none")
CONFIG = (
    '<View><Text name="t" value="$t"/><Choices name="mood" toName="t">'
    + "".join(f'<Choice value="{label}"/>' for label in LABELS)
    + "</Choices></View>"
)
CODE = """
def agreement(annotation_1, annotation_2):
    a = set(annotation_1["result"][0]["value"]["choices"])
    b = set(annotation_2["result"][0]["value"]["choices"])
    return len(a & b) / len(a | b) if a | b else 1.0
"""


def item(label: str) -> dict[str, Any]:
    """One answer as Label Studio writes it."""
    return {"from_name": "mood", "to_name": "t", "type": "choices", "value": {"choices": [label]}}


def tasks(count: int) -> list[dict[str, Any]]:
    """Three raters a task, right in 70 of 100 answers."""
    choose, found = random.Random(11), []
    for number in range(1, count + 1):
        truth = choose.choice(LABELS)
        answers = [truth if choose.random() < 0.7 else choose.choice(LABELS) for _ in range(3)]
        marks = [
            {
                "id": 3 * number + rater,
                "completed_by": rater + 1,
                "created_at": f"2026-0{1 + number % 9}-1{number % 10}T10:00:00Z",
                "result": [item(label)],
            }
            for rater, label in enumerate(answers)
        ]
        found.append({"id": number, "data": {"t": f"text {number}"}, "annotations": marks})
    return found


def export_file(scale: float) -> Path:
    """Where the export of this size lies."""
    path = FOLDER / f"workspace-{scale:g}.json"
    if not path.exists():
        path.write_text(json.dumps(tasks(int(1e5 * scale))), encoding="utf-8")
    return path


@cache
def database(scale: float) -> Path:
    """A database with the project, scored."""
    path = Path(tempfile.mkdtemp(dir=FOLDER)) / "accord.db"
    with Workspace.open(path) as workspace:
        project = workspace.projects.create("Bench", CONFIG, actor="bench")
        workspace.content.import_(project, export_file(scale), actor="bench")
        Worker(workspace).run_all()
    return path


def read(scale: float) -> Callable[[], object]:
    """Read the same answers from a file."""
    (FOLDER / "workspace.xml").write_text(CONFIG, encoding="utf-8")
    return lambda: accord.read(export_file(scale), config=FOLDER / "workspace.xml")


def recompute(scale: float) -> Mapping[str, Call]:
    """Every task anew, by a worker, against reading the export."""
    workspace = Workspace.open(database(scale))

    def anew() -> None:
        workspace.jobs.add("recompute", 1)
        assert Worker(workspace).run_all() == 1

    return {"read of the export": read(scale), "accord": anew}


def recompute_child(scale: float) -> str:
    """Program of a fresh process that does it."""
    return (
        "from accord.workspace import Workspace\nfrom accord.workspace.worker import Worker\n"
        f"workspace = Workspace.open({str(database(scale))!r})\n"
        "workspace.jobs.add('recompute', 1)\nWorker(workspace).run_all()"
    )


def changed(workspace: Workspace, choose: random.Random, turn: int) -> None:
    """Deliver one task whose first answer is another one."""
    number = choose.randrange(1, workspace.projects.get(1).tasks + 1)
    mark = {
        "id": 3 * number,
        "completed_by": 1,
        "updated_at": f"2030-01-01T00:00:{turn % 60:02d}.{turn:06d}Z",
        "result": [item(LABELS[turn % 4])],
    }
    task = {"id": number, "data": {"t": f"text {number}"}, "annotations": [mark]}
    workspace.content.import_(1, [task], actor="bench")


def headline(scale: float) -> Mapping[str, Call]:
    """One changed answer, then the headline numbers on all answers, against reading the export."""
    workspace, choose, turns = Workspace.open(database(scale)), random.Random(3), itertools.count()

    def follow() -> None:
        changed(workspace, choose, next(turns))
        assert workspace.reports.live(1)["fresh"]

    return {"read of the export": read(scale), "accord": follow}


def whole_report(scale: float) -> Mapping[str, Call]:
    """One changed answer, then the whole report and its page by a worker, against reading the export."""
    workspace, choose, turns = Workspace.open(database(scale)), random.Random(4), itertools.count(1_000)
    handlers = {**HANDLERS, "report": lambda work: report(work, draw)}

    def follow() -> None:
        changed(workspace, choose, next(turns))
        workspace.reports.ask(1)
        assert Worker(workspace, handlers=handlers).run_all() == 1

    return {"read of the export": read(scale), "accord": follow}


def custom(scale: float) -> Mapping[str, Call]:
    """10^5 pairs scored by custom code in its sandbox, against the same code in this process."""
    choose = random.Random(5)
    texts = [json.dumps({"id": number, "result": [item(choose.choice(LABELS))]}) for number in range(int(1e4 * scale))]
    pairs = [(choose.randrange(len(texts)), choose.randrange(len(texts))) for _ in range(int(1e5 * scale))]
    code = CustomCode.of(CODE)
    known: dict[str, Any] = {}
    exec(compile(CODE, "custom", "exec"), known)

    def here() -> list[float]:
        function = known["agreement"]
        return [function(json.loads(texts[a]), json.loads(texts[b])) for a, b in pairs]

    return {"in this process": here, "accord": lambda: score_pairs(code, texts, pairs)}


CASES = (
    Case(
        "W1",
        "recompute of 10⁵ tasks × 3 raters",
        recompute,
        megabytes=1500,
        child=recompute_child,
    ),
    Case("W2", "one changed answer of them to the new headline", headline, seconds=0.7),
    Case("W3", "one changed answer of them to the whole new report", whole_report),
    Case("S1", "10⁵ pairs by custom code in the sandbox", custom),
)
