"""Numbers and names as people read them; rounding happens here and nowhere before."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from accord.coefficients.estimate import UNDEFINED, Estimate, Interval
from accord.dataset import Control
from accord.values import Kind

PROPER = {"jaccard": "Jaccard", "dice": "Dice", "masi": "MASI", "jaro": "Jaro", "winkler": "Winkler"}

NARROW = "\u202f"
MINUS = "\u2212"

KIND_WORDS = {
    Kind.LABEL: "single choice",
    Kind.LABELS: "several choices",
    Kind.PATHS: "taxonomy",
    Kind.NUMBER: "number",
    Kind.RATING: "rating",
    Kind.DATETIME: "date",
    Kind.TEXT: "free text",
    Kind.RANKING: "ranking",
    Kind.SIDE: "pairwise choice",
    Kind.SPANS: "text spans",
    Kind.BOXES: "boxes",
    Kind.ELLIPSES: "ellipses",
    Kind.POLYGONS: "polygons",
    Kind.MASKS: "masks",
    Kind.KEYPOINTS: "key points",
    Kind.VECTORS: "vectors",
    Kind.TRACKS: "video tracks",
    Kind.TIMELINE: "timeline",
    Kind.RELATIONS: "relations",
    Kind.ANNOTATION: "whole annotation",
    Kind.OTHER: "other",
}

_CONTROLS = {code: 0x2400 + code for code in range(32) if code not in (9, 10)}
_VISIBLE = {**_CONTROLS, 0x7F: 0x2421, **dict.fromkeys(range(0x80, 0xA0), 0xFFFD)}


def shown(text: str) -> str:
    """Make control characters visible and replace what UTF-8 cannot hold, one character for one."""
    visible = text.translate(_VISIBLE)
    return visible.encode("utf-8", "replace").decode("utf-8") if _has_surrogates(visible) else visible


def _has_surrogates(text: str) -> bool:
    return any("\ud800" <= char <= "\udfff" for char in text)


def clip(text: str, limit: int) -> str:
    """Cut to ``limit`` characters with an ellipsis; line breaks become spaces."""
    flat = re.sub(r"\s+", " ", text).strip()
    return flat if len(flat) <= limit else f"{flat[: max(limit - 1, 1)].rstrip()}…"


def squeeze(text: str, limit: int) -> str:
    """Shorten a name for a picture: an address to what is before the @, a path to its leaf, else the middle goes."""
    flat = clip(text.split("@")[0] if text.find("@") > 0 else text, max(len(text), 1))
    if len(flat) > limit:
        flat = flat.rsplit(" > ", 1)[-1]
    if len(flat) <= limit:
        return flat
    tail = (limit - 1) * 2 // 5
    return f"{flat[: limit - 1 - tail]}…{flat[len(flat) - tail :]}"


def number(value: float | None, digits: int = 2) -> str:
    """Rounded number with a real minus sign; an en dash where there is none."""
    if value is None or not math.isfinite(value):
        return "–"
    text = f"{value:,.{digits}f}"
    return text.replace("-", MINUS) if float(text.replace(",", "")) else text.replace("-", "")


def compact(value: float | None) -> str:
    """Three significant digits for numbers in the data's own units."""
    if value is None or not math.isfinite(value):
        return "–"
    if abs(value) >= 1000:
        return number(value, 0)
    return f"{value:.3g}".replace("-", MINUS)


def short(value: float) -> str:
    """Tick label: .667, .8, 1."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return re.sub(r"^(-?)0(?=\.)", r"\1", text).replace("-", MINUS) or "0"


def percent(share: float | None) -> str:
    """Whole percent; an en dash where there is none."""
    if share is None or not math.isfinite(share):
        return "–"
    return f"{share:.0%}".replace("-", MINUS).replace("%", f"{NARROW}%")


def halves(value: float) -> str:
    """Count that may end in a half: no decimals where it is whole."""
    return number(value, 0 if abs(value - round(value)) < 0.05 else 1)


def tiny(value: float) -> str:
    """Count for a small cell: 1234 is 1.2k."""
    if value < 1000:
        return halves(value)
    return f"{value / 1000:.1f}k" if value < 9950 else f"{value / 1000:,.0f}k"


def count(value: int) -> str:
    """Count with thousands separated."""
    return f"{value:,}"


def plural(value: int, noun: str) -> str:
    """Write a count with its noun: '1 task', '2,000 tasks'."""
    return f"{value:,} {noun}{'' if value == 1 else 's'}"


def level(interval: Interval) -> str:
    """Confidence level as percent: '95 %', '99.5 %'."""
    return f"{100 * interval.level:g}{NARROW}%"


def bounds(interval: Interval | None, digits: int = 2) -> str:
    """Write an interval as '0.43 to 0.60'."""
    return "" if interval is None else f"{number(interval.low, digits)} to {number(interval.high, digits)}"


def value_of(estimate: Estimate) -> str:
    """Value of an estimate, or the word undefined."""
    return "undefined" if estimate.undefined else number(estimate.value)


def reason(estimate: Estimate) -> str:
    """Why an estimate is undefined, as a sentence part; empty if it is defined."""
    return (estimate.reason or UNDEFINED.get(estimate.undefined, estimate.undefined)) if estimate.undefined else ""


def kind(control: Control) -> str:
    """Kind of a control, with the ends of its scale where it has one."""
    words = KIND_WORDS[control.kind]
    if control.kind is Kind.RATING and control.domain:
        return f"{words} {control.domain[0]}–{control.domain[-1]}"
    return words


def similarity(estimate: Estimate) -> str:
    """Symbol and similarity in short: 'α nominal', 'α, span overlap'."""
    symbol = estimate.symbol or title(estimate.name)
    name = re.split(r"[(\s|\[]", estimate.similarity)[0].replace("_", " ")
    name = re.sub(r"\b(jaccard|dice|masi|jaro|winkler)\b", lambda found: PROPER[found[0]], name)
    if not name or name == "identity":
        return symbol
    plain = name in {"nominal", "ordinal", "interval", "ratio", "circular"}
    return f"{symbol} {name}" if plain else f"{symbol}, {name}"


def title(key: str) -> str:
    """Readable name of a coefficient key."""
    from accord.coefficients.spec import COEFFICIENTS

    catalog = COEFFICIENTS.catalog()
    return catalog[key].title if key in catalog else key.replace("_", " ").capitalize()


def sentence(text: str) -> str:
    """End with a full stop."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def anchor(i: int) -> str:
    """Name of the i-th control in links; never made from the data."""
    return f"c{i + 1}"


def listing(names: Sequence[str], limit: int = 4) -> str:
    """Write a sequence as 'a, b and c', or 'a, b, c and 9 more'."""
    if len(names) > limit:
        return f"{', '.join(names[: limit - 1])} and {len(names) - limit + 1:,} more"
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)
