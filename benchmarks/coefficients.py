"""Coefficients and inference against one pass of ``np.bincount`` over the same codes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import accord
from accord.similarity.core import Identity
from accord.study import Study
from benchmarks.timing import Call, Case

Build = Callable[[float], Mapping[str, Call]]


def study_of(units: int, raters: int, categories: int, seed: int = 1) -> Study:
    """Complete study with half of the answers following a common truth; unit-sorted int32 codes."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, categories, units, dtype=np.int32)
    code = random.integers(0, categories, (units, raters), dtype=np.int32)
    code = np.where(random.random((units, raters)) < 0.5, truth[:, None], code).astype(np.int32)
    return Study(
        unit=np.repeat(np.arange(units, dtype=np.int32), raters),
        rater=np.tile(np.arange(raters, dtype=np.int32), units),
        code=code.ravel(),
        values=tuple(range(1, categories + 1)),
        domain=categories,
        unit_names=range(units),
        rater_names=[f"r{number}" for number in range(raters)],
    )


def fresh(study: Study, **changes: object) -> Study:
    """Copy without anything cached."""
    return dataclasses.replace(study, **changes)


def against_bincount(study: Study, measure: Callable[[Study], object]) -> Mapping[str, Call]:
    """Reference and measure on the same codes."""
    code = study.code.astype(np.int64)
    return {"np.bincount": lambda: np.bincount(code), "accord": lambda: measure(fresh(study))}


def alpha(units: int, raters: int, categories: int, level: str = "nominal", *, wide: bool = False) -> Build:
    """Point estimate of alpha at one level."""

    def build(scale: float) -> Mapping[str, Call]:
        study = study_of(int(units * scale), raters, categories)
        if wide:
            study = fresh(study, matrix=study.code.reshape(-1, raters))
        return against_bincount(study, lambda one: accord.krippendorff_alpha(one, level=level, ci=None))

    return build


def alpha_from_array(scale: float) -> Mapping[str, Call]:
    """Alpha straight from an integer array (U, 5), coding included."""
    study = study_of(int(2e6 * scale), 5, 50)
    matrix, code = study.code.reshape(-1, 5).astype(np.int64), study.code.astype(np.int64)
    return {
        "np.bincount": lambda: np.bincount(code),
        "accord": lambda: accord.krippendorff_alpha(matrix, level="nominal", ci=None),
    }


def alpha_shuffled(scale: float) -> Mapping[str, Call]:
    """Alpha of a long table of integers in random order, coding and sorting included."""
    import pyarrow as pa

    study = study_of(int(2e6 * scale), 5, 50)
    order = np.random.default_rng(2).permutation(study.C)
    columns = {"unit": study.unit[order], "rater": study.rater[order], "value": study.code[order]}
    frame, code = pa.table(columns), columns["value"].astype(np.int64)

    def measure() -> object:
        long = accord.from_long(frame, unit="unit", rater="rater", value="value")
        return accord.krippendorff_alpha(long, level="nominal", ci=None)

    return {"np.bincount": lambda: np.bincount(code), "accord": measure}


def ratio_of_many_values(scale: float) -> Mapping[str, Call]:
    """Ratio alpha with 10^5 distinct values."""
    study = study_of(int(2e5 * scale), 2, int(1e5 * scale))
    return against_bincount(study, lambda one: accord.krippendorff_alpha(one, level="ratio", ci=None))


def with_interval(units: int, **interval: Any) -> Build:
    """Nominal alpha of five raters with an interval."""

    def build(scale: float) -> Mapping[str, Call]:
        study = study_of(int(units * scale), 5, 5)
        return against_bincount(study, lambda one: accord.krippendorff_alpha(one, level="nominal", **interval))

    return build


def kappa(units: int, categories: int) -> Build:
    """Cohen's kappa of two raters against a joint count."""

    def build(scale: float) -> Mapping[str, Call]:
        size = max(2, int(categories * scale)) if categories > 100 else categories
        study = study_of(int(units * scale), 2, size)
        code = study.code.reshape(-1, 2).astype(np.int64)
        study = fresh(study, matrix=study.code.reshape(-1, 2))
        key = code[:, 0] * size + code[:, 1] if categories <= 100 else code.ravel()
        return {"np.bincount": lambda: np.bincount(key), "accord": lambda: accord.cohen_kappa(fresh(study), ci=None)}

    return build


