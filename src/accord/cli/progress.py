"""Progress bars: on a terminal only, always on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from accord.pipeline.measure import Progress as Callback


@contextmanager
def bar(title: str) -> Iterator[Callback | None]:
    """Yield a callback (label, done, all) that draws a bar; None where nobody looks."""
    if not sys.stderr.isatty():
        yield None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=None)

        def update(label: str, done: int, total: int) -> None:
            progress.update(task, completed=done, total=total or None, description=f"{title} {label}".strip())

        yield update
