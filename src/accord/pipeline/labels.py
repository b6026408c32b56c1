"""Labels that answers hold, and each label against the rest."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from accord.coefficients.empties import binary
from accord.coefficients.specific import specific_agreement
from accord.pipeline.question import Question
from accord.pipeline.report import LabelRow
from accord.pipeline.variants import base_key
from accord.pipeline.words import show
from accord.similarity.core import Identity
from accord.values import EMPTY, BoolArray, FloatArray, Index, Kind, Region, Value

MOST_LABELS = 100
#: Answers that the intervals of all labels together may look at.
MOST_WORK = 500_000_000
UNLABELLED = frozenset({Kind.TEXT, Kind.NUMBER, Kind.RANKING, Kind.DATETIME, Kind.ANNOTATION, Kind.OTHER})


@dataclass(frozen=True, slots=True)
class Labels:
    """Names of the L labels, and which of the V values hold which: ``value`` and ``label``, parallel (n,)."""

    names: list[str]
    value: Index
    label: Index
    values: int

    @classmethod
    def of(cls, values: tuple[Value, ...], kind: Kind) -> Labels:
        """Take values apart; whole annotations hold no labels."""
        if kind is Kind.ANNOTATION:
            return cls([], np.empty(0, np.int64), np.empty(0, np.int64), len(values))
        place: dict[str, int] = {}
        held = [[place.setdefault(name, len(place)) for name in sorted(_names(value, kind))] for value in values]
        value = np.repeat(np.arange(len(values)), [len(labels) for labels in held])
        return cls(list(place), value, np.array([i for labels in held for i in labels], dtype=np.int64), len(values))

    def used(self, counts: Index) -> FloatArray:
        """Answers with each label, (L,), from answers by value (V,)."""
        return np.bincount(self.label, counts[self.value], len(self.names)).astype(np.float64, copy=False)

    def has(self, label: int) -> BoolArray:
        """Which values hold a label, (V,)."""
        found = np.zeros(self.values, dtype=np.bool_)
        found[self.value[self.label == label]] = True
        return found


def _names(value: Value, kind: Kind) -> set[str]:
    if value is EMPTY:
        return set()
    if kind in (Kind.LABELS, Kind.PATHS) and isinstance(value, frozenset):
        return {show(item) for item in value}
    if kind.is_region and isinstance(value, tuple):
        return {label for region in value if isinstance(region, Region) for label in region.labels}
    return {show(value)}


def label_rows(question: Question) -> tuple[LabelRow, ...]:
    """Each label against the rest: count, specific agreement, headline coefficient on the binary question."""
    study = question.study
    if study.kind in UNLABELLED or study.C == 0:
        return ()
    labels = Labels.of(study.values, study.kind)
    used = labels.used(study.counts)
    top = np.sort(np.argsort(-used, kind="stable")[:MOST_LABELS])
    interval = study.C * len(top) <= MOST_WORK
    rows = []
    for i in top.tolist():
        has = binary(study, labels.has(i))
        agreement = question.estimate(base_key(question.headline), has, Identity(2), interval=interval)
        if not interval and not agreement.undefined:
            note = "no interval: there are too many answers to give every label one"
            agreement = replace(agreement, notes=(*agreement.notes, note))
        rows.append(LabelRow(labels.names[i], int(used[i]), float(specific_agreement(has)[1]), agreement))
    return tuple(rows)
