"""Time stamps and date answers in the forms exports hold them."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, time
from typing import Any, Final

from accord.values import finite

_MILLISECONDS: Final = 1e11  # epoch numbers above this are milliseconds
_YEAR: Final = re.compile(r"\d{4}")
_CLOCK: Final = re.compile(r"\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?")
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_UNIX: Final = {"%s": 1.0, "%Q": 1e-3}


def instant(stamp: Any) -> float | None:
    """Seconds since 1970 UTC of a time stamp; NaN where there is none, None where it cannot be read.

    Times without a zone are taken as UTC.
    """
    if stamp is None or stamp == "":
        return math.nan
    try:
        if type(stamp) is str:
            moment = datetime.fromisoformat(stamp)
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        seconds = float(stamp)
    except (ValueError, TypeError, OverflowError):
        return None
    return seconds if abs(seconds) < _MILLISECONDS else seconds / 1000


def date_answer(answer: Any, pattern: str = "") -> tuple[str, bool]:
    """Canonical text of a date answer, and whether it was understood.

    Dates, times of day and years stay what they are; moments become ISO 8601, in UTC if they have a zone.
    """
    if isinstance(answer, int | float) and not isinstance(answer, bool):
        return _from_number(answer)
    text = str(answer).strip()
    if pattern:
        moment = parse(text, pattern)
        if moment is not None:
            return _canonical(moment, pattern), True
    if _YEAR.fullmatch(text):
        return text, True
    try:
        if _CLOCK.fullmatch(text):
            return time.fromisoformat(text.zfill(5) if len(text) < 6 else text).isoformat(), True
        if _DATE.fullmatch(text):
            return datetime.fromisoformat(text).date().isoformat(), True
        return _iso(datetime.fromisoformat(text)), True
    except ValueError:
        return text, False


def parse(text: str, pattern: str) -> datetime | None:
    """Moment of a text in a strftime-like pattern, None if it does not fit."""
    if pattern in _UNIX:
        try:
            return datetime.fromtimestamp(float(text) * _UNIX[pattern], UTC)
        except (ValueError, OverflowError, OSError):
            return None
    python = pattern.replace("%L", "%f").replace("%e", "%d").replace("%-d", "%d").replace("%-m", "%m")
    try:
        return datetime.strptime(text, python)  # noqa: DTZ007 - exports hold local times without a zone
    except (ValueError, re.error):
        return None


def _canonical(moment: datetime, pattern: str) -> str:
    has_date, has_time = any(f"%{d}" in pattern for d in "djmUbBxcsQ"), any(f"%{t}" in pattern for t in "HIMSTXsQc")
    if has_time:
        return _iso(moment) if has_date or "%Y" in pattern or pattern in _UNIX else moment.time().isoformat()
    return moment.date().isoformat() if has_date else f"{moment.year:04d}"


def _iso(moment: datetime) -> str:
    try:
        return (moment.astimezone(UTC) if moment.tzinfo else moment).isoformat()
    except OverflowError:
        return moment.isoformat()


def _from_number(answer: float) -> tuple[str, bool]:
    if isinstance(answer, int) and 1000 <= answer <= 9999:
        return str(answer), True
    if finite(answer) is None:
        return str(answer), False
    seconds = answer / 1000 if abs(answer) > _MILLISECONDS else answer
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(), True
    except (ValueError, OverflowError, OSError):
        return str(answer), False
