"""Everything an import report can say: one table of codes, and the counter that fills it."""

from __future__ import annotations

from typing import Final

from accord.dataset import Notice
from accord.errors import DataError, shorten

EXAMPLES: Final = 5

#: Facts that are normal in a good export; ``strict`` leaves them alone.
FACTS: Final = {
    "cancelled": "skipped by the annotator; left out",
    "empty-result": 'submitted without any answer: "nothing here" for several choices and regions, else missing',
    "edited-by-other": "last changed by somebody other than its annotator",
    "copied": "started as a copy of another annotation",
    "prediction-started": "started from a prediction of a model",
    "ground-truth": "marked as ground truth; counts as the work of its annotator",
    "draft-left-out": "drafts that were never submitted; left out",
    "prediction-left-out": "predictions of models; left out",
    "no-annotation": "tasks without a submitted annotation",
    "per-region": "answers about a region, kept with the region",
    "html-global-offsets": "spans on HTML without global offsets, compared within the same node only",
    "dynamic-choices": "the choices come from the task's data, so the number of categories is not known",
    "rater-from-file": "one annotator in each file and no way to tell them apart: named after the file",
    "near-equal-label": "labels that differ only in case or spaces; kept apart",
    "looks-missing": "a label that looks like a mark for missing answers; kept as a label",
    "several-types": "one control holds regions of several shapes",
    "note-left-out": "notes, normalisations and other parts that are no answers; left out",
    "curated-left-out": "what a curator decided, and texts nobody worked on; left out",
    "file-missing": "no document where other raters have one, which means nothing marked on it",
    "utf16-offsets": "text offsets counted in UTF-16 units; converted to characters",
}

#: Whatever was dropped, repaired or ambiguous; ``strict`` makes these errors.
IRREGULAR: Final = {
    "duplicate-annotation": "the same annotation again; counted once",
    "duplicate-file": "the same file again; read once",
    "same-annotator-twice": "an annotator has several annotations on one task; one counts",
    "duplicate-answer": "a rater answered one item again; one answer counts",
    "rater-unknown": "no annotator given; the annotations of a task count as different people",
    "one-rater-id": "all annotations carry one annotator id although tasks have several: raters cannot be told apart",
    "no-task-id": "a task without an id; numbered by its place in the file",
    "old-format": "export of an old version (completions); read as annotations",
    "no-from-name": "an answer without the name of its control; kept under its type and object",
    "unknown-control": "a control that is not in the label config; kept",
    "unknown-type": "a type of answer that is not known; kept whole and compared as it is",
    "unknown-value": "an answer outside the declared choices; added to them",
    "wrong-type": "an answer of another type than its control; missing",
    "no-value": "an answer item without a value; dropped",
    "item-index": "the number of an item is no whole number; the answer counts for the whole task",
    "repeated-item": "several answer items of one control in one annotation; taken together",
    "several-for-single": "several choices in a control that allows one; the control is read as several choices",
    "bad-value": "an answer that cannot be read; missing",
    "rating-zero": "a rating of 0, which means no rating; missing",
    "number-as-text": "a number written as text; read as a number",
    "value-as-scalar": "a single value where a list belongs; read as a list of one",
    "repeated-value": "the same choice twice in one answer; counted once",
    "prefix-path": "a chosen path that is the beginning of another chosen path; both kept",
    "bad-date": "a date that does not fit its format; compared as it is written",
    "nfc": "spellings that differ only in the Unicode form of their letters; counted as one label",
    "not-a-number": "NaN or Infinity in a file, which are no JSON; read as no value",
    "half-character": "an escape for half of a character; replaced by the sign for a broken character",
    "min-inferred": "columns taken for answers or for data without a label config",
    "text-mismatch": "the text stored with a span differs from the text at its offsets; the offsets count",
    "span-range": "offsets outside the text, not whole, or the end before the start; clamped, rounded down or swapped",
    "range-open": "a range of frames with one end; taken as one frame",
    "text-units-unclear": "it cannot be told in which unit text offsets count; taken as characters",
    "html-xpath": "a span over several HTML nodes without global offsets; equal only to itself",
    "paragraph-no-text": "the dialogue is not in the data; spans compared within one paragraph only",
    "time-format": "a time that does not fit the format of its series; kept whole",
    "bad-geometry": "a region without usable coordinates; dropped",
    "negative-size": "a negative width or height; the corner was moved",
    "zero-area": "a region without area",
    "outside-image": "a region that reaches over the border of its image, video or recording; kept",
    "box-scale": "coordinates above 100 percent throughout, maybe on another scale; kept",
    "size-missing": "a rotated region, key point or mask without the size of its image",
    "size-differs": "annotators of one task have images of different size",
    "image-rotation": "annotators of one task turned the image differently",
    "polygon-points": "a polygon of fewer than three points",
    "vector-points": "a line of one point",
    "polygon-crossed": "a polygon that crosses itself; inside is what an odd number of its rings surrounds",
    "polygon-tangled": "a polygon that crosses itself more than 10,000 times; compared as if it had no area",
    "polygon-open": "a polygon that was not closed; taken as closed",
    "mask-empty": "a mask without data; dropped",
    "mask-length": "a mask whose length or size does not fit its image",
    "track-empty": "a video track without key frames",
    "track-repeated": "key frames of a track repeated; the last one counts",
    "track-unsorted": "key frames of a track out of order; sorted",
    "frames-count": "a video whose number of frames is missing or cannot be true; taken as unknown",
    "frames-differ": "annotators of one task have videos of different length",
    "orphan-per-region": "an answer about a region that is not there; dropped",
    "dangling-relation": "a relation whose region is not there; kept",
    "ranker-untouched": "a ranking in the order it was shown: maybe never touched",
    "hidden-answer": "an answer to a question that its condition hides; kept",
    "answer-rejected": "regions or choices that the annotator rejected as a whole; left out",
    "broken-tags": "a tag that goes on with a span that never began; it begins one",
    "discontinuous-span": "a span in several pieces; each piece counts as a span",
    "tied-ranks": "items ranked equal; put in the order of their names",
    "encoding-guessed": "text in no known encoding; read as Latin-1",
    "time-unaligned": "a boundary without a time; placed evenly between its neighbours",
    "tier-repeated": "two tiers of one name; taken together",
    "end-unclear": "it cannot be told whether the end of a span is part of it; taken as part",
    "unknown-shape": "a shape that is not known here; dropped",
    "parts-overlap": "parts of one outline overlap; taken together",
    "text-missing": "an annotated text that is not there; offsets taken as they are",
    "lead-time": "a negative or unreadable working time; dropped",
    "bad-time": "a time stamp that cannot be read; dropped",
}

