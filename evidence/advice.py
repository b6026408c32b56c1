"""Does the report blame anybody without reason? Projects whose raters and labels are all alike; writes advice.md.

python evidence/advice.py [--projects 200] [--out FILE]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
from coverage import commit
from scenarios import Scenario, draw

import accord

HERE = Path(__file__).parent
WORDS = ("red", "green", "blue", "black", "white")


def scenarios() -> list[Scenario]:
    """Projects of every usual size: equal label shares, raters of equal skill."""
    found = []
    for n in (60, 150, 400):
        for raters in (3, 5, 8):
            for kappa in (0.3, 0.6, 0.8):
                for error in ("raters", "units"):
                    found.append(Scenario(n=n, kappa=kappa, mix="20/20/20/20/20", raters=raters, error=error))
    return found


def project(scenario: Scenario, rng: np.random.Generator) -> pa.Table:
    """One export: a row an answer, a fifth of the answers missing."""
    answers = draw(scenario, 1, rng)[0]
    unit, rater = np.nonzero(rng.random(answers.shape) >= 0.2)
    return pa.table(
        {
            "task": [f"t{u}" for u in unit],
            "annotator": [f"r{r}" for r in rater],
            "label": [WORDS[code] for code in answers[unit, rater]],
        }
    )


def blamed(table: pa.Table) -> set[str]:
    """Kinds of findings that name somebody or something."""
    report = accord.measure(accord.read(table))
    return {finding.kind for finding in report.findings}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--projects", type=int, default=200)
    parser.add_argument("--out", type=Path, default=HERE / "advice.md")
    chosen = parser.parse_args(arguments)
    rng = np.random.default_rng(20)
    cells = scenarios()
    started = time.monotonic()
    count: Counter[str] = Counter()
    for number in range(chosen.projects):
        kinds = blamed(project(cells[number % len(cells)], rng))
        count.update(kinds)
        count["somebody"] += bool(kinds & {"rater", "label"})
        if number % 20 == 19:
            print(f"{number + 1} projects, {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    command = " ".join(["python evidence/advice.py", *(sys.argv[1:] if arguments is None else arguments)])
    write(chosen.out, count, chosen.projects, command)
    return 0


def write(out: Path, count: Counter[str], projects: int, command: str) -> None:
    """Write the page by way of a temporary name."""
    lines = [
        "# Advice without support",
        "",
        f"{datetime.now(UTC).date().isoformat()}, commit {commit()}, `{command}`.",
        "",
        f"{projects} simulated projects, raters of equal skill, labels of equal share and difficulty: 60 to 400 tasks,",
        "3 to 8 raters, agreement beyond chance .3 to .8, a fifth of the answers missing, errors of raters or on hard",
        "tasks. Nobody deserves to be named. The report's rule allows one report in ten.",
        "",
        "| the report names | reports | share |",
        "| --- | --- | --- |",
        *(
            f"| {words} | {count[kind]} | {count[kind] / projects:.1%} |"
            for kind, words in (
                ("somebody", "a rater or a label"),
                ("rater", "a rater"),
                ("label", "a label"),
                ("labels", "a pair of labels"),
                ("tasks", "tasks that carry the disagreement"),
                ("overlap", "too little overlap"),
            )
        ),
        "",
    ]
    draft = out.with_suffix(".tmp")
    draft.write_text("\n".join(lines))
    draft.replace(out)


if __name__ == "__main__":
    raise SystemExit(main())
