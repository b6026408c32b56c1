"""Raters and pairs of raters: agreement with the others, influence, kappa; bounded for very many."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from accord.coefficients.estimate import Estimate
from accord.inference.influence import rater_influence
from accord.pipeline.labels import Labels
from accord.pipeline.question import Question
from accord.pipeline.report import RaterPair, RaterRow
from accord.pipeline.scores import RaterPairs
from accord.pipeline.summary import mean_of
from accord.values import FloatArray

MOST_PAIRS = 2000
#: Most raters listed: those with most answers.
MOST_RATERS = 1000
#: Labels whose shares are listed.
MOST_SHARES = 30
#: Answers that all intervals of rater pairs, or all influences of raters, may look at.
MOST_WORK = 50_000_000


def rater_pairs(question: Question) -> tuple[RaterPair, ...]:
    """Pairs of raters by shared units: mean similarity, shared units, Cohen's kappa; at most MOST_PAIRS of them."""
    study = question.study
    if study.slots or study.R < 2:
        return ()
    met = question.scores.rater_pairs
    if met is None:
        return ()
    answers = np.bincount(study.rater, minlength=study.R)
    rows, work = [], 0
    for a, b, shared, mean in _listed(met, study.R):
        work += int(answers[a] + answers[b])
        if question.only_observed:
            kappa = _no_kappa(shared, mean)
        else:
            kappa = _kappa(question, a, b, interval=shared > 0 and work <= MOST_WORK)
        rows.append(RaterPair(str(study.rater_names[a]), str(study.rater_names[b]), shared, mean, kappa))
    return tuple(rows)


def _listed(met: RaterPairs, raters: int) -> Iterator[tuple[int, int, int, float]]:
    """Pairs of raters with shared units and mean, most units first; those that never met too if all pairs fit."""
    if raters * (raters - 1) // 2 <= MOST_PAIRS:
        first, second = np.triu_indices(raters, 1)
        shared, mean = np.zeros((raters, raters), dtype=np.int64), np.full((raters, raters), np.nan)
        shared[met.first, met.second], mean[met.first, met.second] = met.shared, met.mean
        met = RaterPairs(first, second, mean[first, second], shared[first, second])
    order = np.argsort(-met.shared, kind="stable")[:MOST_PAIRS]
    columns = (met.first[order], met.second[order], met.shared[order], met.mean[order])
    return zip(*(column.tolist() for column in columns), strict=True)


def _kappa(question: Question, a: int, b: int, *, interval: bool) -> Estimate:
    kappa = question.estimate("cohen_kappa", question.study.only(a, b), interval=interval)
    if interval or kappa.undefined or question.plan.ci is None:
        return kappa
    return replace(kappa, notes=(*kappa.notes, "no interval: there are too many answers to give every pair one"))


def _no_kappa(units: int, observed: float) -> Estimate:
    """Where scores exist within units only."""
    return Estimate(
        name="cohen_kappa",
        value=math.nan,
        observed=observed,
        units=units,
        raters=2,
        pairs=units,
        undefined="not_applicable",
        reason="custom code scores annotations of one task only, so nothing is known about chance",
        symbol="κ",
    )


def rater_rows(question: Question) -> tuple[RaterRow, ...]:
    """Each rater: agreement with the others, influence on the headline, label shares, time."""
    study, plan = question.study, question.plan
    if study.slots:
        return ()
    per_cell, influence = question.scores.per_rater_unit, _influence(question)
    labels = Labels.of(study.values, study.kind)
    order, begins = study.by_rater
    times = lead_times(question)
    busiest = np.sort(np.argsort(-np.diff(begins), kind="stable")[:MOST_RATERS])
    rows = []
    for rater in busiest.tolist():
        mine = order[begins[rater] : begins[rater + 1]]
        units = study.unit[mine]
        used = labels.used(np.bincount(study.code[mine], minlength=study.V))
        shares = used / used.sum() if used.sum() else used
        clusters = None if study.cluster is None else study.cluster[units]
        rows.append(
            RaterRow(
                str(study.rater_names[rater]),
                len(mine),
                int(np.isfinite(per_cell[mine]).sum()),
                mean_of(per_cell[mine], plan.ci, clusters),
                float(influence[rater]),
                dict(zip(labels.names[:MOST_SHARES], shares[:MOST_SHARES].tolist(), strict=False)),
                times.get(str(study.rater_names[rater])),
            )
        )
    return tuple(rows)


def _influence(question: Question) -> FloatArray:
    """Influence of each rater, (R,); NaN where leaving out each in turn would take too long."""
    study = question.study
    if study.R * study.C > 10 * MOST_WORK:
        return np.full(study.R, np.nan)
    spec, options = question.rule(question.headline)
    return rater_influence(spec, study, question.similarity_of(question.spec), options=options)


def lead_times(question: Question) -> dict[str, float]:
    """Median seconds per annotation, by rater, where the tool recorded them."""
    table = question.dataset.annotations
    if table is None:
        return {}
    known = np.flatnonzero(np.isfinite(table.lead_time))
    order = known[np.argsort(table.rater[known], kind="stable")]
    rater = table.rater[order]
    heads = np.flatnonzero(np.concatenate((rater[:1] >= 0, rater[1:] != rater[:-1])))
    parts = np.split(table.lead_time[order], heads[1:])
    return {
        question.dataset.raters[int(rater[i])].name: float(np.median(p)) for i, p in zip(heads, parts, strict=False)
    }
