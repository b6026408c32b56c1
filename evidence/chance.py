"""What chance agreement costs by design, and whether its interval holds; writes chance.md beside this file.

    python evidence/chance.py [--repetitions 1000] [--worlds 5]

Answers of two raters are terms for concepts; a slow model knows which terms mean the same, a cheap proxy guides the
draws. Everything runs through the product; a call is one pair of texts that the slow model is asked for.
"""

from __future__ import annotations

import argparse
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from accord import measures
from accord.readers.arrays import from_matrix
from accord.similarity.equivalent import Budget, from_model

HERE = Path(__file__).parent
#: Half-width that the sample for chance agreement may add to kappa.
PRECISION = 0.005
#: More calls than any design needs.
ENOUGH = 10_000_000


@dataclass(frozen=True, slots=True)
class World:
    """A draw of answers: concepts by a Zipf law, terms for them, what the slow model and both proxies say.

    ``concepts`` and ``power`` set how often two random answers mean the same; ``agree`` is the share of items on which
    raters do not answer at random.
    """

    name: str
    concepts: int
    power: float
    agree: float
    items: int = 200
    terms: int = 30


WORLDS = (
    World("p_e near .07, kappa .2", 40, 0.9, 0.2),
    World("p_e near .015, kappa .2", 150, 0.3, 0.2),
    World("p_e near .05, kappa .2", 50, 0.8, 0.2),
    World("p_e near .07, kappa .6", 40, 0.9, 0.6),
    World("p_e near .015, kappa .6", 150, 0.3, 0.6),
)
DESIGNS = (
    *("shifts", "stratified, embedding", "stratified, partly blind", "stratified, lexical"),
    "control variate, embedding",
)
#: Share of the terms of one concept that the partly blind proxy takes for strangers.
BLIND = 0.3


class Known:
    """Scores from a table; texts are numbers."""

    symmetric, seconds, chunk = True, 1.0, 1 << 20

    def __init__(self, name: str, table: Any) -> None:
        self.name = self.fingerprint = name
        self.table = table

    def score(self, left: Any, right: Any) -> Any:
        """Scores of pairs."""
        return self.table[np.array(left, dtype=np.int64), np.array(right, dtype=np.int64)]


@dataclass(frozen=True)
class Made:
    """Answers and models of a world."""

    study: Any
    slow: Known
    proxies: dict[str, Known]


def make(world: World, seed: int) -> Made:
    """Draw the answers and what the models say."""
    rng = np.random.default_rng([seed, world.concepts, int(10 * world.agree)])
    share = 1.0 / np.arange(1, world.concepts + 1) ** world.power
    share /= share.sum()
    first = rng.choice(world.concepts, world.items, p=share)
    second = np.where(rng.random(world.items) < world.agree, first, rng.choice(world.concepts, world.items, p=share))
    texts = world.concepts * world.terms
    answers = np.stack(
        [side * world.terms + rng.integers(world.terms, size=world.items) for side in (first, second)], 1
    )
    concept = np.arange(texts) // world.terms
    same = concept[:, None] == concept
    sibling = ~same & (concept[:, None] // 4 == concept // 4)
    slow = np.where(
        same, rng.beta(18, 2, same.shape), np.where(sibling, rng.beta(1, 30, same.shape), rng.beta(1, 300, same.shape))
    )
    near = np.where(same, 0.75, np.where(sibling, 0.5, 0.2)) + rng.normal(0, 0.1, same.shape)
    shared = np.where(same, rng.random(same.shape) < 0.35, rng.random(same.shape) < 0.06) * rng.uniform(
        0.2, 0.8, same.shape
    )
    blind = np.where(same & (rng.random(same.shape) < BLIND), rng.normal(0.2, 0.1, same.shape), near)
    proxies = {"embedding": near, "lexical": shared, "partly blind": blind}
    study = from_matrix([[str(a), str(b)] for a, b in answers.tolist()])
    known = {name: Known(name, _even(table)) for name, table in proxies.items()}
    return Made(study, Known("slow", _even(slow)), known)


def _even(table: Any) -> Any:
    upper = np.triu(np.clip(table, 0.0, 1.0), 1)
    return upper + upper.T + np.eye(len(table))


def measured(made: Made, design: str, seed: int) -> tuple[Any, int]:
    """Fleiss' kappa with chance agreement by one design, and the calls that chance agreement took."""
    kind, _, proxy = design.partition(", ")
    budget = Budget(calls=ENOUGH, precision=PRECISION, design=kind.split()[0])
    similarity = from_model(made.study, made.slow, budget=budget, seed=seed, proxy=made.proxies.get(proxy))
    found = measures.fleiss_kappa(made.study, similarity=similarity, interval="analytic")
    pairs = made.study.code.reshape(-1, 2)
    within = len(np.unique(np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1), axis=0))
    return found, similarity.chance.calls - within


