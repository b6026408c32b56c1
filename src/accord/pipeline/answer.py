"""The first paragraph of the report, and what the data cannot tell."""

from __future__ import annotations

from collections.abc import Sequence

from accord.pipeline.report import ControlReport, Finding
from accord.pipeline.words import interval_words, listed, number, plural

FEW = 10


def answer_paragraph(controls: Sequence[ControlReport]) -> str:
    """How well people agree, control by control, in plain words."""
    measured = [c for c in controls if not c.main.undefined and c.units >= FEW]
    thin = [c.control.name for c in controls if not c.main.undefined and c.units < FEW]
    undefined = [c.control.name for c in controls if c.main.undefined]
    parts = []
    if measured:
        best = sorted(measured, key=lambda c: -c.main.value)
        said = [f"{c.control.name} ({number(c.main.value)}, {interval_words(c.main)})" for c in best]
        parts.append(f"From most to least, corrected for chance, raters agree on {listed(said)}.")
    if thin:
        parts.append(f"For {listed(thin)} there are too few tasks with two answers to say much.")
    if undefined:
        parts.append(f"For {listed(undefined)} no coefficient exists; the reason stands beside it.")
    top = [finding for control in measured for finding in control.findings]
    if top:
        largest = max(top, key=lambda f: f.share)
        parts.append(f"Start with {largest.title} ({largest.control}).")
    return " ".join(parts) or "Nothing could be measured; the import report says what was read."


def cannot_tell(control: ControlReport, kept: Sequence[Finding], found: Sequence[Finding]) -> tuple[str, ...]:
    """Comparisons that were made and did not stand out."""
    name = control.control.name
    kinds = {"rater": "raters", "labels": "label pairs", "label": "labels"}
    said = []
    for kind, words in kinds.items():
        tested = sum(1 for f in found if f.control == name and f.kind == kind)
        if tested and not any(f.kind == kind for f in kept):
            said.append(
                f"No {words[:-1]} stands out: {words} cannot be told apart with {plural(control.units, 'task')}."
            )
    return tuple(said)
