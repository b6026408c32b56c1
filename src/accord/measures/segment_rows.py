"""Studies from long rows of stretches: rater, start, end, label and, where there are several continua, unit."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from accord.errors import DataError, UsageError
from accord.readers.studies import finished
from accord.study import Study
from accord.values import EMPTY, Kind, Region, Span, Value

COLUMNS = ("rater", "start", "end", "label", "unit")


def as_segments(data: Any, cluster: Sequence[Any] | None = None) -> Study:
    """Make a study of stretches.

    Parameters
    ----------
    data
        A Study of a region control, rows (rater, start, end, label[, unit]), or a dataframe or mapping of columns with
        these names. A label may be a text, several texts, or None. A row with neither start nor end says that the rater
        looked at the unit and marked nothing.
    cluster
        Cluster of each unit (U,).

    Raises
    ------
    DataError
        A row has the wrong number of entries, or its ends are not two finite numbers in order.
    """
    study = data if isinstance(data, Study) else _study(_rows(data))
    return finished(study, None, cluster)


def _rows(data: Any) -> Iterable[Sequence[Any]]:
    if isinstance(data, list | tuple):
        return data
    if not isinstance(data, Mapping):
        import narwhals as nw

        data = nw.from_native(data, eager_only=True).to_dict(as_series=False)
    absent = [name for name in COLUMNS[:4] if name not in data]
    if absent:
        raise UsageError(f"The table has no column {absent[0]!r}. Needed: {', '.join(COLUMNS[:4])}; unit if several.")
    return list(zip(*(data[name] for name in COLUMNS if name in data), strict=True))


def _study(rows: Iterable[Sequence[Any]]) -> Study:
    answers: dict[tuple[int, int], list[Region]] = {}
    units: dict[str, int] = {}
    raters: dict[str, int] = {}
    for number, row in enumerate(rows, start=1):
        if isinstance(row, str) or len(row) not in (4, 5):
            raise DataError.at("a row of stretches is not readable.", line=number, found=repr(row), allowed=_SHAPE)
        unit = units.setdefault(str(row[4]) if len(row) == 5 else "1", len(units))
        rater = raters.setdefault(str(row[0]), len(raters))
        regions = answers.setdefault((unit, rater), [])
        if not (_blank(row[1]) and _blank(row[2])):
            regions.append(Region(_span(row[1], row[2], number), _labels(row[3])))
    return _coded(answers, list(units), list(raters))


_SHAPE = "(rater, start, end, label) or (rater, start, end, label, unit)"


def _coded(answers: Mapping[tuple[int, int], list[Region]], units: list[str], raters: list[str]) -> Study:
    values: dict[Value, int] = {}
    places = sorted(answers)
    codes = [values.setdefault(tuple(answers[place]) or EMPTY, len(values)) for place in places]
    unit, rater = np.array(places, dtype=np.int32).reshape(-1, 2).T
    return Study(
        unit=np.ascontiguousarray(unit),
        rater=np.ascontiguousarray(rater),
        code=np.array(codes, dtype=np.int32),
        values=tuple(values),
        unit_names=units,
        rater_names=raters,
        kind=Kind.SPANS,
    )


def _blank(place: Any) -> bool:
    return place is None or (isinstance(place, float) and math.isnan(place))


def _span(start: Any, end: Any, line: int) -> Span:
    try:
        span = Span(float(start), float(end))
    except (TypeError, ValueError):
        span = Span(math.nan, math.nan)
    if not (math.isfinite(span.start) and math.isfinite(span.end) and span.start <= span.end):
        raise DataError.at(
            "the ends of a stretch are not two numbers in order.", line=line, found=f"{start!r} to {end!r}"
        )
    return span


def _labels(label: Any) -> frozenset[str]:
    if _blank(label):
        return frozenset()
    if isinstance(label, list | tuple | set | frozenset):
        return frozenset(map(str, label))
    return frozenset({str(label)})
