"""Recordings with tiers of labelled stretches: tiers are raters of one source, or questions of several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from accord.readers.exports.entries import Entry
from accord.readers.exports.export import Item, Source, Task
from accord.readers.exports.items import marked, task

#: Name of the only question where tiers are raters.
STRETCHES = "stretches"


@dataclass(slots=True)
class Tier:
    """Stretches of a tier: start and end in seconds, text. ``annotator`` and ``layer`` are what it says of itself."""

    name: str
    stretches: list[tuple[float | None, float | None, str]] = field(default_factory=list)
    annotator: str = ""
    layer: str = ""
    labels: Sequence[str] = ()


def tasks_of(name: str, entry: Entry, tiers: Iterable[Tier], source: Source) -> Iterator[Task]:
    """Every recording is a task.

    A tier is the work of its annotator where tiers name several; else of a rater of its own in one source, and of
    the source's rater in several.
    """
    found = list(tiers)
    annotators = {tier.annotator for tier in found}
    by_tier = source.rater_is == "tier" or (not source.rater_is and not source.several)
    named = by_tier and len(annotators) > 1 and "" not in annotators
    recording = name or (entry.stem if by_tier else "")
    by: dict[str, list[Item]] = {}
    for tier in found:
        rater = tier.annotator if named else tier.name if by_tier else source.rater
        question = tier.layer or tier.name if named else STRETCHES if by_tier else tier.name
        source.export.ask(question, "spans", "audio", labels=tier.labels)
        if rater in by and by_tier and not named:
            source.notices.add("tier-repeated", tier.name)
        by.setdefault(rater, []).extend(
            marked(question, "spans", "audio", {"start": start, "end": end}, [text])
            for start, end, text in tier.stretches
        )
    yield task(recording, {"audio": recording}, by)
