"""What the report says about regions: detection scores, the loss by kind of difference, matches for audit."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.coefficients.estimate import Estimate, finite
from accord.errors import UnknownNameError
from accord.metrics.comparison import Comparison
from accord.metrics.detection import Detection
from accord.values import FloatArray, Index

if TYPE_CHECKING:
    from accord.pipeline.region_matches import RegionMatches
    from accord.pipeline.report import Score

#: What a pair of answers can lose to; the parts of a loss are given in this order.
LOSSES = ("missing", "extra", "boundary", "label", "attribute")


@dataclass(frozen=True, slots=True)
class LabelFound:
    """How one label was found, over all pairs of answers; nan-free counts, NaN scores where there is nothing."""

    label: str
    found: Detection


@dataclass(frozen=True, slots=True)
class RatersFound:
    """What rater ``b`` found of rater ``a``'s regions, on the units both answered, and what their pairs lose to."""

    a: str
    b: str
    units: int
    found: Detection
    losses: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Units:
    """Per unit, in the order of the study: found pairs, regions on both sides, overlap found, (U,); losses (U, 5)."""

    found: Index
    regions: Index
    overlap: FloatArray
    losses: FloatArray


@dataclass(frozen=True, slots=True)
class RegionScores:
    """Detection scores of a region control, pooled over all pairs of answers to a unit.

    A region is found if it is matched with one of the same labels whose geometry exceeds ``threshold``. ``losses`` add
    up to what the mean pairwise score lacks to 1.
    """

    threshold: float
    f1: Score
    mean_overlap: Score
    panoptic_quality: Score
    total: Detection
    losses: Mapping[str, float]
    labels: tuple[LabelFound, ...]
    rater_pairs: tuple[RatersFound, ...]
    label_agreement: Estimate | None
    units: Units
    matches: RegionMatches

    def audit(self, unit: str) -> tuple[tuple[str, str, Comparison], ...]:
        """How the answers to one unit were matched: both raters, and what became of their regions.

        Raises
        ------
        UnknownNameError
            If nobody answered a unit of this name.
        """
        study = self.matches.study
        names = list(map(str, study.unit_names))
        if unit not in names:
            raise UnknownNameError.among("unit", unit, names)
        rater = [str(study.rater_names[r]) for r in study.rater.tolist()]
        found = self.matches.comparisons(names.index(unit))
        return tuple((rater[a], rater[b], comparison) for (a, b), comparison in found.items())

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "threshold": self.threshold,
            "f1": self.f1.to_dict(),
            "mean_overlap": self.mean_overlap.to_dict(),
            "panoptic_quality": self.panoptic_quality.to_dict(),
            "found": self.total.found,
            "regions": self.total.left + self.total.right,
            "losses": finite(dict(self.losses)),
            "labels": [{"label": row.label, **_pooled(row.found)} for row in self.labels],
            "rater_pairs": [
                {
                    "a": pair.a,
                    "b": pair.b,
                    "units": pair.units,
                    "precision": finite(pair.found.precision),
                    "recall": finite(pair.found.recall),
                    **_pooled(pair.found),
                    "missing": pair.found.left - pair.found.found,
                    "extra": pair.found.right - pair.found.found,
                    "losses": finite(dict(pair.losses)),
                }
                for pair in self.rater_pairs
            ],
            "label_agreement": None if self.label_agreement is None else self.label_agreement.to_dict(),
        }

    def tasks(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """JSON form of every unit: its scores, and how each pair of answers was matched."""
        names, units = self.matches.study.unit_names, self.units
        for unit, pairs in self._matched():
            overlap = float(units.overlap[unit])
            found = Detection(int(units.found[unit]), int(units.regions[unit]), 0, _over(overlap, units.found[unit]))
            yield (
                str(names[unit]),
                {
                    **_pooled(found),
                    "losses": finite(dict(zip(LOSSES, units.losses[unit].tolist(), strict=True))),
                    "matches": pairs,
                },
            )

    def _matched(self) -> Iterator[tuple[int, list[dict[str, Any]]]]:
        """Pairs of answers of every unit as JSON."""
        study = self.matches.study
        for unit in np.flatnonzero(study.m >= 2).tolist():
            pairs = [
                {
                    "a": str(study.rater_names[study.rater[a]]),
                    "b": str(study.rater_names[study.rater[b]]),
                    "score": found.score,
                    "matched": [asdict(pair) for pair in found.matched],
                    "missing": list(found.missing),
                    "extra": list(found.extra),
                }
                for (a, b), found in self.matches.comparisons(unit).items()
            ]
            yield unit, pairs


def _pooled(found: Detection) -> dict[str, Any]:
    """Scores that do not depend on who is compared with whom."""
    return {
        "found": found.found,
        "regions": found.left + found.right,
        "f1": finite(found.f1),
        "mean_overlap": finite(found.mean_overlap),
        "panoptic_quality": finite(found.panoptic_quality),
    }


def _over(part: float, whole: float) -> float:
    return part / whole if whole else math.nan
