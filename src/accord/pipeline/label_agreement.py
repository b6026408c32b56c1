"""Whether raters who marked the same thing also named it alike: labels of matched regions."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from accord.coefficients.estimate import Estimate
from accord.inference.estimate import estimate
from accord.pipeline.question import Question, spec_of
from accord.pipeline.region_matches import RegionMatches
from accord.pipeline.region_units import RegionUnits, region_units
from accord.pipeline.variants import ALPHA
from accord.similarity.core import Identity, Similarity
from accord.similarity.metric import from_metric
from accord.study import Study
from accord.values import EMPTY, Index, Kind, Value


def label_agreement(question: Question, matches: RegionMatches) -> Estimate | None:
    """Alpha over the labels of matched regions; None where no region has a label.

    A unit is a cluster of matched regions, an answer the labels of one rater's region in it. Several labels are
    compared by Jaccard. Regions of the same unit are not independent: the interval is over units.
    """
    if not any(matches.label_sets[1]):
        return None
    study = label_study(matches, region_units(matches))
    plan = question.plan
    return estimate(
        spec_of(ALPHA),
        study,
        _similarity(study),
        ci=plan.ci,
        interval=cast(Any, plan.interval),
        resamples=plan.resamples,
        generalise=cast(Any, plan.generalise),
        seed=plan.seed,
    )


def label_study(matches: RegionMatches, units: RegionUnits) -> Study:
    """Labels as answers to clusters that two raters or more share."""
    sets, study = matches.label_sets[1], matches.study
    several = any(len(labels) > 1 for labels in sets)
    values = tuple(_value(labels, several=several) for labels in sets)
    shared = np.bincount(units.cluster, minlength=len(units.unit)) >= 2
    use = np.flatnonzero(shared[units.cluster])
    kept, cluster = np.unique(units.cluster[use], return_inverse=True)
    rater = study.rater[units.cell[use]]
    order = np.lexsort((rater, cluster))
    code = matches.named(study.code[units.cell[use]], units.position[use])
    return Study(
        unit=cluster[order].astype(np.int32),
        rater=rater[order],
        code=code[order].astype(np.int32),
        values=values,
        unit_names=[str(number) for number in kept.tolist()],
        rater_names=study.rater_names,
        name=study.name,
        kind=Kind.LABELS if several else Kind.LABEL,
        slots=study.slots,
        cluster=clusters_of(study, units.unit[kept]),
    )


def clusters_of(study: Study, unit: Index) -> Any:
    """Cluster numbers of things that lie in units (n,): what lies in one unit belongs together."""
    number = unit if study.cluster is None else study.cluster[unit]
    return np.unique(number, return_inverse=True)[1].astype(np.int32)


def _value(labels: frozenset[str], *, several: bool) -> Value:
    if several:
        return labels or EMPTY
    return next(iter(labels), EMPTY)


def _similarity(study: Study) -> Similarity:
    return from_metric(study.values, "jaccard") if study.kind is Kind.LABELS else Identity(study.V)
