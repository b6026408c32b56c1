"""The page with the results."""

from __future__ import annotations

import argparse
import datetime as dt
import importlib.metadata
import platform
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from benchmarks.timing import Outcome, once

PACKAGES = ("accord", "numpy", "scipy", "pyarrow", "ijson", "narwhals")

INTRODUCTION = """# Performance

Measured by `make bench`. Times are process CPU seconds on one core; contenders take turns, medians of {rounds} rounds.
Absolute times differ from machine to machine, ratios in one run hardly do. Memory is what one call allocates at its
peak beyond its input, as a multiple of the input (two int32 columns) where a limit is set.

{date} · {machine} · Python {python} · {versions}{scale}

On this machine `np.bincount` takes {bincount:.1f} ns and `np.sort` {sort:.0f} ns for each int64 of ten million (50 and
2⁴⁰ distinct values).
"""

OTHERS = """## Against other packages

Each in its own environment, on the same data, point estimate only. A dash: not possible, or stopped after a minute.
Where a share is asked for, it stands in brackets: the least ratio that meets it.
"""


def page(outcomes: Sequence[Outcome], others: Iterable[Sequence[str]], chosen: argparse.Namespace) -> str:
    """Everything as Markdown."""
    parts = [introduction(chosen), "## Against the floor and against parsers\n", own_table(outcomes), notes(outcomes)]
    rows = [tuple(row) for row in others]
    if rows:
        parts += [OTHERS, markdown(rows[0], rows[1:])]
    return "\n".join(parts)


def introduction(chosen: argparse.Namespace) -> str:
    """Date, machine and versions."""
    return INTRODUCTION.format(
        rounds=chosen.rounds,
        date=dt.datetime.now(tz=dt.UTC).date().isoformat(),
        machine=machine(),
        python=platform.python_version(),
        versions=", ".join(f"{name} {importlib.metadata.version(name)}" for name in PACKAGES),
        bincount=floor(np.bincount, 50),
        sort=floor(np.sort, 2**40),
        scale="" if chosen.scale == 1.0 else f" · at {chosen.scale:g} of the full size: targets are not judged",
    )


def floor(function: Callable[[np.ndarray], object], values: int) -> float:
    """CPU nanoseconds an element, best of three."""
    numbers = np.random.default_rng(9).integers(0, values, 10_000_000)
    return min(once(lambda: function(numbers), 1) for _ in range(3)) / len(numbers) * 1e9


def machine() -> str:
    """Model of the processor, as the system names it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    model = next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine()
    )
    return f"{model}, {platform.system()}"


def own_table(outcomes: Sequence[Outcome]) -> str:
    """One row a case."""
    head = ("", "case", "reference", "reference", "accord", "ratio", "memory", "target", "")
    return markdown(head, map(row, outcomes))


def notes(outcomes: Iterable[Outcome]) -> str:
    """Remarks, each with the cases it belongs to."""
    said: dict[str, list[str]] = {}
    for outcome in outcomes:
        if outcome.case.note:
            said.setdefault(outcome.case.note, []).append(outcome.case.key)
    return "".join(f"- {', '.join(keys)}: {text}\n" for text, keys in said.items())


def row(outcome: Outcome) -> tuple[str, ...]:
    """One case."""
    share = outcome.memory_ratio
    memory = f"{outcome.memory / 1e6:,.1f} MB" + ("" if share is None else f" ({share:.2f} x)")
    return (
        outcome.case.key,
        outcome.case.title,
        outcome.reference,
        seconds(outcome.seconds[outcome.reference]),
        seconds(outcome.seconds["accord"]),
        f"{outcome.ratio:.2f}",
        memory,
        outcome.case.limit,
        outcome.verdict,
    )


def seconds(value: float) -> str:
    """Three digits in a unit one can read."""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if value * factor >= 1.0:
            return f"{value * factor:.3g} {unit}"
    return f"{value * 1e6:.2g} µs"


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
