"""Regions found by both of two raters, at every threshold: precision, recall and F1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.coefficients.estimate import finite
from accord.metrics.regions import RegionMetric
from accord.metrics.spec import MetricSpec
from accord.similarity.scored import SLACK
from accord.study import Study
from accord.values import EMPTY, FloatArray, Index


@dataclass(frozen=True, slots=True)
class RegionsFound:
    """Regions of two raters against each other, pooled over the units both answered.

    ``matched`` regions reach the threshold, ``missing`` are left over of rater a, ``extra`` of rater b. Precision
    is the share of b's regions that match, recall that of a's; F1 does not depend on who is who. NaN without
    regions.
    """

    a: str
    b: str
    matched: int
    missing: int
    extra: int

    @property
    def precision(self) -> float:
        """Matched regions among those of b."""
        return _share(self.matched, self.matched + self.extra)

    @property
    def recall(self) -> float:
        """Matched regions among those of a."""
        return _share(self.matched, self.matched + self.missing)

    @property
    def f1(self) -> float:
        """Twice the matched regions over all regions of both."""
        return _share(2 * self.matched, 2 * self.matched + self.missing + self.extra)

    @property
    def unmatched(self) -> int:
        """Regions of one rater only."""
        return self.missing + self.extra

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "a": self.a,
            "b": self.b,
            "precision": finite(self.precision),
            "recall": finite(self.recall),
            "f1": finite(self.f1),
            "matched": self.matched,
            "missing": self.missing,
            "extra": self.extra,
            "unmatched": self.unmatched,
        }


def regions_found(
    study: Study, spec: MetricSpec, options: Mapping[str, Any], thresholds: Sequence[float]
) -> tuple[tuple[RegionsFound, ...], ...]:
    """Regions found by every rater pair that met, by threshold; empty for metrics that do not match regions.

    Regions are matched once, as for the score; from the threshold on a matched pair counts. Pairs of answers that
    cannot be compared are left out. Raters that are interchangeable slots are one pair.
    """
    form = spec.function.__dict__.get("form")
    if not isinstance(form, RegionMetric):
        return ()
    answers = spec.prepared([() if value is EMPTY else value for value in study.values], options)
    count = np.array([-1 if answer is None else len(answer.regions) for answer in answers], dtype=np.int64)
    pairs = _Pairs.of(study, count)
    usable = np.flatnonzero(count >= 0)
    place = np.zeros(len(count), dtype=np.int64)
    place[usable] = np.arange(len(usable))
    group, score = _matched(form, [answers[k] for k in usable.tolist()], place[pairs.i], place[pairs.j], options)
    return tuple(pairs.at(group[score >= cut - SLACK]) for cut in thresholds)


def _matched(form: RegionMetric, answers: list[Any], i: Index, j: Index, options: Any) -> tuple[Index, FloatArray]:
    """Number of the pair and similarity of every matched pair of regions."""
    found = [(pair, score) for pair, _, _, score in form.matched(answers, i, j, options)]
    if not found:
        return np.empty(0, dtype=np.int64), np.empty(0)
    return np.concatenate([pair for pair, _ in found]), np.concatenate([score for _, score in found])


@dataclass(frozen=True)
class _Pairs:
    """Comparable pairs of answers (P,): codes of both, number of their rater pair, and names of rater pairs."""

    i: Index
    j: Index
    group: Index
    names: tuple[tuple[str, str], ...]
    sizes: tuple[Index, Index]

    @classmethod
    def of(cls, study: Study, count: Index) -> _Pairs:
        left, right = study.pairs
        turned = study.rater[left] > study.rater[right]
        left, right = np.where(turned, right, left), np.where(turned, left, right)
        i, j = study.code[left].astype(np.int64), study.code[right].astype(np.int64)
        use = np.flatnonzero((count[i] >= 0) & (count[j] >= 0))
        key = np.zeros(len(use), dtype=np.int64)
        if not study.slots:
            key = study.rater[left[use]].astype(np.int64) * study.R + study.rater[right[use]]
        met, group = np.unique(key, return_inverse=True)
        names = tuple(
            ("", "") if study.slots else (str(study.rater_names[k // study.R]), str(study.rater_names[k % study.R]))
            for k in met.tolist()
        )
        i, j = i[use], j[use]
        sizes = tuple(np.bincount(group, count[c], len(met)).astype(np.int64) for c in (i, j))
        return cls(i, j, group, names, (sizes[0], sizes[1]))

    def at(self, matched: Index) -> tuple[RegionsFound, ...]:
        """Regions found, given the pair of answers of every matched pair of regions."""
        hits = np.bincount(self.group[matched], minlength=len(self.names))
        rows = zip(self.names, hits.tolist(), self.sizes[0].tolist(), self.sizes[1].tolist(), strict=True)
        return tuple(RegionsFound(a, b, hit, n - hit, m - hit) for (a, b), hit, n, m in rows)


def together(rows: Sequence[RegionsFound]) -> RegionsFound:
    """All rater pairs in one."""
    return RegionsFound("", "", sum(r.matched for r in rows), sum(r.missing for r in rows), sum(r.extra for r in rows))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")
