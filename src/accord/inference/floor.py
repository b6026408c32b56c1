"""Intervals that would reach below the lowest value of a chance-corrected coefficient."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from accord.inference.case import Case, Found

#: Two raters who never agree reach it; nothing is lower where distances are squared distances of points, since those
#: within units are then at most twice those between all answers.
LOWEST: Final = -1.0
LABELS: Final = frozenset({"nominal", "identity"})
EUCLIDEAN: Final = LABELS | {"interval", "quadratic"}
#: Chance agreement does not follow from the answers here, so that only labels have this lowest value.
OTHER_CHANCE: Final = frozenset({"brennan_prediger", "gwet_ac1", "gwet_ac2"})


def above_floor(case: Case, found: Found) -> Found:
    """Cut an interval at the lowest value of the coefficient; where that is not known, say that it reaches below -1.

    An interval for fixed chance agreement does not know that answers which are nearly all alike cannot disagree much,
    so it can reach far below -1. What is cut off holds no value that the coefficient can have: coverage stays.
    """
    shown = found.interval
    if shown is None or not case.spec.form or shown.low >= LOWEST:
        return found
    why = f"as {100 * case.chance:.0f} % agreement is expected by chance, disagreement was hardly possible here"
    known = case.similarity.name in (LABELS if case.spec.key in OTHER_CHANCE else EUCLIDEAN)
    if not known or case.value < LOWEST:
        return replace(found, notes=(*found.notes, f"The interval reaches below −1: {why}."))
    note = f"The interval is cut at −1, the lowest value there is; it would reach {shown.low:.2f}: {why}."
    return replace(found, interval=replace(shown, low=LOWEST), notes=(*found.notes, note))
