"""Figures of labels: how they are used, how well each is agreed on, which are mixed up."""

from __future__ import annotations

import math
from collections.abc import Sequence

from accord.pipeline.report import ControlReport
from accord.reporting import tables, words
from accord.reporting.charts import intervals, matrix, shares
from accord.reporting.charts.axis import THIN_UNITS
from accord.reporting.figure import Figure, supported
from accord.reporting.markup import join, label, name
from accord.reporting.tables import Table
from accord.reporting.tasks import TaskGroup

MOST_RATERS = 40

MOST_ROWS = 10
MOST_CELLS = 8

LOSS_STEPS = (0.03, 0.08, 0.15, 0.25, 0.4)


def _label_order(control: ControlReport) -> list[str]:
    """Labels to draw: the most used ones, in the order of the control."""
    used = sorted(control.labels, key=lambda row: -row.count)[:MOST_ROWS]
    kept = {row.label for row in used}
    return [row.label for row in control.labels if row.label in kept]


def label_shares(control: ControlReport) -> Figure | None:
    """Share of each label in each rater's answers."""
    labels = _label_order(control)
    raters = [row for row in control.rater_rows if row.shares]
    if len(labels) < 2 or not raters:
        return None
    busiest = sorted(raters, key=lambda row: -row.answers)[: shares.RATERS_DRAWN]
    drawn = [(row.rater, row.answers, row.shares) for row in raters if row in busiest]
    heads = tables.headings("Label", *(f"#{row.rater}" for row in raters[:MOST_RATERS]))
    rows = tuple(
        (tables.text(row.label), *(tables.percent(r.shares.get(row.label, 0.0)) for r in raters[:MOST_RATERS]))
        for row in control.labels
    )
    some = f"; the {len(drawn)} busiest of {len(raters)} raters" if len(drawn) < len(raters) else ""
    return Figure(
        title="Labels by rater",
        subtitle=f"Share of each rater’s answers{some}{_left_out(control, labels)}",
        table=Table("Labels by rater", heads, rows),
        picture=shares.by_rater(labels, drawn),
    )


def _left_out(control: ControlReport, labels: Sequence[str]) -> str:
    more = len(control.labels) - len(labels)
    return f"; {more} less used labels in the table" if more > 0 else ""


def label_agreement(control: ControlReport, group: TaskGroup) -> Figure | None:
    """Agreement on each label against the rest."""
    labels = _label_order(control)
    if len(labels) < 2:
        return None
    chosen = [row for row in control.labels if row.label in set(labels)]
    data = [
        intervals.Row(
            row.label,
            words.plural(row.count, "answer"),
            row.agreement.value,
            row.agreement.interval,
            row.count < 2 * THIN_UNITS,
        )
        for row in chosen
    ]
    found = supported(control, "label")
    symbol = control.main.symbol or "coefficient"
    title = "Agreement per label"
    return Figure(
        title=found.title if found else title,
        subtitle=f"{symbol} of each label against the rest, with its interval{_left_out(control, labels)}",
        table=_label_table(control, group),
        picture=intervals.rows(f"{title}, {control.control.name}", data, control.main.value, control.bands),
    )


def _label_table(control: ControlReport, group: TaskGroup) -> Table:
    heads = tables.headings(
        "Label", "#Answers", f"#{control.main.symbol or 'Value'}", "#Interval", "#Specific", "Tasks"
    )
    rows = tuple(
        (
            tables.text(row.label),
            tables.integer(row.count),
            tables.estimate(row.agreement),
            tables.interval(row.agreement.interval),
            tables.number(row.specific),
            group.cell(group.by_answer.get(row.label, ())),
        )
        for row in control.labels
    )
    return Table("Agreement per label", heads, rows)


def confusion(control: ControlReport) -> Figure | None:
    """Label pairs: how often they met, how often chance would bring them together."""
    table = control.confusion
    if table is None or len(table.labels) < 2:
        return None
    used = sorted(range(len(table.labels)), key=lambda i: -sum(table.observed[i]))[:MOST_CELLS]
    chosen = sorted(used)
    names = [table.labels[i] for i in chosen]
    loss = sum(map(sum, table.observed)) - sum(row[i] for i, row in enumerate(table.observed))

    def cell(i: int, j: int) -> matrix.PairCell:
        a, b = chosen[i], chosen[j]
        times = 1 if a == b else 2
        observed, expected = times * table.observed[a][b], times * table.expected[a][b]
        below = f"exp. {words.number(expected, 0)}"
        shade = "outline" if a == b else matrix.shade(observed / loss if loss else 0.0, LOSS_STEPS)
        return matrix.PairCell(shade, words.tiny(observed), below)

    grid = matrix.Grid(names, diagonal=True)
    tail = label(grid.left, 9, "exp. = if labels met at random", "q t11") if grid.roomy else join()
    picture = matrix.triangle(f"Label pairs, {control.control.name}", grid, cell, tail)
    some = f"; the {len(names)} most used of {len(table.labels)} labels" if len(names) < len(table.labels) else ""
    return Figure(
        title="Which labels meet",
        subtitle=f"Pairs by the two labels given; {words.halves(loss)} differ. Shade: share of these{some}",
        table=_confusion_table(names, chosen, table.observed),
        picture=picture,
    )


def _confusion_table(names: Sequence[str], chosen: Sequence[int], observed: Sequence[Sequence[float]]) -> Table:
    heads = tables.headings("Label", *(f"#{name}" for name in names))
    rows = tuple(
        (
            tables.text(name),
            *(tables.number((1 if a == b else 2) * observed[a][b], 0) for b in chosen),
        )
        for name, a in zip(names, chosen, strict=True)
    )
    return Table("Pairs of answers by the two labels given", heads, rows)


def confused(control: ControlReport, group: TaskGroup) -> Figure | None:
    """Confused label pairs against chance, largest share of the loss first."""
    pairs = control.confused
    if not pairs:
        return None
    rows = tuple(
        (
            tables.text(join(name(pair.first), ", ", name(pair.second)), f"{pair.first} {pair.second}"),
            tables.number(pair.observed, 0),
            tables.number(pair.expected, 1),
            tables.number(pair.observed / pair.expected if pair.expected else math.nan),
            tables.percent(pair.share),
            group.cell(pair_tasks(group, pair.first, pair.second)),
        )
        for pair in pairs
    )
    named = [pair for pair in pairs if pair.supported]
    top = named[0] if named else None
    title = f"{top.first} against {top.second}: {words.percent(top.share)} of the loss" if top else "Label pairs"
    note = "" if top else "No pair takes more of the disagreement than its labels’ frequencies explain."
    return Figure(
        title=title,
        subtitle="Expected: labels drawn at random among the disagreements. Ratio above 1: these meet more often",
        table=Table(
            "Label pairs against chance",
            tables.headings("Pair", "#Observed", "#Expected", "#Ratio", "#Share of loss", "#Tasks"),
            rows,
        ),
        wide=True,
        note=note,
    )


def pair_tasks(group: TaskGroup, first: str, second: str) -> frozenset[int]:
    """Embedded tasks in which both labels were given."""
    return group.by_answer.get(first, frozenset()) & group.by_answer.get(second, frozenset())
