"""What a number means in plain words, and the sentence for a methods section."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from accord.coefficients.estimate import Estimate
from accord.pipeline.plan import Plan
from accord.pipeline.question import spec_of
from accord.pipeline.text_model import UNCHECKED
from accord.pipeline.variants import MARKED, PRESENCE
from accord.pipeline.words import number, percent, plural, why_undefined
from accord.values import Level
from accord.version import __version__

#: Reading bands, only for the family they were proposed for: (lower limit of tentative, of reliable).
BANDS: Mapping[str, tuple[float, ...]] = MappingProxyType({"krippendorff_alpha": (0.667, 0.8)})

INTERVAL_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "score": "score interval from the linearised variance",
        "analytic": "linearised interval with Student's t",
        "bootstrap": "percentile bootstrap interval",
        "bca": "BCa bootstrap interval",
        "jackknife": "jackknife interval",
        "exact": "exact interval",
    }
)


READINGS: Mapping[str, str] = MappingProxyType(
    {MARKED: " on units where somebody marked something", PRESENCE: " for having marked anything"}
)


def title_of(key: str) -> str:
    """Name of a coefficient in a sentence."""
    return spec_of(key).title + READINGS.get(key, "")


def bands_for(key: str, similarity: str) -> tuple[float, ...]:
    """Reading bands of a coefficient on a level of measurement; none for other similarities."""
    return BANDS.get(key, ()) if similarity in set(Level) else ()


def reading(main: Estimate, key: str) -> str:
    """Two or three sentences that need no statistics."""
    title = title_of(key)
    if main.undefined:
        seen = "" if np.isnan(main.observed) else f" Observed agreement is {percent(main.observed)}."
        return f"{title} is undefined here: {why_undefined(main)}.{seen}"
    text = ""
    if np.isfinite(main.observed) and np.isfinite(main.expected):
        text = f"Answers agree {percent(main.observed)}; chance alone would give {percent(main.expected)}. "
    if main.value <= 0:
        text += f"{title} is {number(main.value)}: no better than chance."
    else:
        text += f"{title} says that {percent(main.value)} of the agreement that chance leaves open is reached"
        text += _at_least(main.interval.low if main.interval else float("nan"))
    text += _band_words(main, key)
    return text


def _at_least(low: float) -> str:
    """End of the sentence: how little it may be, which below 0 is no share of anything."""
    if not np.isfinite(low):
        return "."
    if low <= 0:
        return f". The interval begins at {number(low)}, so agreement by chance alone is not ruled out."
    return f", at least {percent(low)} with the data at hand."


def _band_words(main: Estimate, key: str) -> str:
    bands = bands_for(key, main.similarity)
    if not bands or main.interval is None:
        return ""
    tentative, reliable = bands
    if main.interval.low >= reliable:
        return f" The whole interval is above {reliable:.3g}, the customary mark of reliable data."
    if main.interval.high < tentative:
        return f" The whole interval is below {tentative:.3g}, under which conclusions are not customary."
    if main.interval.low >= tentative:
        return f" The whole interval is above {tentative:.3g}, enough for tentative conclusions."
    return f" The interval reaches across the customary mark of {tentative:.3g}: more data are needed to tell."


def methods_sentence(name: str, main: Estimate, key: str, plan: Plan, categories: int | None, chance: str = "") -> str:
    """Sentence with the exact recipe; ``chance`` says where chance agreement comes from, if that is not usual."""
    spec = spec_of(key)
    size = f" ({categories} categories)" if categories else ""
    alike = f" ({main.similarity} similarity)" if main.similarity else ""
    if main.undefined:
        return (
            f"Agreement on {name}{size} was to be measured with {title_of(key)}{alike}; "
            f"it is undefined: {why_undefined(main)}. Computed with Accord {__version__}."
        )
    counts = f"{plural(main.units, 'unit')} with at least two answers, {plural(main.raters, 'rater')}, " + plural(
        main.pairs, "pair of answers", "pairs of answers"
    )
    return (
        f"Agreement on {name}{size} was measured with {title_of(key)} ({spec.reference})"
        f"{f', {main.similarity} similarity' if main.similarity else ''}: "
        f"{spec.symbol} = {number(main.value)}{_interval_sentence(main, plan)}; {counts}"
        f"{f'; chance from {chance}' if chance else ''}. {_scope(main)} "
        f"{_checked(main)}"
        f"Computed with Accord {__version__}, seed {plan.seed}."
    )


def _checked(main: Estimate) -> str:
    return f"Similarities are {UNCHECKED[0].lower()}{UNCHECKED[1:]} " if UNCHECKED in main.notes else ""


def _interval_sentence(main: Estimate, plan: Plan) -> str:
    if main.interval is None:
        return ""
    words = INTERVAL_WORDS.get(main.interval.method, main.interval.method)
    if main.interval.method in ("bootstrap", "bca"):
        words += f", {plan.resamples:,} resamples"
    clusters = f", {main.clusters} clusters" if main.clusters else ""
    level = f"{100 * main.interval.level:.4g} %"
    return f", {level} {words} {number(main.interval.low)} to {number(main.interval.high)}{clusters}"


def _scope(main: Estimate) -> str:
    if "generalise:units+raters" in main.signature:
        return "The interval describes raters like these on units like these."
    return "The interval describes these raters on units like these."
