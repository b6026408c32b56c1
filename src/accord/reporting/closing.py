"""Tables after the controls: raters, readiness, limits, recipes, import."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import PurePath

from accord.coefficients.estimate import UNDEFINED
from accord.pipeline.report import MeanOfControls, Report
from accord.reporting import tables, words
from accord.reporting.charts import shares
from accord.reporting.markup import element, name
from accord.reporting.section import STATUS_WORDS
from accord.reporting.tables import Cell, Table
from accord.reporting.tasks import TaskGroup


def raters(report: Report, groups: Sequence[TaskGroup]) -> Table | None:
    """Table of raters by control; None where there are none."""
    rows = []
    timed = any(row.lead_time_median is not None for control in report.controls for row in control.rater_rows)
    for control, tasks in zip(report.controls, groups, strict=True):
        for row in control.rater_rows:
            numbers = tasks.by_rater.get(row.rater, frozenset())
            cells = (
                tables.text(name(row.rater), row.rater.casefold()),
                tables.text(name(control.control.name), control.control.name.casefold()),
                tables.integer(row.answers),
                tables.integer(row.units),
                tables.percent(row.agreement.value),
                tables.interval(row.agreement.interval),
                _signed(row.influence),
                *((tables.number(row.lead_time_median, 0),) if timed else ()),
                tasks.cell(numbers),
            )
            rows.append(cells)
    if not rows:
        return None
    time = ("#Median seconds",) if timed else ()
    heads = tables.headings(
        "Rater", "Control", "#Answers", "#Shared tasks", "#Agreement", "#Interval", "#Influence", *time, "#Disagreed"
    )
    return Table("Raters by control", heads, tuple(rows))


def _signed(value: float) -> Cell:
    cell = tables.number(value, 3)
    return Cell(f"+{cell.shown}" if math.isfinite(value) and value > 0 else cell.shown, cell.key, numeric=True)


def readiness(report: Report) -> Table | None:
    """Table of the parts of readiness."""
    if report.readiness is None:
        return None
    rows = tuple(
        (
            tables.text(part.capitalize()),
            tables.number(weight),
            Cell("unknown" if value is None else words.percent(value), "" if value is None else value, numeric=True),
            Cell("" if value is None else shares.meter(value, f"{part}: {words.percent(value)}")),
            tables.text(how),
        )
        for part, weight, value, how in report.readiness.parts
    )
    return Table("Parts of readiness", tables.headings("Part", "#Weight", "#Value", "Of 100 %", "What it is"), rows)


def overall(report: Report) -> Table | None:
    """Table of means over controls."""
    rows = tuple(
        (
            tables.text(words.title(key)),
            tables.number(mean.value),
            tables.interval(mean.interval),
            tables.text(f"{mean.controls} of {mean.of}"),
            tables.text(_left_out(mean)),
        )
        for key, mean in report.overall.items()
    )
    heads = tables.headings("Coefficient", "#Mean", "#Interval", "Controls", "Left out")
    return Table("Means over controls", heads, rows) if rows else None


def _left_out(mean: MeanOfControls) -> str:
    """Controls left out of a mean, by reason."""
    by_reason: dict[str, list[str]] = {}
    for control, why in mean.left_out:
        by_reason.setdefault(UNDEFINED.get(why, why), []).append(control)
    return "; ".join(f"{why}: {', '.join(controls)}" for why, controls in by_reason.items()) or "none"


def overall_words(report: Report) -> str:
    """Sentence about mean pairwise agreement."""
    score = report.overall_pairwise
    if not math.isfinite(score.value):
        return ""
    interval = f" ({words.level(score.interval)} interval {words.bounds(score.interval)})" if score.interval else ""
    return (
        f"Mean pairwise agreement over all controls: {words.number(score.value)}{interval}, not corrected for chance."
    )


def limits(report: Report) -> Table | None:
    """Table of every diagnostic that asks for a look."""
    rows = tuple(
        (
            tables.text(element("a", control.control.name, href=f"#{words.anchor(i)}-trust"), control.control.name),
            tables.text(diagnostic.title),
            tables.text(STATUS_WORDS[diagnostic.status]),
            tables.text(diagnostic.text),
        )
        for i, control in enumerate(report.controls)
        for diagnostic in control.diagnostics
        if diagnostic.status != "fine"
    )
    heads = tables.headings("Control", "Question", "Answer", "What was found")
    return Table("What limits these numbers", heads, rows) if rows else None


def recipes(report: Report) -> Table:
    """Table of all signatures."""
    rows = tuple(
        (tables.text(name(control.control.name)), tables.text(words.title(key)), Cell(element("code", value.signature)))
        for control in report.controls
        for key, value in control.coefficients.items()
        if value.signature
    )
    return Table("Recipes of all coefficients", tables.headings("Control", "Coefficient", "Recipe"), rows)


def notices_table(report: Report) -> Table:
    """Table of the import report."""
    rows = []
    for notice in report.dataset.report.notices:
        examples = _without_folders(report, "; ".join(notice.examples[:3])) if report.content else ""
        meaning = f"{notice.meaning} ({examples})" if examples else notice.meaning
        rows.append((tables.text(notice.code), tables.integer(notice.count), tables.text(meaning)))
    return Table("Import report", tables.headings("Code", "#Count", "What happened"), tuple(rows))


def _without_folders(report: Report, text: str) -> str:
    for source in report.dataset.report.sources:
        text = text.replace(source, PurePath(source).name)
    return text


def counts_table(report: Report) -> Table:
    """Table of tasks by what is known about them."""
    rows = tuple(
        (
            tables.text(name(control.control.name), control.control.name.casefold()),
            *(
                tables.integer(n)
                for n in (
                    control.counts.two_or_more,
                    control.counts.one,
                    control.counts.missing,
                    control.counts.empty,
                    control.counts.not_applicable,
                )
            ),
        )
        for control in report.controls
    )
    heads = tables.headings("Control", "#2 or more answers", "#1 answer", "#Missing", "#Empty", "#Not asked")
    return Table("Tasks and answers by control", heads, rows)
