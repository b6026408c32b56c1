"""Accord against other packages, each in its own environment, taking turns on the same data."""

from __future__ import annotations

import json
import select
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

import accord
from benchmarks import mask_peers
from benchmarks.comparison import Comparison, Measure
from benchmarks.inputs import FOLDER
from benchmarks.timing import once, peak

WORKER = Path(__file__).with_name("peer_worker.py")
PATIENCE = 60.0
ROOT = Path(__file__).parents[1]
ENVIRONMENTS = {
    "general": ("krippendorff", "nltk", "statsmodels", "sklearn"),
    "irrcac": ("irrCAC",),
    "masks": ("pycocotools",),
    "labelstudio": ("label-studio-sdk",),
}


def point(coefficient: Callable[..., accord.Estimate], **options: str) -> Callable[[np.ndarray], Measure]:
    """The value of a coefficient alone."""
    return lambda answers: lambda: coefficient(answers, **options, ci=None).value


def answers(units: int, raters: int, categories: int) -> Callable[[], np.ndarray]:
    return lambda: answers_of(units, raters, categories)


NOMINAL = ("krippendorff nominal", "irrCAC alpha", "nltk")
ALPHA = point(accord.krippendorff_alpha, level="nominal")
INTERVAL = ("krippendorff interval", "irrCAC alpha quadratic")
COMPARISONS = (
    Comparison("T7: α nominal, 1,000 x 5, 5 categories (3.3)", ALPHA, answers(1_000, 5, 5), NOMINAL),
    Comparison("α nominal, 10⁴ x 5, 50 categories", ALPHA, answers(10_000, 5, 50), NOMINAL),
    Comparison("α nominal, 10⁵ x 5, 5 categories", ALPHA, answers(100_000, 5, 5), NOMINAL),
    Comparison("α nominal, 10⁴ x 5, 1,000 categories", ALPHA, answers(10_000, 5, 1_000), NOMINAL),
    Comparison("α interval, 10⁵ x 5, 5 values", point(accord.krippendorff_alpha, level="interval"),
               answers(100_000, 5, 5), INTERVAL),
    Comparison("Fleiss' κ, 10⁵ x 5, 5 categories", point(accord.fleiss_kappa), answers(100_000, 5, 5),
               ("statsmodels fleiss", "irrCAC fleiss")),
    Comparison("AC1, 10⁵ x 5, 5 categories", point(accord.gwet_ac1), answers(100_000, 5, 5), ("irrCAC gwet",)),
    Comparison("Cohen's κ, 10⁶ x 2, 5 categories", point(accord.cohen_kappa), answers(1_000_000, 2, 5),
               ("sklearn kappa",)),
    Comparison("quadratic κ, 10⁶ x 2, 5 categories", point(accord.weighted_kappa, weights="quadratic"),
               answers(1_000_000, 2, 5), ("sklearn quadratic",)),
    *mask_peers.COMPARISONS,
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
    made = comparison.data()
    data = FOLDER / "answers.npy"
    np.save(data, made)
    measure = comparison.prepare(made)
    value = measure()
    print(comparison.title, file=sys.stderr)
    own: list[float] = []
    others: dict[str, list[Mapping[str, float]]] = {
        call: [] for call in comparison.others if call.split()[0] in workers
    }
    for _ in range(rounds):
        own.append(once(measure, 1 + 100_000 // made.size))
        for call, found in others.items():
            if len(found) == 0 or found[-1]:
                found.append(workers[call.split()[0]].ask(call, data))
    base = statistics.median(own)
    memory = peak(measure)
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