def all_pairs(units: int, missing: float) -> Build:
    """Kappa of every pair of 100 raters against one dense product of the same size."""

    def build(scale: float) -> Mapping[str, Call]:
        from accord.coefficients.pairwise import pairwise_kappa

        study = study_of(int(units * scale), 100, 5)
        if missing:
            study = fresh(study).cells(np.random.default_rng(3).random(study.C) >= missing)
        random = np.random.default_rng(4).random((100, study.U), dtype=np.float32)

        def product() -> None:
            for _ in range(5):
                random @ random.T

        return {"sgemm": product, "accord": lambda: pairwise_kappa(fresh(study), Identity(5))}

    return build


def of_many(name: str) -> Build:
    """A many-rater coefficient on 10^6 units of five answers."""

    def build(scale: float) -> Mapping[str, Call]:
        measure = getattr(accord, name)
        return against_bincount(study_of(int(1e6 * scale), 5, 5), lambda one: measure(one, ci=None))

    return build


def twice(answers: float) -> dict[str, Any]:
    """Memory limit of twice the input: two int32 columns, unit and code."""
    return {"memory": 2.0, "input_bytes": lambda scale: 8.0 * answers * scale}


NO_TABLE = "A table of 20,000 by 20,000 would take 3,200 MB."
SORT = "Reading at random places decides; it varies with what else uses the memory."
FAST = (
    "The reference is counting, as everywhere in this table. Our own point estimate costs about two such passes: "
    "an interval takes 3 to 4 of those, 1,000 resamples of 10⁵ units about 17 (docs/adr/0014)."
)

BOOTSTRAP = {"interval": "bootstrap", "resamples": 1000}

CASES = (
    Case("T1", "α nominal, 10⁷ answers, 50 categories, sorted", alpha(2_000_000, 5, 50), 12, **twice(1e7)),
    Case("T2", "the same from a shuffled long table, coding included", alpha_shuffled, 18, note=SORT),
    Case("T3", "the same from a wide study", alpha(2_000_000, 5, 50, wide=True), 4, **twice(1e7)),
    Case("T3a", "the same from an int64 array, coding included", alpha_from_array),
    Case("T4o", "α ordinal, 10⁷ answers", alpha(2_000_000, 5, 50, "ordinal"), 14, **twice(1e7)),
    Case("T4i", "α interval, 10⁷ answers", alpha(2_000_000, 5, 50, "interval"), 14, **twice(1e7)),
    Case("T5", "α ratio, 10⁷ answers", alpha(2_000_000, 5, 50, "ratio"), 22, **twice(1e7)),
    Case("T5v", "α ratio, 10⁵ distinct values", ratio_of_many_values, seconds=0.1),
    Case("T6", "α nominal, 5·10⁶ answers, 10⁵ categories", alpha(1_000_000, 5, 100_000), **twice(5e6)),
    Case("T6w", "α nominal, 10⁷ units of two", alpha(10_000_000, 2, 5, wide=True), **twice(2e7)),
    Case("T8", "α with 1,000 bootstrap resamples, 10⁵ units", with_interval(100_000, **BOOTSTRAP), 64, note=FAST),
    Case("T9", "α with its analytic interval, 10⁶ units", with_interval(1_000_000, interval="analytic"), 24, note=FAST),
    Case("T9s", "α with its score interval, 10⁶ units", with_interval(1_000_000), 24, note=FAST),
    Case("T10", "Cohen's κ, 10⁷ units", kappa(10_000_000, 5), 4),
    Case("T10k", "Cohen's κ, 10⁶ units, 20,000 categories", kappa(1_000_000, 20_000), note=NO_TABLE),
    Case("T11", "κ of all pairs of 100 raters, 10⁵ units", all_pairs(100_000, 0.0), 2),
    Case("T11m", "the same, 10⁴ units, 90 % missing", all_pairs(10_000, 0.9), seconds=0.02),
    Case("T12f", "Fleiss' κ, 10⁶ units of five", of_many("fleiss_kappa"), 12),
    Case("T12r", "Randolph's κ, 10⁶ units of five", of_many("randolph_kappa"), 12),
    Case("T12g", "AC1, 10⁶ units of five", of_many("gwet_ac1"), 12),
)
