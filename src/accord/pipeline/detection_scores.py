"""How well raters find the same regions, and what their answers lose to: sums over pairs of answers, scored once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from accord.inference.scores import mean_score
from accord.metrics.detection import Detection
from accord.pipeline.label_agreement import label_agreement
from accord.pipeline.question import Question
from accord.pipeline.raters import MOST_PAIRS
from accord.pipeline.region_matches import Matched, RegionMatches, unequal
from accord.pipeline.region_report import LOSSES, LabelFound, RatersFound, RegionScores, Units
from accord.pipeline.report import Score
from accord.pipeline.scores import divided
from accord.study import Study
from accord.values import BoolArray, FloatArray, Index

#: Setting: geometry that a matched region must exceed to be found.
THRESHOLD = "detection.threshold"
#: Pairs of answers up to which regions are matched for these scores.
MOST_MATCHED = 20_000_000
MOST_LABELS = 100
#: Pairs of answers whose sums by pair of raters wait to be added up.
MOST_WAITING = 1 << 20
UNLABELLED = "(no label)"
_SUMS = 4 + len(LOSSES)


def region_scores(question: Question) -> RegionScores | None:
    """Detection scores and losses of a control; None where regions are not matched, or are too many to match."""
    if not question.study.kind.is_region or question.study.P > MOST_MATCHED:
        return None
    matches = RegionMatches.of(question)
    return None if matches is None else _scored(question, matches)


def _scored(question: Question, matches: RegionMatches) -> RegionScores:
    study = question.study
    threshold = float(question.plan.settings.get(THRESHOLD, question.threshold))
    sums = _Sums(np.zeros((_SUMS, study.U)), np.zeros(study.U), np.zeros((3, len(matches.label_sets[1]))))
    for part in matches.parts():
        sums.add(matches, part, threshold)
    sums.settle()
    found, regions, overlap = sums.unit[:3].astype(np.float64)
    weighted = divided_rows(sums.unit[4:], sums.weight)
    return RegionScores(
        threshold=threshold,
        f1=_share(question, 2.0 * found, regions),
        mean_overlap=_share(question, overlap, found),
        panoptic_quality=_share(question, 2.0 * overlap, regions),
        total=_detection(sums.pairs.sum(axis=1)),
        losses=_named(_mean_losses(question, weighted)),
        labels=_labels(matches, sums),
        rater_pairs=_rater_pairs(study, sums),
        label_agreement=label_agreement(question, matches),
        units=Units(found.astype(np.int64), regions.astype(np.int64), overlap, weighted.T),
        matches=matches,
    )


@dataclass
class _Sums:
    """Running sums.

    ``unit`` (4 + 5, U): found, regions, overlap of what is found, pairs of answers, weighted losses; ``weight`` (U,);
    ``keys`` (K,) and ``pairs`` (4 + 1 + 5, K) by pair of raters: found, regions of either, overlap, units, losses;
    ``label`` (3, S) by label set: found, regions, overlap.
    """

    unit: FloatArray
    weight: FloatArray
    label: FloatArray
    keys: Index = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    pairs: FloatArray = field(default_factory=lambda: np.empty((_SUMS + 1, 0)))
    _waiting: list[tuple[Index, FloatArray]] = field(default_factory=list)

    def add(self, matches: RegionMatches, part: Matched, threshold: float) -> None:
        """Add the pairs of some units."""
        study, differ = matches.study, unequal(matches, part)
        known = np.isfinite(part.score)
        left, right = (np.where(known, size, 0).astype(np.float64) for size in part.sizes)
        hit = (part.geometry > threshold) & ~differ
        size = len(part.score)
        found = np.bincount(part.pair[hit], minlength=size).astype(np.float64)
        overlap = np.bincount(part.pair[hit], part.geometry[hit], size)
        lost = losses_of(part, differ)
        unit = study.unit[part.cells[0]]
        weight = known * part.weight
        rows = np.vstack((found, left + right, overlap, known, lost * weight))
        low, high = int(unit.min(initial=study.U)), int(unit.max(initial=-1)) + 1
        for whole, row in zip((*self.unit, self.weight), (*rows, weight), strict=True):
            whole[low:high] += np.bincount(unit - low, row, max(0, high - low))
        self._add_pairs(study, part, np.vstack((found, left, right, overlap, known, lost)))
        self._add_labels(matches, part, known, hit)

    def _add_pairs(self, study: Study, part: Matched, rows: FloatArray) -> None:
        if study.slots:
            key = np.zeros(len(part.score), dtype=np.int64)
        else:
            one, other = (study.rater[cells].astype(np.int64) for cells in part.cells)
            key = one * study.R + other
        self._waiting.append((key, rows))
        if sum(len(keys) for keys, _ in self._waiting) > max(MOST_WAITING, len(self.keys)):
            self.settle()

    def settle(self) -> None:
        """Add up what waits, by pair of raters."""
        keys = np.concatenate((self.keys, *(keys for keys, _ in self._waiting)))
        rows = np.hstack((self.pairs, *(rows for _, rows in self._waiting)))
        self.keys, place = np.unique(keys, return_inverse=True)
        self.pairs = np.vstack([np.bincount(place, row, len(self.keys)) for row in rows])
        self._waiting.clear()

    def _add_labels(self, matches: RegionMatches, part: Matched, known: BoolArray, hit: BoolArray) -> None:
        code, sets = matches.study.code, self.label.shape[1]
        times = sum(np.bincount(code[cells[known]], minlength=matches.study.V) for cells in part.cells)
        used = matches.named(code[part.cells[0][part.pair[hit]]], part.left[hit])
        self.label[0] += np.bincount(used, minlength=sets)
        self.label[1] += np.bincount(matches.label_sets[0], np.repeat(times, matches.count), sets)
        self.label[2] += np.bincount(used, part.geometry[hit], sets)


def losses_of(part: Matched, differ: BoolArray) -> FloatArray:
    """What each pair of answers loses to each kind of difference, (5, P); a pair's losses add up to 1 - score.

    A matched pair of regions loses 1 - geometry to its boundary, the rest to its labels or to what was answered about
    it; a region without partner loses its whole share. A score that is cut at a threshold loses in the same parts.
    """
    size = len(part.score)
    matched = np.bincount(part.pair, minlength=size)
    left, right = part.sizes
    total = np.maximum(left + right - matched, 1)
    lost = 1.0 - part.similarity
    boundary = np.minimum(lost, 1.0 - part.geometry)
    rest = lost - boundary
    parts = (
        left - matched,
        right - matched,
        np.bincount(part.pair, boundary, size),
        np.bincount(part.pair[differ], rest[differ], size),
        np.bincount(part.pair[~differ], rest[~differ], size),
    )
    graded = np.vstack(parts) / total
    whole = graded.sum(axis=0)
    scale = np.divide(1.0 - part.score, whole, out=np.zeros(size), where=np.isfinite(part.score) & (whole > 0))
    return graded * scale


def divided_rows(rows: FloatArray, by: FloatArray) -> FloatArray:
    """Rows (k, U) divided by (U,), NaN where that is 0."""
    return np.vstack([divided(row, by) for row in rows])


def _mean_losses(question: Question, losses: FloatArray) -> FloatArray:
    """Means over units, weighted as the mean pairwise score is, (5,)."""
    known = np.isfinite(losses[0])
    if not known.any():
        return np.full(len(losses), math.nan)
    if not question.wish.label_weights:
        return losses[:, known].mean(axis=1)
    return np.average(losses[:, known], axis=1, weights=question.scores.unit_weight[known])


def _named(values: FloatArray) -> Mapping[str, float]:
    return dict(zip(LOSSES, values.tolist(), strict=True))


def _share(question: Question, part: FloatArray, whole: FloatArray) -> Score:
    """Ratio of two sums over units with its score interval: a mean of the units' shares, weighted by their size."""
    use = whole > 0
    if not use.any():
        return Score(undefined="nothing_comparable")
    shares = np.divide(part, whole, out=np.full(len(part), math.nan), where=use)
    plan, cluster = question.plan, question.study.cluster
    value, interval = mean_score(shares, level=plan.ci or 0.95, clusters=cluster, weights=np.where(use, whole, 0.0))
    return Score(value, interval if plan.ci else None, int(use.sum()))


