"""Does the report blame anybody without reason? Projects whose raters and labels are all alike; writes advice.md.

python evidence/advice.py [--projects 200] [--out FILE]
"""

from __future__ import annotations

import argparse
import sys
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


def project(scenario: Scenario, rng: np.random.Generator, careless: bool) -> pa.Table:
    """One export: a row an answer, a fifth of the answers missing; a careless rater guesses half of the time."""
    answers = draw(scenario, 1, rng)[0]
    if careless:
        guessed = rng.random(scenario.n) < 0.5
        answers[guessed, 0] = rng.integers(0, len(WORDS), int(guessed.sum()))
    unit, rater = np.nonzero(rng.random(answers.shape) >= 0.2)
    return pa.table(
        {
            "task": [f"t{u}" for u in unit],
            "annotator": [f"r{r}" for r in rater],
            "label": [WORDS[code] for code in answers[unit, rater]],
        }
    )


def named(table: pa.Table) -> set[str]:
    """Kinds of findings of the report, and whether it names the careless rater."""
    report = accord.measure(accord.read(table), page=True)
    kinds = {finding.kind for finding in report.findings}
    first = any(finding.kind == "rater" and finding.title.startswith("r0 ") for finding in report.findings)
    return kinds | ({"r0"} if first else set())


def count_findings(projects: int, careless: bool) -> Counter[str]:
    """How many reports have a finding of each kind."""
    rng = np.random.default_rng(20)
    cells = scenarios()
    count: Counter[str] = Counter()
    for number in range(projects):
        kinds = named(project(cells[number % len(cells)], rng, careless))
        count.update(kinds)
        count["somebody"] += bool(kinds & {"rater", "label"})
    return count


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--projects", type=int, default=200)
    parser.add_argument("--out", type=Path, default=HERE / "advice.md")
    chosen = parser.parse_args(arguments)
    alike = count_findings(chosen.projects, careless=False)
    careless = count_findings(chosen.projects, careless=True)
    command = " ".join(["python evidence/advice.py", *(sys.argv[1:] if arguments is None else arguments)])
    write(chosen.out, alike, careless, chosen.projects, command)
    return 0


KINDS = {
    "somebody": "a rater or a label",
    "rater": "a rater",
    "label": "a label",
    "labels": "a pair of labels",
    "tasks": "tasks that carry the disagreement",
    "overlap": "too little overlap",
    "r0": "the careless rater",
}


def write(out: Path, alike: Counter[str], careless: Counter[str], projects: int, command: str) -> None:
    """Write the page by way of a temporary name."""
    lines = [
        "# Advice without support",
        "",
        f"{datetime.now(UTC).date().isoformat()}, commit {commit()}, `{command}`.",
        "",
        f"{projects} simulated projects: raters of equal skill, labels of equal share and difficulty, 60 to 400 tasks,",
        "3 to 8 raters, agreement beyond chance .3 to .8, a fifth of the answers missing, errors of raters or on",
        "hard tasks. In the left column nobody deserves to be named, and at most one report in ten may do it. In the",
        "right column one rater guesses half of the time and should be found.",
        "",
        "| the report names | all alike | one careless rater |",
        "| --- | --- | --- |",
        *(
            f"| {words} | {alike[kind] / projects:.1%} | {careless[kind] / projects:.1%} |"
            for kind, words in KINDS.items()
        ),
        "",
    ]
    draft = out.with_suffix(".tmp")
    draft.write_text("\n".join(lines))
    draft.replace(out)


if __name__ == "__main__":
    raise SystemExit(main())
