"""Figures of values: how agreement is spread over tasks, how numbers and regions differ."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from accord.pipeline.relation_types import RelationsLost
from accord.pipeline.report import ControlReport
from accord.reporting import tables, words
from accord.reporting.charts import differences, histogram, shares
from accord.reporting.figure import Figure, supported
from accord.reporting.tables import Table


def distribution(control: ControlReport) -> Figure | None:
    """How the agreement of single tasks is spread."""
    if not any(control.histogram):
        return None
    rows = tuple(
        (tables.number(a, 1), tables.number(b, 1), tables.integer(n)) for a, b, n in histogram.bins(control.histogram)
    )
    found = supported(control, "tasks")
    total = sum(control.histogram)
    return Figure(
        title=found.title if found else "How tasks are spread",
        subtitle=f"Mean agreement of the answers to a task; {words.plural(total, 'task')}",
        table=Table("Tasks by agreement", tables.headings("#From", "#To", "#Tasks"), rows),
        picture=histogram.large(control.control.name, control.histogram),
    )


_LINES = (("bias", "bias"), ("high", "upper"), ("low", "lower"))


def bland_altman(control: ControlReport) -> Figure | None:
    """Differences of numbers against their mean, with limits of agreement."""
    data: Mapping[str, object] | None = control.differences.get("bland_altman")
    if not data:
        return None
    limits = [_limit(data, key, title) for key, title in _LINES]
    points = [(float(m), float(d), int(n)) for m, d, n in _sequence(data.get("points"))]
    rows = tuple(
        (tables.text(limit.name), tables.text(words.compact(limit.value)), tables.text(_ends(limit)))
        for limit in limits
    )
    raters = _sequence(data.get("raters"))
    whose = f"{raters[0]} minus {raters[1]}" if len(raters) == 2 else "first minus second rater"
    return Figure(
        title="Differences and limits of agreement",
        subtitle=f"{whose}; 95 % of differences lie between the limits if they are normal",
        table=Table("Bias and limits of agreement", tables.headings("Line", "Value", "Interval"), rows),
        picture=differences.bland_altman(f"Difference against mean, {control.control.name}", points, limits),
    )


def _sequence(value: object) -> Sequence[tuple[float, float, int]]:
    return value if isinstance(value, list | tuple) else ()


def _limit(data: Mapping[str, object], key: str, title: str) -> differences.Limit:
    value, ends = data.get(key), data.get(f"{key}_interval")
    low, high = ends if isinstance(ends, list | tuple) else (math.nan, math.nan)
    return differences.Limit(title, float(value) if isinstance(value, int | float) else math.nan, low, high)


def _ends(limit: differences.Limit) -> str:
    return f"{words.compact(limit.low)} to {words.compact(limit.high)}" if math.isfinite(limit.low) else "–"


def types(control: ControlReport) -> Figure | None:
    """Kinds of disagreement: missing, extra, boundary, label."""
    amounts = [(str(kind), float(n)) for kind, n in (control.differences.get("types") or {}).items()]
    if not any(n for _, n in amounts):
        return None
    total = sum(n for _, n in amounts)
    rows = tuple((tables.text(kind), tables.number(n, 3), tables.percent(n / total)) for kind, n in amounts)
    return Figure(
        title="How answers differ",
        subtitle=_whole(control),
        table=Table("Kinds of disagreement", tables.headings("Kind", "#Amount", "#Share"), rows),
        picture=shares.amounts(f"Kinds of disagreement, {control.control.name}", amounts),
        note=_edges(control.relations) if control.relations else "",
    )


def _whole(control: ControlReport) -> str:
    """What the kinds are shares of."""
    if control.regions is None and control.relations is None:
        return "Share of the disagreement by its kind"
    return f"Shares of the {words.number(1.0 - control.pairwise.value)} that the mean score lacks to 1"


def _edges(found: RelationsLost) -> str:
    """Sentences about relations that only one of two raters drew, and what to settle first."""
    seen = f" (in {found.pairs:,} of {found.of:,} pairs of answers)" if found.pairs < found.of else ""
    first, alone = "what to link, in which direction, under which name", found.region + found.relation
    if found.losses["region"] > found.losses["relation"]:
        first = "which regions to mark"
    return (
        f"Drawn by both of two raters: {found.shared:,}; by one only: {alone:,}{seen}. "
        f"Of these {found.region:,} hang on a region that the other did not mark; for {found.relation:,} both marked "
        f"the regions. Settle first {first}."
    )