@dataclass(frozen=True, slots=True)
class Row:
    """What one design did in one world."""

    world: str
    design: str
    expected: float
    kappa: float
    calls: float
    half: float
    bias: float
    coverage: float

    @property
    def needed(self) -> float:
        """Calls for the wanted precision exactly."""
        return self.calls * (self.half / PRECISION) ** 2


def simulate(world: World, design: str, repetitions: int) -> Row:
    """Repeat the draws over fixed answers."""
    made = make(world, 1)
    truth = measures.fleiss_kappa(made.study, similarity=from_model(made.study, made.slow, budget=Budget(calls=ENOUGH)))
    kappas, calls, held = [], [], []
    for seed in range(repetitions):
        found, asked = measured(made, design, seed)
        kappas.append(found.value)
        calls.append(asked)
        held.append(found.details["expected_low"] <= truth.expected <= found.details["expected_high"])
    error = np.array(kappas) - truth.value
    half = 1.96 * float(np.sqrt(np.mean(error**2)))
    return Row(
        world.name,
        design,
        truth.expected,
        truth.value,
        float(np.mean(calls)),
        half,
        float(error.mean()),
        float(np.mean(held)),
    )


def rows(repetitions: int, worlds: int) -> Iterator[Row]:
    """All designs in the first worlds."""
    for world in WORLDS[:worlds]:
        for design in DESIGNS:
            started = time.monotonic()
            row = simulate(world, design, repetitions)
            print(f"{world.name}, {design}: {row.calls:.0f} calls, {time.monotonic() - started:.0f} s", flush=True)
            yield row


HEADS = (
    *("world", "p_e", "kappa", "design", "calls made", "half-width reached", "calls for .005"),
    *("fewer (made)", "fewer (for .005)", "coverage of p_e"),
)
INTRO = """
Two raters, 200 items, 30 terms for every concept, so that most texts are unique. The slow model scores two
terms of one concept near .9 and others near 0; the embedding proxy tells concepts apart with noise, the
lexical one sees a shared word in a third of the pairs of terms of a concept, the partly blind one is the embedding
that takes 30 % of the pairs of terms of a concept for strangers. Fleiss' kappa with
`precision=0.005`: each design stops by itself where it believes that the sample adds at most ± .005 (95 %) to
kappa. Shifts are random permutations without fixed points, no pair twice. Calls are distinct pairs of texts
for chance agreement; pairs within items are scored under every design.

`calls made` is the mean under that rule, `half-width reached` 1.96 times the root mean square error of kappa
over the repetitions, `calls for .005` what ± .005 takes when the variance falls as 1 / calls; `fewer` compares
with shifts in the same world: below 1 a design costs more than shifts. Coverage: share of repetitions in which the
limits of expected agreement held it.

A stratified sample stops when a curve of scores against the proxy, through all strata, lets it believe that strata
without a pair of equals are empty. The limits do not trust the curve: they are wider than the error reached, and
where strata are truly empty (both embeddings but for the blind pairs) they hold expected agreement nearly always.
The price is in the rows of the partly blind proxy: equals where nothing hints at them are found late, the error is
above the aim, and only the limits say so.
"""


def table(found: list[Row]) -> list[str]:
    """Rows in Markdown, each with how many times fewer calls it takes than shifts in the same world."""
    shifts = {row.world: row for row in found if row.design == DESIGNS[0]}
    lines = [f"| {' | '.join(HEADS)} |", f"| {' | '.join('---' for _ in HEADS)} |"]
    for row in found:
        base = shifts[row.world]
        fewer = f"{base.calls / row.calls:.1f} | {base.needed / row.needed:.1f}"
        done = f"{row.calls:,.0f} | {row.half:.4f} | {row.needed:,.0f}"
        where = f"{row.world} | {row.expected:.3f} | {row.kappa:.2f} | {row.design}"
        lines.append(f"| {where} | {done} | {fewer} | {row.coverage:.3f} |")
    return lines


def write(found: list[Row], repetitions: int, worlds: int) -> None:
    """Write chance.md."""
    git = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(git, cwd=HERE, capture_output=True, text=True, check=False).stdout.strip()
    slack = 1.96 * (0.95 * 0.05 / repetitions) ** 0.5
    command = f"python evidence/chance.py --repetitions {repetitions} --worlds {worlds}"
    lines = [
        "# What chance agreement costs under a slow model",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, commit {commit}, `{command}`; simulation error of a coverage ± {slack:.3f}.",
        INTRO,
        *table(found),
    ]
    (HERE / "chance.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--worlds", type=int, default=len(WORLDS), help="only the first so many")
    chosen = parser.parse_args()
    done: list[Row] = []
    for found in rows(chosen.repetitions, chosen.worlds):
        done.append(found)
        write(done, chosen.repetitions, chosen.worlds)
