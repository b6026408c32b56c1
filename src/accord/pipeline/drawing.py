"""What the report draws of one task: the regions of all raters, joined where they mean the same thing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from accord.metrics.clusters import region_clusters
from accord.metrics.comparison import Comparison
from accord.pipeline.question import Question
from accord.pipeline.region_matches import RegionMatches
from accord.pipeline.words import number
from accord.values import Kind, Region, Value

#: Tasks of a control that are drawn, raters of a task, and things in a drawing.
DRAWN_TASKS = 24
DRAWN_RATERS = 6
DRAWN_GROUPS = 60
SAME = 1.0 - 1e-9

Difference = Literal["missing", "label", "boundary", "attribute", "same"]
_ORDER: Sequence[Difference] = ("missing", "label", "boundary", "attribute", "same")


@dataclass(frozen=True, slots=True)
class Group:
    """Regions that mean the same thing, by the number of the answer that holds them, and how they differ.

    ``kind`` is the first thing that differs, ``words`` say all of it.
    """

    members: Mapping[int, Region]
    kind: Difference
    words: str
    overlap: float = 1.0


@dataclass(frozen=True, slots=True)
class Drawing:
    """Groups of one task, the most telling first; how many groups there are of each kind, those not drawn included."""

    raters: tuple[str, ...]
    groups: tuple[Group, ...]
    totals: Mapping[Difference, int]
    raters_left_out: int = 0

    @property
    def left_out(self) -> int:
        """Groups that are not drawn."""
        return sum(self.totals.values()) - len(self.groups)


def drawing(question: Question, matches: RegionMatches | None, unit: int) -> Drawing | None:
    """Drawing of a unit of a region control; None where there is nothing to draw."""
    study = question.study
    if not study.kind.is_region or study.kind is Kind.RELATIONS:
        return None
    first, stop = int(study.start[unit]), int(study.start[unit + 1])
    cells = range(first, min(stop, first + DRAWN_RATERS))
    raters = tuple(str(study.rater_names[study.rater[cell]]) for cell in cells)
    if matches is None:
        sides = [regions_in(study.values[study.code[cell]]) for cell in cells]
        groups = _equal(sides)
    else:
        found = matches.comparisons(unit, most=DRAWN_RATERS)
        sides = [matches.regions_of(cell) for cell in cells]
        compared = {(a - first, b - first): comparison for (a, b), comparison in found.items()}
        groups = _clustered(sides, compared)
    if not groups:
        return None
    groups.sort(key=lambda group: (_ORDER.index(group.kind), group.overlap))
    totals: dict[Difference, int] = {kind: sum(group.kind == kind for group in groups) for kind in _ORDER}
    return Drawing(raters, tuple(groups[:DRAWN_GROUPS]), totals, stop - first - len(cells))


def regions_in(value: Value) -> tuple[Region, ...]:
    """Regions of an answer."""
    return tuple(part for part in value if isinstance(part, Region)) if isinstance(value, tuple) else ()


def _equal(sides: Sequence[Sequence[Region]]) -> list[Group]:
    """Groups of equal regions, where none are matched."""
    by_region: dict[tuple[Region, int], dict[int, Region]] = {}
    for answer, regions in enumerate(sides):
        times: dict[Region, int] = {}
        for region in regions:
            times[region] = times.get(region, 0) + 1
            by_region.setdefault((region, times[region]), {})[answer] = region
    return [_group(members, len(sides), []) for members in by_region.values()]


def _clustered(sides: Sequence[Sequence[Region]], compared: Mapping[tuple[int, int], Comparison]) -> list[Group]:
    geometry = {
        (a, pair.left, b, pair.right): pair.geometry
        for (a, b), comparison in compared.items()
        for pair in comparison.matched
    }
    groups = []
    for cluster in region_clusters([len(side) for side in sides], compared):
        members = {answer: sides[answer][place] for answer, place in cluster}
        inner = ((*one, *other) for one in cluster for other in cluster if one < other)
        groups.append(_group(members, len(sides), [geometry[key] for key in inner if key in geometry]))
    return groups


def _group(members: Mapping[int, Region], raters: int, overlaps: Sequence[float]) -> Group:
    """How regions that mean the same thing differ; ``overlaps`` are those of the pairs that were matched."""
    differ = dict(_differences(members, raters, overlaps))
    kind: Difference = next((kind for kind in _ORDER if kind in differ), "same")
    return Group(members, kind, "; ".join(differ.values()) or "the same", min(overlaps, default=0.0))


def _differences(
    members: Mapping[int, Region], raters: int, overlaps: Sequence[float]
) -> Iterable[tuple[Difference, str]]:
    regions = list(members.values())
    if len(members) < raters:
        yield "missing", f"marked by {len(members)} of {raters}"
    if len({region.labels for region in regions}) > 1:
        yield "label", "labels differ"
    low, high = min(overlaps, default=1.0), max(overlaps, default=1.0)
    if low < SAME:
        both = number(low) == number(high)
        yield "boundary", f"overlap {number(low)}" if both else f"overlap {number(low)} to {number(high)}"
    asked: dict[str, set[Any]] = {
        name: {dict(region.attributes).get(name) for region in regions} for name in _attributes(regions)
    }
    asked |= {"choices": {region.choices for region in regions}, "text": {region.text for region in regions}}
    differ = [name for name, answers in asked.items() if len(answers) > 1]
    if differ:
        yield "attribute", f"said about it: {', '.join(differ)}"


def _attributes(regions: Sequence[Region]) -> list[str]:
    """Names of everything that was answered about regions, beside choices and text."""
    return sorted({name for region in regions for name, _ in region.attributes})
