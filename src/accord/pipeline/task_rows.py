"""Disagreed tasks as the report shows them: answers, the text they are about, drawn regions."""

from __future__ import annotations

import math
from dataclasses import dataclass

from accord.pipeline.drawing import Drawing


@dataclass(frozen=True, slots=True)
class Answer:
    """One rater's answer to show: display text, and spans (start, end, label) where they lie on a text.

    ``parts`` are the members of a set-valued answer in words, None where the answer is no set.
    """

    rater: str
    text: str
    spans: tuple[tuple[int, int, str], ...] = ()
    parts: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class TaskRow:
    """Agreement on one task, with the answers where the report shows them.

    ``context`` is the text that was annotated, None if there is none or content is withheld; ``influence`` is
    headline minus headline without this unit; ``drawing`` holds the regions of the most telling tasks.
    """

    unit: str
    value: float
    answers: tuple[Answer, ...] = ()
    context: str | None = None
    influence: float = math.nan
    drawing: Drawing | None = None
