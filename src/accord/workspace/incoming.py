"""Tasks and annotations as they come in, brought into the form in which they are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from accord.readers.annotation_facts import lead_time, seconds
from accord.readers.codes import Notices
from accord.readers.identity import identity_of
from accord.readers.labelstudio import annotations_of, envelope, is_cancelled
from accord.readers.task_keys import project_of
from accord.workspace.texts import digest_of, index_key, json_text

#: Tasks handled at a time.
BATCH: Final = 500
_ANNOTATIONS: Final = ("annotations", "completions")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAnnotation:
    """One annotation as it came, with what the store needs to know of it."""

    key: str
    author: str
    cancelled: bool
    created: float | None
    updated: float | None
    lead_time: float | None
    digest: str
    payload: str


@dataclass(slots=True)
class NewTask:
    """One task as it came."""

    scope: str
    key: str
    digest: str
    payload: str
    annotations: dict[str, NewAnnotation] = field(default_factory=dict)


def batches(tasks: Iterable[Any], notices: Notices) -> Iterator[list[NewTask]]:
    """Tasks in batches; a task that comes twice in a batch is one with the annotations of both."""
    unnamed: Counter[str] = Counter()
    found = (_task(envelope(task, notices), notices, unnamed) for task in tasks)
    while some := list(islice(found, BATCH)):
        merged: dict[tuple[str, str], NewTask] = {}
        for task in some:
            known = merged.setdefault((task.scope, task.key), task)
            if known is not task:
                known.annotations.update(task.annotations)
        yield list(merged.values())


def _task(task: Mapping[str, Any], notices: Notices, unnamed: Counter[str]) -> NewTask:
    annotations = annotations_of(task, notices)
    own = {key: value for key, value in task.items() if key not in _ANNOTATIONS}
    digest = digest_of(own)
    identity = task.get("id")
    if identity is None:
        place = digest_of(own.get("data"))
        unnamed[place] += 1
        key = f"data:{place}:{unnamed[place]}"
    else:
        key = index_key(str(identity))
    found = NewTask(index_key(project_of(task)), key, digest, json_text(own))
    found.annotations = _annotations(annotations, notices)
    return found


def _annotations(given: Sequence[Mapping[str, Any]], notices: Notices) -> dict[str, NewAnnotation]:
    unnamed: Counter[str] = Counter()
    found: dict[str, NewAnnotation] = {}
    for annotation in given:
        made = annotation_of(annotation, notices, unnamed)
        known = found.get(made.key)
        if known is None or (known.updated or 0.0) <= (made.updated or 0.0):
            found[made.key] = made
    return found


def annotation_of(annotation: Mapping[str, Any], notices: Notices, unnamed: Counter[str]) -> NewAnnotation:
    """Bring one annotation into the form of the store; one without an id is told by its content."""
    digest = digest_of(annotation)
    identity = annotation.get("id")
    if identity is None:
        unnamed[digest] += 1
        key = f"content:{digest}:{unnamed[digest]}"
    else:
        key = index_key(str(identity))
    author = identity_of(annotation.get("completed_by"))
    return NewAnnotation(
        key=key,
        author="" if author is None else author[1],
        cancelled=is_cancelled(annotation),
        created=_known(seconds(annotation.get("created_at"), notices)),
        updated=_known(seconds(annotation.get("updated_at"), notices)),
        lead_time=_known(lead_time(annotation.get("lead_time"), notices)),
        digest=digest,
        payload=json_text(annotation),
    )


def _known(number: float) -> float | None:
    return number if number == number else None
