"""Bring what is known of a project up to date: only tasks that changed are asked for, deleted ones are found out.

The server stamps a task with the time of its last change, its annotations included. A light list of all tasks with
their stamps says what is new, changed and gone; a webhook only says that it is time to look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from accord.labelstudio.client import PAGE, Client

#: Time of the last change, annotations that count and cancelled ones.
Stamp: TypeAlias = tuple[str, int, int]
#: From this share of changed tasks on, all are asked for page by page.
MANY: Final = 0.5
Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True)
class Pulled:
    """What a pull found.

    ``changed`` are tasks that are new or changed, with their annotations, as an export has them; ``deleted`` the
    identifiers of tasks that are gone; ``stamps`` of all tasks that there are now.
    """

    changed: tuple[Mapping[str, Any], ...]
    deleted: frozenset[int]
    stamps: Mapping[int, Stamp]


def stamp_of(task: Mapping[str, Any]) -> Stamp:
    """Stamp of a task, listed or exported."""
    counts = [task.get(name) for name in ("total_annotations", "cancelled_annotations")]
    counted, cancelled = (count if isinstance(count, int) else 0 for count in counts)
    return str(task.get("updated_at") or ""), counted, cancelled


def stamps_of(tasks: Iterable[Mapping[str, Any]]) -> dict[int, Stamp]:
    """Stamps of tasks that are known, by identifier.

    Examples
    --------
    >>> stamps_of([{"id": 7, "updated_at": "2026-01-01T00:00:00Z", "total_annotations": 2}])
    {7: ('2026-01-01T00:00:00Z', 2, 0)}
    """
    return {task["id"]: stamp_of(task) for task in tasks if isinstance(task.get("id"), int)}


def pull(
    client: Client, project: int, known: Mapping[int, Stamp] | None = None, *, progress: Progress | None = None
) -> Pulled:
    """Ask a server for what changed in a project since its tasks had the stamps that are known.

    A task that changes during the pull may be seen before or after the change; its stamp then differs at the next pull,
    which brings the change.

    Raises
    ------
    DataError
        If the server cannot be reached, refuses, or answers strangely.
    """
    before = known or {}
    now = stamps_of(client.tasks(project, annotations=False))
    wanted = sorted(task for task, stamp in now.items() if before.get(task) != stamp)
    found = []
    for task in _tasks(client, project, wanted, len(now)):
        if task["id"] in now:
            now[task["id"]] = stamp_of(task)
            found.append(exported(task))
        if progress and len(found) % PAGE == 0:
            progress(len(found), len(wanted))
    return Pulled(tuple(found), frozenset(before.keys() - now.keys()), now)


def _tasks(client: Client, project: int, wanted: list[int], of: int) -> Iterator[Mapping[str, Any]]:
    if len(wanted) > max(PAGE, MANY * of):
        chosen = set(wanted)
        yield from (task for task in client.tasks(project, annotations=True) if task["id"] in chosen)
        return
    for first in range(0, len(wanted), PAGE):
        yield from client.tasks(project, annotations=True, only=tuple(wanted[first : first + PAGE]))


#: What a task of an export holds; the list of tasks holds more, made for the screen.
_KEPT: Final = (
    "id",
    "annotations",
    "predictions",
    "data",
    "meta",
    "created_at",
    "updated_at",
    "inner_id",
    "total_annotations",
    "cancelled_annotations",
    "total_predictions",
    "project",
)
_FOR_THE_SCREEN: Final = frozenset({"created_username", "created_ago"})


def exported(task: Mapping[str, Any]) -> dict[str, Any]:
    """Task as the server's JSON export has it; without names of people, which the list of tasks adds."""
    kept = {name: task[name] for name in _KEPT if name in task}
    annotations = task.get("annotations")
    if isinstance(annotations, list):
        kept["annotations"] = [
            {name: value for name, value in annotation.items() if name not in _FOR_THE_SCREEN}
            if isinstance(annotation, dict)
            else annotation
            for annotation in annotations
        ]
    return kept
