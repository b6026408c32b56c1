"""Measure one control: from the question to its part of the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from accord.coefficients.consensus import consensus
from accord.coefficients.estimate import Estimate
from accord.inference.undefined import Counts as Compared
from accord.inference.undefined import before
from accord.pipeline import candidates, detail, diagnostics, raters
from accord.pipeline.broken_masks import broken_masks
from accord.pipeline.choose import default_for
from accord.pipeline.conditional import given_parent
from accord.pipeline.confusion import confused_pairs, confusion
from accord.pipeline.custom import WHOLE
from accord.pipeline.custom_report import custom_notes, custom_report
from accord.pipeline.detection_scores import region_scores
from accord.pipeline.differences import differences
from accord.pipeline.gold import against_gold, gold_accuracy, gold_rows
from accord.pipeline.labels import Labels, label_rows
from accord.pipeline.methods import bands_for, methods_sentence, reading
from accord.pipeline.question import Question, answered_units, spec_of
from accord.pipeline.region_chance import chance_of_regions, chance_rule
from accord.pipeline.relation_types import relations_lost
from accord.pipeline.report import ControlReport, Counts, Diagnostic, Finding, Score
from accord.pipeline.scales import with_scales
from accord.pipeline.summary import as_asked, mean_of
from accord.pipeline.sweep import thresholds_of
from accord.pipeline.text_report import text_report
from accord.pipeline.variants import ALPHA, base_key
from accord.similarity.core import Identity
from accord.similarity.custom import CustomScores
from accord.values import EMPTY, FloatArray, Kind

BINS = 10
CONFUSABLE = frozenset({Kind.LABEL, Kind.SIDE, Kind.RATING})
#: Neighbouring grades are always confused more than chance; naming them would be no news.
NAMED_PAIRS = frozenset({Kind.LABEL, Kind.SIDE})
#: The platform takes a plurality only over these; the metric plays no part in it.
PLURALITY = frozenset({Kind.LABEL, Kind.SIDE, Kind.LABELS, Kind.PATHS, Kind.RATING})


@dataclass(frozen=True)
class Depth:
    """How much to compute: numbers only for the JSON, everything for the page."""

    tasks: bool = False
    page: bool = False
    content: bool = True


def measure_control(question: Question, depth: Depth) -> tuple[ControlReport, list[Finding]]:
    """Return the control's report and its candidate findings (chosen later, for the whole page)."""
    coefficients = {key: _coefficient(question, key) for key in question.coefficients}
    report = _numbers(question, coefficients)
    if question.custom is not None:
        report = _with_custom(report, question.custom)
    report = replace(report, text=text_report(question, report.main, page=depth.page))
    if depth.tasks:
        report = replace(report, tasks=detail.task_values(question))
    if not depth.page or question.study.C == 0:
        return report, []
    return _page(question, report, depth), _candidates(question)


def _with_custom(report: ControlReport, scores: CustomScores) -> ControlReport:
    """Say what came of custom code, in the report and beside each number that rests on it."""
    found = custom_report(scores, whole=report.control.name == WHOLE)
    notes = custom_notes(found)
    return replace(
        report,
        custom=found,
        pairwise=replace(report.pairwise, notes=(*report.pairwise.notes, *notes)),
        coefficients={
            key: replace(estimate, notes=(*estimate.notes, *notes)) for key, estimate in report.coefficients.items()
        },
    )


def _coefficient(question: Question, key: str) -> Estimate:
    """Measure, and read single answers on the published scales; sets, texts and regions have none."""
    found = question.estimate(key)
    return with_scales(found, spec_of(key)) if question.uses_level else found


def _numbers(question: Question, coefficients: dict[str, Estimate]) -> ControlReport:
    study, main = question.study, coefficients[question.headline]
    against = against_gold(question)
    categories = study.q if study.domain else None
    return ControlReport(
        control=replace(question.column.control, level=study.level),
        metric=question.metric,
        headline=question.headline,
        why_headline=_why(question),
        units=answered_units(study),
        raters=study.R,
        answers=study.C,
        pairs=study.P,
        counts=_counts(question),
        pairwise=pairwise(question),
        consensus=_consensus(question),
        coefficients=coefficients,
        rater_pairs=raters.rater_pairs(question),
        labels=label_rows(question),
        histogram=_histogram(question.scores.per_unit),
        reading=reading(main, question.headline),
        methods=methods_sentence(
            question.name, main, question.headline, question.plan, categories, chance_rule(main, study.kind)
        ),
        bands=bands_for(question.headline, main.similarity),
        gold=gold_accuracy(question, against),
        gold_rows=gold_rows(question, against),
        regions=region_scores(question),
        relations=relations_lost(question),
    )


def _why(question: Question) -> str:
    """Completes the sentence "this coefficient is shown because"."""
    if base_key(question.headline) != ALPHA:
        return "it was asked for"
    why = default_for(question.study.kind).why
    return why if question.text_model is None else why.replace("by wording", f"by {question.text_model.spec.key}")