MEANINGS: Final = {**FACTS, **IRREGULAR}


class Notices:
    """Counts by code, with the first examples; an error instead where ``strict``.

    ``file`` and ``task`` are the place being read; they go into the examples and errors. ``total`` counts all.
    """

    def __init__(self, *, strict: bool = False) -> None:
        self.strict = strict
        self.file = ""
        self.task = ""
        self.total = 0
        self._counts: dict[str, int] = {}
        self._examples: dict[str, list[str]] = {}

    def add(self, code: str, detail: str = "", *, control: str = "", count: int = 1) -> None:
        """Count something found at the current place."""
        if not count:
            return
        if self.strict and code in IRREGULAR:
            raise DataError.at(
                f"{code}: {IRREGULAR[code]}.",
                file=self.file or None,
                task=self.task or None,
                control=control or None,
                found=detail or None,
                hint="Correct the data, or read it without strict.",
            )
        self.total += count
        self._counts[code] = self._counts.get(code, 0) + count
        examples = self._examples.setdefault(code, [])
        if len(examples) < EXAMPLES:
            examples.append(self._example(detail, control))

    def _example(self, detail: str, control: str) -> str:
        place = ", ".join(
            part for part in (self.file, self.task and f"task {self.task}", control and f"control {control}") if part
        )
        return ": ".join(part for part in (place, shorten(detail)) if part)

    def count(self, code: str) -> int:
        """How often a code was counted."""
        return self._counts.get(code, 0)

    def all(self) -> tuple[Notice, ...]:
        """Every notice, sorted by code."""
        return tuple(
            Notice(code, count, MEANINGS[code], tuple(self._examples[code]))
            for code, count in sorted(self._counts.items())
        )
