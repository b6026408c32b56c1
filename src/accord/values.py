"""Kinds of answers and the frozen values that stand for them.

Shapes in docstrings: **U** units, **R** raters, **V** values, **C** cells (answers), **P** within-unit pairs,
**B** resamples.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int32]
Index: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
Value: TypeAlias = Hashable


#: Numbers beyond these are no measurements, and sums of their powers would overflow or vanish.
LARGEST: Final = 1e60
SMALLEST: Final = 1e-60
#: Videos have no more frames: two days at 25 a second.
MOST_FRAMES: Final = 5_000_000


class Kind(StrEnum):
    """What an answer is, whatever control it came from."""

    LABEL = "label"
    LABELS = "labels"
    PATHS = "paths"
    NUMBER = "number"
    RATING = "rating"
    DATETIME = "datetime"
    TEXT = "text"
    RANKING = "ranking"
    SIDE = "side"
    SPANS = "spans"
    BOXES = "boxes"
    ELLIPSES = "ellipses"
    POLYGONS = "polygons"
    MASKS = "masks"
    KEYPOINTS = "keypoints"
    VECTORS = "vectors"
    TRACKS = "tracks"
    TIMELINE = "timeline"
    RELATIONS = "relations"
    ANNOTATION = "annotation"
    OTHER = "other"

    @property
    def is_region(self) -> bool:
        """Whether an answer is a set of regions."""
        return self in REGION_KINDS

    @property
    def is_set(self) -> bool:
        """Whether "nothing" is an answer (several choices, taxonomy, regions)."""
        return self.is_region or self in (Kind.LABELS, Kind.PATHS)


REGION_KINDS: Final = frozenset(
    {
        Kind.SPANS,
        Kind.BOXES,
        Kind.ELLIPSES,
        Kind.POLYGONS,
        Kind.MASKS,
        Kind.KEYPOINTS,
        Kind.VECTORS,
        Kind.TRACKS,
        Kind.TIMELINE,
        Kind.RELATIONS,
    }
)


class Level(StrEnum):
    """Level of measurement of a control."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
    RATIO = "ratio"
    CIRCULAR = "circular"


class Empty(Enum):
    """The answer "nothing here"; a value, unlike a missing answer."""

    EMPTY = "EMPTY"

    def __repr__(self) -> str:
        return "EMPTY"


EMPTY: Final = Empty.EMPTY


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open range ``[start, end)`` on one axis (characters, seconds, epoch milliseconds).

    ``axis`` names the axis where there are several (audio channel, a DOM node); spans on different axes never
    overlap.
    """

    start: float
    end: float
    axis: str = ""


@dataclass(frozen=True, slots=True)
class Frames:
    """Frame ranges of one timeline region, 1-based and inclusive."""

    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Box:
    """Rectangle in percent of the image; rotation in degrees, clockwise about the top-left corner, in pixels."""

    x: float
    y: float
    width: float
    height: float
    rotation: float = 0.0
    size: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Ellipse:
    """Ellipse in percent of the image; x, y is the centre, rotation about it."""

    x: float
    y: float
    radius_x: float
    radius_y: float
    rotation: float = 0.0
    size: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Polygon:
    """Ring of points in percent of the image; with ``rings``, inside is what an odd number of rings surrounds."""

    points: tuple[tuple[float, float], ...]
    closed: bool = True
    size: tuple[int, int] | None = None
    rings: tuple[tuple[tuple[float, float], ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Vector:
    """Lines in percent of the image; a closed line ends where it starts, a tree is several lines."""

    lines: tuple[tuple[tuple[float, float], ...], ...]
    size: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class KeyPoint:
    """Point in percent of the image; ``width`` is the size of the dot, not geometry."""

    x: float
    y: float
    width: float = 0.0
    size: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Mask:
    """Encoded mask, decoded only by the metric that needs it.

    ``encoding`` is ``rle`` (Label Studio's bit-packed bytes), ``png`` (bytes of an image), ``coco`` (COCO's string) or
    ``coco_counts`` (COCO's list of run lengths as JSON).
    """

    encoding: str
    data: bytes = field(repr=False)
    size: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class KeyFrame:
    """State of a track at one frame (1-based); the box is in percent."""

    frame: int
    box: Box
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Track:
    """Key frames of one tracked object, sorted by frame; the last of equal frames wins."""

    frames_count: int | None
    sequence: tuple[KeyFrame, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """Directed relation between two regions of one annotation.

    Each end is named ``control#k``: the region at position k (from 0) of the answer to that control; by the tool's
    id where there is no such region. ``ends`` are both regions themselves, None for one that is not there.
    """

    source: str
    target: str
    direction: str = "right"
    ends: tuple[Region | None, Region | None] | None = None


@dataclass(frozen=True, slots=True)
class Raw:
    """Geometry kept whole as canonical JSON (unknown region types)."""

    json: str


Geometry: TypeAlias = Span | Frames | Box | Ellipse | Polygon | Vector | KeyPoint | Mask | Track | Link | Raw


@dataclass(frozen=True, slots=True)
class Region:
    """One marked thing: geometry, labels, and what was answered about it.

    ``choices`` and ``text`` hold the nested Choices and TextArea (None = not asked or not answered);
    ``attributes`` holds every other nested control as (name, canonical JSON). ``id`` is the tool's id and takes
    no part in equality.
    """

    geometry: Geometry
    labels: frozenset[str] = frozenset()
    choices: frozenset[str] | None = None
    text: str | None = None
    attributes: tuple[tuple[str, str], ...] = ()
    id: str = field(default="", compare=False)

    def __hash__(self) -> int:
        return hash((self.geometry, self.labels))


Regions: TypeAlias = tuple[Region, ...]


def canonical(value: Value) -> str:
    """Text that is equal for equal values, whatever the run: sets are sorted, types are kept apart."""
    if isinstance(value, frozenset):
        return "{" + ",".join(sorted(map(canonical, value))) + "}"
    if isinstance(value, tuple):
        return "(" + ",".join(map(canonical, value)) + ")"
    if isinstance(value, Region):
        return "Region" + canonical((value.geometry, value.labels, value.choices, value.text, value.attributes))
    if isinstance(value, Link):
        return "Link" + canonical((value.source, value.target, value.direction, value.ends))
    if isinstance(value, Mask):
        return "Mask" + canonical((value.encoding, hashlib.sha256(value.data).hexdigest(), value.size))
    return repr(value)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Ordered items, in named buckets where the tool has them (``_`` is the pool of unranked items)."""

    buckets: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def order(self) -> tuple[str, ...]:
        """All items, bucket after bucket."""
        return tuple(item for _, items in self.buckets for item in items)


def finite(given: object) -> float | None:
    """Float of a number, or of text that holds one; None for anything else, also beyond SMALLEST and LARGEST.

    Examples
    --------
    >>> finite("1.5"), finite(2), finite("1e999"), finite(10**400), finite(True), finite("x")
    (1.5, 2.0, None, None, None, None)
    """
    if type(given) is not int and type(given) is not float and not _is_numeric(given):
        return None
    try:
        number = float(given)  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        return None
    return number if number == 0.0 or SMALLEST <= abs(number) <= LARGEST else None


def _is_numeric(given: object) -> bool:
    return isinstance(given, str | int | float | np.number) and not isinstance(given, bool | np.bool_)
