"""``python -m benchmarks.text_rates``: texts read and pairs scored a second, by every estimator and by other packages.

One core, CPU seconds, contenders in turn, the best of several rounds.
"""

from __future__ import annotations

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from accord.equivalence.cached import Cached, ScoreStore
from accord.equivalence.lexical import LEXICAL
from accord.equivalence.local_embedding import local_embedding
from accord.equivalence.nli import nli
from accord.measures.kappas import cohen_kappa
from accord.readers.arrays import from_matrix
from benchmarks.page import machine, markdown, seconds
from benchmarks.texts import pairs, terms
from benchmarks.timing import once

ROOT = Path(__file__).parents[1]
WORKER = Path(__file__).with_name("encoder_worker.py")
SIZES = (100, 200, 500, 1000)
PAGE = """# Speed on free text

Measured by `python -m benchmarks.text_rates --write docs/text-speed.md`: CPU seconds on one core ({machine}),
contenders in turn, the best of {rounds} rounds. Ratios in one run say more than the times. Texts are made-up
findings of about seven word pieces.

## Every estimator

{texts:,} texts read once each, then {pairs:,} pairs of them scored; for `nli` a pair is scored in both directions.

{estimators}
## Exact chance agreement

Cohen's κ of n items and two raters with 2n distinct texts, reading included: all pairs are scored, but for cosines,
whose sum has a closed form.

{chance}
## Cache

A second run over the same texts, half of whose pairs are new: {hits:,} of {asked:,} pairs came from the cache
({share:.0%}); looking a pair up took {lookup}, scoring it {scored}.

{others}"""
OTHERS = """## Against other packages

In one run, in their own environment, on the same texts and pairs: sentence-transformers' `encode` with the backbone
of our model in 32-bit floats, and a cross-encoder of the same six layers, which reads every ordered pair anew.

{table}
A cross-encoder needs n(n−1) readings for exact chance agreement where the shipped model needs n.
"""


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.text_rates", description=__doc__)
    parser.add_argument("--texts", type=int, default=500)
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--largest", type=int, default=max(SIZES), help="largest n for exact chance agreement")
    parser.add_argument("--no-peers", action="store_true", help="leave out packages in their own environment")
    parser.add_argument("--python", type=Path, help="interpreter of an environment with sentence-transformers")
    parser.add_argument("--write", type=Path, help="Markdown file to write")
    chosen = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    text = page(chosen)
    if chosen.write:
        chosen.write.write_text(text, encoding="utf-8")
    else:
        print(text)


def page(chosen: argparse.Namespace) -> str:
    """Everything as Markdown."""
    texts = terms(chosen.texts)
    i, j = pairs(chosen.pairs, len(texts))
    head = ("estimator", "texts / s", "pairs / s")
    hits, asked, lookup, scored = cache(texts)
    return PAGE.format(
        machine=machine(),
        rounds=chosen.rounds,
        texts=len(texts),
        pairs=len(i),
        estimators=markdown(head, estimators(texts, i, j, chosen.rounds)),
        chance=chance([n for n in SIZES if n <= chosen.largest]),
        hits=hits,
        asked=asked,
        share=hits / asked,
        lookup=seconds(lookup),
        scored=seconds(scored),
        others=others(chosen, texts, i, j),
    )


def models() -> dict[str, Any]:
    """Every estimator that runs without a server."""
    return {**LEXICAL, "embedding": local_embedding(), "nli": nli()}


def best(call: Callable[[], object], rounds: int) -> float:
    """Fewest CPU seconds of several calls; short ones are repeated within a round."""
    repeats = max(1, int(0.05 / max(once(call, 1), 1e-7)))
    return min(once(call, repeats) for _ in range(rounds))


