"""Argilla's records: answers of users to the questions about a record; only submitted ones count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final

from accord.errors import DataError
from accord.readers.exports.argilla_questions import Questions
from accord.readers.exports.export import ExportFormat, Look, Source, Task
from accord.readers.exports.items import task
from accord.readers.exports.opening import json_of, listed_objects, objects_of
from accord.readers.exports.parquet import ENDING, rows_of
from accord.readers.task_keys import data_hash

#: State of an answer that counts; also of one without a state, as records are saved.
SUBMITTED: Final = "submitted"
_SETTINGS: Final = "settings.json"
_OTHERS: Final = frozenset({_SETTINGS, "dataset.json", "version.json"})
_COLUMN: Final = ".responses"
_NOT_FIELDS: Final = frozenset({"metadata", "vectors", "_server_id", "id", "status"})


@dataclass(frozen=True, slots=True)
class Response:
    """Answer of a user to a question, and whether it was submitted."""

    question: str
    user: str
    value: Any
    status: str


@dataclass(frozen=True, slots=True)
class Record:
    """One record: its name, what was shown, what was answered."""

    name: str
    fields: Mapping[str, Any]
    responses: list[Response]


def tasks(source: Source) -> Iterator[Task]:
    """Every record is a task."""
    records: list[Record] = []
    for _, entry in source.documents():
        rows = rows_of(entry) if entry.ending == ENDING else objects_of(entry, source.notices)
        records += (_record(one, source) for one in rows)
    submitted = [one for record in records for one in record.responses if one.status == SUBMITTED]
    questions = Questions.of(_declared(source), ((one.question, one.value) for one in submitted), source)
    for record in records:
        source.notices.task = record.name
        yield from _tasks_of(record, questions, source)


def _declared(source: Source) -> list[dict[str, Any]]:
    """Questions that the settings in the folder declare."""
    for entry in source.entries:
        if source.document is None and PurePosixPath(entry.name).name == _SETTINGS:
            content = json_of(entry, source.notices)
            given = content.get("questions") if isinstance(content, dict) else None
            return listed_objects(given, "questions", entry.shown)
    return []


def _tasks_of(record: Record, questions: Questions, source: Source) -> Iterator[Task]:
    by_user: dict[str, list[Response]] = {}
    for one in record.responses:
        if one.status == "draft":
            source.notices.add("draft-left-out", one.user)
            continue
        by_user.setdefault(one.user, []).append(one)
    data = questions.data(record.fields)
    if not by_user:
        yield task(record.name, data, {})
    for user, given in by_user.items():
        submitted = [one for one in given if one.status == SUBMITTED]
        items = [item for one in submitted for item in questions.items(one.question, one.value)]
        yield task(record.name, data, {user: items}, skipped=not submitted)


def _record(given: Mapping[str, Any], source: Source) -> Record:
    if isinstance(given.get("fields"), dict):
        fields, found = given["fields"], given.get("responses") or {}
        responses = _listed(found, source) if isinstance(found, dict) else []
    else:
        questions = [key.removesuffix(_COLUMN) for key in given if key.endswith(_COLUMN)]
        parts = tuple(f"{name}." for name in questions)
        fields = {key: one for key, one in given.items() if key not in _NOT_FIELDS and not key.startswith(parts)}
        responses = [one for name in questions for one in _columns(name, given, source)]
    return Record(str(given.get("id") or data_hash(fields)), fields, responses)


def _listed(found: Mapping[str, Any], source: Source) -> list[Response]:
    return [
        Response(name, str(one.get("user_id") or source.rater), one.get("value"), str(one.get("status") or SUBMITTED))
        for name, given in found.items()
        for one in listed_objects(given, f"responses.{name}", source.notices.file)
    ]


def _columns(name: str, given: Mapping[str, Any], source: Source) -> Iterator[Response]:
    """Responses that lie in three lists of one length."""
    values = given.get(f"{name}{_COLUMN}") or []
    users = given.get(f"{name}{_COLUMN}.users") or []
    states = given.get(f"{name}{_COLUMN}.status") or [SUBMITTED] * len(values)
    if not all(isinstance(part, list) and len(part) == len(values) for part in (values, users, states)):
        raise DataError.at(f"{name}{_COLUMN} has other users or states than answers.", file=source.notices.file)
    for value, user, status in zip(values, users, states, strict=True):
        yield Response(name, str(user), value, str(status or SUBMITTED))


def _recognises(look: Look) -> bool:
    record = look.record
    listed = isinstance(record.get("fields"), dict) and isinstance(record.get("responses"), dict)
    return listed or any(str(key).endswith(f"{_COLUMN}.users") for key in record)


FORMAT: Final = ExportFormat(
    key="argilla",
    title="Argilla records",
    raters="user_id of each answer",
    endings=(".json", ".jsonl", ENDING),
    tasks=tasks,
    recognises=_recognises,
    unit="a record",
    note="Only submitted answers count, where states are saved. Settings beside the records declare the questions.",
    lists=_OTHERS,
)
