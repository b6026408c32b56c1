"""CoNLL columns: a token a line, its tag in the last column, a blank line between sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from accord.errors import DataError
from accord.readers.exports.entries import Entry
from accord.readers.exports.export import ExportFormat, Item, Look, Source, Task
from accord.readers.exports.items import marked, task
from accord.readers.exports.opening import lines_of, text_of
from accord.readers.exports.tags import marks_beginnings, spans_of

_TAGGED: Final = re.compile(r"\S+[ \t](?:.*[ \t])?(?:O|[BIESLUM][-_]\S+)\s*")


@dataclass(slots=True)
class Sentence:
    """Tokens and tags."""

    tokens: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)


def tasks(source: Source) -> Iterator[Task]:
    """Every sentence is a task; a file, or a folder of files, is the work of one rater."""
    name = source.export.ask("spans", "spans", "text")
    for document, entry in source.documents():
        sentences = list(_sentences(entry))
        beginnings = marks_beginnings([sentence.tags for sentence in sentences])
        for number, sentence in enumerate(sentences, 1):
            place = source.notices.task = f"{document}/{number}" if document else str(number)
            spans = spans_of(sentence.tags, source.notices, beginnings=beginnings)
            text, items = _marked(sentence.tokens, spans, name)
            yield task(place, {"text": text}, {source.rater: items})


def _sentences(entry: Entry) -> Iterator[Sentence]:
    """Sentences of a document; all lines have as many columns as the first."""
    sentence, width = Sentence(), 0
    for number, line in lines_of(text_of(entry)):
        columns = line.split("\t") if "\t" in line else line.split()
        if not line.strip() or columns[0] == "-DOCSTART-":
            if sentence.tokens:
                yield sentence
            sentence = Sentence()
            continue
        if line.startswith("# ") and not sentence.tokens:
            continue
        width = width or len(columns)
        if len(columns) != width or width < 2 or not columns[0] or not columns[-1].strip():
            raise DataError.at(
                "the line has other columns than the first one, or none for a tag.",
                file=entry.shown,
                line=number,
                found=line,
                allowed=f"a token and its tag, {max(width, 2)} columns",
            )
        sentence.tokens.append(columns[0])
        sentence.tags.append(columns[-1].strip())
    if sentence.tokens:
        yield sentence


def _marked(tokens: Sequence[str], spans: Iterator[tuple[int, int, str]], name: str) -> tuple[str, list[Item]]:
    """Text of a sentence, and its spans in characters."""
    text, begins, at = " ".join(tokens), [], 0
    for token in tokens:
        begins.append(at)
        at += len(token) + 1
    items = []
    for first, last, label in spans:
        value = {"start": begins[first], "end": begins[last] + len(tokens[last])}
        items.append(marked(name, "spans", "text", value, [label]))
    return text, items


def _recognises(look: Look) -> bool:
    """Whether every line ends with a tag; the last one may be cut off."""
    lines = [line for line in look.head.split("\n")[:200] if line.strip() and not line.startswith(("#", "-DOCSTART-"))]
    some = lines[:-1] if len(lines) > 1 else lines
    return bool(some) and not look.record and all(_TAGGED.fullmatch(line) for line in some)


FORMAT: Final = ExportFormat(
    key="conll",
    title="CoNLL columns (IOB, BIOES, BILOU)",
    raters="one file or folder each, named after it",
    endings=(".conll", ".bio", ".iob", ".iob2", ".bioes", ".bilou", ".txt", ".tsv"),
    tasks=tasks,
    recognises=_recognises,
    unit="a sentence",
    note="The last column holds the tags; files of one text need the same tokens.",
    one_a_folder=True,
    one_a_file=True,
)
