"""Free texts, the codes that stand beside them where there are some, and the scores of every measure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from accord.coefficients.estimate import Estimate
from accord.coefficients.spec import COEFFICIENTS
from accord.equivalence.protocol import Equivalence
from accord.errors import DataError, UnknownNameError, UsageError
from accord.inference.estimate import estimate
from accord.inference.recipe import complete_options
from accord.similarity.core import Dense, Identity, Similarity
from accord.similarity.text_pool import PairMemo, Progress, TextPool
from accord.study import Study
from accord.values import FloatArray, Index

#: Coefficients whose observed and expected agreement are sums over pairs of texts with known weights.
SUPPORTED = ("cohen_kappa", "fleiss_kappa", "krippendorff_alpha")
#: Texts up to which all pairs are held.
MOST_TEXTS = 3000


@dataclass(frozen=True)
class Material:
    """Answers of one question.

    Attributes
    ----------
    study
        Texts by unit and rater; its values are distinct normal texts.
    codes
        The same cells as codes, or None.
    scores
        Scores of all pairs of texts by measure, (T, T) each.
    dropped
        Answers left out because their code or text is missing.
    """

    study: Study
    codes: Study | None
    coefficient: str
    scores: Mapping[str, FloatArray]
    fingerprints: Mapping[str, str]
    dropped: int = 0

    @property
    def texts(self) -> list[str]:
        """Distinct texts."""
        return [str(value) for value in self.study.values]

    def measured(self, table: FloatArray, ci: float | None = None) -> Estimate:
        """The coefficient of the texts under scores of their pairs."""
        return estimate(COEFFICIENTS.catalog()[self.coefficient], self.study, Dense(table, "scores"), ci=ci)

    def coded(self, ci: float | None = None) -> Estimate | None:
        """The coefficient of the codes."""
        if self.codes is None:
            return None
        return estimate(COEFFICIENTS.catalog()[self.coefficient], self.codes, Identity(self.codes.V), ci=ci)

    def drawn(self, table: FloatArray, weights: FloatArray) -> FloatArray:
        """The same under other weights of the units, (B, U) to (B,)."""
        return _drawn(self.coefficient, self.study, Dense(table, "scores"), weights)

    def drawn_codes(self, weights: FloatArray) -> FloatArray:
        """The coefficient of the codes under other weights of the units, (B,)."""
        if self.codes is None:
            raise TypeError("there are no codes")
        return _drawn(self.coefficient, self.codes, Identity(self.codes.V), weights)


def _drawn(coefficient: str, study: Study, similarity: Similarity, weights: FloatArray) -> FloatArray:
    spec = COEFFICIENTS.catalog()[coefficient]
    if spec.tally is None or spec.finish is None:
        raise TypeError(f"{coefficient} has no rows")
    tally = spec.tally(study, similarity, complete_options(spec, None))
    found = [
        np.atleast_1d(spec.finish(np.asarray(some @ tally.rows), tally.context).value)
        for some in np.array_split(weights, max(1, len(weights) // 100))
    ]
    return np.concatenate(found)


def resampled(units: int, times: int, seed: int) -> FloatArray:
    """How often each unit is drawn, (B, U)."""
    rng = np.random.default_rng(seed)
    return rng.multinomial(units, np.full(units, 1.0 / units), size=times).astype(np.float64)


def material(
    texts: Study,
    codes: Study | None,
    models: Mapping[str, Equivalence],
    coefficient: str | None = None,
    progress: Progress | None = None,
) -> Material:
    """Bring texts and codes together and score all pairs of texts by every model.

    Raises
    ------
    DataError
        If nothing can be compared, an answer says nothing, or there are too many texts.
    UsageError
        If the coefficient does not fit the raters.
    """
    before = texts.C
    if codes is not None:
        texts, codes = aligned(texts, codes)
    study = normalised(texts)
    chosen = coefficient or ("cohen_kappa" if study.R == 2 else "krippendorff_alpha")
    _check(study, chosen)
    tables = {name: score_table(model, study, progress) for name, model in models.items()}
    prints = {name: model.fingerprint for name, model in models.items()}
    return Material(study, codes, chosen, tables, prints, before - texts.C)


def _check(study: Study, coefficient: str) -> None:
    if coefficient not in SUPPORTED:
        raise UnknownNameError.among("coefficient for validation", coefficient, SUPPORTED)
    if study.P == 0:
        raise DataError.at("no unit has two answers.", hint="Check --unit, --rater and --text.")
    if coefficient == "cohen_kappa" and study.R != 2:
        raise UsageError(f"cohen_kappa compares two raters; there are {study.R}. Take krippendorff_alpha.")
    if study.V > MOST_TEXTS:
        raise UsageError(f"There are {study.V:,} distinct texts; up to {MOST_TEXTS:,} can be held. Take fewer units.")


def normalised(study: Study) -> Study:
    """The study with distinct normal texts as its values; answers that say nothing go."""
    pool = TextPool(study.values)
    place = pool.place[study.code]
    kept = place != pool.blank
    if not kept.all():
        study, place = study.cells(kept), place[kept]
    return replace(
        study, code=place.astype(np.int32), values=tuple(pool.texts), domain=None, matrix=None, name=study.name
    )


def aligned(first: Study, second: Study) -> tuple[Study, Study]:
    """Both studies with the cells that they share, in one order of units and raters."""
    units = {name: k for k, name in enumerate(first.unit_names)}
    raters = {name: k for k, name in enumerate(first.rater_names)}
    keys = first.unit.astype(np.int64) * len(raters) + first.rater
    unit = np.array([units.get(name, -1) for name in second.unit_names], dtype=np.int64)[second.unit]
    rater = np.array([raters.get(name, -1) for name in second.rater_names], dtype=np.int64)[second.rater]
    others = np.where((unit >= 0) & (rater >= 0), unit * len(raters) + rater, -1)
    shared = np.intersect1d(keys, others)
    if not len(shared):
        raise DataError.at("no answer has both a text and a code.")
    return first.cells(np.isin(keys, shared)), _reordered(second.cells(np.isin(others, shared)), first)


def _reordered(study: Study, like: Study) -> Study:
    """Units and raters in the order of another study."""
    units = {name: k for k, name in enumerate(like.unit_names)}
    raters = {name: k for k, name in enumerate(like.rater_names)}
    unit = np.array([units[name] for name in study.unit_names], dtype=np.int64)[study.unit]
    rater = np.array([raters.get(name, 0) for name in study.rater_names], dtype=np.int64)[study.rater]
    order: Index = np.lexsort((rater, unit))
    used = np.unique(unit)
    return replace(
        study,
        unit=np.searchsorted(used, unit[order]).astype(np.int32),
        rater=rater[order].astype(np.int32),
        code=study.code[order],
        unit_names=[like.unit_names[k] for k in used.tolist()],
        rater_names=list(like.rater_names),
        matrix=None,
        cluster=None,
    )


def score_table(model: Equivalence, study: Study, progress: Progress | None = None) -> FloatArray:
    """Scores of all pairs of the texts of a study, (T, T).

    Raises
    ------
    DataError
        If the model gives no score to some.
    """
    memo = PairMemo(TextPool(study.values), model, progress)
    table = memo.table()
    if memo.failed:
        raise DataError.at(
            f"{model.name} gave no score to {memo.failed:,} of {memo.calls:,} pairs.",
            hint="What was scored is kept in the cache; run again, or leave this measure out.",
        )
    return table