def estimators(texts: list[str], i: np.ndarray, j: np.ndarray, rounds: int) -> Iterator[tuple[str, str, str]]:
    """Rates of every estimator."""
    for name, model in models().items():
        read = model.encode(texts)
        reading = best(lambda model=model: model.encode(texts), rounds)
        scoring = best(lambda model=model, read=read: model.compare(read, i, j), rounds)
        yield f"`{name}`", f"{len(texts) / reading:,.0f}", f"{len(i) / scoring:,.0f}"


def chance(sizes: list[int]) -> str:
    """Seconds for exact chance agreement by number of items."""
    rows = []
    # What is imported on first use is no part of it.
    cohen_kappa([["a b", "b"], ["c", "c d"]], similarity=LEXICAL["jaccard"], ci=None)
    for n in sizes:
        texts = terms(2 * n)
        study = from_matrix([[a, b] for a, b in zip(texts[:n], texts[n:], strict=True)])
        times = [
            seconds(once(lambda model=model, study=study: cohen_kappa(study, similarity=model, ci=None), 1))
            for model in (LEXICAL["jaccard"], local_embedding(), nli())
        ]
        rows.append((f"{n:,}", f"{n * (2 * n - 1):,}", *times))
    return markdown(("items", "pairs of texts", "`jaccard`", "`embedding`", "`nli`"), rows)


def cache(texts: list[str]) -> tuple[int, int, float, float]:
    """Hits and pairs of a second run half of whose pairs are new; seconds a pair kept, and a pair scored."""
    some = texts[:100]
    i, j = np.triu_indices(len(some), 1)
    left, right = [some[k] for k in i.tolist()], [some[k] for k in j.tolist()]
    half = len(left) // 2
    with tempfile.TemporaryDirectory() as folder:
        store = ScoreStore(Path(folder) / "scores.sqlite")
        model = Cached(nli(), store)
        fresh = once(lambda: model.score(left[:half], right[:half]), 1) / half
        kept = once(lambda: model.score(left[:half], right[:half]), 1) / half
        model.hits = model.calls = 0
        model.score(left, right)
        store.close()
    return model.hits, model.hits + model.calls, kept, fresh


def others(chosen: argparse.Namespace, texts: list[str], i: np.ndarray, j: np.ndarray) -> str:
    """Ratios to sentence-transformers and to a cross-encoder; nothing where there is no environment for them."""
    python = None if chosen.no_peers else chosen.python or environment()
    if python is None:
        return ""
    few = min(200, len(i))
    left, right = ([texts[k] for k in side[:few].tolist()] for side in (i, j))
    asked = {"texts": texts, "left": left, "right": right}
    with subprocess.Popen([python, WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        own: dict[str, list[float]] = {"encode": [], "score": []}
        theirs: dict[str, list[float]] = {"encode": [], "score": []}
        model = nli()
        read = model.encode(texts)
        for _ in range(chosen.rounds):
            own["encode"].append(once(lambda: model.encode(texts), 1))
            own["score"].append(once(lambda: model.compare(read, i, j), 1) / len(i))
            process.stdin.write(json.dumps(asked) + "\n")
            process.stdin.flush()
            found = json.loads(process.stdout.readline())
            theirs["encode"].append(found["encode"])
            theirs["score"].append(found["score"] / few)
        process.stdin.close()
    rows = []
    for what, other, mine in (
        ("texts read", "sentence-transformers", "encode"),
        ("pairs scored in both directions", "cross-encoder", "score"),
    ):
        count = len(texts) if mine == "encode" else 1
        a, b = count / min(own[mine]), count / min(theirs[mine])
        rows.append((what, f"{a:,.0f} / s", other, f"{b:,.0f} / s", f"{a / b:.1f}"))
    return OTHERS.format(table=markdown(("", "`nli`", "other", "rate", "ratio"), rows))


def environment() -> Path | None:
    """Interpreter of the environment, built where absent."""
    command = [sys.executable, ROOT / "tests" / "peers" / "environments.py", "encoders"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"without sentence-transformers: {done.stderr.strip()}", file=sys.stderr)
        return None
    return Path(done.stdout.strip())


if __name__ == "__main__":
    main()
