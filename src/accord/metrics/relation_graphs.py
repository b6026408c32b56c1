"""Answers with relations as graphs: regions matched one to one, edges followed to their partners."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import Any

import numpy as np

from accord.metrics.ragged import Answer, Geometry, Pool, spread
from accord.metrics.region_scores import Terms, matched_edges
from accord.metrics.spec import METRICS, Codes
from accord.values import (
    BoolArray,
    Box,
    Ellipse,
    FloatArray,
    Frames,
    Index,
    KeyPoint,
    Link,
    Mask,
    Polygon,
    Raw,
    Region,
    Span,
    Track,
    Value,
    canonical,
)

Node = tuple[str, Region]
"""A region and the control it belongs to; an end without region is its name."""
Edge = tuple[int, int, str]

#: Metric by which regions of a geometry are matched; others match where they are equal.
MATCHED_BY: Mapping[type, str] = MappingProxyType(
    {
        Span: "span_labels",
        Frames: "span_labels",
        Box: "box_labels",
        Ellipse: "box_labels",
        Polygon: "polygon_labels",
        Mask: "brush_labels",
        KeyPoint: "keypoint_distance",
        Track: "video_frames",
    }
)
#: Added to the similarity of equal regions, so that they match each other whatever else is near.
_EQUAL = 2.0


@dataclass(frozen=True, slots=True)
class Graph:
    """Relations of one answer: distinct regions in a fixed order, and distinct edges (source, target, label).

    ``groups`` are the regions that may match each other, by control and metric: their numbers and working form.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    groups: Mapping[tuple[str, str], tuple[tuple[int, ...], Answer]] = field(compare=False)


def graph(
    value: Value,
    *,
    direction: str = "keep",
    edge_labels: str = "match",
    more: Iterable[Node] = (),
) -> Graph | None:
    """Graph of an answer with relations, None for all other answers; ``more`` are regions without relation."""
    if not isinstance(value, tuple) or not all(isinstance(r, Region) and isinstance(r.geometry, Link) for r in value):
        return None
    ends = [_ends(region.geometry) for region in value]
    nodes = tuple(sorted({*chain.from_iterable(ends), *more}, key=canonical))
    place = {node: number for number, node in enumerate(nodes)}
    edges: set[Edge] = set()
    for region, (source, target) in zip(value, ends, strict=True):
        names = sorted(region.labels) if edge_labels == "match" and region.labels else [""]
        for a, b in _directed(place[source], place[target], region.geometry.direction, direction):
            edges.update((a, b, name) for name in names)
    return Graph(nodes, tuple(sorted(edges)), _groups(nodes))


def _ends(link: Link) -> tuple[Node, Node]:
    regions = link.ends or (None, None)
    source, target = (
        ("", Region(Raw(name))) if region is None else (name.rpartition("#")[0], region)
        for name, region in zip((link.source, link.target), regions, strict=True)
    )
    return source, target


def _directed(source: int, target: int, arrow: str, direction: str) -> list[tuple[int, int]]:
    """Edges of one relation; one that holds both ways is two."""
    if direction == "ignore":
        return [(min(source, target), max(source, target))]
    forward, back = (source, target), (target, source)
    return {"left": [back], "bi": [forward, back]}.get(arrow, [forward])


def _groups(nodes: Sequence[Node]) -> Mapping[tuple[str, str], tuple[tuple[int, ...], Answer]]:
    members: dict[tuple[str, str], list[int]] = {}
    for number, (control, region) in enumerate(nodes):
        members.setdefault((control, _matched_by(region)), []).append(number)
    return {
        key: (tuple(numbers), _working_form(tuple(nodes[number][1] for number in numbers), key[1]))
        for key, numbers in members.items()
    }


def _matched_by(region: Region) -> str:
    """Key of the metric that matches a region; empty where none can."""
    name = MATCHED_BY.get(type(region.geometry), "")
    checked = isinstance(region.geometry, Track)  # the only geometry that its metric may refuse
    return "" if checked and METRICS.catalog()[name].prepare((region,)) is None else name


def _working_form(regions: tuple[Region, ...], name: str) -> Answer:
    if not name:
        return Answer(regions, None)
    spec = METRICS.catalog()[name]
    answer: Answer = spec.prepared([regions], spec.checked({}))[0]
    return answer


