"""What a webhook of Label Studio says: parsed and checked, nothing believed but that it is time to pull."""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from accord.errors import DataError

MOST_BYTES: Final = 32 * 1024 * 1024
MOST_IDS: Final = 100_000


class Change(StrEnum):
    """What happened, as far as it concerns agreement."""

    ANNOTATIONS = "annotations"
    ANNOTATIONS_DELETED = "annotations deleted"
    TASKS = "tasks"
    TASKS_DELETED = "tasks deleted"
    PROJECT = "project"
    PROJECT_DELETED = "project deleted"
    OTHER = "other"


_CHANGES: Final[Mapping[str, Change]] = {
    "ANNOTATION_CREATED": Change.ANNOTATIONS,
    "ANNOTATIONS_CREATED": Change.ANNOTATIONS,
    "ANNOTATION_UPDATED": Change.ANNOTATIONS,
    "ANNOTATIONS_UPDATED": Change.ANNOTATIONS,
    "ANNOTATION_DELETED": Change.ANNOTATIONS_DELETED,
    "ANNOTATIONS_DELETED": Change.ANNOTATIONS_DELETED,
    "TASKS_CREATED": Change.TASKS,
    "TASKS_DELETED": Change.TASKS_DELETED,
    "PROJECT_CREATED": Change.PROJECT,
    "PROJECT_UPDATED": Change.PROJECT,
    "PROJECT_DELETED": Change.PROJECT_DELETED,
}


@dataclass(frozen=True, slots=True)
class Event:
    """One delivery: what changed, in which project, and which tasks and annotations it names.

    A deletion of annotations names no task. ``key`` is equal for repeated deliveries of the same change.
    """

    action: str
    change: Change
    project: int | None
    tasks: tuple[int, ...] = ()
    annotations: tuple[int, ...] = ()
    updated: str = ""

    @property
    def key(self) -> str:
        """Text that tells repeated deliveries."""
        parts = (self.action, self.project, self.tasks, self.annotations, self.updated)
        return json.dumps(parts, separators=(",", ":"))


def token_matches(given: str | None, secret: str) -> bool:
    """Whether a delivery brings the shared secret, compared in constant time; without a secret nothing matches.

    Examples
    --------
    >>> token_matches("s3cret", "s3cret"), token_matches(None, "s3cret"), token_matches("", "")
    (True, False, False)
    """
    if not given or not secret:
        return False
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), secret.encode("utf-8", "surrogatepass"))


def parse_event(body: bytes) -> Event:
    """Read the body of a delivery.

    Raises
    ------
    DataError
        If it is not what Label Studio sends.

    Examples
    --------
    >>> parse_event(b'{"action": "ANNOTATIONS_DELETED", "annotations": [{"id": 13}], "project": {"id": 2}}').annotations
    (13,)
    """
    if len(body) > MOST_BYTES:
        raise _strange(f"it has more than {MOST_BYTES >> 20} MB")
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise _strange("it is no JSON") from None
    if not isinstance(found, dict) or not isinstance(found.get("action"), str) or len(found["action"]) > 100:
        raise _strange("it names no action")
    annotations = _named(found, "annotation", "annotations")
    return Event(
        action=found["action"],
        change=_CHANGES.get(found["action"], Change.OTHER),
        project=_id(found.get("project")),
        tasks=tuple(dict.fromkeys((*_ids(_named(found, "task", "tasks")), *_tasks_of(annotations)))),
        annotations=_ids(annotations),
        updated=max((str(item.get("updated_at") or "") for item in annotations if isinstance(item, dict)), default=""),
    )


def _named(found: Mapping[str, Any], one: str, many: str) -> list[Any]:
    several = found.get(many)
    items = several if isinstance(several, list) else []
    if len(items) > MOST_IDS:
        raise _strange(f"it names more than {MOST_IDS:,} {many}")
    return [*items, found[one]] if one in found else items


def _ids(items: list[Any]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(number for number in map(_id, items) if number is not None))


def _tasks_of(annotations: list[Any]) -> tuple[int, ...]:
    return _ids([item.get("task") for item in annotations if isinstance(item, dict)])


def _id(item: Any) -> int | None:
    """Identifier of an object, or the identifier itself."""
    number = item.get("id") if isinstance(item, dict) else item
    return number if type(number) is int and 0 <= number < 2**63 else None


def _strange(why: str) -> DataError:
    return DataError.at(f"this is no event of Label Studio: {why}.")
