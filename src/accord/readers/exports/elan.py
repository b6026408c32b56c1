"""ELAN's annotation documents: tiers of stretches between time slots, or about other annotations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from accord.errors import DataError
from accord.readers.codes import Notices
from accord.readers.exports.export import ExportFormat, Source, Task
from accord.readers.exports.opening import xml_of
from accord.readers.exports.tiers import Tier, tasks_of
from accord.values import finite

Stretch: TypeAlias = tuple[float | None, float | None]

_SECOND: Final = 1000.0
#: Annotations about annotations about annotations; more is a circle.
_DEEPEST: Final = 50


def tasks(source: Source) -> Iterator[Task]:
    """Every file is a recording."""
    for name, entry in source.documents():
        root = xml_of(entry)
        if root.tag != "ANNOTATION_DOCUMENT":
            allowed = "ANNOTATION_DOCUMENT"
            raise DataError.at("this is no ELAN file.", file=entry.shown, found=root.tag, allowed=allowed)
        yield from tasks_of(name, entry, _tiers(root, source.notices), source)


def _tiers(root: Any, notices: Notices) -> Iterator[Tier]:
    slots = {slot.get("TIME_SLOT_ID"): finite(slot.get("TIME_VALUE")) for slot in root.iter("TIME_SLOT")}
    elements = list(root.iterfind("TIER"))
    places: dict[str, Stretch] = {}
    for element in elements:
        places.update(_aligned(element, slots, notices))
    above = {one.get("ANNOTATION_ID", ""): one.get("ANNOTATION_REF", "") for one in root.iter("REF_ANNOTATION")}
    labels = _labels(root)
    for element in elements:
        layer = element.get("LINGUISTIC_TYPE_REF", "")
        tier = Tier(element.get("TIER_ID", ""), annotator=element.get("ANNOTATOR", ""), layer=layer)
        tier.labels = labels.get(layer, ())
        for one in element.iterfind("ANNOTATION/*"):
            text = (one.findtext("ANNOTATION_VALUE") or "").strip()
            if text:
                tier.stretches.append((*_place(one.get("ANNOTATION_ID", ""), places, above), text))
        yield tier


def _aligned(tier: Any, slots: Mapping[Any, float | None], notices: Notices) -> Iterator[tuple[str, Stretch]]:
    """Annotations between time slots, in seconds; slots without a time lie evenly between their neighbours."""
    found = list(tier.iterfind("ANNOTATION/ALIGNABLE_ANNOTATION"))
    order = dict.fromkeys(one.get(key) for one in found for key in ("TIME_SLOT_REF1", "TIME_SLOT_REF2"))
    times = {slot: slots.get(slot) for slot in order}
    known = {at: time for at, time in enumerate(times.values()) if time is not None}
    if known and len(known) < len(times):
        notices.add("time-unaligned", tier.get("TIER_ID", ""), count=len(times) - len(known))
        spread = np.interp(np.arange(len(times)), list(known), list(known.values())).tolist()
        times = dict(zip(times, spread, strict=True))
    for one in found:
        start, end = (times.get(one.get(key)) for key in ("TIME_SLOT_REF1", "TIME_SLOT_REF2"))
        stretch = None if start is None else start / _SECOND, None if end is None else end / _SECOND
        yield one.get("ANNOTATION_ID", ""), stretch


def _place(identity: str, places: Mapping[str, Stretch], above: Mapping[str, str]) -> Stretch:
    """Stretch of an annotation, or of the one that it is about."""
    for _ in range(_DEEPEST):
        if identity in places:
            return places[identity]
        identity = above.get(identity, "")
    return None, None


def _labels(root: Any) -> dict[str, Sequence[str]]:
    """Controlled vocabulary of each type of tier."""
    values = {
        vocabulary.get("CV_ID"): [
            text.strip()
            for entry in (*vocabulary.iter("CVE_VALUE"), *vocabulary.iter("CV_ENTRY"))
            if (text := entry.text or "").strip()
        ]
        for vocabulary in root.iterfind("CONTROLLED_VOCABULARY")
    }
    types = root.iterfind("LINGUISTIC_TYPE")
    return {one.get("LINGUISTIC_TYPE_ID", ""): values.get(one.get("CONTROLLED_VOCABULARY_REF"), ()) for one in types}


FORMAT: Final = ExportFormat(
    key="elan",
    title="ELAN annotation document",
    raters="ANNOTATOR of tiers that name several, else its tiers; of several sources each is a rater",
    endings=(".eaf",),
    tasks=tasks,
    recognises=lambda look: look.root == "ANNOTATION_DOCUMENT",
    unit="a recording",
    note="An annotation about another one lies where that one lies. `--rater tier` or `--rater file` as above.",
    one_a_folder=True,
    tiers=True,
)
