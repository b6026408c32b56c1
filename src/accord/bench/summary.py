"""From runs to the tables of a benchmark."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from accord.bench.figures import Figure, Replicates, bias, mae, rank_correlation, rmse, slope
from accord.bench.log import Entry
from accord.bench.measures import ORACLE
from accord.bench.settings import Settings
from accord.bench.sign_flip import holm, sign_flip
from accord.bench.trial import Run

ALL = "all"
SIGNIFICANT = 0.05
BUDGET = ("hit_within", "false_within", "hit_across", "false_across")
#: Numbers of permutations for which the error of chance agreement is told.
PERMUTATIONS = (1, 2, 3, 5, 10, 30, 100)
#: Distinct texts for which the cost of exact chance agreement is projected.
PROJECTED = 1000
Z = 1.959963984540054
#: Levels of agreement at which that error is told.
ENDS = (0.2, 0.8)


@dataclass(frozen=True, slots=True)
class Row:
    """One measure in one condition; ``negative`` or ``rate`` is None where all are taken together.

    ``verdict`` compares it with the best measure, which the even replicates choose and the odd ones test; ``p`` is
    adjusted by Holm's method.
    """

    terminology: str
    form: str
    negative: str | None
    rate: float | None
    measure: str
    studies: int
    undefined: int
    mae: Figure
    bias: Figure
    rmse: Figure
    slope: Figure
    largest: float
    rank: float
    budget: tuple[float, ...]
    verdict: str = ""
    p: float = math.nan


@dataclass(frozen=True, slots=True)
class Cost:
    """What a measure took in one terminology and form; ``projected`` seconds for all pairs of 1,000 texts."""

    terminology: str
    form: str
    measure: str
    texts: int
    pairs: int
    seconds: float

    @property
    def rate(self) -> float:
        """Pairs a second."""
        return self.pairs / self.seconds if self.seconds > 0 else math.nan

    @property
    def projected(self) -> float:
        """Seconds for exact chance agreement over 1,000 distinct texts."""
        return PROJECTED * (PROJECTED - 1) / 2 / self.rate if self.pairs else math.nan


@dataclass(frozen=True, slots=True)
class Permuted:
    """Error of chance agreement that is had from so many random permutations.

    ``error`` is its standard error; ``low`` and ``high`` are the half-widths (95 %) that it adds to the coefficient
    at the levels of agreement nearest to .2 and .8.
    """

    terminology: str
    form: str
    measure: str
    permutations: int
    calls: int
    error: float
    low: float
    high: float


@dataclass(frozen=True)
class Summary:
    """All tables."""

    rows: tuple[Row, ...]
    costs: tuple[Cost, ...]
    permuted: tuple[Permuted, ...]
    unique: Mapping[tuple[str, str, float], tuple[float, float]]


def summarise(entries: Iterable[Entry], settings: Settings) -> Summary:
    """Make every table of the entries."""
    table: dict[tuple[str, str, str], list[Entry]] = {}
    for entry in entries:
        table.setdefault((entry.terminology, entry.form, entry.measure), []).append(entry)
    places = list(dict.fromkeys(key[:2] for key in table))
    rows: list[Row] = []
    for place in places:
        mine = {measure: found for (*at, measure), found in table.items() if tuple(at) == place}
        for negative in (*settings.negatives, None):
            rows += _compared(place, negative, None, mine)
        for rate in settings.rates:
            rows += _compared(place, None, rate, mine)
    costs = [_cost(key, found) for key, found in table.items()]
    permuted = [p for key, found in table.items() for p in _permuted(key, found, settings.items)]
    return Summary(tuple(rows), tuple(costs), tuple(permuted), _uniqueness(table, settings))


def _compared(
    place: tuple[str, str], negative: str | None, rate: float | None, table: Mapping[str, Sequence[Entry]]
) -> list[Row]:
    """Rows of all measures in one condition, with verdicts."""
    found = {measure: _replicates(entries, negative, rate) for measure, entries in table.items()}
    verdicts = _verdicts({m: r for m, r in found.items() if m != ORACLE})
    return [
        Row(
            *place,
            negative,
            rate,
            measure,
            len(r.runs),
            r.undefined,
            r.figure(mae),
            r.figure(bias),
            r.figure(rmse),
            r.figure(slope),
            r.largest,
            rank_correlation(r.runs),
            tuple(_mean([getattr(run, name) for run in r.runs]) for name in BUDGET),
            *verdicts.get(measure, ("perfect by construction", math.nan)),
        )
        for measure, r in found.items()
    ]


def _replicates(entries: Sequence[Entry], negative: str | None, rate: float | None) -> Replicates:
    groups: dict[int, list[Run]] = {}
    for entry in entries:
        if negative in (None, entry.negative):
            some = [run for run in entry.runs if rate in (None, run.rate)]
            groups.setdefault(entry.replicate, []).extend(some)
    return Replicates([groups[k] for k in sorted(groups)])


def _verdicts(found: Mapping[str, Replicates]) -> dict[str, tuple[str, float]]:
    """Best of the even replicates, the others against it on the odd ones."""
    each = {measure: r.each for measure, r in found.items()}
    choosing = {m: float(np.nanmean(e[::2])) for m, e in each.items() if np.isfinite(e[::2]).any()}
    if not choosing:
        return dict.fromkeys(found, ("undefined", math.nan))
    best = min(choosing, key=lambda m: choosing[m])
    others = [m for m in found if m != best]
    worse = [each[m][1::2] - each[best][1::2] for m in others]
    adjusted = holm([sign_flip(d) for d in worse]) if others else np.empty(0)
    said = {best: ("best", math.nan)}
    for measure, d, p in zip(others, worse, adjusted.tolist(), strict=True):
        word = "not distinguishable" if p >= SIGNIFICANT else "worse" if np.nanmean(d) > 0 else "better"
        said[measure] = (word, p)
    return said


def _mean(values: Sequence[float]) -> float:
    known = [v for v in values if math.isfinite(v)]
    return sum(known) / len(known) if known else math.nan


def _cost(key: tuple[str, str, str], entries: Sequence[Entry]) -> Cost:
    texts, pairs, seconds = (sum(getattr(e, name) for e in entries) for name in ("texts", "pairs", "seconds"))
    return Cost(*key, texts, pairs, seconds)


def _permuted(key: tuple[str, str, str], entries: Sequence[Entry], items: int) -> list[Permuted]:
    runs = [run for entry in entries for run in entry.runs if math.isfinite(run.error)]
    variance = _mean([run.spread**2 for run in runs])
    ends = [min((run.level for run in runs), key=lambda have: abs(have - wanted), default=wanted) for wanted in ENDS]
    made = []
    for count in PERMUTATIONS:
        error = math.sqrt(variance / count)
        low, high = (
            _mean([Z * run.spread / math.sqrt(count) * _lever(run) for run in runs if run.level == level])
            for level in ends
        )
        made.append(Permuted(*key, count, count * items, error, low, high))
    return made


def _lever(run: Run) -> float:
    """How much of an error of chance agreement reaches the coefficient."""
    return (1.0 - run.value) / (1.0 - run.expected)


def _uniqueness(
    table: Mapping[tuple[str, str, str], Sequence[Entry]], settings: Settings
) -> dict[tuple[str, str, float], tuple[float, float]]:
    """Distinct texts a text, and the effective number of concepts, by synonym rate."""
    found = {}
    for (terminology, form, measure), entries in table.items():
        if measure == ORACLE:
            for rate in settings.rates:
                runs = [run for entry in entries for run in entry.runs if run.rate == rate]
                found[terminology, form, rate] = _mean([r.unique for r in runs]), _mean([r.effective for r in runs])
    return found
