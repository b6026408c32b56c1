"""Tasks that are in memory or in a database, read as those of a file are; and whether each could be read alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.dataset import Dataset
from accord.readers.builder import HIDDEN, Answers, DatasetBuilder, Unanswered
from accord.readers.codes import Notices
from accord.readers.config_model import LabelConfig
from accord.readers.labelstudio import LabelStudioReader
from accord.readers.reading import without_garbage_collection
from accord.readers.task_keys import TaskKeys
from accord.values import IntArray, Value


@dataclass(frozen=True, slots=True)
class TasksRead:
    """What was read.

    ``separable``: every task gave what it would give if read alone. ``identities`` are the ways raters were named
    (``id``, ``email``, ``name``); ids and e-mails in one project are linked by what other tasks say. ``hidden`` gives
    by control the annotations (positions) in which a condition hid it, ``links`` the e-mail that an id belongs to.
    """

    dataset: Dataset
    separable: bool
    identities: frozenset[str]
    hidden: Mapping[str, IntArray]
    links: Mapping[str, str]


def read_tasks(
    tasks: Iterable[Any],
    *,
    name: str,
    config: LabelConfig | None = None,
    join: str | None = None,
    strict: bool = False,
    missing: Sequence[Value] = (),
    unanswered: Unanswered = "auto",
    fields: Sequence[str] = (),
    context: bool = False,
) -> TasksRead:
    """Read tasks in the form of a Label Studio export; ``name`` stands for the file in messages.

    There may be no task at all. The options are those of ``read``.

    Raises
    ------
    DataError
        Something is no task, or ``strict`` and it is irregular.

    Examples
    --------
    >>> item = {"from_name": "mood", "to_name": "t", "type": "choices", "value": {"choices": ["good"]}}
    >>> task = {"id": 1, "data": {}, "annotations": [{"id": 5, "completed_by": 3, "result": [item]}]}
    >>> read_tasks([task], name="memory").dataset.answers
    1
    """
    builder = DatasetBuilder(Notices(strict=strict), unanswered=unanswered, missing=missing)
    keys = TaskKeys(builder, join, several=False)
    reader = LabelStudioReader(builder, config, keys=keys, fields=fields, context=context)
    with without_garbage_collection():
        reader.read_file(tasks, name)
        how = "from the label config" if config is not None else "inferred from the answers, without a label config"
        dataset = reader.finish(shape=f"Label Studio: tasks; controls {how}", source_kind="Label Studio")
    kinds = frozenset(kind for kind, _ in builder.identities)
    hidden = {name: _hidden(answers) for name, answers in builder.answers.items()}
    links = {number: next(iter(emails)) for number, emails in builder.emails.items() if len(emails) == 1}
    return TasksRead(dataset, _is_separable(builder, config) and "none" not in kinds, kinds, hidden, links)


def _hidden(answers: Answers) -> IntArray:
    codes = np.array(answers.code, dtype=np.int32)
    return np.array(answers.annotation, dtype=np.int32)[codes == HIDDEN]


def _is_separable(builder: DatasetBuilder, config: LabelConfig | None) -> bool:
    """Whether nothing was decided by looking at several tasks: controls, kinds of answers, offsets, parts of tasks."""
    declared: Mapping[str, Any] = config.questions if config is not None else {}
    if any(name not in declared or answers.values is not None for name, answers in builder.answers.items()):
        return False
    kinds_kept = all(answers.control == declared[name].control for name, answers in builder.answers.items())
    return kinds_kept and not any(builder.unit_place)
