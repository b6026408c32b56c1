"""From a dataset and a plan to a report: the only place that knows the whole story."""

from __future__ import annotations

import datetime as dt
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from accord.dataset import Dataset
from accord.errors import DataError
from accord.pipeline import candidates
from accord.pipeline.answer import answer_paragraph, cannot_tell
from accord.pipeline.control import Depth, measure_control
from accord.pipeline.custom import WHOLE, with_custom
from accord.pipeline.overall import overall_coefficients, overall_pairwise
from accord.pipeline.plan import Plan, with_code
from accord.pipeline.privacy import without_addresses
from accord.pipeline.question import Question
from accord.pipeline.readiness import readiness
from accord.pipeline.region_answers import region_questions
from accord.pipeline.report import ControlReport, DatasetSummary, Finding, Report
from accord.pipeline.settings import check_names, check_settings
from accord.readers.uniting import united
from accord.version import __version__

Progress = Callable[[str, int, int], None]


def measure(
    dataset: Dataset,
    plan: Plan | Mapping[str, Any] | None = None,
    *,
    tasks: bool = False,
    page: bool = False,
    content: bool = True,
    title: str = "",
    progress: Progress | None = None,
    announce: Callable[[str], None] | None = None,
) -> Report:
    """Measure every control of a dataset.

    Parameters
    ----------
    plan
        How to measure, as a Plan or its JSON form; None = defaults for every kind of answer.
    tasks
        Also give the agreement of every task.
    page
        Also compute what the report page shows: raters, disagreed tasks, findings, diagnostics.
    content
        False leaves out every text that raters wrote or read, and names raters known by an address by number.
    progress
        Called with (control name, done, all), also while pairs of texts are scored.
    announce
        Called with a sentence on what a model that costs something will be asked, before it is.

    Raises
    ------
    UsageError
        If the plan names something that does not exist.
    DataError
        If the dataset has no control.

    Examples
    --------
    >>> import accord
    >>> dataset = accord.read("examples/support-export.json", config="examples/support-config.xml")
    >>> report = accord.measure(dataset)
    >>> report["sentiment"].main.units > 100
    True
    """
    chosen = plan if isinstance(plan, Plan) else Plan.from_dict(plan or {})
    chosen = with_code(replace(chosen, settings=check_settings(chosen.settings)), Path())
    dataset = united(dataset, chosen.unite)
    asked = with_custom(dataset, chosen)
    check_names(asked, chosen)
    named = asked if content else without_addresses(asked)
    names = [name for name in chosen.only or asked.columns if name in asked.columns]
    if not names and not dataset.nested:
        raise DataError.at("holds no control with answers.", file=", ".join(dataset.report.sources) or None)
    depth = Depth(tasks=tasks, page=page, content=content)
    questions: list[Question] = []
    controls: list[ControlReport] = []
    found: list[Finding] = []
    for done, name in enumerate(names):
        if progress:
            progress(name, done, len(names))
        question = replace(Question.of(named, name, chosen), progress=progress, announce=announce)
        control, more = measure_control(question, depth)
        questions.append(question)
        controls.append(control)
        found += more
    about_regions = []
    for question in region_questions(named, chosen, {question.name: question for question in questions}):
        control, more = measure_control(question, depth)
        about_regions.append(control)
        found += more
    if progress:
        progress("", len(names), len(names))
    report = _assemble(
        dataset, chosen, questions, controls, about_regions, found, content=content, title=title, page=page
    )
    return replace(report, notes=(*report.notes, *_not_scored(named, chosen, report)))


def _not_scored(dataset: Dataset, plan: Plan, report: Report) -> tuple[str, ...]:
    """Sentence about questions about regions that have no number."""
    scored = {control.control.name for control in report.controls}
    wanted = (nested.control.name for nested in dataset.nested if not plan.only or nested.control.name in plan.only)
    left_out = [name for name in wanted if name not in scored]
    if not left_out:
        return ()
    names = ", ".join(left_out)
    return (f"Not scored on their own: {names}. They ask about regions, and none with an answer is matched here.",)


def _assemble(
    dataset: Dataset,
    plan: Plan,
    questions: Sequence[Question],
    controls: Sequence[ControlReport],
    about_regions: Sequence[ControlReport],
    found: Sequence[Finding],
    *,
    content: bool,
    title: str,
    page: bool,
) -> Report:
    kept = candidates.select(found)
    parts = [part for part in zip(questions, controls, strict=True) if part[0].name != WHOLE]
    averaged, measured = zip(*parts, strict=True) if parts else (questions, controls)
    pairwise, means = overall_pairwise(averaged, plan), overall_coefficients(averaged, measured, plan)
    studies = {question.name: question.study for question in questions}
    every = (*controls, *about_regions)
    finished = tuple(_finish(control, kept, found) for control in every) if page else every
    return Report(
        version=__version__,
        created=dt.datetime.now(dt.UTC).isoformat(timespec="minutes"),
        dataset=_summary(dataset, title),
        plan=plan.to_dict(),
        controls=finished,
        overall_pairwise=pairwise,
        overall=means,
        findings=kept,
        readiness=readiness(dataset, studies, pairwise.value, means, plan.settings) if page else None,
        answer=answer_paragraph(finished) if page else "",
        content=content,
        versions=versions(),
    )


def _finish(control: ControlReport, kept: Sequence[Finding], found: Sequence[Finding]) -> ControlReport:
    name = control.control.name
    mine = tuple(finding for finding in kept if finding.control == name)
    return replace(
        control,
        findings=mine,
        confused=candidates.mark(control.confused, name, kept),
        cannot_tell=cannot_tell(control, mine, found),
    )


def _summary(dataset: Dataset, title: str) -> DatasetSummary:
    return DatasetSummary(
        title or "Agreement report",
        dataset.fingerprint,
        len(dataset.units),
        len(dataset.raters),
        dataset.answers,
        dataset.report,
    )


def versions() -> dict[str, str]:
    """Versions of everything that took part in the numbers."""
    found = {"accord": __version__, "python": platform.python_version()}
    return found | {name: version(name) for name in ("numpy", "scipy", "rapidfuzz", "shapely")}
