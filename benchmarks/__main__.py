"""``python -m benchmarks``: run the cases on one core and print or write the table."""

from __future__ import annotations

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "ARROW_NUM_THREADS"):
    os.environ[variable] = "1"

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import coefficients, geometry, inputs, peers, texts, workspace
from benchmarks.page import page
from benchmarks.timing import Case, Outcome, run


def main(arguments: Sequence[str] | None = None) -> None:
    """Run, show progress on standard error, write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", nargs="*", default=[], help="keys of cases, such as T1 T8")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the full size")
    parser.add_argument("--rounds", type=int, default=5, help="interleaved rounds; the median counts")
    parser.add_argument("--no-peers", action="store_true", help="leave out packages in their own environments")
    parser.add_argument("--write", type=Path, help="Markdown file to write")
    chosen = parser.parse_args(arguments)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    cases = (*coefficients.CASES, *geometry.CASES, *inputs.CASES, *texts.CASES, *workspace.CASES)
    outcomes = [measured(case, chosen) for case in cases if wanted(case, chosen.only)]
    others = () if chosen.no_peers or chosen.only else peers.compare(chosen.rounds)
    text = page(outcomes, others, chosen)
    if chosen.write:
        chosen.write.write_text(text, encoding="utf-8")
    else:
        print(text)


def wanted(case: Case, only: Sequence[str]) -> bool:
    """Whether the case was asked for."""
    return not only or case.key in only


def measured(case: Case, chosen: argparse.Namespace) -> Outcome:
    """Run one case."""
    print(f"{case.key:5} {case.title}", end="", file=sys.stderr, flush=True)
    outcome = run(case, chosen.scale, chosen.rounds)
    print(f": {outcome.ratio:.2f} x {outcome.reference} {outcome.verdict}", file=sys.stderr)
    return outcome


if __name__ == "__main__":
    main()
