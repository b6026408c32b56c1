"""What the report says of custom code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from accord.sandbox import Failure
from accord.similarity.custom import CustomScores


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomReport:
    """What came of custom code on the pairs within tasks.

    ``none`` pairs have no score because the code said so; ``failed`` counts the others without one by kind of
    failure, ``first`` names the first of each kind. ``labels`` are mean score and pairs by label.
    """

    code: str
    version: str
    scope: Literal["annotation", "control"]
    comparable_across_units: bool
    pairs: int
    none: int
    clamped: int
    failed: Mapping[str, int]
    first: Mapping[str, str]
    labels: Mapping[str, tuple[float, int]]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        labels = {label: {"value": value, "pairs": pairs} for label, (value, pairs) in self.labels.items()}
        return {**asdict(self), "labels": labels}


def custom_report(scores: CustomScores, *, whole: bool) -> CustomReport:
    """Say what came of custom code on the pairs within tasks."""
    tally = scores.tally
    return CustomReport(
        code=scores.code.name,
        version=scores.code.version,
        scope="annotation" if whole else "control",
        comparable_across_units=scores.code.comparable_across_units,
        pairs=tally.pairs,
        none=tally.none,
        clamped=tally.clamped,
        failed={str(kind): count for kind, count in tally.failed.most_common()},
        first={str(kind): _without_content(failure) for kind, failure in tally.first.items()},
        labels={label: (total / count, count) for label, (total, count) in sorted(tally.labels.items())},
    )


def _without_content(failure: Failure) -> str:
    """Type of an error and its line; its message may hold what raters wrote."""
    what = failure.message.partition(":")[0] if ": " in failure.message else failure.message
    return what if failure.line is None else f"{what}, line {failure.line}"


def custom_notes(report: CustomReport) -> tuple[str, ...]:
    """Say in words which pairs have no score, and why."""
    notes = [f"scored by custom code {report.code}, version {report.version}"]
    failed = sum(report.failed.values())
    if failed:
        kinds = ", ".join(f"{count:,} {kind} ({report.first[kind]})" for kind, count in report.failed.items())
        notes.append(f"{failed:,} of {report.pairs:,} pairs failed: {kinds}")
    if report.clamped:
        notes.append(f"{report.clamped:,} scores lay outside 0 to 1 and were taken as the nearer end")
    return tuple(notes)
