"""In which unit text offsets count, decided for each project when all of its spans were seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from accord.readers.codes import Notices
from accord.readers.here import Here
from accord.readers.slots import Slot, Slots
from accord.readers.spans import UnclearSpan, unclear_as
from accord.values import Kind, Region, Value


def settle_offsets(slots: Slots, here: Here, notices: Notices) -> None:
    """Decide the unit of text offsets, project by project, and rewrite the spans that depend on it."""
    fits = here.fits
    if not here.unclear:
        return
    for slot in slots:
        answers = slot.answers
        if answers is None or not answers.control.kind.is_region:
            continue
        unclear = [v for v in answers.pool if isinstance(v, tuple) and any(map(_is_unclear, v))]
        if answers.control.kind is Kind.RELATIONS:
            answers.values = lambda values: [_with_clear_ends(value, fits) for value in values]
        elif unclear:
            notices.file = notices.task = ""
            answers.values = lambda values: [_clear(value, fits) for value in values]
            _tell_units(slot, unclear, fits, notices)


def _tell_units(slot: Slot, values: Sequence[Value], fits: Mapping[int, list[int]], notices: Notices) -> None:
    for value in values:
        for region in value:  # type: ignore[attr-defined]
            if _is_unclear(region):
                plain, utf16 = fits.get(region.geometry.scope, (0, 0))
                if utf16 > plain:
                    notices.add("utf16-offsets", control=slot.name)
                elif plain == utf16:
                    notices.add("text-units-unclear", control=slot.name)


def _is_unclear(region: Any) -> bool:
    return isinstance(region, Region) and isinstance(region.geometry, UnclearSpan)


def _with_clear_ends(value: Value, fits: Mapping[int, list[int]]) -> Value:
    """Relations whose ends are clear too."""
    if not isinstance(value, tuple):
        return value
    found = []
    for relation in value:
        link = relation.geometry
        ends = tuple(end if end is None else _clear((end,), fits)[0] for end in link.ends)  # type: ignore[index]
        found.append(replace(relation, geometry=replace(link, ends=ends)))
    return tuple(found)


def _clear(value: Value, fits: Mapping[int, list[int]]) -> Value:
    if not isinstance(value, tuple) or not any(map(_is_unclear, value)):
        return value
    return tuple(
        replace(region, geometry=unclear_as(region.geometry, fits)) if _is_unclear(region) else region
        for region in value
    )
