"""Figures of raters: each against the others, and pair by pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from accord.coefficients.estimate import Interval
from accord.pipeline.report import ControlReport, RaterPair
from accord.reporting import tables, words
from accord.reporting.charts import intervals, matrix
from accord.reporting.charts.axis import THIN_UNITS
from accord.reporting.figure import Figure, supported
from accord.reporting.markup import join, name
from accord.reporting.tables import Cell, Table
from accord.reporting.tasks import TaskGroup
from accord.values import Kind

MOST_ROWS = 10

MOST_RATERS = 40


def rater_agreement(control: ControlReport, group: TaskGroup) -> Figure | None:
    """Agreement of each rater with the others."""
    if len(control.rater_rows) < 3:
        return None
    busiest = sorted(control.rater_rows, key=lambda row: -row.answers)[:MOST_ROWS]
    drawn = [
        intervals.Row(
            row.rater,
            words.plural(row.units, "task"),
            row.agreement.value,
            row.agreement.interval,
            row.units < 2 * THIN_UNITS,
        )
        for row in control.rater_rows
        if row in busiest
    ]
    rows = tuple(
        (
            tables.text(row.rater),
            tables.integer(row.units),
            tables.percent(row.agreement.value),
            tables.interval(row.agreement.interval),
            group.cell(group.by_rater.get(row.rater, ())),
        )
        for row in control.rater_rows
    )
    found = supported(control, "rater")
    return Figure(
        title=found.title if found else "No rater can be told apart from the others",
        subtitle="Mean agreement of each rater with the others on shared tasks (not corrected for chance)",
        table=Table("Raters", tables.headings("Rater", "#Tasks", "#Agreement", "#Interval", "#Disagreed"), rows),
        picture=intervals.rows(f"Agreement with the others by rater, {control.control.name}", drawn, None, ()),
    )


def against_gold(control: ControlReport) -> Figure | None:
    """Each rater against the answers marked as ground truth; None where nothing is marked."""
    if control.gold is None or not control.gold_rows:
        return None
    busiest = sorted(control.gold_rows, key=lambda row: -row.score.units)[:MOST_ROWS]
    drawn = [
        intervals.Row(
            row.rater,
            words.plural(row.score.units, "task"),
            row.score.value,
            row.score.interval,
            row.score.units < 2 * THIN_UNITS,
        )
        for row in control.gold_rows
        if row in busiest
    ]
    overall = control.gold
    limits = f" ({words.bounds(overall.interval)})" if overall.interval else ""
    together = f"{words.number(overall.value)}{limits} on {words.plural(overall.units, 'task')}"
    return Figure(
        title="Raters against ground truth",
        subtitle=f"Mean score of each rater on tasks with an answer marked as ground truth; all together {together}",
        table=gold_table(control),
        picture=intervals.rows(f"Score against ground truth by rater, {control.control.name}", drawn, None, ()),
    )


def gold_table(control: ControlReport) -> Table:
    """Table of raters against ground truth."""
    rows = tuple(
        (
            tables.text(row.rater),
            tables.integer(row.score.units),
            tables.number(row.score.value),
            tables.interval(row.score.interval),
        )
        for row in control.gold_rows
    )
    return Table("Raters against ground truth", tables.headings("Rater", "#Tasks", "#Score", "#Interval"), rows)


def _pair_value(pair: RaterPair, by_kappa: bool) -> tuple[float, Interval | None]:
    return (pair.cohen_kappa.value, pair.cohen_kappa.interval) if by_kappa else (pair.value, None)


def rater_pairs(control: ControlReport, group: TaskGroup) -> Figure | None:
    """Heat map of raters; pairs with fewer than ten shared tasks are hatched."""
    pairs = [pair for pair in control.rater_pairs if pair.units]
    if not pairs:
        return None
    by_kappa = _by_kappa(control, pairs)
    measure = "Cohen κ" if by_kappa else "Mean similarity"
    names = _names_in(control)
    picture = None
    if len(names) > 2:
        cell = _rater_cells(pairs, names, by_kappa)
        tail = matrix.scale("κ" if by_kappa else "s")
        picture = matrix.triangle(f"{measure}, rater by rater", matrix.Grid(names, diagonal=False), cell, tail)
    some = "" if len(names) < MOST_RATERS else f"; the {MOST_RATERS} busiest raters"
    return Figure(
        title="Rater by rater",
        subtitle=f"{measure}; hatched: fewer than {THIN_UNITS} shared tasks{some}",
        table=_pair_table(pairs, group, measure, by_kappa),
        picture=picture,
    )


def _by_kappa(control: ControlReport, pairs: Sequence[RaterPair]) -> bool:
    """Whether kappa says more than the mean similarity: not on numbers, which hardly ever match exactly."""
    if control.control.kind in (Kind.NUMBER, Kind.DATETIME):
        return False
    return any(not pair.cohen_kappa.undefined for pair in pairs)


def _names_in(control: ControlReport) -> list[str]:
    met = {name for pair in control.rater_pairs if pair.units for name in (pair.a, pair.b)}
    rows = [row for row in control.rater_rows if row.rater in met]
    order = [row.rater for row in rows] or sorted(met)
    busiest = {row.rater for row in sorted(rows, key=lambda row: -row.answers)[:MOST_RATERS]} or set(
        order[:MOST_RATERS]
    )
    return [name for name in order if name in busiest]


def _rater_cells(
    pairs: Sequence[RaterPair], names: Sequence[str], by_kappa: bool
) -> Callable[[int, int], matrix.PairCell | None]:
    known = {frozenset((pair.a, pair.b)): pair for pair in pairs}

    def cell(i: int, j: int) -> matrix.PairCell | None:
        pair = known.get(frozenset((names[i], names[j])))
        if pair is None:
            return matrix.PairCell("none", "–", "0 tasks")
        value, _ = _pair_value(pair, by_kappa)
        tasks = words.plural(pair.units, "task")
        if pair.units < THIN_UNITS:
            return matrix.PairCell("hatch", "too few", tasks)
        return matrix.PairCell(matrix.shade(value), words.number(value), tasks)

    return cell


def _pair_table(pairs: Sequence[RaterPair], group: TaskGroup, measure: str, by_kappa: bool) -> Table:
    rows = []
    for pair in pairs:
        value, interval = _pair_value(pair, by_kappa)
        number = tables.number(value)
        thin = pair.units < THIN_UNITS
        both = group.by_rater.get(pair.a, frozenset()) & group.by_rater.get(pair.b, frozenset())
        rows.append(
            (
                tables.text(join(name(pair.a), ", ", name(pair.b)), f"{pair.a} {pair.b}"),
                tables.integer(pair.units),
                Cell(f"({number.shown})" if thin else number.shown, number.key, numeric=True),
                tables.interval(interval),
                tables.percent(pair.value),
                group.cell(both),
            )
        )
    heads = tables.headings("Pair", "#Shared tasks", f"#{measure}", "#Interval", "#Agreement", "#Disagreed")
    return Table("Rater by rater; in brackets: too few shared tasks", heads, tuple(rows))
