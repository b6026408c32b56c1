"""Regions along one axis as strips: a row for each rater, time, frames or characters from left to right."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from accord.pipeline.drawing import Drawing, Group
from accord.reporting.charts.axis import Axis
from accord.reporting.drawings.canvas import Drawn
from accord.reporting.markup import element, join, label, line, picture
from accord.reporting.words import compact, squeeze
from accord.values import Frames, Geometry, Span, Track

WIDTH, LEFT, RIGHT = 420.0, 84.0, 414.0
BAR, GAP, TOP = 15.0, 4.0, 8.0
LANES = 6
MOST_PIECES = 40
FURTHEST = 1e15
#: Room that one character of a name takes.
LETTER = 6.4

Piece = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Bar:
    """Pieces of one region in the row of a rater; ``group`` is its number in the drawing."""

    answer: int
    group: int
    pieces: tuple[Piece, ...]
    name: str

    @property
    def ends(self) -> Piece:
        """From the first to the last piece."""
        return self.pieces[0][0], max(end for _, end in self.pieces)


def pieces(geometry: Geometry) -> tuple[Piece, ...]:
    """Stretches that a region covers along its axis, in order; none for what has no such axis."""
    match geometry:
        case Span(start, end):
            found = [(float(start), float(end))]
        case Frames(ranges):
            found = [(first - 0.5, last + 0.5) for first, last in ranges]
        case Track():
            found = list(_present(geometry))
        case _:
            return ()
    inside = [(max(a, -FURTHEST), min(b, FURTHEST)) for a, b in sorted(found) if a <= b]
    return tuple(inside[:MOST_PIECES])


def _present(track: Track) -> Iterator[Piece]:
    """Frames on which a tracked box is there."""
    begin = None
    for key in track.sequence:
        begin = key.frame - 0.5 if begin is None else begin
        if not key.enabled:
            yield begin, key.frame + 0.5
            begin = None
    if begin is not None:
        yield begin, max(track.frames_count or 0, track.sequence[-1].frame) + 0.5


def as_strips(drawing: Drawing, colour: Mapping[str, int], name: str, axis_title: str) -> Drawn | None:
    """Draw the groups of a task along their axis; None where nothing has one."""
    bars = list(_bars(drawing))
    if not bars:
        return None
    axis = _axis([bar.ends for bar in bars])
    numbers = {group: place for place, group in enumerate(dict.fromkeys(bar.group for bar in bars), 1)}
    parts: list[Markup] = []
    top, hidden = TOP, 0
    for answer, rater in enumerate(drawing.raters):
        row = [bar for bar in bars if bar.answer == answer]
        lanes, left_out = _lanes(row)
        hidden += left_out
        height = max(1, len(lanes)) * (BAR + GAP) + GAP
        parts.append(label(0, top + BAR, squeeze(rater, 12)))
        for place, lane in enumerate(lanes):
            y = top + GAP + place * (BAR + GAP)
            parts += [_drawn(bar, drawing.groups[bar.group], y, axis, colour[rater], numbers) for bar in lane]
        top += height
        parts.append(line(0, top, RIGHT, top, "gr"))
    parts += [label(axis.at(mark), top + 16, compact(mark), "q t11", "middle") for mark in _marks(axis)]
    parts.append(label((LEFT + RIGHT) / 2, top + 31, axis_title, "q t11", "middle"))
    note = f"{hidden:,} more lie over each other and are not drawn." if hidden else ""
    return Drawn(picture(WIDTH, top + 38, name, *parts), numbers, note)


def _bars(drawing: Drawing) -> Iterator[Bar]:
    for number, group in enumerate(drawing.groups):
        for answer, region in group.members.items():
            found = pieces(region.geometry)
            if found:
                axis = getattr(region.geometry, "axis", "")
                names = ", ".join(sorted(region.labels)) or ", ".join(sorted(region.choices or ()))
                yield Bar(answer, number, found, f"{names} ({axis})" if axis else names)


def _axis(ends: Sequence[Piece]) -> Axis:
    low, high = min(a for a, _ in ends), max(b for _, b in ends)
    room = (high - low) * 0.02 or max(abs(high), 1.0) * 0.02
    return Axis(LEFT, RIGHT, 0.0 if 0 <= low <= 0.3 * high else low - room, high + room)


def _marks(axis: Axis) -> list[float]:
    """Round numbers along the axis, five or so."""
    raw = (axis.high - axis.low) / 5
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= raw)
    first = math.ceil(axis.low / step)
    return [step * number for number in range(first, first + 8) if step * number <= axis.high]


def _lanes(bars: Sequence[Bar]) -> tuple[list[list[Bar]], int]:
    """Put bars that lie over each other into lanes; also how many find no room."""
    lanes: list[list[Bar]] = []
    left_out = 0
    for bar in sorted(bars, key=lambda bar: bar.ends):
        lane = next((lane for lane in lanes if lane[-1].ends[1] <= bar.ends[0]), None)
        if lane is not None:
            lane.append(bar)
        elif len(lanes) < LANES:
            lanes.append([bar])
        else:
            left_out += 1
    return lanes, left_out


def _drawn(bar: Bar, group: Group, y: float, axis: Axis, colour: int, numbers: Mapping[int, int]) -> Markup:
    boxes = []
    for a, b in bar.pieces:
        left, right = axis.at(a), axis.at(b)
        data = f"M{left:.1f} {y:.1f}H{max(right, left + 1.5):.1f}v{BAR:g}H{left:.1f}Z"
        boxes.append(element("path", d=data, class_=f"shape k-{group.kind} r{colour} area bar-of"))
    number = "" if group.kind == "same" else f"{numbers[bar.group]} "
    room = int((axis.at(bar.pieces[0][1]) - axis.at(bar.pieces[0][0]) - 6) / LETTER)
    words = f"{number}{bar.name}"
    text = words if len(words) <= room else number.strip() if len(number) <= room + 1 else ""
    return join(*boxes, label(axis.at(bar.pieces[0][0]) + 4, y + 11.5, text, "t11 in-bar") if text else "")
