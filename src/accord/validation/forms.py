"""Forms that experts fill in: CSV, JSON lines, and one HTML page that needs no network."""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from accord.reporting.policy import policy
from accord.reporting.writing import write_text
from accord.validation.key import Question

#: How far two texts are apart, where somebody wants to say more than yes or no.
RELATIONS = ("identical", "synonym", "more specific", "related", "different")
COLUMNS = ("id", "text_1", "text_2", "equivalent", "relation", "comment")
#: First characters that a spreadsheet would take for a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_forms(questions: Sequence[Question], folder: Path) -> None:
    """Write pairs.csv, pairs.jsonl and form.html; none of them says where a pair is from."""
    write_text(folder / "pairs.csv", csv_form(questions))
    write_text(folder / "pairs.jsonl", json_lines(questions))
    write_text(folder / "form.html", page(questions))


def csv_form(questions: Sequence[Question]) -> str:
    """One row a pair; the columns to fill in are empty. A text that looks like a formula gets an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for q in questions:
        writer.writerow((q.id, _harmless(q.left), _harmless(q.right), "", "", ""))
    return out.getvalue()


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA) else text


def json_lines(questions: Sequence[Question]) -> str:
    """One object a pair."""
    rows = ({"id": q.id, "text_1": q.left, "text_2": q.right, "equivalent": None, "relation": None} for q in questions)
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def page(questions: Sequence[Question]) -> str:
    """One page that shows pair after pair, works by keyboard, keeps answers in the browser and hands them out."""
    style, script = (_static(name) for name in ("form.css", "form.js"))
    rows = [{"id": q.id, "a": q.left, "b": q.right} for q in questions]
    data = json.dumps({"pairs": rows, "relations": RELATIONS}, ensure_ascii=True).replace("<", "\\u003c")
    return (
        _static("form.html")
        .replace("@@policy@@", html.escape(policy(style, script)))
        .replace("@@style@@", style)
        .replace("@@script@@", script)
        .replace("@@data@@", data)
    )


def _static(name: str) -> str:
    return resources.files("accord.validation").joinpath("static", name).read_text(encoding="utf-8")
