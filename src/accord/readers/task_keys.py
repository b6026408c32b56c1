"""Which tasks of several files and projects are one: by project and id, by id and data, or by a key to join on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from accord.errors import DataError, UsageError
from accord.readers.builder import DatasetBuilder


def data_hash(data: Any) -> str:
    """Short hash of a task's data, the same for equal data."""
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


@dataclass(frozen=True, slots=True)
class Known:
    """A task seen before: its number and project, and the ids it has in each source."""

    task: int
    project: str
    ids: dict[str, str]


class TaskKeys:
    """Finds the number of a task, or makes it.

    ``several`` says that more than one file is read, so that tasks without a project need their data compared.
    """

    def __init__(self, builder: DatasetBuilder, join: str | None, *, several: bool) -> None:
        if join is not None and join not in ("inner_id", "data") and not join.startswith("data."):
            raise UsageError(f"Unknown key {join!r} to join on. Allowed: data.FIELD, inner_id, data.")
        self._builder = builder
        self._join = join
        self._several = several
        self._ids: dict[int, dict[str, int]] = {}
        self._hashed: dict[tuple[str, str], Known] = {}
        self._joined: dict[str, Known] = {}

    def scope(self, project: str) -> int:
        """Number of a project, or of the file being read where there is none."""
        builder = self._builder
        return builder.scope("project", project) if project else builder.scope("file", builder.files[-1])

    def number(
        self, task: Mapping[str, Any], name: str, project: str, fields: dict[str, str | None] | None
    ) -> tuple[int, bool]:
        """Number of a task, and whether it was seen before."""
        if project:
            self._builder.projects[-1].add(project)
        if self._join is not None:
            return self._by_key(task, name, project, fields)
        scope = self.scope(project)
        known = self._ids.setdefault(scope, {}).get(name)
        if known is not None:
            return known, True
        key = (name, data_hash(task.get("data"))) if self._several else None
        twin = self._hashed.get(key) if key is not None else None
        if twin is not None and not (twin.project and project and twin.project != project):
            self._ids[scope][name] = twin.task
            return twin.task, True
        number = self._builder.add_task(name, scope, fields)
        self._ids[scope][name] = number
        if key is not None:
            self._hashed[key] = Known(number, project, {})
        return number, False

    def _by_key(
        self, task: Mapping[str, Any], name: str, project: str, fields: dict[str, str | None] | None
    ) -> tuple[int, bool]:
        key = self._value(task, name)
        source = project or self._builder.files[-1]
        known = self._joined.get(key)
        if known is None:
            number = self._builder.add_task(key, self.scope(project), fields)
            self._joined[key] = Known(number, project, {source: name})
            return number, False
        other = known.ids.setdefault(source, name)
        if other != name:
            raise DataError.at(
                f"tasks {other} and {name} have the same {self._join}, so they cannot be joined by it.",
                file=self._builder.files[-1],
                task=name,
                found=key,
                hint="Join by a field that is different for each task.",
            )
        return known.task, True

    def _value(self, task: Mapping[str, Any], name: str) -> str:
        if self._join == "data":
            return data_hash(task.get("data"))
        data = task.get("data")
        if self._join == "inner_id":
            value = task.get("inner_id")
        else:
            field = str(self._join).removeprefix("data.")
            value = data.get(field) if isinstance(data, Mapping) else None
        if value is None or value == "":
            raise DataError.at(f"the task has no {self._join} to join on.", file=self._builder.files[-1], task=name)
        return value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)


def project_of(task: Mapping[str, Any]) -> str:
    """Project id of a task as text, "" where there is none."""
    project = task.get("project")
    if isinstance(project, dict):
        project = project.get("id")
    return "" if project is None or isinstance(project, bool | list) else str(project)
