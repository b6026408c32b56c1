"""What happened by day and by week: annotations made, and the mean agreement of the tasks completed then."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from accord.reporting import tables, words
from accord.reporting.figure import Figure
from accord.reporting.markup import join, label, line, picture, rect
from accord.service.rater_schemas import PeriodItem

MOST_BARS = 60


def figure(found: Sequence[PeriodItem], unit: str, zone: str) -> Figure:
    """Bars of annotations, with the tasks completed and their agreement in the table."""
    heads = tables.headings(unit, "#Annotations", "#Tasks completed", "#Their mean agreement")
    rows = tuple(
        (
            tables.text(one.begin.isoformat()),
            tables.integer(one.annotations),
            tables.integer(one.tasks),
            tables.number(one.agreement),
        )
        for one in found
    )
    shown = found[-MOST_BARS:]
    return Figure(
        title=f"Annotations by {unit.lower()}",
        subtitle=f"Time zone {zone}; agreement is not corrected for chance",
        table=tables.Table(f"Annotations by {unit.lower()}", heads, rows),
        picture=_bars(shown, unit) if len(shown) > 1 else None,
    )


def _bars(found: Sequence[PeriodItem], unit: str) -> Markup:
    peak = max(one.annotations for one in found)
    step = 292 / len(found)
    bars = [
        rect(
            4 + i * step + 0.5,
            130 - 110 * one.annotations / peak,
            max(step - 1, 1),
            110 * one.annotations / peak,
            "bar",
        )
        for i, one in enumerate(found)
    ]
    ends = [
        label(4, 146, found[0].begin.isoformat(), "q t11"),
        label(296, 146, found[-1].begin.isoformat(), "q t11", "end"),
        label(4, 12, f"at most {words.count(peak)}", "q t11"),
    ]
    title = f"Annotations by {unit.lower()}: {words.plural(sum(one.annotations for one in found), 'annotation')}"
    return picture(300, 152, title, join(*bars), line(4, 130, 296, 130, "ax"), *ends)
