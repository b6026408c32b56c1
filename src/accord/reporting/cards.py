"""The first screen: one card a control, and what to fix first."""

from __future__ import annotations

import math
from dataclasses import dataclass

from markupsafe import Markup

from accord.coefficients.estimate import Estimate
from accord.pipeline.report import ControlReport, Report
from accord.pipeline.text_model import UNCHECKED
from accord.reporting import words
from accord.reporting.charts import histogram, intervals
from accord.reporting.charts.axis import lower_end
from accord.reporting.markup import element, join


@dataclass(frozen=True, slots=True)
class Card:
    """One control on the first screen."""

    anchor: str
    name: str
    kind: str
    recipe: str
    value: str
    interval: str
    counts: str
    signature: str
    bar: Markup
    spark: Markup
    verdict: str
    advice: str | Markup
    reason: str
    others: tuple[tuple[str, Markup], ...] = ()


def cards(report: Report) -> tuple[Card, ...]:
    """Make one card a control, all on one axis."""
    mains = [control.main for control in report.controls]
    mains += [one.estimate for control in report.controls if control.text for one in control.text.measures]
    lows: list[float | None] = [main.value for main in mains]
    lows += [main.interval.low for main in mains if main.interval]
    low = lower_end(lows)
    return tuple(_card(control, i, low, bool(report.criteria)) for i, control in enumerate(report.controls))


def _card(control: ControlReport, i: int, low: float, criteria: bool) -> Card:
    main, called = control.main, control.control.name
    return Card(
        anchor=words.anchor(i),
        name=called,
        kind=words.kind(control.control),
        recipe=f"{words.similarity(main)}{_unchecked(main)}",
        value="–" if main.undefined else words.number(main.value),
        interval="undefined" if main.undefined else words.bounds(main.interval) or "no interval",
        counts=count_words(control),
        signature=main.signature,
        bar=intervals.card(called, main, low, control.bands, control.criterion),
        spark=histogram.small(called, control.histogram),
        verdict=control.verdict or ("No criterion set" if criteria else ""),
        advice=_advice(control),
        reason=words.reason(main),
        others=_others(control, low),
    )


def _unchecked(found: Estimate) -> str:
    """Label of a number that rests on a model nobody has checked on these texts."""
    return f"; {UNCHECKED[0].lower()}{UNCHECKED[1:].rstrip('.')}" if UNCHECKED in found.notes else ""


def _others(control: ControlReport, low: float) -> tuple[tuple[str, Markup], ...]:
    """Wording beside meaning, or the other way round: neither is hidden."""
    if control.text is None:
        return ()
    found = [one for one in control.text.measures if not one.chosen and one.title in ("Wording", "Meaning")]
    return tuple(
        (
            f"{one.title}: {words.value_of(one.estimate)}{_unchecked(one.estimate)}",
            intervals.card(f"{control.control.name}, {one.title.lower()}", one.estimate, low, (), None),
        )
        for one in found
    )


def _advice(control: ControlReport) -> str | Markup:
    if control.main.undefined:
        return ""
    if control.findings:
        finding = control.findings[0]
        share = f" ({words.percent(finding.share)} of the loss)" if math.isfinite(finding.share) else ""
        return join(element("b", finding.title), f"{share}. {finding.action}")
    looked = [diagnostic for diagnostic in control.diagnostics if diagnostic.status != "fine"]
    if looked:
        return _first_sentence(looked[0].text)
    return "Nothing stands out."


def _first_sentence(text: str) -> str:
    """Short texts whole, of long ones the first sentence."""
    end = text.find(". ")
    return text if end < 0 or len(text) <= 160 else text[: end + 1]


def count_words(control: ControlReport) -> str:
    """Write what the headline rests on."""
    main = control.main
    return " · ".join(
        (
            words.plural(main.units, "region" if control.control.per_region else "task"),
            words.plural(main.raters, "rater"),
            words.plural(main.pairs, "pair"),
        )
    )
