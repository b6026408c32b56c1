"""Praat's TextGrid: tiers of intervals or points, in the long and the short form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from accord.errors import DataError
from accord.readers.codes import Notices
from accord.readers.exports.entries import Entry
from accord.readers.exports.export import ExportFormat, Look, Source, Task
from accord.readers.exports.opening import decoded
from accord.readers.exports.tiers import Tier, tasks_of
from accord.values import finite

#: Texts, flags and numbers that stand free; whatever else the long form writes between them is for people.
_TOKEN: Final = re.compile(r'"(?:[^"]|"")*"|<exists>|<absent>|![^\n]*|[^\s"]+')
_MARKS: Final = (b"\xfe\xff", b"\xff\xfe")


def tasks(source: Source) -> Iterator[Task]:
    """Every file is a recording."""
    for name, entry in source.documents():
        text = _text_of(entry, source.notices)
        yield from tasks_of(name, entry, _Tokens(text, entry.shown).tiers(), source)


def _text_of(entry: Entry, notices: Notices) -> str:
    """Text in UTF-8 or UTF-16, as Latin-1 where it is neither."""
    content = entry.content()
    if content.startswith(b"ooBinaryFile"):
        hint = "Save it as a text file."
        raise DataError.at("this is a binary TextGrid.", file=entry.shown, hint=hint)
    if content[:2] in _MARKS:
        try:
            return content.decode("utf-16")
        except UnicodeDecodeError as error:
            raise DataError.at(f"this is no UTF-16 (byte {error.start}).", file=entry.shown) from None
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        notices.add("encoding-guessed", f"byte {error.start}")
        return content.decode("latin-1")
    return decoded(content, entry.shown)


class _Tokens:
    """Values of a TextGrid, one after the other."""

    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self._file = file
        self._found = _TOKEN.finditer(text)
        self._at = 0

    def tiers(self) -> Iterator[Tier]:
        """Tiers; stretches without text are pauses.

        Raises
        ------
        DataError
            The file is none, or ends too early.
        """
        kinds = self.text(), self.text()
        if kinds != ("ooTextFile", "TextGrid"):
            raise self._broken("this is no TextGrid", " ".join(kinds))
        self.number(), self.number()
        flag = next((m[0] for m in self._found if m[0] in ("<exists>", "<absent>")), "")
        for _ in range(self._count() if flag == "<exists>" else 0):
            yield self._tier()

    def _tier(self) -> Tier:
        kind, name = self.text(), self.text()
        self.number(), self.number()
        if kind not in ("IntervalTier", "TextTier"):
            raise self._broken("the tier is of no known class", kind)
        tier = Tier(name)
        for _ in range(self._count()):
            start = self.number()
            end = self.number() if kind == "IntervalTier" else start
            text = self.text().strip()
            if text:
                tier.stretches.append((start, end, text))
        return tier

    def text(self) -> str:
        """Next text."""
        for match in self._found:
            self._at = match.start()
            if match[0][0] == '"':
                return match[0][1:-1].replace('""', '"')
        raise self._broken("the file ends too early", "", "a text")

    def number(self) -> float:
        """Next number; a text before it is a mistake."""
        for match in self._found:
            self._at = match.start()
            number = finite(match[0])
            if number is not None:
                return number
            if match[0][0] == '"':
                break
        raise self._broken("a number is missing", self._text[self._at : self._at + 40], "a number")

    def _count(self) -> int:
        number = self.number()
        if number < 0 or number % 1:
            raise self._broken("this is no count", f"{number:g}")
        return int(number)

    def _broken(self, what: str, found: str, allowed: str | None = None) -> DataError:
        line = self._text.count("\n", 0, self._at) + 1
        return DataError.at(f"{what}.", file=self._file, line=line, found=found or None, allowed=allowed)


def _recognises(look: Look) -> bool:
    return look.entry.ending == ".textgrid" or ("ooTextFile" in look.head[:200] and "TextGrid" in look.head[:400])


FORMAT: Final = ExportFormat(
    key="textgrid",
    title="Praat TextGrid",
    raters="its tiers; of several sources each is a rater",
    endings=(".textgrid",),
    tasks=tasks,
    recognises=_recognises,
    unit="a recording",
    note="Intervals without text are pauses. `--rater tier` or `--rater file` says what stands for a rater.",
    one_a_folder=True,
    tiers=True,
)
