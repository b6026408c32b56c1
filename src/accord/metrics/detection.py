"""What matched regions say about finding, placing and naming: detection scores, and the loss by kind of difference."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from accord.metrics.comparison import Comparison


@dataclass(frozen=True, slots=True)
class Detection:
    """Scores of the right answers against the left ones, over all their regions together; NaN = nothing to divide by.

    A region is found if it is matched with one of the same labels whose geometry exceeds the threshold.

    Attributes
    ----------
    found, left, right
        Numbers of found pairs and of regions on either side.
    mean_overlap
        Mean geometry of found pairs.
    """

    found: int
    left: int
    right: int
    mean_overlap: float

    @property
    def precision(self) -> float:
        """Found regions over those on the right."""
        return _over(self.found, self.right)

    @property
    def recall(self) -> float:
        """Found regions over those on the left."""
        return _over(self.found, self.left)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return _over(2 * self.found, self.left + self.right)

    @property
    def panoptic_quality(self) -> float:
        """Sum of the geometry of found pairs / (found + half of what is left over on either side)."""
        return self.f1 * self.mean_overlap if self.found else self.f1


def detection(
    comparisons: Iterable[Comparison], threshold: float = 0.5, *, count: Literal["regions", "matched"] = "regions"
) -> Detection:
    """Detection scores of compared answers; those that cannot be compared are left out.

    Parameters
    ----------
    threshold
        Geometry that a matched pair must exceed to be found.
    count
        ``regions``: every region counts, matched or not. ``matched``, as annotation platforms count: right are the
        matched pairs above the threshold, left those of the same labels; what is neither does not count, nor does a
        region without partner.

    References
    ----------
    Kirillov et al. 2019, CVPR (panoptic quality; there a pair must exceed .5). Label Studio Enterprise, Annotation
    statistics (``count="matched"``).

    Examples
    --------
    >>> from accord.similarity.metric import compare_regions
    >>> a, b = {"start": 0, "end": 10}, [{"start": 0, "end": 8}, {"start": 20, "end": 30}]
    >>> scores = detection([compare_regions("span_overlap", a, b)])
    >>> scores.precision, scores.recall, scores.mean_overlap
    (0.5, 1.0, 0.8)
    """
    usable = [comparison for comparison in comparisons if comparison.score is not None]
    matched = [pair for comparison in usable for pair in comparison.matched]
    found = [pair.geometry for pair in matched if pair.geometry > threshold and pair.difference != "label"]
    if count == "matched":
        named = sum(pair.difference != "label" for pair in matched)
        placed = sum(pair.geometry > threshold for pair in matched)
        return Detection(len(found), named, placed, _over(math.fsum(found), len(found)))
    return Detection(
        len(found),
        len(matched) + sum(len(comparison.missing) for comparison in usable),
        len(matched) + sum(len(comparison.extra) for comparison in usable),
        _over(math.fsum(found), len(found)),
    )


def losses(comparison: Comparison) -> Mapping[str, float]:
    """What each kind of difference takes from the score: the shares add up to 1 - score; empty without a score.

    A matched pair loses 1 - geometry to its boundary and the rest to its labels or to what was answered about it.
    Not for ``matching="last"``, where regions without partner do not count.

    Examples
    --------
    >>> from accord.similarity.metric import compare_regions
    >>> a, b = {"start": 0, "end": 10}, [{"start": 0, "end": 8}, {"start": 20, "end": 30}]
    >>> {kind: round(share, 3) for kind, share in losses(compare_regions("span_overlap", a, b)).items() if share}
    {'extra': 0.5, 'boundary': 0.1}
    """
    if comparison.score is None:
        return {}
    shares = dict.fromkeys(("missing", "extra", "boundary", "label", "attribute"), 0.0)
    total = len(comparison.matched) + len(comparison.missing) + len(comparison.extra)
    shares["missing"] = len(comparison.missing) / max(total, 1)
    shares["extra"] = len(comparison.extra) / max(total, 1)
    for pair in comparison.matched:
        lost = 1.0 - pair.similarity
        boundary = min(lost, 1.0 - pair.geometry)
        shares["boundary"] += boundary / total
        shares["label" if pair.difference == "label" else "attribute"] += (lost - boundary) / total
    return shares


def _over(part: float, whole: float) -> float:
    return part / whole if whole else math.nan