class Graphs:
    """Relations of V answers: N regions and E edges, numbered through."""

    def __init__(self, graphs: Sequence[Graph]) -> None:
        self._graphs = graphs
        self.nodes: Index = np.array([len(g.nodes) for g in graphs], dtype=np.int64)
        self.edges: Index = np.array([len(g.edges) for g in graphs], dtype=np.int64)
        self._first_node, self._first_edge = (np.cumsum(count) - count for count in (self.nodes, self.edges))

    @cached_property
    def _equal(self) -> Index:
        """Number of every region's value, (N,): equal for equal regions of one control."""
        index: dict[Node, int] = {}
        every = chain.from_iterable(g.nodes for g in self._graphs)
        return np.fromiter((index.setdefault(node, len(index)) for node in every), np.int64, int(self.nodes.sum()))

    @cached_property
    def _edge_table(self) -> tuple[Index, Index, Index, int]:
        """Source, target and label of every edge, three arrays (E,), and the number of labels."""
        index: dict[str, int] = {}
        rows = [
            (first + a, first + b, index.setdefault(label, len(index)))
            for first, g in zip(self._first_node.tolist(), self._graphs, strict=True)
            for a, b, label in g.edges
        ]
        source, target, label = np.array(rows, dtype=np.int64).reshape(-1, 3).T
        return source, target, label, max(len(index), 1)

    @cached_property
    def _pools(self) -> list[tuple[str, Pool, Index]]:
        """Regions that may match each other: metric, regions, and their numbers among all."""
        found = []
        for key in dict.fromkeys(key for g in self._graphs for key in g.groups):
            nothing: tuple[tuple[int, ...], Answer] = ((), _working_form((), key[1]))
            parts = [g.groups.get(key, nothing) for g in self._graphs]
            numbers = [
                first + number
                for first, (members, _) in zip(self._first_node.tolist(), parts, strict=True)
                for number in members
            ]
            pool = Pool([answer for _, answer in parts], _geometry(key[1]))
            found.append((key[1], pool, np.array(numbers, dtype=np.int64)))
        return found

    def partners(self, i: Codes, j: Codes, min_overlap: float) -> Partners:
        """Match the regions of pairs of answers one to one, control by control."""
        keys, right = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
        size = int(self.nodes.sum())
        for name, pool, numbers in self._pools:
            terms = _terms(name, pool, self._equal[numbers], min_overlap)
            pairs = matched_edges(pool, i, j, terms).pairs
            keys.append(pairs.answers * size + numbers[pairs.left])
            right.append(numbers[pairs.right])
        key = np.concatenate(keys)
        order = np.argsort(key)
        return Partners(size, key[order], np.concatenate(right)[order])

    def shared(self, i: Codes, j: Codes, *, min_overlap: float, directed: bool) -> tuple[Index, BoolArray, Index]:
        """Edges of the left answers of P pairs that the right ones hold too.

        Returns
        -------
        pairs, shared, edges
            Pair of every left edge, whether it is shared, and its number; three arrays.
        """
        partners = self.partners(i, j, min_overlap)
        source, target, label, kinds = self._edge_table
        pairs = np.repeat(np.arange(len(i)), self.edges[i])
        edges = spread(self._first_edge[i], self.edges[i])
        a, b = partners.of(pairs, source[edges]), partners.of(pairs, target[edges])
        if not directed:
            a, b = np.minimum(a, b), np.maximum(a, b)
        both = (a >= 0) & (b >= 0)
        size = partners.size
        there = np.isin((a * size + b) * kinds + label[edges], (source * size + target) * kinds + label)
        return pairs, both & there, edges


@dataclass(frozen=True, slots=True)
class Partners:
    """Matched regions of pairs of answers: key pair * size + left region, sorted, and the right region."""

    size: int
    key: Index
    right: Index

    def of(self, pairs: Index, left: Index) -> Index:
        """Right region matched with a left one, -1 where there is none, (n,)."""
        wanted = pairs * self.size + left
        place = np.minimum(np.searchsorted(self.key, wanted), max(len(self.key) - 1, 0))
        if not len(self.key):
            return np.full(len(wanted), -1, dtype=np.int64)
        return np.where(self.key[place] == wanted, self.right[place], -1)


def _geometry(name: str) -> Geometry:
    if not name:
        return Geometry(pack=lambda _shapes: None, score=lambda _pool, left, _right: np.zeros(len(left)))
    geometry: Geometry = _form(name).geometry
    return geometry


def _form(name: str) -> Any:
    return METRICS.catalog()[name].function.__dict__["form"]


def _terms(name: str, pool: Pool, equal: Index, min_overlap: float) -> Terms:
    """How regions match: equal ones first, then by the metric of their geometry."""
    plain = None
    if name:
        plain = _form(name).terms(pool, METRICS.catalog()[name].checked({"min_overlap": min_overlap}))

    def geometry(left: Index, right: Index) -> FloatArray:
        score = np.zeros(len(left)) if plain is None else plain.geometry(left, right)
        return np.where(equal[left] == equal[right], 1.0, score)

    def similarity(left: Index, right: Index, overlap: FloatArray) -> FloatArray:
        score = overlap if plain is None else plain.similarity(left, right, overlap)
        return np.where(equal[left] == equal[right], 1.0 + _EQUAL, score)

    return Terms(geometry, similarity, "optimal", min_overlap, bounds=None, always_known=True)
