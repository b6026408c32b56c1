"""Process CPU time of contenders run in turn, and the memory of one call."""

from __future__ import annotations

import gc
import resource
import statistics
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Call = Callable[[], object]
#: The kernel's own mark; getrusage would carry over that of the parent.
HIGH_WATER = "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"


@dataclass(frozen=True, slots=True)
class Case:
    """One comparison: the reference comes first in what ``build`` returns, ``accord`` is in it too.

    ``target`` is the allowed ratio to the reference, ``seconds`` an absolute limit, ``margin`` the seconds allowed on
    top of the reference, ``memory`` the allowed ratio of extra memory to ``input_bytes``, ``megabytes`` the allowed
    growth of a fresh process that runs ``child``. ``note`` is a remark below the table.
    """

    key: str
    title: str
    build: Callable[[float], Mapping[str, Call]]
    target: float | None = None
    seconds: float | None = None
    margin: float | None = None
    memory: float | None = None
    input_bytes: Callable[[float], float] | None = None
    megabytes: float | None = None
    child: Callable[[float], str] | None = None
    note: str = ""

    @property
    def limit(self) -> str:
        """The targets in words."""
        parts = [
            f"≤ {self.target:g} x" if self.target is not None else "",
            f"≤ {self.seconds:g} s" if self.seconds is not None else "",
            f"≤ + {self.margin:g} s" if self.margin is not None else "",
            f"memory ≤ {self.memory:g} x" if self.memory is not None else "",
            f"memory ≤ {self.megabytes:g} MB" if self.megabytes is not None else "",
        ]
        return ", ".join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class Outcome:
    """Medians in seconds by contender, and peak extra bytes of the accord call."""

    case: Case
    seconds: Mapping[str, float]
    memory: float
    scale: float

    @property
    def reference(self) -> str:
        return next(iter(self.seconds))

    @property
    def ratio(self) -> float:
        return self.seconds["accord"] / self.seconds[self.reference]

    @property
    def memory_ratio(self) -> float | None:
        return None if self.case.input_bytes is None else self.memory / self.case.input_bytes(self.scale)

    @property
    def verdict(self) -> str:
        """``met`` or ``missed``; empty for a case without a target, and for one run at a reduced size."""
        case, own = self.case, self.seconds["accord"]
        limits = (
            (case.target, self.ratio),
            (case.seconds, own),
            (case.margin, own - self.seconds[self.reference]),
            (case.memory, self.memory_ratio),
            (case.megabytes, self.memory / 1e6),
        )
        checked = [got <= limit for limit, got in limits if limit is not None and got is not None]
        return "" if not checked or self.scale != 1.0 else "met" if all(checked) else "missed"


def run(case: Case, scale: float, rounds: int) -> Outcome:
    """Interleave the contenders; short calls are repeated within a round."""
    calls = dict(case.build(scale))
    repeats = {name: max(1, int(0.02 / max(once(call, 1), 1e-7))) for name, call in calls.items()}
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            taken[name].append(once(call, repeats[name]))
    medians = {name: statistics.median(times) for name, times in taken.items()}
    memory = peak(calls["accord"]) if case.child is None else resident(case.child(scale)) - resident("")
    return Outcome(case, medians, memory, scale)


def once(call: Call, repeats: int) -> float:
    """CPU seconds of one call, child processes included."""
    gc.collect()
    start = cpu()
    for _ in range(repeats):
        call()
    return (cpu() - start) / repeats


def cpu() -> float:
    """User and system time of this process and of its finished children."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def peak(call: Call) -> float:
    """Largest memory allocated during one call beyond what was there before, as numpy and Python report it."""
    gc.collect()
    tracemalloc.start()
    try:
        call()
        return float(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()


def resident(code: str) -> float:
    """Largest resident memory of a fresh process that imports accord and the parsers and runs ``code``."""
    command = [sys.executable, "-c", f"import accord, ijson, pyarrow.csv\n{code}\n{HIGH_WATER}"]
    return 1024.0 * float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
