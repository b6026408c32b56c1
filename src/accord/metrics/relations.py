"""Relations between regions: match the regions first, then compare labelled, directed edges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.metrics.ragged import blocks
from accord.metrics.relation_graphs import Edge, Graph, Graphs, Node, graph
from accord.metrics.spec import Codes, metric
from accord.registry import Option
from accord.values import FloatArray, Kind, Value


@metric(
    "relation_match",
    kinds=(Kind.RELATIONS,),
    reference="Jaccard 1912 (or F1) over edges between matched regions",
    prepare=graph,
    shape="batch",
    symmetric=False,
    cost=lambda graphs: 100.0 + 5.0 * (sum(len(g.nodes) for g in graphs) / max(len(graphs), 1)) ** 2,
    options={
        "measure": Option("jaccard", ("jaccard", "f1"), "shared edges over all edges, or twice over the sum of both"),
        "direction": Option("keep", ("keep", "ignore"), "whether an edge and its reverse differ"),
        "edge_labels": Option("match", ("match", "ignore"), "whether edges with other labels differ"),
        "min_overlap": Option(0.0, help="geometry of two regions must exceed this for them to match"),
    },
)
def relation_match(
    pool: Sequence[Graph],
    i: Codes,
    j: Codes,
    /,
    *,
    measure: str = "jaccard",
    direction: str = "keep",
    min_overlap: float = 0.0,
) -> FloatArray:
    """Labelled, directed edges that both raters drew between matched regions, over all edges.

    A relation with several labels is one edge each, one that holds both ways two.
    """
    graphs = Graphs(pool)
    common = np.zeros(len(i))
    for block in blocks(graphs.nodes[i] * graphs.nodes[j]):
        pairs, shared, _ = graphs.shared(i[block], j[block], min_overlap=min_overlap, directed=direction == "keep")
        common[block] = np.bincount(pairs[shared], minlength=block.stop - block.start)
    total = (graphs.edges[i] + graphs.edges[j]).astype(np.float64)
    parts, whole = (2.0 * common, total) if measure == "f1" else (common, total - common)
    return np.where(whole > 0, parts / np.maximum(whole, 1.0), 1.0)


NOTHING = Graph((), (), {})


@dataclass(frozen=True, slots=True)
class RelationLoss:
    """Edges of two answers: those both hold (counted once), and those of one only, by what they lack.

    ``region``: an end that the other rater did not mark. ``relation``: both ends are marked, the edge is not there,
    or has another label or direction.
    """

    shared: int
    region: int
    relation: int

    @property
    def score(self) -> float:
        """Shared edges over all edges; 1 without any."""
        total = self.shared + self.region + self.relation
        return self.shared / total if total else 1.0


def relation_loss(
    left: Value,
    right: Value,
    *,
    more: tuple[Iterable[Node], Iterable[Node]] = ((), ()),
    direction: str = "keep",
    edge_labels: str = "match",
    min_overlap: float = 0.0,
) -> RelationLoss:
    """Split what two answers with relations do not share into region mismatch and the relation itself.

    Parameters
    ----------
    left, right
        Relations of either rater, ``()`` for none.
    more
        What either rater marked besides, as (control, region).

    Examples
    --------
    >>> from accord.values import Link, Region, Span
    >>> a, b, c = (Region(Span(k, k + 5)) for k in (0, 10, 20))
    >>> one = (Region(Link("s#0", "s#1", ends=(a, b))), Region(Link("s#1", "s#2", ends=(b, c))))
    >>> relation_loss(one, one[:1])
    RelationLoss(shared=1, region=1, relation=0)
    >>> relation_loss(one, one[:1], more=((), [("s", c)]))
    RelationLoss(shared=1, region=0, relation=1)
    """
    options: dict[str, Any] = {"direction": direction, "edge_labels": edge_labels}
    linked = [graph(value, **options) or NOTHING for value in (left, right)]
    marked = [graph(v, **options, more=regions) or NOTHING for v, regions in zip((left, right), more, strict=True)]
    shared, lost = 0, {"region": 0, "relation": 0}
    for here, there in ((0, 1), (1, 0)):
        common, met = _compared(linked[here], linked[there], min_overlap, direction == "keep")
        met |= _compared(marked[here], marked[there], min_overlap, direction == "keep")[1]
        nodes, shared = linked[here].nodes, len(common)
        for source, target, _ in set(linked[here].edges) - common:
            lost["relation" if {nodes[source], nodes[target]} <= met else "region"] += 1
    return RelationLoss(shared, **lost)


def _compared(here: Graph, there: Graph, min_overlap: float, directed: bool) -> tuple[set[Edge], set[Node]]:
    """Edges of one answer that the other holds too, and its regions that have a partner."""
    graphs = Graphs((here, there))
    one, other = np.array([0]), np.array([1])
    _, shared, edges = graphs.shared(one, other, min_overlap=min_overlap, directed=directed)
    partners = graphs.partners(one, other, min_overlap).of(
        np.zeros(len(here.nodes), dtype=np.int64), np.arange(len(here.nodes))
    )
    met = {node for node, partner in zip(here.nodes, partners.tolist(), strict=True) if partner >= 0}
    return {here.edges[number] for number in edges[shared].tolist()}, met
