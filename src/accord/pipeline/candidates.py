"""Things worth fixing, each with the evidence for it; what is shown is decided for the whole page at once.

Raters and labels are named only if they pass a false-discovery rate over every comparison of the page
(``select``). Tests compare with what chance, workload or prevalence alone would give, and take units as the sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from accord.inference.multiplicity import benjamini_hochberg
from accord.pipeline.labels import Labels
from accord.pipeline.report import ConfusedPair, Finding
from accord.pipeline.scores import PairScores
from accord.pipeline.words import percent, plural
from accord.study import Study
from accord.values import FloatArray, Index, IntArray

FALSE_DISCOVERY_RATE = 0.10
PERMUTATIONS = 400
FEWEST_PERMUTATIONS = 20
#: Answers that all permutations together may move.
MOST_WORK = 40_000_000
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
    if study.R < 3 or not scores.known:
        return []
    losses = Losses.of(scores)
    total, pairs = losses.unit.sum(), losses.pairs.sum()
    if total == 0:
        return []
    found = []
    order, begins = study.by_rater
    for rater in range(study.R):
        cells = order[begins[rater] : begins[rater + 1]]
        loss, count = losses.cell[cells], losses.others[cells]
        own, other = count.sum(), pairs - count.sum()
        if own < 10 or other < 10:
            continue
        found.append(
            Finding(
                kind="rater",
                control=name,
                title=f"{study.rater_names[rater]} disagrees with the others",
                share=float(loss.sum() / total / 2),
                chance_share=float(own / pairs / 2),
                detail=f"agrees {percent(1 - loss.sum() / own)} of the time, the others among themselves "
                f"{percent(1 - (total - loss.sum()) / other)}",
                action=f"Go through disagreed tasks with {study.rater_names[rater]}; if the guideline is not the "
                "cause, retrain.",
                units=_units(study, study.unit[cells], loss),
                p=losses.lower_agreement(cells),
            )
        )
    return found


@dataclass(frozen=True)
class Losses:
    """Summed loss 1 - s and number of scored pairs: of each answer (C,), and of each unit (U,)."""

    study: Study
    cell: FloatArray
    others: FloatArray
    unit: FloatArray
    pairs: FloatArray

    @classmethod
    def of(cls, scores: PairScores) -> Losses:
        """Take them from scores, whatever the weights of the labels."""
        plain = PairScores(scores.study, scores.similarity) if scores.label_weights else scores
        (agreed, _, others), (together, _, pairs) = plain.cells, plain.units
        return cls(scores.study, others - agreed, others, pairs - together, pairs)

    @cached_property
    def squares(self) -> tuple[float, float, float]:
        """Sums over units of loss^2, loss x pairs and pairs^2."""
        loss, pairs = self.unit, self.pairs
        return float(loss @ loss), float(loss @ pairs), float(pairs @ pairs)

    def lower_agreement(self, cells: Index) -> float:
        """One-sided p that the mean loss of the pairs of one rater's answers exceeds that of the other pairs.

        Units are the sample.
        """
        from scipy.special import stdtr

        unit = self.study.unit[cells]
        loss, count, whole, pairs = self.cell[cells], self.others[cells], self.unit[unit], self.pairs[unit]
        own, other = count.sum(), self.pairs.sum() - count.sum()
        rate, rest = loss.sum() / own, (self.unit.sum() - loss.sum()) / other
        ll, lp, pp = self.squares
        outside = ll - 2 * rest * lp + rest * rest * pp - ((whole - rest * pairs) ** 2).sum()
        inside = (loss - rate * count) / own - ((whole - loss) - rest * (pairs - count)) / other
        pooled = min(max(self.unit.sum() / self.pairs.sum(), 1e-9), 1 - 1e-9)
        floor = pooled * (1 - pooled) * (1 / own + 1 / other)
        variance = max(float((inside**2).sum() + max(outside, 0.0) / other**2), floor)
        degrees = max(int(np.count_nonzero(self.study.m >= 2)) - 1, 1)
        return float(stdtr(degrees, -(rate - rest) / np.sqrt(variance)))


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
    null = np.empty(min(PERMUTATIONS, max(FEWEST_PERMUTATIONS, MOST_WORK // len(value))))
    for b in range(len(null)):
        shuffled = np.argsort(rater + rng.random(len(value)))
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


def set_labels(name: str, scores: PairScores, labels: Labels) -> list[Finding]:
    """Candidates for labels of a set-valued control that take more of the disagreement than their prevalence.

    With equal reliability a label's share of the symmetric differences is proportional to p(1 - p). Nothing is named
    where pairs of answers are too many to look at one by one.
    """
    study, every = scores.study, scores.every
    if len(labels.names) < 3 or every is None:
        return []
    first, second, unit = study.code[every.left], study.code[every.right], study.unit[every.left]
    prevalence = labels.used(study.counts) / study.C
    spread = prevalence * (1 - prevalence)
    differ = [np.flatnonzero(has[first] != has[second]) for has in map(labels.has, range(len(labels.names)))]
    hits = np.array([len(pairs) for pairs in differ], dtype=np.float64)
    total = hits.sum()
    if total == 0 or spread.sum() == 0:
        return []
    expected = spread / spread.sum()
    of_unit = np.bincount(unit[np.concatenate(differ)], minlength=study.U).astype(np.float64)
    return [
        Finding(
            kind="label",
            control=name,
            title=f"{labels.names[i]} is chosen by one and not by another",
            share=float(hits[i] / total),
            chance_share=float(expected[i]),
            detail=f"{hits[i]:.0f} of {total:.0f} differences; its frequency alone would give {percent(expected[i])}",
            action=f"Say when {labels.names[i]} applies and when it does not, with an example of each.",
            units=_units(study, unit[differ[i]], np.nan_to_num(1.0 - every.score[differ[i]])),
            p=_excess(np.bincount(unit[differ[i]], minlength=study.U), of_unit, float(expected[i])),
        )
        for i in np.argsort(-hits, kind="stable").tolist()
    ]


def _excess(hits: Index, differ: FloatArray, share: float) -> float:
    """One-sided p that a label takes more than its share of the differences, both by unit (U,)."""
    from scipy.special import ndtr

    excess = hits - share * differ
    spread = max(float((excess**2).sum()), float(differ.sum() * share * (1 - share)))
    return float(ndtr(-(excess.sum() - 0.5) / np.sqrt(spread))) if spread else 1.0


def _units(study: Study, unit: Index | IntArray, loss: FloatArray) -> tuple[str, ...]:
    """Units with the largest loss, given pair by pair or answer by answer (n,)."""
    total = np.bincount(unit, loss, study.U)
    top = np.argsort(-total, kind="stable")[:MOST_UNITS]
    return tuple(str(study.unit_names[i]) for i in top.tolist() if total[i] > 0)


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
