"""Free text and codes side by side: how far each measure is from the agreement of the codes, on real data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.bench.figures import Figure
from accord.coefficients.estimate import Estimate
from accord.validation.material import Material, resampled
from accord.values import BoolArray, FloatArray

RESAMPLES = 2000
#: What raters are, and what agreement between them is called.
ROLES = {"annotator": "inter-annotator agreement", "source": "cross-source agreement"}


@dataclass(frozen=True, slots=True)
class Beside:
    """One measure beside the codes: its coefficient, that minus the coefficient of the codes, and where it is from.

    ``budget``: mean score of pairs with the same code and with different codes, within units, then over all pairs.
    """

    measure: str
    value: Figure
    difference: Figure
    budget: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class SideBySide:
    """All measures beside the codes of the same answers."""

    coefficient: str
    codes: Estimate
    rows: tuple[Beside, ...]
    units: int
    raters: int
    texts: int
    dropped: int
    role: str

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "coefficient": self.coefficient,
            "agreement": ROLES[self.role],
            "codes": figure_dict(of_estimate(self.codes)),
            "units": self.units,
            "raters": self.raters,
            "distinct_texts": self.texts,
            "answers_left_out": self.dropped,
            "measures": [
                {
                    "measure": row.measure,
                    "value": figure_dict(row.value),
                    "difference": figure_dict(row.difference),
                    "budget": [None if math.isnan(v) else v for v in row.budget],
                }
                for row in self.rows
            ],
        }


def figure_dict(figure: Figure) -> dict[str, float | None]:
    """Number and interval, null where there is none."""
    names = {"value": figure.value, "low": figure.low, "high": figure.high}
    return {name: v if math.isfinite(v) else None for name, v in names.items()}


def of_estimate(found: Estimate) -> Figure:
    """Value and interval of an estimate."""
    if found.interval is None:
        return Figure(found.value, math.nan, math.nan)
    return Figure(found.value, found.interval.low, found.interval.high)


def limits(value: float, drawn: FloatArray) -> Figure:
    """A value with the percentile interval of its resamples."""
    known = drawn[np.isfinite(drawn)]
    if not len(known) or not math.isfinite(value):
        return Figure(value, math.nan, math.nan)
    low, high = np.percentile(known, (2.5, 97.5))
    return Figure(value, float(low), float(high))


def beside(data: Material, *, role: str = "annotator", seed: int = 0) -> SideBySide:
    """Compare every measure with the codes; intervals by drawing units anew, the same ones for texts and codes."""
    codes = data.coded(ci=0.95)
    if codes is None or data.codes is None:
        raise TypeError("there are no codes")
    weights = resampled(data.study.U, RESAMPLES, seed)
    coded = data.drawn_codes(weights)
    rows = []
    for measure, table in data.scores.items():
        drawn = data.drawn(table, weights)
        value = data.measured(table).value
        rows.append(
            Beside(measure, limits(value, drawn), limits(value - codes.value, drawn - coded), _budget(data, table))
        )
    s = data.study
    return SideBySide(data.coefficient, codes, tuple(rows), s.U, s.R, s.V, data.dropped, role)


def _budget(data: Material, table: FloatArray) -> tuple[float, float, float, float]:
    study, codes = data.study, data.codes
    if codes is None:
        raise TypeError("there are no codes")
    first, second = study.pairs
    within = table[study.code[first], study.code[second]]
    same = codes.code[first] == codes.code[second]
    together, apart = across(study.code, codes.code, table)
    return _mean(within[same]), _mean(within[~same]), together, apart


def across(text: Sequence[int] | Any, code: Any, table: FloatArray) -> tuple[float, float]:
    """Mean score of all pairs of answers with the same code, and with different codes."""
    joint = np.zeros((int(code.max()) + 1, len(table)))
    np.add.at(joint, (code, text), 1.0)
    every = joint.sum(axis=0)
    same = float(np.einsum("ct,tu,cu->", joint, table, joint, optimize=True))
    pairs = float((joint.sum(axis=1) ** 2).sum())
    whole, all_pairs = float(every @ table @ every), float(every.sum() ** 2)
    other = all_pairs - pairs
    return same / pairs, (whole - same) / other if other > 0 else math.nan


def _mean(values: FloatArray | BoolArray) -> float:
    return float(values.mean()) if len(values) else math.nan
