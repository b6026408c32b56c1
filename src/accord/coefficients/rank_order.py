"""Mid-ranks within groups, and rankings as rows of (answer, item, place)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from accord.study import Study
from accord.values import BoolArray, FloatArray, Index, Ranking, Value


@dataclass(frozen=True, slots=True)
class Entries:
    """Who put what where: parallel arrays, one entry for each judge and object of a block.

    ``judge`` numbers are unique over all blocks, ``object`` numbers within a block, ``place`` grows from best to
    worst (or from small to large).
    """

    block: Index
    judge: Index
    object: Index
    place: FloatArray

    def __len__(self) -> int:
        return len(self.place)

    def where(self, keep: BoolArray) -> Entries:
        """Keep the entries of a mask."""
        return Entries(self.block[keep], self.judge[keep], self.object[keep], self.place[keep])


def midranks(group: Index, value: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Rank values within groups, ties sharing their mean rank.

    Returns
    -------
    ranks
        From 1, in the order given.
    ties
        Sum of t^3 - t over the ties of each group, by group number.
    """
    groups = int(group.max()) + 1 if len(group) else 0
    order = np.lexsort((value, group))
    g, v = group[order], value[order]
    fresh = np.ones(len(g), dtype=bool)
    fresh[1:] = (g[1:] != g[:-1]) | (v[1:] != v[:-1])
    run = np.cumsum(fresh) - 1
    length = np.bincount(run)
    first = np.flatnonzero(fresh)
    start = np.searchsorted(g, np.arange(groups))
    mean = first - start[g[fresh]] + (length + 1) / 2
    ranks = np.empty(len(g))
    ranks[order] = mean[run]
    size = length.astype(np.float64)
    return ranks, np.bincount(g[fresh], size**3 - size, groups).astype(np.float64)


def ranking_entries(study: Study) -> Entries:
    """Entries of a ranking control: a block for each unit, a judge for each answer.

    Buckets rank in the order of the control; items of the pool ``_`` come last and tie. An item that an answer
    lists twice counts at its first place.
    """
    value, item, place = value_places(study.values)
    size = np.bincount(value, minlength=study.V)
    start = np.concatenate(([0], np.cumsum(size)))
    each = size[study.code]
    judge = np.repeat(np.arange(study.C), each)
    at = start[study.code[judge]] + np.arange(len(judge)) - np.repeat(np.cumsum(each) - each, each)
    return Entries(study.unit[judge].astype(np.int64), judge, item[at], place[at])


def value_places(values: Sequence[Value]) -> tuple[Index, Index, FloatArray]:
    """Value, item and place of every item of every ranking, three arrays sorted by value."""
    item_of: dict[str, int] = {}
    value: list[int] = []
    item: list[int] = []
    place: list[float] = []
    for number, ranking in enumerate(values):
        places = _places(ranking)
        value += [number] * len(places)
        item += [item_of.setdefault(name, len(item_of)) for name in places]
        place += places.values()
    return np.array(value, dtype=np.int64), np.array(item, dtype=np.int64), np.array(place, dtype=np.float64)


def _places(value: Value) -> dict[str, float]:
    """Place of every item of a ranking, by name; nothing for other answers."""
    if not isinstance(value, Ranking):
        return {}
    places: dict[str, float] = {}
    for bucket, items in value.buckets:
        for item in items:
            places.setdefault(item, np.inf if bucket == "_" else float(len(places)))
    return places


def complete_items(entries: Entries) -> Entries:
    """Keep, in each block, the objects that every judge of the block placed."""
    if not len(entries):
        return entries
    objects = int(entries.object.max()) + 1
    key, group = np.unique(entries.block * objects + entries.object, return_inverse=True)
    seen = np.bincount(group)
    judges = np.bincount(np.unique(np.column_stack((entries.block, entries.judge)), axis=0)[:, 0])
    return entries.where((seen == judges[key // objects])[group])
