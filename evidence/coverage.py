"""Coverage and width of confidence intervals on simulated projects; writes coverage.md beside this file.

    python evidence/coverage.py [--repetitions 2000] [--groups labels graded ...] [--thin 1] [--processes 2]

Finished cells are kept in .cache/evidence, so a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import fast
import numpy as np
import slow
from scenarios import MIXES, Scenario
from tables import is_low, write

HERE = Path(__file__).parent
CACHE = HERE.parent / ".cache" / "evidence"
SIZES = (20, 50, 200, 1000)
KAPPAS = (0.0, 0.3, 0.6, 0.8, 0.9, 0.95)
GROUPS = ("labels", "graded", "missing", "clusters", "methods", "panels")


@dataclass(frozen=True, slots=True)
class Cell:
    """One scenario of one group; ``coefficient`` only where the product itself is run."""

    group: str
    scenario: Scenario
    repetitions: int
    coefficient: str = ""

    @property
    def key(self) -> str:
        return json.dumps([self.group, asdict(self.scenario), self.repetitions, self.coefficient], sort_keys=True)


def cells(repetitions: int) -> Iterator[Cell]:
    """All cells; large projects and slow methods get fewer repetitions."""
    few = max(1, repetitions // 20)
    for n, kappa, mix, raters, error in product(SIZES, KAPPAS, MIXES, (2, 3, 5, 10), ("raters", "units")):
        count = repetitions // 4 if n == 1000 else repetitions
        yield Cell("labels", Scenario(n=n, kappa=kappa, mix=mix, raters=raters, error=error), count)
        if len(MIXES[mix]) > 2 and raters != 5:
            scenario = Scenario(n=n, kappa=kappa, mix=mix, raters=raters, error=error, similarity="quadratic")
            yield Cell("graded", scenario, count // 2)
    for n, kappa, mix, raters in product(SIZES, KAPPAS, ("50/50", "90/10", "20/30/50"), (3, 5)):
        count = repetitions // 4 if n == 1000 else repetitions
        yield Cell("missing", Scenario(n=n, kappa=kappa, mix=mix, raters=raters, missing=0.3), count)
    for clusters, size, kappa, mix, alike in product(
        (30, 60), (5, 20), KAPPAS[1:], ("50/50", "90/10", "20/30/50"), (0.5, 2.0, 8.0)
    ):
        scenario = Scenario(n=clusters * size, kappa=kappa, mix=mix, raters=3, clusters=clusters, same=0.5, alike=alike)
        yield Cell("clusters", scenario, repetitions // 2)
    for name, n, kappa in product(slow.EVERY, SIZES, (0.3, 0.6, 0.9)):
        raters = 2 if name in slow.TWO_RATERS else 3
        if n <= slow.LARGEST.get(name, n):
            scenario = Scenario(n=n, kappa=kappa, mix="20/30/50", raters=raters)
            yield Cell("methods", scenario, few if n < 1000 else max(1, few * 2 // 5), name)
    for n, raters in product((50, 200), (5, 10, 20)):
        yield Cell("panels", Scenario(n=n, kappa=0.0, mix="20/30/50", raters=raters), few)


def run(cell: Cell) -> list[dict[str, Any]]:
    """Simulate one cell; the seed follows from the cell."""
    seed = zlib.crc32(cell.key.encode())
    if cell.group == "methods":
        rows = slow.simulate(cell.coefficient, cell.scenario, cell.repetitions, seed)
    elif cell.group == "panels":
        rows = slow.simulate_panels(cell.scenario, cell.repetitions, seed)
    else:
        rows = fast.simulate(cell.scenario, cell.repetitions, np.random.default_rng(seed))
    scenario = asdict(cell.scenario)
    return [{"group": cell.group, "repetitions": cell.repetitions, **scenario, **row} for row in rows]


def run_all(wanted: list[Cell], processes: int, cache: Path | None) -> dict[str, list[dict[str, Any]]]:
    """Run what is not in the cache yet, in parallel, and return the rows of every cell."""
    known: dict[str, list[dict[str, Any]]] = {}
    if cache is not None and cache.exists():
        known = dict(json.loads(line) for line in cache.read_text().splitlines())
    missing = [cell for cell in wanted if cell.key not in known]
    started = time.monotonic()
    with ProcessPoolExecutor(processes) as pool:
        for done, (cell, rows) in enumerate(zip(missing, pool.map(run, missing, chunksize=1), strict=True), start=1):
            known[cell.key] = rows
            if cache is not None:
                cache.parent.mkdir(parents=True, exist_ok=True)
                with cache.open("a") as file:
                    file.write(json.dumps([cell.key, rows]) + "\n")
            if done % 100 == 0:
                print(
                    f"{done} of {len(missing)} cells, {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True
                )
    return {cell.key: known[cell.key] for cell in wanted}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=2000)
    parser.add_argument("--groups", nargs="+", choices=GROUPS, default=GROUPS)
    parser.add_argument("--thin", type=int, default=1, help="run every n-th cell only")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path, default=HERE / "coverage.md")
    parser.add_argument("--no-cache", action="store_true")
    chosen = parser.parse_args(arguments)
    wanted = [cell for cell in cells(chosen.repetitions) if cell.group in chosen.groups][:: chosen.thin]
    cache = None if chosen.no_cache else CACHE / f"coverage-{stamp()}.jsonl"
    first = run_all(wanted, chosen.processes, cache)
    doubtful = [cell for cell in wanted if any(map(is_low, first[cell.key]))]
    again = [replace(cell, repetitions=8 * cell.repetitions) for cell in doubtful]
    looked = run_all(again, chosen.processes, cache)
    better = {replace(cell, repetitions=cell.repetitions // 8).key: looked[cell.key] for cell in again}
    rows = [row for cell in wanted for row in better.get(cell.key, first[cell.key])]
    command = " ".join(["python evidence/coverage.py", *(sys.argv[1:] if arguments is None else arguments)])
    write(chosen.out, rows, command, datetime.now(UTC).date().isoformat(), commit())
    return 0


def stamp() -> str:
    """Name of the rule that was simulated: changed code is simulated anew."""
    import accord.inference.score

    files = [
        Path(accord.inference.score.__file__),
        *(HERE / f"{name}.py" for name in ("scenarios", "formulas", "fast")),
    ]
    return f"{zlib.crc32(b''.join(file.read_bytes() for file in files)):08x}"


def commit() -> str:
    done = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=HERE, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or "unknown"


if __name__ == "__main__":
    raise SystemExit(main())
