"""Every figure of a control, in reading order."""

from __future__ import annotations

from accord.pipeline.report import ControlReport
from accord.reporting.figure import Figure
from accord.reporting.label_figures import confused, confusion, label_agreement, label_shares
from accord.reporting.rater_figures import against_gold, rater_agreement, rater_pairs
from accord.reporting.region_figures import by_threshold, found, who_found
from accord.reporting.tasks import TaskGroup
from accord.reporting.text_figures import deciding, measures
from accord.reporting.value_figures import bland_altman, distribution, types


def figures_without_content(control: ControlReport) -> tuple[Figure, ...]:
    """Figures of free texts that show no text."""
    found = measures(control)
    return () if found is None else (found,)


def all_figures(control: ControlReport, group: TaskGroup) -> tuple[Figure, ...]:
    """Every figure the control has data for, in reading order."""
    made = (
        measures(control),
        *deciding(control),
        distribution(control),
        found(control),
        types(control),
        label_shares(control),
        label_agreement(control, group),
        rater_agreement(control, group),
        rater_pairs(control, group),
        against_gold(control),
        confusion(control),
        confused(control, group),
        bland_altman(control),
        who_found(control),
        by_threshold(control),
    )
    return tuple(figure for figure in made if figure is not None)
