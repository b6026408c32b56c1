"""Relations among the result items of one annotation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from accord.values import Link, Region, Value


def holds_relations(items: Sequence[Any]) -> bool:
    """Whether some of the items are relations."""
    return any(isinstance(item, Mapping) and "from_id" in item for item in items)


def related(items: Sequence[Any], native: Callable[[Any], Value | None]) -> Value:
    """Relations of a list of result items; the regions among the items are their ends, found by id."""
    links = [item for item in items if isinstance(item, Mapping) and "from_id" in item]
    controls: dict[str, list[Any]] = {}
    for item in items:
        if isinstance(item, Mapping) and "from_id" not in item and item.get("id"):
            controls.setdefault(str(item.get("from_name") or ""), []).append(item)
    ends: dict[str, tuple[str, Region]] = {}
    for name, mine in controls.items():
        regions = native(mine)
        for number, region in enumerate(regions if isinstance(regions, tuple) else ()):
            if isinstance(region, Region) and (region.labels or region.id not in ends):
                ends[region.id] = f"{name}#{number}", region
    return tuple(_relation(item, ends) for item in links)


def _relation(item: Mapping[str, Any], ends: Mapping[str, tuple[str, Region]]) -> Region:
    names = [str(item.get(key) or "") for key in ("from_id", "to_id")]
    (source, first), (target, second) = (ends.get(name, (name, None)) for name in names)
    labels = item.get("labels")
    given = labels if isinstance(labels, list | tuple) else [] if labels is None else [labels]
    link = Link(source, target, str(item.get("direction") or "right"), (first, second))
    return Region(link, frozenset(map(str, given)))
