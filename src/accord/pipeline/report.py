"""The report as data: everything the HTML page, the JSON, the Markdown and the CSV show.

Agreement per task, rater pair or label is a plain mean of similarities; coefficients are Estimates. NaN never
leaves this module: ``to_dict`` turns it into None.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from accord.coefficients.estimate import Estimate, Interval, finite
from accord.dataset import Control, ImportReport
from accord.errors import UnknownNameError
from accord.pipeline.custom_report import CustomReport
from accord.pipeline.region_report import RegionScores
from accord.pipeline.task_rows import Answer as Answer
from accord.pipeline.task_rows import TaskRow as TaskRow

if TYPE_CHECKING:
    from accord.pipeline.relation_types import RelationsLost
    from accord.pipeline.sweep import Sweep
    from accord.pipeline.text_report import TextReport

Status = Literal["fine", "thin", "look"]


@dataclass(frozen=True, slots=True)
class Score:
    """A mean with its interval and what it rests on; NaN with ``undefined`` where it does not exist."""

    value: float = math.nan
    interval: Interval | None = None
    units: int = 0
    undefined: str | None = None
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "value": finite(self.value),
            "interval": None if self.interval is None else self.interval.to_dict(),
            "units": self.units,
            "undefined": self.undefined,
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class RaterPair:
    """Two raters on the units both answered: mean similarity and Cohen's kappa."""

    a: str
    b: str
    units: int
    value: float
    cohen_kappa: Estimate


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One label against the rest: answers with it, specific agreement, headline coefficient."""

    label: str
    count: int
    specific: float
    agreement: Estimate


@dataclass(frozen=True, slots=True)
class RaterRow:
    """One rater on one control.

    ``agreement`` is the mean similarity with others on shared units with an interval; ``influence`` is headline
    minus headline without this rater; ``shares`` are the shares of the labels in the rater's answers.
    """

    rater: str
    answers: int
    units: int
    agreement: Score
    influence: float
    shares: Mapping[str, float]
    lead_time_median: float | None = None


@dataclass(frozen=True, slots=True)
class GoldRow:
    """One rater against the answers marked as ground truth: mean score over the units that could be compared."""

    rater: str
    score: Score


@dataclass(frozen=True, slots=True)
class Confusion:
    """Ordered label pairs within units, both directions halved: counts observed and expected by chance (L, L)."""

    labels: tuple[str, ...]
    observed: tuple[tuple[float, ...], ...]
    expected: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class ConfusedPair:
    """Two labels mixed up: how often, how often chance would, share of all disagreement."""

    first: str
    second: str
    observed: float
    expected: float
    share: float
    expected_share: float
    supported: bool = False
    p: float = 1.0


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to fix, only ever made with statistical support.

    ``share`` of the control's loss and ``chance_share``, the share that chance, workload or a random set of the
    same size would carry; ``units`` to look at.
    """

    kind: Literal["labels", "rater", "tasks", "label", "overlap"]
    control: str
    title: str
    share: float
    chance_share: float
    detail: str
    action: str
    units: tuple[str, ...] = ()
    p: float | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One answer to "can this number be trusted?", with the number that changes."""

    title: str
    status: Status
    text: str
    estimate: Estimate | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    """Units of a control by what is known about them."""

    two_or_more: int
    one: int
    missing: int
    empty: int
    not_applicable: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlReport:
    """Everything about one control.

    ``differences`` may hold ``bland_altman`` (``points``: (mean, difference, how many) of answer pairs;
    ``bias``, ``low``, ``high`` and their intervals ``bias_interval``, ``low_interval``, ``high_interval`` as
    (low, high); ``raters``: the two names or None) and ``types`` (name of a kind of disagreement -> amount).
    ``given_parent`` may hold ``parent``, ``values``, ``units``, ``share`` and the Estimates ``given`` (where
    the parent's answers agree) and ``joint`` (parent disagreement counts 0). ``gold`` is the mean score against answers
    marked as ground truth, None where none is, and ``gold_rows`` the same by rater; ``regions`` what matched regions
    say, None where none are matched, and ``sweep`` their agreement at every threshold; ``text`` what there is to say
    about free texts only; ``relations`` what relations lose.
    """

    control: Control
    metric: str
    headline: str
    why_headline: str
    units: int
    raters: int
    answers: int
    pairs: int
    counts: Counts
    pairwise: Score
    consensus: Score
    coefficients: Mapping[str, Estimate]
    rater_pairs: tuple[RaterPair, ...] = ()
    labels: tuple[LabelRow, ...] = ()
    tasks: tuple[TaskRow, ...] = ()
    disagreed: tuple[TaskRow, ...] = ()
    disagreed_total: int = 0
    histogram: tuple[int, ...] = ()
    rater_rows: tuple[RaterRow, ...] = ()
    confusion: Confusion | None = None
    confused: tuple[ConfusedPair, ...] = ()
    differences: Mapping[str, Any] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()
    findings: tuple[Finding, ...] = ()
    cannot_tell: tuple[str, ...] = ()
    criterion: float | None = None
    verdict: str | None = None
    reading: str = ""
    methods: str = ""
    bands: tuple[float, ...] = ()
    given_parent: Mapping[str, Any] | None = None
    gold: Score | None = None
    gold_rows: tuple[GoldRow, ...] = ()
    custom: CustomReport | None = None
    regions: RegionScores | None = None
    sweep: Sweep | None = None
    text: TextReport | None = None
    relations: RelationsLost | None = None

    @property
    def main(self) -> Estimate:
        """The headline estimate."""
        return self.coefficients[self.headline]


@dataclass(frozen=True, slots=True)
class Readiness:
    """Weighted mean of the known parts; each part is (name, weight, value or None, how it was computed)."""

    value: float | None
    parts: tuple[tuple[str, float, float | None, str], ...]


@dataclass(frozen=True, slots=True)
class MeanOfControls:
    """A coefficient averaged over controls, with those left out and why."""

    value: float
    controls: int
    of: int
    left_out: tuple[tuple[str, str], ...] = ()
    interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class DatasetSummary:
    """Size and origin of what was read."""

    title: str
    fingerprint: str
    units: int
    raters: int
    answers: int
    report: ImportReport


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The whole report."""

    version: str
    created: str
    dataset: DatasetSummary
    plan: Mapping[str, Any]
    controls: tuple[ControlReport, ...]
    overall_pairwise: Score
    overall: Mapping[str, MeanOfControls] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    readiness: Readiness | None = None
    answer: str = ""
    criteria: str = ""
    content: bool = True
    versions: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[str] = ()

    def __getitem__(self, name: str) -> ControlReport:
        for control in self.controls:
            if control.control.name == name:
                return control
        raise UnknownNameError.among("control", name, [control.control.name for control in self.controls])

    def to_dict(self, *, tasks: bool = False) -> dict[str, Any]:
        """Return the JSON of ``accord score --json``; ``tasks`` adds the agreement of every task."""
        from accord.pipeline.contract import to_dict

        return to_dict(self, tasks=tasks)

    def to_frame(self) -> Any:
        """Return a row per control and coefficient: a pandas dataframe if pandas is installed, else a pyarrow table."""
        from accord.pipeline.frames import headline_frame

        return headline_frame(self)

    def _repr_html_(self) -> str:
        from accord.pipeline.frames import headline_html

        return headline_html(self)
