"""Progress bars: on a terminal only, always on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn


@dataclass(frozen=True, slots=True)
class Bar:
    """Two ways to say how far a piece of work is; both do nothing where nobody looks."""

    update: Callable[[int, int, str], None] | None

    def amount(self, done: int, total: int) -> None:
        """Report bytes (or rows) done of all."""
        self.step("", done, total)

    def step(self, name: str, done: int, total: int) -> None:
        """Report steps done of all, and the name of the next one."""
        if self.update is not None:
            self.update(done, total, name)


@contextmanager
def bar(title: str) -> Iterator[Bar]:
    """Draw a bar while the block runs, if standard error is a terminal."""
    if not sys.stderr.isatty():
        yield Bar(None)
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=None)

        def update(done: int, total: int, name: str) -> None:
            label = "".join(c for c in name if c.isprintable())
            progress.update(task, completed=done, total=total or None, description=f"{title} {label}".strip())

        yield Bar(update)
