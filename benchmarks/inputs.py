"""Reading: labels to codes, tables and exports against the bare parser, and the time of an import."""

from __future__ import annotations

import atexit
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

import accord
from benchmarks.timing import Call, Case

ROLES = {"unit": "task", "rater": "rater", "value": "label"}
FOLDER = Path(tempfile.mkdtemp(prefix="accord-bench-"))
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)


def strings(scale: float) -> Mapping[str, Call]:
    """10^6 strings, 50 distinct, against one dictionary pass."""
    random = np.random.default_rng(5)
    names = [f"label number {number}" for number in range(50)]
    labels = [names[code] for code in random.integers(0, 50, int(1e6 * scale)).tolist()]
    rows = np.array(labels, dtype=object).reshape(-1, 2)

    def dictionary() -> object:
        codes = {label: code for code, label in enumerate(dict.fromkeys(labels))}
        return np.fromiter(map(codes.__getitem__, labels), dtype=np.int32, count=len(labels))

    return {"one dictionary pass": dictionary, "accord": lambda: accord.from_matrix(rows)}


def table(scale: float) -> Mapping[str, Call]:
    """A long CSV of 10^7 rows against pyarrow's reader on one thread."""
    from pyarrow import csv

    path = table_file(scale)
    if not path.exists():
        write_table(path, int(2e6 * scale))
    options = csv.ReadOptions(use_threads=False)
    return {
        "pyarrow.csv": lambda: csv.read_csv(path, read_options=options),
        "accord": lambda: accord.read(path, **ROLES),
    }


def table_file(scale: float) -> Path:
    """Where the table of this size lies."""
    return FOLDER / f"long-{scale:g}.csv"


def write_table(path: Path, units: int) -> None:
    """Five raters a unit, 50 labels."""
    codes = np.random.default_rng(6).integers(0, 50, (units, 5)).tolist()
    with path.open("w", encoding="utf-8") as file:
        file.write("task,rater,label\n")
        for unit, row in enumerate(codes):
            file.write("".join(f"{unit},rater{rater},label{code}\n" for rater, code in enumerate(row)))


def export(scale: float) -> Mapping[str, Call]:
    """A Label Studio export of 10^5 annotations (200 MB) against ijson alone."""
    import ijson

    path = export_file(scale)
    if not path.exists():
        write_export(path, int(5e4 * scale))

    def parse() -> int:
        with path.open("rb") as file:
            return sum(1 for _ in ijson.items(file, "item", use_float=True))

    return {"ijson alone": parse, "accord": lambda: accord.read(path)}


def export_file(scale: float) -> Path:
    """Where the export of this size lies."""
    return FOLDER / f"export-{scale:g}.json"


def write_export(path: Path, tasks: int) -> None:
    """Two annotations a task: a choice, a rating and three spans, on 600 characters of text; about 2 KB each.

    Keys are those that an annotation server exports.
    """
    random = np.random.default_rng(7)
    text = "The parcel was announced for Monday and came two days later. " * 10
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        for task in range(tasks):
            annotations = [annotation(task, rater, text, random) for rater in (1, 2)]
            one = {
                "id": task,
                "annotations": annotations,
                "file_upload": "8f2c1a-messages.json",
                "drafts": [],
                "predictions": [],
                "data": {"text": text},
                "meta": {},
                "created_at": "2026-03-01T09:12:44.031522Z",
                "updated_at": "2026-03-02T08:00:31.402918Z",
                "inner_id": task + 1,
                "total_annotations": 2,
                "cancelled_annotations": 0,
                "total_predictions": 0,
                "comment_count": 0,
                "unresolved_comment_count": 0,
                "last_comment_updated_at": None,
                "project": 1,
                "updated_by": 1,
                "comment_authors": [],
            }
            file.write(("," if task else "") + json.dumps(one))
        file.write("]")


def annotation(task: int, rater: int, text: str, random: np.random.Generator) -> dict[str, object]:
    """One answer to everything."""
    starts = np.sort(random.choice(500, 3, replace=False)).tolist()
    spans = [
        {"id": f"s{start}", "from_name": "span", "to_name": "text", "type": "labels", "origin": "manual",
         "value": {"start": start, "end": start + 20, "text": text[start : start + 20], "labels": ["A"]}}
        for start in starts
    ]  # fmt: skip
    choice = {"choices": ["yes" if random.random() < 0.5 else "no"]}
    stars = {"rating": int(random.integers(1, 6))}
    return {
        "id": 2 * task + rater,
        "completed_by": {"id": rater, "email": f"rater{rater}@example.org", "first_name": "", "last_name": ""},
        "was_cancelled": False,
        "ground_truth": False,
        "created_at": "2026-03-02T08:00:00.114206Z",
        "updated_at": "2026-03-02T08:00:31.402918Z",
        "draft_created_at": "2026-03-02T07:59:58.771034Z",
        "lead_time": 31.4,
        "prediction": {},
        "result_count": 5,
        "unique_id": f"5f0c8c52-1d0e-4c1b-9a53-{task:012d}",
        "import_id": None,
        "last_action": None,
        "bulk_created": False,
        "task": task,
        "project": 1,
        "updated_by": rater,
        "parent_prediction": None,
        "parent_annotation": None,
        "last_created_by": None,
        "result": [
            {
                "id": "c",
                "from_name": "choice",
                "to_name": "text",
                "type": "choices",
                "origin": "manual",
                "value": choice,
            },
            {"id": "r", "from_name": "stars", "to_name": "text", "type": "rating", "origin": "manual", "value": stars},
            *spans,
        ],
    }


def importing(_: float) -> Mapping[str, Call]:
    """``import accord`` against ``import numpy``, in fresh processes."""
    return {"import numpy": child("numpy"), "accord": child("accord")}


def child(module: str) -> Call:
    """Import in a fresh process."""
    return lambda: subprocess.run([sys.executable, "-c", f"import {module}"], check=True)


CASES = (
    Case("T18", "10⁶ strings to codes, 50 distinct", strings, 1.5),
    Case(
        "I1",
        "long CSV, 10⁷ rows, coding included",
        table,
        2,
        megabytes=380,
        child=lambda scale: f"accord.read({str(table_file(scale))!r}, **{ROLES!r})",
    ),
    Case(
        "I2",
        "Label Studio export, 10⁵ annotations",
        export,
        2,
        megabytes=220,
        child=lambda scale: f"accord.read({str(export_file(scale))!r})",
    ),
    Case("T19", "import accord", importing, margin=0.1),
)
