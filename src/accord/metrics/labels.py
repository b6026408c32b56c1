"""Labels and sets of labels: equality, Jaccard, Dice, and both published forms of MASI."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Hashable, Sequence
from numbers import Real

import numpy as np

from accord.metrics.sets import Set, cross_overlaps, pair_overlaps
from accord.metrics.spec import Codes, metric
from accord.values import FloatArray, Kind, Region, Value

SET_KINDS = (Kind.LABEL, Kind.LABELS, Kind.PATHS, Kind.SIDE)


def whole(value: Value) -> Hashable:
    """Form in which two answers are equal: sets without order, texts in NFC, regions without order or id.

    A set of one label is that label.
    """
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, frozenset):
        members = frozenset(map(whole, value))
        return next(iter(members)) if len(members) == 1 else members
    if isinstance(value, tuple) and value and all(isinstance(item, Region) for item in value):
        return ("regions", frozenset(Counter(value).items()))
    if isinstance(value, tuple):
        return tuple(map(whole, value))
    return value


def as_set(value: Value) -> Set | None:
    """Labels or expanded taxonomy paths as a set; a single label is a set of one."""
    if isinstance(value, frozenset):
        return frozenset(prefix for item in value for prefix in ancestors(whole(item)))
    if isinstance(value, str | Real):
        return frozenset({whole(value)})
    return None


def single(value: Value) -> Hashable | None:
    """Class of a single label, None for sets."""
    return whole(value) if isinstance(value, str | Real) else None


def ancestors(item: Hashable) -> tuple[Hashable, ...]:
    """Return a taxonomy path with all its ancestors, root first; anything else is alone."""
    if isinstance(item, tuple):
        return tuple(item[: depth + 1] for depth in range(len(item)))
    return (item,)


@metric(
    "exact_match",
    reference="Percentage agreement of two answers; sets without order",
    prepare=whole,
    classes=whole,
    shape="batch",
    threshold=1.0,
)
def exact_match(pool: Sequence[Hashable], i: Codes, j: Codes, /) -> FloatArray:
    """1 for equal answers, else 0; several choices, paths and regions are compared as sets."""
    index: dict[Hashable, int] = {}
    code = np.fromiter((index.setdefault(item, len(index)) for item in pool), dtype=np.int64, count=len(pool))
    return (code[i] == code[j]).astype(np.float64)


def _jaccard_of(shared: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
    union = left + right - shared
    return np.where(union > 0, shared / np.maximum(union, 1.0), 1.0)


def _dice_of(shared: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
    total = left + right
    return np.where(total > 0, 2.0 * shared / np.maximum(total, 1.0), 1.0)


def _monotonicity(shared: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
    """1 for equal sets, 2/3 if one holds the other, 1/3 if they overlap, 0 if they share nothing."""
    same = (shared == left) & (shared == right)
    nested = (shared == left) | (shared == right)
    return np.select([same, shared == 0, nested], [1.0, 0.0, 2.0 / 3.0], default=1.0 / 3.0)


def _masi_of(shared: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
    return _jaccard_of(shared, left, right) * _monotonicity(shared, left, right)


def _masi_distance_of(shared: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
    nested = (shared == left) | (shared == right)  # an empty set lies within every set
    weight = np.where(nested, np.where(left == right, 0.0, 1.0 / 3.0), 1.0 - _monotonicity(shared, left, right))
    return 1.0 - (1.0 - _jaccard_of(shared, left, right)) * weight


@metric(
    "jaccard",
    kinds=SET_KINDS,
    reference="Jaccard 1912, New Phytologist 11:37",
    prepare=as_set,
    classes=single,
    shape="batch",
    block=lambda left, right: _jaccard_of(*cross_overlaps(left, right)),
    aliases=("iou_of_labels",),
)
def jaccard(pool: Sequence[Set], i: Codes, j: Codes, /) -> FloatArray:
    """Shared labels over all labels either rater used; taxonomy paths count with their ancestors."""
    return _jaccard_of(*pair_overlaps(pool, i, j))


@metric(
    "dice",
    kinds=SET_KINDS,
    reference="Dice 1945, Ecology 26:297",
    prepare=as_set,
    classes=single,
    shape="batch",
    block=lambda left, right: _dice_of(*cross_overlaps(left, right)),
    aliases=("f1_of_labels",),
)
def dice(pool: Sequence[Set], i: Codes, j: Codes, /) -> FloatArray:
    """Twice the shared labels over the sum of both sizes."""
    return _dice_of(*pair_overlaps(pool, i, j))


@metric(
    "masi",
    kinds=SET_KINDS,
    reference="Passonneau 2006, LREC: similarity = Jaccard x monotonicity (the form of NLTK)",
    prepare=as_set,
    classes=single,
    shape="batch",
    block=lambda left, right: _masi_of(*cross_overlaps(left, right)),
    aliases=("masi_nltk",),
    title="MASI",
)
def masi(pool: Sequence[Set], i: Codes, j: Codes, /) -> FloatArray:
    """Jaccard times 1 (equal), 2/3 (one set within the other), 1/3 (overlap) or 0."""
    return _masi_of(*pair_overlaps(pool, i, j))


@metric(
    "masi_dkpro",
    kinds=SET_KINDS,
    reference="Passonneau 2006, LREC: distance = Jaccard distance x monotonicity (the form of DKPro Statistics)",
    prepare=as_set,
    classes=single,
    shape="batch",
    block=lambda left, right: _masi_distance_of(*cross_overlaps(left, right)),
    title="MASI (DKPro)",
)
def masi_dkpro(pool: Sequence[Set], i: Codes, j: Codes, /) -> FloatArray:
    """Complement of the Jaccard distance times 0 (equal), 1/3 (one set within the other), 2/3 (overlap) or 1.

    Not comparable with ``masi``: nested sets score much higher here.
    """
    return _masi_distance_of(*pair_overlaps(pool, i, j))
