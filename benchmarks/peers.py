"""Accord against other packages, each in its own environment, taking turns on the same data."""

from __future__ import annotations

import json
import select
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import accord
from benchmarks.inputs import FOLDER
from benchmarks.timing import once, peak

WORKER = Path(__file__).with_name("peer_worker.py")
PATIENCE = 60.0
ROOT = Path(__file__).parents[1]
ENVIRONMENTS = {"general": ("krippendorff", "nltk", "statsmodels", "sklearn"), "irrcac": ("irrCAC",)}


@dataclass(frozen=True, slots=True)
class Comparison:
    """One measure on one size, and the calls of the others (see ``peer_worker.CALLS``)."""

    title: str
    measure: Callable[[np.ndarray], float]
    size: tuple[int, int, int]
    others: tuple[str, ...]


def alpha(level: str) -> Callable[[np.ndarray], float]:
    return lambda answers: accord.krippendorff_alpha(answers, level=level, ci=None).value


def kappa(weights: str) -> Callable[[np.ndarray], float]:
    return lambda answers: accord.weighted_kappa(answers, weights=weights, ci=None).value


NOMINAL = ("krippendorff nominal", "irrCAC alpha", "nltk")
COMPARISONS = (
    Comparison("T7: α nominal, 1,000 x 5, 5 categories (3.3)", alpha("nominal"), (1_000, 5, 5), NOMINAL),
    Comparison("α nominal, 10⁴ x 5, 50 categories", alpha("nominal"), (10_000, 5, 50), NOMINAL),
    Comparison("α nominal, 10⁵ x 5, 5 categories", alpha("nominal"), (100_000, 5, 5), NOMINAL),
    Comparison("α nominal, 10⁴ x 5, 1,000 categories", alpha("nominal"), (10_000, 5, 1_000), NOMINAL),
    Comparison("α interval, 10⁵ x 5, 5 values", alpha("interval"), (100_000, 5, 5),
               ("krippendorff interval", "irrCAC alpha quadratic")),
    Comparison("Fleiss' κ, 10⁵ x 5, 5 categories", lambda x: accord.fleiss_kappa(x, ci=None).value, (100_000, 5, 5),
               ("statsmodels fleiss", "irrCAC fleiss")),
    Comparison("AC1, 10⁵ x 5, 5 categories", lambda x: accord.gwet_ac1(x, ci=None).value, (100_000, 5, 5),
               ("irrCAC gwet",)),
    Comparison("Cohen's κ, 10⁶ x 2, 5 categories", lambda x: accord.cohen_kappa(x, ci=None).value, (1_000_000, 2, 5),
               ("sklearn kappa",)),
    Comparison("quadratic κ, 10⁶ x 2, 5 categories", kappa("quadratic"), (1_000_000, 2, 5), ("sklearn quadratic",)),
)  # fmt: skip


class Worker:
    """One process in another environment; a call that takes too long ends it."""

    def __init__(self, python: str) -> None:
        self.python = python
        self.process: subprocess.Popen[str] | None = None

    def ask(self, call: str, data: Path) -> Mapping[str, float]:
        """Answer of the worker; empty if it failed or was too slow."""
        if self.process is None or self.process.poll() is not None:
            pipe = subprocess.PIPE
            self.process = subprocess.Popen([self.python, WORKER], stdin=pipe, stdout=pipe, text=True, bufsize=1)
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps({"call": call, "data": str(data)}) + "\n")
        if not select.select([self.process.stdout], [], [], 3 * PATIENCE)[0]:
            self.stop()
            return {}
        line = self.process.stdout.readline()
        found = json.loads(line) if line else {}
        return {} if "error" in found else found

    def stop(self) -> None:
        """End the process."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None


def compare(rounds: int) -> Sequence[Sequence[str]]:
    """Rows of the table, its head first; other packages that have no environment here are left out."""
    workers = {name: Worker(python) for name, python in pythons().items()}
    rows = [("measure", "package", "time", "ratio to accord", "memory", "difference")]
    try:
        for comparison in COMPARISONS:
            rows += compared(comparison, workers, rounds)
    finally:
        for worker in workers.values():
            worker.stop()
    return rows


def compared(comparison: Comparison, workers: Mapping[str, Worker], rounds: int) -> list[tuple[str, ...]]:
    """One row for accord and one for every other package."""
    answers = answers_of(*comparison.size)
    data = FOLDER / "answers.npy"
    np.save(data, answers)
    value = comparison.measure(answers)
    print(comparison.title, file=sys.stderr)
    own: list[float] = []
    others: dict[str, list[Mapping[str, float]]] = {
        call: [] for call in comparison.others if call.split()[0] in workers
    }
    for _ in range(rounds):
        own.append(once(lambda: comparison.measure(answers), 1 + 100_000 // answers.size))
        for call, found in others.items():
            if len(found) == 0 or found[-1]:
                found.append(workers[call.split()[0]].ask(call, data))
    base = statistics.median(own)
    memory = peak(lambda: comparison.measure(answers))
    first = (comparison.title, "accord", f"{1e3 * base:.3g} ms", "1", f"{memory / 1e6:.1f} MB", "")
    return [first, *(row(call, found, base, value) for call, found in others.items())]


def row(call: str, found: Sequence[Mapping[str, float]], base: float, value: float) -> tuple[str, ...]:
    """Times of another package; dashes where it failed."""
    package = call.split()[0]
    if not found or not all(found):
        return ("", package, "–", "–", "–", "–")
    taken = statistics.median(one["seconds"] for one in found)
    difference = abs(found[0]["value"] - value)
    return (
        "",
        package,
        f"{1e3 * taken:.3g} ms",
        f"{taken / base:.3g}",
        f"{found[0]['memory'] / 1e6:.1f} MB",
        f"{difference:.0e}",
    )


def answers_of(units: int, raters: int, categories: int) -> np.ndarray:
    """Complete answers (U, R), half of them following a common truth; categories from 1."""
    random = np.random.default_rng(8)
    truth = random.integers(1, categories + 1, (units, 1))
    noise = random.integers(1, categories + 1, (units, raters))
    return np.where(random.random((units, raters)) < 0.5, truth, noise)


def pythons() -> Mapping[str, str]:
    """Interpreter of each package's environment, built where absent; a package without one is left out, and named."""
    found = {}
    for environment, packages in ENVIRONMENTS.items():
        command = [sys.executable, ROOT / "tests" / "peers" / "environments.py", environment]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"without {', '.join(packages)}: {done.stderr.strip()}", file=sys.stderr)
        else:
            found |= dict.fromkeys(packages, done.stdout.strip())
    return found
