"""brat standoff: a folder of texts and annotations, one folder for each rater."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from accord.errors import DataError
from accord.readers.exports.entries import Entry
from accord.readers.exports.export import ExportFormat, Item, Look, Source, Task
from accord.readers.exports.items import answered, link, marked, task, within
from accord.readers.exports.opening import lines_of, text_of

_LINE: Final = re.compile(r"(?:T\d+\t\S+ \d+ \d+|[REAMN]\d+\t|\*\t|#\S*\t)")


@dataclass(slots=True)
class Standoff:
    """One annotated text: marked spans by id, triggers of events, and what is said of them."""

    file: str
    spans: dict[str, list[Item]] = field(default_factory=dict)
    triggers: dict[str, str] = field(default_factory=dict)
    attributes: list[tuple[int, list[str]]] = field(default_factory=list)
    links: list[tuple[str, str, str]] = field(default_factory=list)


def tasks(source: Source) -> Iterator[Task]:
    """Every text is a task."""
    texts = {entry.place: entry for entry in source.entries if entry.ending == ".txt"}
    for name, entry in source.documents():
        text = texts.get(entry.place) or entry.beside(".txt")
        if text is None:
            source.notices.add("text-missing", f"{entry.stem}.txt")
        data = {} if text is None else {"text": text_of(text)}
        yield task(name, data, {source.rater: _items(entry, source)})


def _items(entry: Entry, source: Source) -> list[Item]:
    found = Standoff(entry.shown)
    source.export.ask("entities", "spans", "text")
    for number, line in lines_of(text_of(entry)):
        if line.strip():
            _take(line, number, found, source)
    items = [item for pieces in found.spans.values() for item in pieces]
    items += [item for number, words in found.attributes for item in _attribute(words, number, found, source)]
    if found.links:
        source.export.relate()
    return items + [link(_end(one, found), _end(other, found), label) for one, other, label in found.links]


def _take(line: str, number: int, found: Standoff, source: Source) -> None:
    identity, _, rest = line.partition("\t")
    body, _, text = rest.partition("\t")
    words = body.split()
    kind = identity[:1]
    if kind == "T":
        found.spans[identity] = _span(identity, body, text, number, found.file, source)
    elif kind == "R" and len(words) == 3:
        found.links.append((_behind(words[1]), _behind(words[2]), words[0]))
    elif kind == "*" and len(words) > 2:
        found.links += [(one, other, words[0]) for one, other in pairwise(words[1:])]
    elif kind == "E" and words and ":" in words[0]:
        trigger = found.triggers[identity] = _behind(words[0])
        found.links += [(trigger, _behind(word), word.partition(":")[0]) for word in words[1:]]
    elif kind in ("A", "M") and len(words) in (2, 3):
        found.attributes.append((number, words))
    elif kind in ("N", "#"):
        source.notices.add("note-left-out", line)
    else:
        raise _broken(number, line, found.file)


def _span(identity: str, body: str, text: str, number: int, file: str, source: Source) -> list[Item]:
    """Pieces of a span; only a whole one has its text checked."""
    label, _, offsets = body.partition(" ")
    try:
        pieces = [(int(start), int(end)) for start, end in (piece.split() for piece in offsets.split(";"))]
    except ValueError:
        raise _broken(number, f"{identity}\t{body}", file) from None
    if len(pieces) > 1:
        source.notices.add("discontinuous-span", body, control="entities")
    stored = text if len(pieces) == 1 else None
    values = [{"start": start, "end": end, "text": stored} for start, end in pieces]
    names = [identity, *(f"{identity}.{number}" for number in range(1, len(pieces)))]
    return [
        marked("entities", "spans", "text", value, [label], name) for value, name in zip(values, names, strict=True)
    ]


def _behind(word: str) -> str:
    return word.partition(":")[2] or word


def _end(identity: str, found: Standoff) -> str:
    """Region an event or a span is about."""
    return found.triggers.get(identity, identity)


def _attribute(words: list[str], number: int, found: Standoff, source: Source) -> Iterator[Item]:
    name, target = words[0], _end(words[1], found)
    if target not in found.spans:
        source.notices.add("orphan-per-region", f"line {number}: {words[1]}", control=name)
        return
    asked = source.export.ask(name, "choices", "text", per_region=True)
    answer = answered(asked, "choices", "text", [words[2] if len(words) > 2 else "true"])
    yield within(found.spans[target][0], answer)


def _broken(line: int, found: str, file: str) -> DataError:
    allowed = "T1<tab>Label 0 5<tab>text, and lines for R, E, A, M, N, * and #"
    return DataError.at("this is no line of a brat file.", file=file, line=line, found=found, allowed=allowed)


def _recognises(look: Look) -> bool:
    return look.entry.ending == ".ann" and (not look.head.strip() or _LINE.match(look.head) is not None)


FORMAT: Final = ExportFormat(
    key="brat",
    title="brat standoff",
    raters="one folder (or file) each, named after it",
    endings=(".ann",),
    tasks=tasks,
    recognises=_recognises,
    unit="a text",
    note="A span in pieces counts as several; notes and normalisations are left out.",
    one_a_folder=True,
)