def _detection(row: FloatArray) -> Detection:
    """Scores from found, regions of either side, and the overlap of what is found."""
    found, left, right = (round(float(number)) for number in row[:3])
    return Detection(found, left, right, float(row[3]) / found if found else math.nan)


def _rater_pairs(study: Study, sums: _Sums) -> tuple[RatersFound, ...]:
    rows = []
    for k in np.argsort(-sums.pairs[4], kind="stable")[:MOST_PAIRS].tolist():
        row, units = sums.pairs[:, k], round(float(sums.pairs[4, k]))
        a, b = divmod(int(sums.keys[k]), study.R)
        names = ("", "") if study.slots else (str(study.rater_names[a]), str(study.rater_names[b]))
        losses = row[5:] / units if units else np.full(len(LOSSES), math.nan)
        rows.append(RatersFound(*names, units, _detection(row), _named(losses)))
    return tuple(rows)


def _labels(matches: RegionMatches, sums: _Sums) -> tuple[LabelFound, ...]:
    """Scores of each label: regions with several labels count for each."""
    rows: dict[str, FloatArray] = {}
    for number, names in enumerate(matches.label_sets[1]):
        for name in names or (UNLABELLED,):
            rows[name] = rows.get(name, np.zeros(3)) + sums.label[:, number]
    top = sorted(rows.items(), key=lambda item: (-item[1][1], item[0]))[:MOST_LABELS]
    return tuple(LabelFound(name, _detection(np.array([f, n, 0.0, overlap]))) for name, (f, n, overlap) in top if n)
