"""The JSON that ``accord score --json`` prints: stable names, full precision, null for what does not exist.

The schema is ``report.schema.json`` beside this file.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib import resources
from typing import Any

from accord.coefficients.estimate import finite
from accord.pipeline.report import ControlReport, MeanOfControls, Report, TaskRow
from accord.values import Kind

#: Kinds whose answers are labels and numbers: shown even where content is withheld.
NO_PROSE = frozenset({Kind.LABEL, Kind.LABELS, Kind.PATHS, Kind.RATING, Kind.NUMBER, Kind.DATETIME, Kind.SIDE})


def to_dict(report: Report, *, tasks: bool = False) -> dict[str, Any]:
    """Return the report as JSON-ready data.

    Parameters
    ----------
    tasks
        Also list every task of every control with its agreement.

    Examples
    --------
    >>> from accord.dataset import ImportReport
    >>> from accord.pipeline.report import DatasetSummary, Report, Score
    >>> data = DatasetSummary("Notes", "0" * 16, 0, 0, 0, ImportReport())
    >>> empty = Report(version="0.1.0", created="", dataset=data, plan={}, controls=(), overall_pairwise=Score())
    >>> sorted(to_dict(empty))
    ['accord', 'controls', 'dataset', 'overall']
    """
    data = report.dataset
    return {
        "accord": report.version,
        "dataset": {
            "fingerprint": data.fingerprint,
            "units": data.units,
            "raters": data.raters,
            "answers": data.answers,
            "import": {"codes": dict(data.report.codes)},
        },
        "controls": [_control(control, tasks) for control in report.controls],
        "overall": {
            "pairwise": report.overall_pairwise.to_dict(),
            "coefficients": {key: _mean(mean) for key, mean in report.overall.items()},
        },
    }


def to_full_dict(report: Report) -> dict[str, Any]:
    """Return the contract with every task, and under ``report`` whatever else the HTML page shows."""
    found = to_dict(report, tasks=True)
    found["report"] = {
        "created": report.created,
        "title": report.dataset.title,
        "answer": report.answer,
        "criteria": report.criteria,
        "content": report.content,
        "plan": finite(dict(report.plan)),
        "versions": dict(report.versions),
        "notes": list(report.notes),
        "findings": [finite(asdict(finding)) for finding in report.findings],
        "readiness": None if report.readiness is None else finite(asdict(report.readiness)),
        "import": _import(report),
        "controls": {control.control.name: _behind(control, report.content) for control in report.controls},
    }
    return found


def schema() -> dict[str, Any]:
    """Return the JSON schema of the contract."""
    text = resources.files("accord.pipeline").joinpath("report.schema.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def _control(control: ControlReport, tasks: bool) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": control.control.name,
        "tag": control.control.tag,
        "kind": str(control.control.kind),
        "level": str(control.control.level),
        "metric": control.metric,
        "headline": control.headline,
        "units": control.units,
        "raters": control.raters,
        "pairs": control.pairs,
        "pairwise": control.pairwise.to_dict(),
        "consensus": control.consensus.to_dict(),
        "coefficients": {key: estimate.to_dict() for key, estimate in control.coefficients.items()},
        "rater_pairs": [
            {
                "a": pair.a,
                "b": pair.b,
                "units": pair.units,
                "value": finite(pair.value),
                "cohen_kappa": pair.cohen_kappa.to_dict(),
            }
            for pair in control.rater_pairs
        ],
        "labels": [
            {
                "label": row.label,
                "count": row.count,
                "specific": finite(row.specific),
                "agreement": row.agreement.to_dict(),
            }
            for row in control.labels
        ],
    }
    if control.control.per_region:
        found["per_region"] = True
    if control.regions is not None:
        found["regions"] = control.regions.to_dict()
    if control.text is not None:
        found["text"] = control.text.to_dict()
    if control.relations is not None:
        found["relations"] = control.relations.to_dict()
    if control.custom is not None:
        found["custom"] = control.custom.to_dict()
    if tasks:
        found["tasks"] = _tasks(control)
    return found


def _tasks(control: ControlReport) -> list[dict[str, Any]]:
    """Tasks with their agreement; for regions also how they were matched."""
    regions = dict(control.regions.tasks()) if control.regions is not None and control.tasks else {}
    return [
        {"unit": task.unit, "value": finite(task.value)}
        | ({"regions": regions[task.unit]} if task.unit in regions else {})
        for task in control.tasks
    ]


def _mean(mean: MeanOfControls) -> dict[str, Any]:
    return {
        "value": finite(mean.value),
        "interval": None if mean.interval is None else mean.interval.to_dict(),
        "controls": mean.controls,
        "of": mean.of,
        "left_out": [{"control": name, "reason": reason} for name, reason in mean.left_out],
    }


def _import(report: Report) -> dict[str, Any]:
    """Import report; examples may hold what raters wrote, so they go with the content."""
    found: dict[str, Any] = finite(asdict(report.dataset.report))
    if not report.content:
        for notice in found["notices"]:
            notice["examples"] = []
    return found


def _behind(control: ControlReport, content: bool) -> dict[str, Any]:
    visible = content or control.control.kind in NO_PROSE
    return {
        "why_headline": control.why_headline,
        "reading": control.reading,
        "methods": control.methods,
        "criterion": control.criterion,
        "verdict": control.verdict,
        "bands": list(control.bands),
        "answers": control.answers,
        "counts": asdict(control.counts),
        "histogram": list(control.histogram),
        "raters": [
            {
                "rater": row.rater,
                "answers": row.answers,
                "units": row.units,
                "agreement": row.agreement.to_dict(),
                "influence": finite(row.influence),
                "shares": finite(dict(row.shares)) if visible else {},
                "lead_time_median": finite(row.lead_time_median),
            }
            for row in control.rater_rows
        ],
        "confusion": None if control.confusion is None else finite(asdict(control.confusion)),
        "confused": [finite(asdict(pair)) for pair in control.confused],
        "differences": finite(dict(control.differences)),
        "given_parent": _given_parent(control),
        "deciding_texts": None if control.text is None else control.text.deciding(visible),
        "gold_accuracy": None if control.gold is None else control.gold.to_dict(),
        "gold_raters": [{"rater": row.rater, "score": row.score.to_dict()} for row in control.gold_rows],
        "disagreed": [_task(task, visible) for task in control.disagreed],
        "disagreed_total": control.disagreed_total,
        "diagnostics": [
            {
                "title": diagnostic.title,
                "status": diagnostic.status,
                "text": diagnostic.text,
                "estimate": None if diagnostic.estimate is None else diagnostic.estimate.to_dict(),
            }
            for diagnostic in control.diagnostics
        ],
        "findings": [finite(asdict(finding)) for finding in control.findings],
        "cannot_tell": list(control.cannot_tell),
    }


def _given_parent(control: ControlReport) -> dict[str, Any] | None:
    if control.given_parent is None:
        return None
    return {
        key: value.to_dict() if hasattr(value, "to_dict") else finite(value)
        for key, value in control.given_parent.items()
    }


def _task(task: TaskRow, visible: bool) -> dict[str, Any]:
    return {
        "unit": task.unit,
        "value": finite(task.value),
        "influence": finite(task.influence),
        "answers": [{"rater": answer.rater, "answer": answer.text if visible else None} for answer in task.answers],
    }
