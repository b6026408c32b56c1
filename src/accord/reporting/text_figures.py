"""Figures of free texts: measures side by side with the chance term, and the pairs of texts that decide."""

from __future__ import annotations

from accord.pipeline.report import ControlReport
from accord.pipeline.text_report import Chance, Measured, TextPair
from accord.reporting import tables, words
from accord.reporting.charts import intervals
from accord.reporting.figure import Figure
from accord.reporting.tables import Cell, Table

#: Characters of a text shown in a table.
SHOWN = 160


def measures(control: ControlReport) -> Figure | None:
    """Headline under exact match, wording, meaning and the measure in use."""
    text = control.text
    if text is None:
        return None
    title = words.title(control.headline)
    return Figure(
        title="One coefficient, several measures of texts",
        subtitle=f"{title}; everything else in this section rests on {_named(_chosen(text.measures))}",
        table=Table(
            f"{title} by measure of texts",
            tables.headings("Measure", "#Value", "#Interval", "#Observed", "#By chance", "Note"),
            tuple(map(_row, text.measures)),
        ),
        picture=intervals.rows(
            f"{title} by measure of texts, {control.control.name}",
            [_bar(one) for one in text.measures],
            None,
            (),
        ),
        note=_chance(text.chance, text.texts, text.effective),
    )


def _chosen(measured: tuple[Measured, ...]) -> Measured:
    return next(one for one in measured if one.chosen)


def _named(one: Measured) -> str:
    key = one.key.replace("_", " ")
    return one.title.lower() if one.title.lower() == key else f"{one.title.lower()} ({key})"


def _row(one: Measured) -> tuple[Cell, ...]:
    found = one.estimate
    return (
        tables.text(f"{_named(one)}{', in use' if one.chosen else ''}"),
        tables.estimate(found),
        tables.interval(found.interval),
        tables.number(found.observed),
        tables.number(found.expected),
        tables.text(" ".join((words.reason(found), *found.notes)).strip()),
    )


def _bar(one: Measured) -> intervals.Row:
    found = one.estimate
    note = "in use" if one.chosen else one.key.replace("_", " ")
    return intervals.Row(one.title, note, found.value, found.interval, found.interval is None)


def _chance(chance: Chance | None, texts: int, effective: float) -> str:
    alike = f"{words.plural(texts, 'distinct text')}, as telling as {words.compact(effective)} with nothing in common."
    if chance is None:
        return alike
    limits = "" if chance.low is None else f" ({words.number(chance.low, 3)} to {words.number(chance.high, 3)})"
    how = {
        "exact": f"exact, from all {chance.pairs:,} pairs of texts",
        "closed form": "exact, in closed form",
    }.get(chance.design, f"from {chance.scored:,} of {chance.pairs:,} pairs of texts ({chance.design})")
    other = "" if chance.other is None else f" Under the other convention of chance: {words.number(chance.other, 3)}."
    return f"Expected agreement {words.number(chance.expected, 3)}{limits}, {how}.{other} {alike}"


def deciding(control: ControlReport) -> tuple[Figure, ...]:
    """Pairs of different texts on either side of the threshold."""
    text = control.text
    if text is None:
        return ()
    parts = (
        ("Closest disagreements", f"The most alike of the answers below {text.threshold:g}", text.closest),
        ("Farthest agreements", f"The least alike of the different texts from {text.threshold:g} on", text.farthest),
    )
    return tuple(_pairs(*part) for part in parts if part[2])


def _pairs(title: str, subtitle: str, found: tuple[TextPair, ...]) -> Figure:
    heads = tables.headings("Task", "#Score", "Rater", "says", "Rater", "says", "#Times")
    return Figure(
        title=title,
        subtitle=subtitle,
        table=Table(title, heads, tuple(map(_pair, found))),
        wide=True,
    )


def _pair(pair: TextPair) -> tuple[Cell, ...]:
    left, right = (words.clip(words.shown(text), SHOWN) for text in (pair.left, pair.right))
    return (
        tables.text(pair.unit),
        tables.number(pair.score, 3),
        tables.text(pair.a),
        tables.text(left),
        tables.text(pair.b),
        tables.text(right),
        tables.integer(pair.count),
    )
