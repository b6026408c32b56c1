"""Request and response bodies of the API."""

from __future__ import annotations

from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

RoleName = Literal["viewer", "reviewer", "manager", "admin"]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Text = Annotated[str, StringConstraints(max_length=10_000)]
T = TypeVar("T")


class Body(BaseModel):
    """What a client sends: exactly these keys, of exactly these types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Answer(BaseModel):
    """What the server sends."""

    model_config = ConfigDict(extra="forbid", from_attributes=True)


class Listed(BaseModel, Generic[T]):
    """Some of many: ``total`` in all, these from ``offset`` on."""

    items: list[T]
    total: int
    offset: int
    limit: int


class Created(Answer):
    """Number of what was made."""

    id: int


class Secret(Answer):
    """A secret that is shown once."""

    id: int
    secret: str


class NewProject(Body):
    """A project to make."""

    name: Name
    label_config: Annotated[str, StringConstraints(max_length=1_000_000)] | None = None


class NewUser(Body):
    """A user to invite."""

    name: Name
    role: RoleName


class UserChange(Body):
    """What changes about a user; what is absent stays."""

    role: RoleName | None = None
    disabled: bool | None = None
    signs: Annotated[list[Name], Field(max_length=50)] | None = None


class UserRow(Answer):
    """A user; ``signs`` are the names under which the user annotates."""

    id: int
    name: str
    role: RoleName
    signs: list[str]
    password: bool
    disabled: bool


class NewToken(Body):
    """A token to make for a program."""

    label: Name
    role: RoleName
    days: Annotated[int, Field(ge=1, le=3650)] | None = None


class TokenRow(Answer):
    """A token, without its secret."""

    id: int
    label: str
    user: int
    role: RoleName
    created_at: float
    expires_at: float | None
    used_at: float | None


class ProjectRow(Answer):
    """A project; ``fresh`` says that its scores belong to its present data and settings."""

    id: int
    name: str
    tasks: int
    annotations: int
    fresh: bool
    data_version: int
    plan_version: int
    created_at: float


class ImportedRow(Answer):
    """What an import did; ``codes`` counts what was irregular, ``job`` recomputes the scores where that takes long."""

    tasks: int
    annotations: int
    added: int
    changed: int
    unchanged: int
    older: int
    codes: dict[str, int]
    job: int | None


class TaskItem(Answer):
    """A task in a list; ``agreement`` is the mean over controls, or that of the control asked for."""

    id: int
    key: str
    agreement: float | None
    by_control: dict[str, float]
    raters: int
    reviewed: bool


class EventItem(Answer):
    """One line of the audit trail."""

    id: int
    project_id: int | None
    kind: str
    actor: str
    payload: dict[str, Any]
    at: float


JobState = Literal["queued", "running", "done", "failed", "cancelled"]


class JobItem(Answer):
    """Long work: ``done`` of ``total`` steps."""

    id: int
    project_id: int | None
    kind: str
    status: JobState
    done: float
    total: float
    message: str
    result: Any
    error: str | None
    created_at: float
    started_at: float | None
    finished_at: float | None


class Recompute(Body):
    """How to recompute: wait for it, or get a job."""

    in_background: Annotated[bool, Field(alias="async")] = False


class Recomputed(Answer):
    """Tasks looked at, with a score, whose stored score differed, and with too few answers for a score."""

    scanned: int
    scored: int
    mismatch: int
    skipped: int


class JobNumber(Answer):
    """A job that was started."""

    job: int


class MetricRow(Answer):
    """A metric of the catalogue; ``applies_to`` are control tags, ``*`` = any."""

    key: str
    label: str
    description: str
    applies_to: list[str]


class Metrics(Answer):
    """The catalogue, and whether this project has code of its own."""

    metrics: list[MetricRow]
    has_custom_code: bool


class ControlRow(Answer):
    """A control of the label config."""

    name: str
    tag: str
    kind: str
    level: str
    domain: list[Any] | None
    objects: list[str]


class Schema(Answer):
    """Controls of a project and one of its annotations, as custom code gets it."""

    controls: list[ControlRow]
    sample: dict[str, Any] | None


class SettingsBody(Answer):
    """Settings of a project and their version."""

    version: int
    settings: dict[str, Any]


class NewDecision(Body):
    """A decision about a task.

    ``accepted`` are numbers of annotations: one with ``accept``, two or more with ``several``. ``composed`` are items
    in the form of Label Studio, or ``{"annotation", "item"}`` for an item of an annotation.
    """

    outcome: Literal["accept", "several", "compose", "none"]
    reason: Literal["slip", "guideline_gap", "ambiguous_item", "bad_data", "several_valid", "metric_artefact"]
    accepted: Annotated[list[Annotated[int, Field(ge=1, le=2**31 - 1)]], Field(max_length=1000)] = []
    composed: Annotated[list[dict[str, Any]], Field(max_length=10_000)] | None = None
    note: Text = ""
    mode: Literal["single_truth", "keep_all"] | None = None


class ReviewItem(Answer):
    """A decision that was made; ``undone_at`` where it was taken back."""

    id: int
    task_id: int
    reviewer: str
    outcome: str
    mode: str
    accepted: list[int]
    composed: list[Any] | None
    reason: str
    note: str
    blinded: bool
    created_at: float
    undone_at: float | None


class TestCode(Body):
    """Code of a custom metric."""

    code: Annotated[str, StringConstraints(max_length=200_000)]


class CodeProblem(Answer):
    """Why code gave no score: syntax, sandbox, missing key, type, timeout or run time."""

    kind: str
    message: str
    line: int | None


class Tried(Answer):
    """A test run: the pair used and its score, or the error."""

    task: int | None
    annotations: list[Any]
    score: float | None
    labels: dict[str, float] | None
    clamped: bool
    printed: str
    seconds: float
    error: CodeProblem | None
