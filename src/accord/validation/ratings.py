"""What experts said: filled forms as CSV, JSON lines, or the file that the HTML form saves."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from accord.errors import DataError, UsageError
from accord.validation.key import Question
from accord.values import FloatArray

YES = frozenset({"yes", "y", "1", "true", "equivalent"})
NO = frozenset({"no", "n", "0", "false", "different"})
OPEN = frozenset({"", "u", "?", "cannot judge", "unknown", "null", "none"})


@dataclass(frozen=True)
class Ratings:
    """Answers of E experts to the questions, (E, Q): 1 equivalent, 0 not, NaN no answer or cannot judge."""

    experts: tuple[str, ...]
    answers: FloatArray

    @property
    def answered(self) -> list[int]:
        """Answers of each expert."""
        return np.isfinite(self.answers).sum(axis=1).tolist()


def read_ratings(paths: Sequence[Path], questions: Sequence[Question]) -> Ratings:
    """Read one file an expert.

    Raises
    ------
    UsageError
        Without a file.
    DataError
        If a file is no filled form, names a pair that was not asked, or two files are by one expert.
    """
    if not paths:
        raise UsageError("Give the files that the experts filled in.")
    place = {q.id: k for k, q in enumerate(questions)}
    found: dict[str, FloatArray] = {}
    for path in paths:
        expert, said = _read(path)
        if expert in found:
            raise DataError.at(f"a second file is by {expert!r}.", file=str(path), hint="Rename one of the files.")
        found[expert] = _placed(said, place, path)
    return Ratings(tuple(found), np.stack(list(found.values())))


def _placed(said: Iterable[tuple[int, str, Any]], place: Mapping[str, int], path: Path) -> FloatArray:
    row = np.full(len(place), np.nan)
    seen: set[str] = set()
    for line, identifier, answer in said:
        if identifier not in place:
            raise DataError.at(
                "this pair was not asked about.",
                file=str(path),
                line=line,
                found=identifier,
                hint="Is the key right?",
            )
        if identifier in seen:
            raise DataError.at("this pair is answered twice.", file=str(path), line=line, found=identifier)
        seen.add(identifier)
        row[place[identifier]] = _number(answer, path, line)
    if not np.isfinite(row).any():
        raise DataError.at("nobody has filled this form in.", file=str(path))
    return row


def _number(answer: Any, path: Path, line: int) -> float:
    word = "" if answer is None else str(answer).strip().casefold()
    if word in YES:
        return 1.0
    if word in NO:
        return 0.0
    if word in OPEN:
        return np.nan
    raise DataError.at(
        "this is no answer.", file=str(path), line=line, found=word, allowed="yes, no, or empty for cannot judge"
    )


def _read(path: Path) -> tuple[str, list[tuple[int, str, Any]]]:
    """Name of the expert, and (line, id, answer) of every row."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix.lower() == ".csv":
            return path.stem, _csv(text, path)
        if path.suffix.lower() in (".jsonl", ".ndjson"):
            rows = [(k, json.loads(line)) for k, line in enumerate(text.splitlines(), 1) if line.strip()]
            return path.stem, [(k, str(row["id"]), row.get("equivalent")) for k, row in rows]
        content = json.loads(text)
        said = [(k, i, a.get("equivalent")) for k, (i, a) in enumerate(dict(content["answers"]).items(), 1)]
        return str(content.get("expert") or path.stem), said
    except OSError as problem:
        raise DataError.at(f"cannot read: {problem.strerror or problem}.", file=str(path)) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
        raise DataError.at(f"this is no filled form ({type(problem).__name__}: {problem}).", file=str(path)) from None


def _csv(text: str, path: Path) -> list[tuple[int, str, Any]]:
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""), restval="")
        absent = [name for name in ("id", "equivalent") if name not in (reader.fieldnames or ())]
        if absent:
            raise DataError.at(f"the table lacks the column {', '.join(absent)}.", file=str(path))
        return [(reader.line_num, row["id"], row["equivalent"]) for row in reader]
    except csv.Error as problem:
        raise DataError.at(f"this is no table: {problem}.", file=str(path)) from None
