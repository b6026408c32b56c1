"""The first paragraph of the report, and what the data cannot tell."""

from __future__ import annotations

from collections.abc import Sequence

from accord.pipeline.report import ControlReport, Finding
from accord.pipeline.words import interval_words, listed, number, percent, plural

#: Below this many compared tasks a number is too uncertain to rank.
FEW = 30
LISTED = 3


def answer_paragraph(controls: Sequence[ControlReport]) -> str:
    """How well people agree, and what pulls it down, in a few sentences."""
    defined = [control for control in controls if not control.main.undefined]
    firm = sorted((c for c in defined if c.units >= FEW), key=lambda c: -c.main.value)
    thin = [control for control in defined if control.units < FEW]
    undefined = [control.control.name for control in controls if control.main.undefined]
    found = [finding for control in firm for finding in control.findings]
    parts = [_levels(firm), _largest_pair(found), _raters(found), _thin(thin)]
    if undefined:
        parts.append(f"For {listed(undefined)} no coefficient exists; the reason stands beside it.")
    return " ".join(filter(None, parts)) or "Nothing could be measured; the import report says what was read."


def _levels(firm: Sequence[ControlReport]) -> str:
    said = [f"{c.control.name} ({number(c.main.value)}, {interval_words(c.main)})" for c in firm]
    if not said:
        return ""
    if len(said) <= LISTED:
        return f"Corrected for chance, raters agree on {listed(said)}."
    return f"Corrected for chance, raters agree most on {listed(said[:2])}, and least on {said[-1]}."


def _largest_pair(found: Sequence[Finding]) -> str:
    pairs = [finding for finding in found if finding.kind == "labels"]
    if not pairs:
        return ""
    largest = max(pairs, key=lambda finding: finding.share)
    return f"On {largest.control}, {percent(largest.share)} of the disagreement is {largest.title}."


def _raters(found: Sequence[Finding]) -> str:
    titles = dict.fromkeys(finding.title for finding in found if finding.kind == "rater")
    said = []
    for title in titles:
        where = [finding.control for finding in found if finding.title == title]
        said.append(f"{title} on {listed(where)}")
    return f"{listed(said)}." if said else ""


def _thin(controls: Sequence[ControlReport]) -> str:
    """Name the controls about which little can be said; of many, how many they are."""
    if not controls:
        return ""
    least, most = min(c.units for c in controls), max(c.units for c in controls)
    names = [control.control.name for control in controls]
    which = listed(names) if len(names) <= LISTED else f"{len(names)} controls, {listed(names[:2])} among them,"
    tasks = plural(most, "task") if least == most else f"{least} to {plural(most, 'task')}"
    return f"For {which} only {tasks} can be compared: too few to say much."


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
