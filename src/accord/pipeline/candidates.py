"""Things worth fixing, each with the evidence for it; what is shown is decided for the whole page at once.

Raters and labels are named only if they pass a false-discovery rate over every comparison of the page
(``select``). Tests compare with what chance, workload or prevalence alone would give, and take units as the sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from accord.inference.multiplicity import benjamini_hochberg
from accord.pipeline.report import ConfusedPair, Finding
from accord.pipeline.scores import PairScores
from accord.pipeline.words import percent, plural
from accord.study import Study
from accord.values import BoolArray, FloatArray, Index, IntArray

FALSE_DISCOVERY_RATE = 0.10
PERMUTATIONS = 400
MOST_UNITS = 200


def label_pairs(name: str, pairs: Sequence[ConfusedPair]) -> list[Finding]:
    """Candidates from confused label pairs."""
    return [
        Finding(
            kind="labels",
            control=name,
            title=f"{pair.first} against {pair.second}",
            share=pair.share,
            chance_share=pair.expected_share,
            detail=f"{pair.observed:.0f} of {pair.observed / pair.share:.0f} disagreements; "
            f"chance alone would give {percent(pair.expected_share)}",
            action=f"Write one rule with an example that separates {pair.first} from {pair.second}.",
            p=pair.p,
        )
        for pair in pairs
    ]


def raters(name: str, scores: PairScores) -> list[Finding]:
    """Candidates for raters who agree less with others than the others do among themselves."""
    study = scores.study
    if study.R < 3 or not scores.known.any():
        return []
    found = []
    loss = np.nan_to_num(1.0 - scores.score) * scores.known
    total, pairs = loss.sum(), scores.known.sum()
    if total == 0:
        return []
    first, second = study.rater[scores.left], study.rater[scores.right]
    for rater in range(study.R):
        mine = (first == rater) | (second == rater)
        own, other = scores.known[mine].sum(), scores.known[~mine].sum()
        if own < 10 or other < 10:
            continue
        share, work = loss[mine].sum() / total / 2, own / pairs / 2
        found.append(
            Finding(
                kind="rater",
                control=name,
                title=f"{study.rater_names[rater]} disagrees with the others",
                share=float(share),
                chance_share=float(work),
                detail=f"agrees {percent(1 - loss[mine].sum() / own)} of the time, the others among themselves "
                f"{percent(1 - loss[~mine].sum() / other)}",
                action=f"Go through disagreed tasks with {study.rater_names[rater]}; if the guideline is not the "
                "cause, retrain.",
                units=_units(study, scores, mine),
                p=_lower_agreement(scores.unit, loss, mine, scores.known, study.U),
            )
        )
    return found


def _lower_agreement(unit: Index, loss: FloatArray, mine: BoolArray, known: FloatArray, size: int) -> float:
    """One-sided p that the mean loss of ``mine`` exceeds that of the other pairs; units are the sample."""
    from scipy.special import stdtr

    rates, parts = [], []
    for side in (mine, ~mine):
        weight = known * side
        count = weight.sum()
        rate = (loss * side).sum() / count
        rates.append((rate, count))
        parts.append(np.bincount(unit, (loss - rate * known) * side, size) / count)
    influence = parts[0] - parts[1]
    pooled = min(max(loss.sum() / known.sum(), 1e-9), 1 - 1e-9)
    floor = pooled * (1 - pooled) * (1 / rates[0][1] + 1 / rates[1][1])
    variance = max(float((influence**2).sum()), floor)
    degrees = max(len(np.unique(unit)) - 1, 1)
    return float(stdtr(degrees, -(rates[0][0] - rates[1][0]) / np.sqrt(variance)))


def tasks(name: str, scores: PairScores, deviation: FloatArray, seed: int) -> list[Finding]:
    """Candidate: few tasks carry more of the deviations than if every rater's slips fell on tasks at random.

    ``deviation`` is each answer's distance from the most central answer of its unit, (C,). Each rater's deviations
    are permuted over the units the rater answered; units need three answers, else there is nothing to permute.
    """
    study = scores.study
    full = study.m >= 3
    if full.sum() < 20 or np.nansum(deviation) == 0:
        return []
    keep = full[study.unit]
    unit, rater, value = study.unit[keep], study.rater[keep], np.nan_to_num(deviation[keep])
    count = max(1, int(full.sum()) // 20)
    share = _top_share(unit, value, study.U, count)
    rng = np.random.default_rng(seed)
    order = np.argsort(rater, kind="stable")
    null = np.empty(PERMUTATIONS)
    for b in range(PERMUTATIONS):
        shuffled = np.lexsort((rng.random(len(value)), rater))
        permuted = np.empty_like(value)
        permuted[order] = value[shuffled]
        null[b] = _top_share(unit, permuted, study.U, count)
    limit = float(np.quantile(null, 0.95))
    if share <= limit:
        return []
    top = np.argsort(-np.bincount(unit, value, study.U), kind="stable")[:count]
    return [
        Finding(
            kind="tasks",
            control=name,
            title=f"{plural(count, 'task')} carry {percent(share)} of the disagreement",
            share=share,
            chance_share=float(null.mean()),
            detail=f"slips spread at random over tasks would give {percent(float(null.mean()))} "
            f"(95 % of permutations below {percent(limit)})",
            action="Review these first: they are harder, ambiguous or broken.",
            units=tuple(str(study.unit_names[i]) for i in top.tolist()),
        )
    ]


def _top_share(unit: IntArray, value: FloatArray, size: int, count: int) -> float:
    per_unit = np.bincount(unit, value, size)
    return float(np.partition(per_unit, size - count)[size - count :].sum() / per_unit.sum())


def set_labels(name: str, scores: PairScores, labels: Sequence[str], membership: FloatArray) -> list[Finding]:
    """Candidates for labels of a set-valued control that take more of the disagreement than their prevalence.

    ``membership`` (V, L) says which labels each value holds. With equal reliability a label's share of the symmetric
    differences is proportional to p(1 - p).
    """
    study = scores.study
    if len(labels) < 3:
        return []
    differ = np.abs(membership[study.code[scores.left]] - membership[study.code[scores.right]])
    total = differ.sum()
    prevalence = membership[study.code].mean(axis=0)
    spread = prevalence * (1 - prevalence)
    if total == 0 or spread.sum() == 0:
        return []
    expected = spread / spread.sum()
    found = []
    for i in np.argsort(-differ.sum(axis=0), kind="stable").tolist():
        hits = differ[:, i].sum()
        found.append(
            Finding(
                kind="label",
                control=name,
                title=f"{labels[i]} is chosen by one and not by another",
                share=float(hits / total),
                chance_share=float(expected[i]),
                detail=f"{hits:.0f} of {total:.0f} differences; its frequency alone would give {percent(expected[i])}",
                action=f"Say when {labels[i]} applies and when it does not, with an example of each.",
                units=_units(study, scores, differ[:, i] > 0),
                p=_excess(scores.unit, differ, i, float(expected[i]), study.U),
            )
        )
    return found


def _excess(unit: Index, differ: FloatArray, i: int, share: float, size: int) -> float:
    from scipy.special import ndtr

    excess = np.bincount(unit, differ[:, i] - share * differ.sum(axis=1), size)
    floor = differ.sum() * share * (1 - share)
    return float(ndtr(-(excess.sum() - 0.5) / np.sqrt(max((excess**2).sum(), floor))))


def _units(study: Study, scores: PairScores, pairs: BoolArray) -> tuple[str, ...]:
    """Units with the largest loss among some pairs."""
    loss = np.bincount(scores.unit, np.nan_to_num(1 - scores.score) * pairs, study.U)
    top = np.argsort(-loss, kind="stable")[:MOST_UNITS]
    return tuple(str(study.unit_names[i]) for i in top.tolist() if loss[i] > 0)


def select(found: Sequence[Finding]) -> tuple[Finding, ...]:
    """Keep what the data support over the whole page, most of the loss first."""
    tested = [f for f in found if f.p is not None]
    passed = benjamini_hochberg(np.array([f.p for f in tested]), FALSE_DISCOVERY_RATE)
    kept = [f for f, ok in zip(tested, passed, strict=True) if ok and f.share > f.chance_share]
    kept += [f for f in found if f.p is None]
    return tuple(sorted(kept, key=lambda f: -f.share))


def mark(pairs: Sequence[ConfusedPair], name: str, kept: Sequence[Finding]) -> tuple[ConfusedPair, ...]:
    """Say which confused pairs of a control are among the supported findings."""
    titles = {f.title for f in kept if f.control == name and f.kind == "labels"}
    return tuple(replace(pair, supported=f"{pair.first} against {pair.second}" in titles) for pair in pairs)
