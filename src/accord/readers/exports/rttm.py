"""RTTM: who spoke when, a turn on each line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from accord.errors import DataError
from accord.readers.exports.export import ExportFormat, Item, Look, Source, Task
from accord.readers.exports.items import marked, task
from accord.readers.exports.opening import lines_of, text_of
from accord.values import finite

#: Types of lines that say nothing of who spoke when.
_NOTES: Final = frozenset({
    "NOSCORE", "NO_RT_METADATA", "LEXEME", "NON-LEX", "NON-SPEECH", "FILLER", "EDIT", "IP", "SU", "CB", "A/P",
    "SPKR-INFO",
})  # fmt: skip
_LINE: Final = re.compile(r"(?:;;.*\n|[ \t\r]*\n)*SPEAKER\s+\S+\s+\S+\s+[\d.]+\s+[\d.]+\s")


def tasks(source: Source) -> Iterator[Task]:
    """Every recording named in a file is a task; a file is the work of one rater."""
    name = source.export.ask("turns", "spans", "audio")
    for _, entry in source.documents():
        turns: dict[str, list[Item]] = {}
        for number, line in lines_of(text_of(entry)):
            words = line.split()
            if not words or words[0].startswith(";"):
                continue
            if words[0] in _NOTES:
                source.notices.add("note-left-out", line)
                continue
            source.notices.task = words[1] if len(words) > 1 else ""
            start, length = (finite(word) for word in words[3:5]) if len(words) > 4 else (None, None)
            if words[0] != "SPEAKER" or len(words) < 8 or start is None or length is None or min(start, length) < 0:
                raise DataError.at(
                    "this is no line of an RTTM file.",
                    file=entry.shown,
                    line=number,
                    found=line,
                    allowed="SPEAKER recording channel start length <NA> <NA> speaker <NA> <NA>",
                )
            value = {"start": start, "end": start + length, "channel": None if words[2] == "1" else words[2]}
            turns.setdefault(words[1], []).append(marked(name, "spans", "audio", value, [words[7]]))
        for recording, items in turns.items():
            yield task(recording, {"audio": recording}, {source.rater: items})


def _recognises(look: Look) -> bool:
    return _LINE.match(look.head) is not None


FORMAT: Final = ExportFormat(
    key="rttm",
    title="RTTM",
    raters="one file each, named after it",
    endings=(".rttm",),
    tasks=tasks,
    recognises=_recognises,
    unit="a recording",
    note="Names of speakers must mean the same for all raters.",
    one_a_folder=True,
    one_a_file=True,
)
