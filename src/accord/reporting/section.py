"""One control in full."""

from __future__ import annotations

from dataclasses import dataclass

from accord.coefficients.estimate import Estimate
from accord.pipeline.report import ControlReport, Diagnostic, Report
from accord.reporting import tables, words
from accord.reporting.cards import count_words
from accord.reporting.figure import Figure
from accord.reporting.figures import all_figures, figures_without_content
from accord.reporting.tables import Table
from accord.reporting.tasks import TaskGroup
from accord.values import Kind

ABOUT_REGIONS = (
    "Asked about regions: what counts here as a task is one region that raters matched. Regions of one task are not "
    "independent; intervals are over tasks."
)
STATUS_WORDS = {"fine": "fine", "thin": "thin", "look": "look here"}


@dataclass(frozen=True, slots=True)
class Section:
    """One control in full."""

    anchor: str
    control: ControlReport
    facts: str
    interval: str
    counts: str
    single: str
    beside: Table
    figures: tuple[Figure, ...]
    tasks: TaskGroup
    diagnostics: tuple[tuple[Diagnostic, str], ...]
    parent: str
    lanes: tuple[str, ...]


def section(report: Report, i: int, tasks: TaskGroup) -> Section:
    """Make the section of one control."""
    control = report.controls[i]
    main = control.main
    symbol = main.symbol or words.title(main.name)
    value = "undefined" if main.undefined else f"={words.NARROW}{words.number(main.value)}"
    interval = f"{words.level(main.interval)} interval {words.bounds(main.interval)}" if main.interval else ""
    lone = control.counts.one
    says = "has one answer and says" if lone == 1 else "have one answer and say"
    unit = "region" if control.control.per_region else "task"
    single = f"{words.plural(lone, unit)} {says} nothing about agreement." if lone else ""
    lanes: tuple[str, ...] = ()
    if any(card.lanes for card in tasks.cards):
        lanes = ("first", "second", "third", "fourth", "fifth", "sixth")[: max(card.lanes for card in tasks.cards)]
    return Section(
        anchor=words.anchor(i),
        control=control,
        facts=f"{symbol}{' ' if main.undefined else words.NARROW}{value}",
        interval=interval,
        counts=count_words(control),
        single=single,
        beside=beside(control),
        figures=all_figures(control, tasks)
        if report.content or control.control.kind is not Kind.TEXT
        else figures_without_content(control),
        tasks=tasks,
        diagnostics=tuple((diagnostic, STATUS_WORDS[diagnostic.status]) for diagnostic in control.diagnostics),
        parent=ABOUT_REGIONS if control.control.per_region else _parent(control),
        lanes=lanes,
    )


def beside(control: ControlReport) -> Table:
    """Table of every coefficient of a control, and of its plain means."""
    rows = [
        (
            tables.text(words.title(key)),
            tables.estimate(value),
            tables.interval(value.interval),
            tables.number(value.observed),
            tables.number(value.expected),
            tables.text(" ".join((words.reason(value), *value.notes)).strip()),
        )
        for key, value in control.coefficients.items()
    ]
    for title, score in (("Pairwise mean over tasks", control.pairwise), ("Consensus", control.consensus)):
        number, interval = tables.number(score.value), tables.interval(score.interval)
        note = tables.text(" ".join((score.undefined or "", *score.notes)).strip().replace("_", " "))
        rows.append((tables.text(title), number, interval, tables.text("–"), tables.text("–"), note))
    heads = tables.headings("Coefficient", "#Value", "#Interval", "#Observed", "#By chance", "Note")
    return Table("All coefficients of this control", heads, tuple(rows))


def _parent(control: ControlReport) -> str:
    """Sentences about a control that was asked only after a parent answer."""
    given = control.given_parent
    if not given:
        return ""
    parent = given.get("parent", "another control")
    parts = [f"Asked only after {parent}."]
    if isinstance(given.get("given"), Estimate):
        share = f" ({words.percent(given['share'])})" if isinstance(given.get("share"), float) else ""
        tasks = words.plural(int(given.get("units", 0)), "task")
        parts.append(f"Where the answers to {parent} agree{share}: {_value(given['given'])} on {tasks}.")
    if isinstance(given.get("joint"), Estimate):
        parts.append(f"With “not asked” as an answer of its own: {_value(given['joint'])}.")
    return " ".join(parts)


def _value(estimate: Estimate) -> str:
    return (
        f"{words.value_of(estimate)} ({words.bounds(estimate.interval)})"
        if estimate.interval
        else words.value_of(estimate)
    )
