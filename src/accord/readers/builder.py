"""Collects what a reader finds, as columns of integers, and turns it into a Dataset.

Memory follows the answers kept: a few integers for each, and the pool of distinct values of each control.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from accord.dataset import Control, Dataset, Nested
from accord.readers.codes import Notices
from accord.values import Value

Duplicates = Literal["newest", "first", "all", "error"]
Unanswered = Literal["auto", "empty"]
Place = tuple[int, ...]

#: Codes of cells that hold no value: asked but unusable, or hidden by a condition.
UNUSABLE: Final = -1
HIDDEN: Final = -2


class Answers:
    """Answers to one control while they are read: cells (annotation, unit, code) and the pool of values.

    ``asked`` are units in which the control was put although nobody may have answered; ``scopes`` the projects it
    belongs to (none = all). ``blank_is_empty`` says that no answer in a submitted annotation means EMPTY.
    ``outside`` are values, or labels in them, that the domain does not hold. ``values`` turns the pool into final
    values when everything is read. ``blanks`` are answers without content, annotation and unit in turn.
    """

    __slots__ = (
        "annotation",
        "asked",
        "blank_is_empty",
        "blanks",
        "code",
        "control",
        "outside",
        "pool",
        "scopes",
        "unit",
        "values",
    )

    def __init__(self, control: Control) -> None:
        self.control = control
        self.annotation = array("i")
        self.unit = array("i")
        self.code = array("i")
        self.blanks = array("i")
        self.asked: dict[int, None] = {}
        self.outside: dict[Value, None] = {}
        self.scopes: set[int] = set()
        self.blank_is_empty = control.kind.is_set
        self.values: Callable[[Sequence[Value]], Sequence[Value]] | None = None
        self.pool: dict[Value, int] = {}
        if control.domain is not None and not control.kind.is_set:
            self.pool.update((value, code) for code, value in enumerate(control.domain))

    def add(self, annotation: int, unit: int, value: Value) -> None:
        """Add the answer of an annotation to a unit."""
        pool = self.pool
        self.annotation.append(annotation)
        self.unit.append(unit)
        self.code.append(pool.setdefault(value, len(pool)))

    def add_without_value(self, annotation: int, unit: int, code: int) -> None:
        """Add a cell that has no value, ``UNUSABLE`` or ``HIDDEN``."""
        self.annotation.append(annotation)
        self.unit.append(unit)
        self.code.append(code)


@dataclass(slots=True)
class AnnotationTable:
    """One row for each annotation: its id, seven numbers in one array, and the annotation itself if it is kept.

    ``rater`` is the identity as read, before identities are linked.
    """

    ids: list[str] = field(default_factory=list)
    numbers: array[float] = field(default_factory=lambda: array("d"))
    results: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.ids)

    def row(self, number: int) -> tuple[int, int, int, float]:
        """Task, file, rater and time of creation of one annotation."""
        task, file, rater, _, created = self.numbers[number * WIDTH : number * WIDTH + 5]
        return int(task), int(file), int(rater), created

    def column(self, name: str) -> npt.NDArray[np.float64]:
        """All values (A,) of a column: task, file, rater, flags, created, updated or lead_time."""
        if not self.ids:
            return np.empty(0)
        return np.frombuffer(self.numbers)[COLUMNS.index(name) :: WIDTH].copy()

    def whole(self, name: str) -> npt.NDArray[np.int32]:
        """All values (A,) of a column of whole numbers."""
        return self.column(name).astype(np.int32)


COLUMNS: Final = ("task", "file", "rater", "flags", "created", "updated", "lead_time")
WIDTH: Final = len(COLUMNS)


@dataclass(slots=True)
class TaskTable:
    """One row for each task: its name, the project or file it belongs to (scope), file, fields."""

    name: list[str] = field(default_factory=list)
    scope: array[int] = field(default_factory=lambda: array("i"))
    file: array[int] = field(default_factory=lambda: array("i"))
    fields: dict[str, list[str | None]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.name)


Identity = tuple[str, str]
"""What is known of a rater: (``email`` | ``id`` | ``name`` | ``none``, text)."""


class DatasetBuilder:
    """Collects tasks, units, raters, annotations and answers; ``build`` makes the Dataset.

    Parameters
    ----------
    notices
        Where irregularities are counted.
    duplicates
        Which of several annotations by one rater on one task counts: the ``newest``, the ``first``, ``all`` (each
        as a rater of its own), or none (``error``).
    unanswered
        ``empty`` makes a question left blank in a submitted annotation EMPTY instead of missing.
    missing
        Answers that mean "missing".
    """

    def __init__(
        self,
        notices: Notices,
        *,
        duplicates: Duplicates = "newest",
        unanswered: Unanswered = "auto",
        missing: Sequence[Value] = (),
    ) -> None:
        self.notices = notices
        self.duplicates = duplicates
        self.unanswered = unanswered
        self.missing = frozenset(missing)
        self.files: list[str] = []
        self.projects: list[set[str]] = []
        self.scopes: dict[tuple[str, str], int] = {}
        self.tasks = TaskTable()
        self.annotations = AnnotationTable()
        self.answers: dict[str, Answers] = {}
        self.identities: dict[Identity, int] = {}
        self.users: dict[Any, int] = {}
        self.emails: dict[str, set[str]] = {}
        self.unit_task = array("i")
        self.unit_place: list[Place] = []
        self._units: dict[tuple[int, Place], int] = {}
        self.base = array("i")
        self.context: dict[str, dict[int, str]] = {}
        self.nested: tuple[Nested, ...] = ()

    def add_file(self, name: str) -> None:
        """Start a file; what is added from now on comes from it."""
        self.files.append(name)
        self.projects.append(set())

    def scope(self, kind: str, name: str) -> int:
        """Number of a project, or of a file without one: the range in which task ids are unique."""
        return self.scopes.setdefault((kind, name), len(self.scopes))

    def add_task(self, name: str, scope: int, fields: dict[str, str | None] | None = None) -> int:
        """Add a task of the file being read; returns its number."""
        tasks = self.tasks
        task = len(tasks.name)
        tasks.name.append(name)
        tasks.scope.append(scope)
        tasks.file.append(len(self.files) - 1)
        if fields:
            for key, value in fields.items():
                column = tasks.fields.setdefault(key, [])
                column.extend([None] * (task - len(column)))
                column.append(value)
        self.base.append(len(self.unit_task))
        self.unit_task.append(task)
        self.unit_place.append(())
        return task

    def unit(self, task: int, place: Place = ()) -> int:
        """Number of the unit of a task: itself, or the item or repetition at ``place``."""
        if not place:
            return self.base[task]
        key = (task, place)
        unit = self._units.get(key)
        if unit is None:
            unit = self._units[key] = len(self.unit_task)
            self.unit_task.append(task)
            self.unit_place.append(place)
        return unit

    def identity(self, kind: str, text: str) -> int:
        """Number of a rater's identity."""
        return self.identities.setdefault((kind, text), len(self.identities))

    def add_annotation(
        self,
        task: int,
        rater: int,
        *,
        id: str = "",  # noqa: A002 - the name of the field
        flags: int = 0,
        created: float = math.nan,
        updated: float = math.nan,
        lead_time: float = math.nan,
    ) -> int:
        """Add a submitted annotation; returns its number."""
        self.annotations.ids.append(id)
        self.annotations.numbers.extend((task, len(self.files) - 1, rater, flags, created, updated, lead_time))
        return len(self.annotations.ids) - 1

    def control(self, control: Control) -> Answers:
        """Answers of a control, made when first asked for."""
        found = self.answers.get(control.name)
        if found is None:
            found = self.answers[control.name] = Answers(control)
        return found

    def build(self, **about: Any) -> Dataset:
        """Make the Dataset; ``about`` are fields of its ImportReport and ``source_kind``."""
        from accord.readers.assemble import assemble

        return assemble(self, **about)
