"""Tasks of a Label Studio file, one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from accord.readers.codes import Notices
from accord.readers.json_stream import layout_of, stream
from accord.readers.json_text import Progress

#: Keys that tell a task or annotation from a page of tasks.
TASK_KEYS: Final = frozenset({"id", "data", "annotations", "completions", "result", "completed_by", "annotator"})


def tasks_of(path: Path, notices: Notices, progress: Progress | None) -> tuple[Iterator[Any], str]:
    """Tasks of a JSON file, and how they lie in it."""
    layout = layout_of(path, TASK_KEYS)
    found = stream(path, layout, strict=notices.strict, progress=progress, repaired=notices.add)
    return found, layout.words