def _page(question: Question, report: ControlReport, depth: Depth) -> ControlReport:
    study = question.study
    matches = None if report.regions is None else report.regions.matches
    rows, total = detail.disagreed_tasks(question, depth.content, matches)
    confusable = study.kind in CONFUSABLE
    return replace(
        report,
        rater_rows=raters.rater_rows(question),
        disagreed=rows,
        disagreed_total=total,
        confusion=confusion(study) if confusable else None,
        confused=confused_pairs(study) if confusable else (),
        differences=differences(question, report.regions, report.relations),
        given_parent=given_parent(question),
        diagnostics=tuple(_diagnostics(question, report)),
        sweep=thresholds_of(question) if report.regions is not None else None,
    )


def _counts(question: Question) -> Counts:
    study, column = question.study, question.column
    empty = sum(int(study.counts[i]) for i, value in enumerate(study.values) if value is EMPTY)
    two = answered_units(study)
    return Counts(two, study.U - two, column.missing, empty, column.not_applicable)


def pairwise(question: Question) -> Score:
    """Mean over units of the mean over their scored pairs."""
    nothing = before(question.study, Compared.of(question.study))
    if nothing:
        return Score(undefined=nothing)
    scores = question.scores
    weights = scores.unit_weight if question.wish.label_weights else None
    score = mean_of(scores.per_unit, question.plan.ci, question.study.cluster, weights)
    score = as_asked(question, score, "percent_agreement", question.pair_similarity)
    skipped = question.scores.skipped
    return replace(score, notes=(*score.notes, f"{skipped} pairs could not be compared")) if skipped else score


def _consensus(question: Question) -> Score:
    """Share of raters who match the best-supported answer, under the threshold form of the metric."""
    study = question.study
    nothing = before(study, Compared.of(study))
    if nothing:
        return Score(undefined=nothing)
    if question.plan.compat and study.kind not in PLURALITY:
        return Score(undefined="not_applicable", notes=("the platform takes a plurality only over categories",))
    if question.custom is not None and question.scores.skipped:
        return Score(undefined="incomplete", notes=("some pairs have no score, so matches cannot be counted",))
    same = Identity(study.V) if question.plan.compat else question.pair_similarity
    found = consensus(study, same, threshold=question.threshold)
    score = mean_of(found.share, question.plan.ci, study.cluster)
    score = as_asked(question, score, "plurality", same, threshold=question.threshold)
    sizes = np.unique(study.m[study.m >= 2])
    notes = [f"a task with m answers has at least 1/m; m is {int(sizes.min())} to {int(sizes.max())} here"]
    if len(sizes) > 1:
        notes.append("tasks with different numbers of answers are averaged")
    ties = int(np.count_nonzero(found.tie & (study.m >= 2)))
    if ties and question.custom is None:
        notes.append(f"tasks where several answers are supported best: {ties}")
    return replace(score, notes=(*score.notes, *notes))


def _histogram(per_unit: FloatArray) -> tuple[int, ...]:
    known = per_unit[np.isfinite(per_unit)]
    return tuple(np.histogram(known, bins=BINS, range=(0.0, 1.0))[0].tolist())


def _candidates(question: Question) -> list[Finding]:
    study, scores, name = question.study, question.scores, question.name
    found = candidates.raters(name, scores)
    if study.kind in NAMED_PAIRS:
        found += candidates.label_pairs(name, confused_pairs(study))
    if study.kind in (Kind.LABELS, Kind.PATHS):
        found += candidates.set_labels(name, scores, Labels.of(study.values, study.kind))
    deviation = 1.0 - scores.per_rater_unit
    return found + candidates.tasks(name, scores, _from_medoid(question, deviation), question.plan.seed)


def _from_medoid(question: Question, deviation: FloatArray) -> FloatArray:
    """Distance of each answer from the most central answer of its unit, (C,)."""
    study = question.study
    filled = np.where(np.isfinite(deviation), deviation, np.inf)
    order = np.lexsort((study.code, filled, study.unit))
    medoid = study.code[order[np.searchsorted(study.unit[order], np.arange(study.U))]]
    return 1.0 - question.pair_similarity.at(study.code, medoid[study.unit])


def _diagnostics(question: Question, report: ControlReport) -> Sequence[Diagnostic]:
    study, main = question.study, report.main
    found = [
        diagnostics.skew(study, report.coefficients, report.headline) if study.kind in CONFUSABLE else None,
        chance_of_regions(main, study.kind),
        broken_masks(question),
        diagnostics.few_units(main),
        _independence(question, main),
        diagnostics.design(study, question.scores.per_unit, question.plan.seed),
        diagnostics.overlap(study, question.scores.rater_pairs),
        diagnostics.unused(study) if study.kind in CONFUSABLE else None,
        diagnostics.dominance(study),
        diagnostics.copies(question.dataset),
    ]
    return [diagnostic for diagnostic in found if diagnostic is not None]


def _independence(question: Question, main: Estimate) -> Diagnostic | None:
    other = question.independent()
    return diagnostics.independence(
        question.dataset,
        question.column,
        main,
        lambda: main if other is None else other.estimate(question.headline),
    )
