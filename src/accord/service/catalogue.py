"""Metrics and coefficients to choose from: those that fit a control first, and why the others do not."""

from __future__ import annotations

from dataclasses import dataclass

from accord.dataset import Control
from accord.metrics.spec import METRICS, MetricSpec, fitting
from accord.pipeline.choose import default_for
from accord.readers.config_tags import KINDS, tag_name
from accord.reporting.words import KIND_WORDS
from accord.values import Kind

CUSTOM = "custom"


@dataclass(frozen=True, slots=True)
class Choice:
    """A metric one may choose for a control; ``refused`` says why it does not fit."""

    key: str
    label: str
    description: str
    refused: str = ""


def metric_entries() -> list[tuple[str, str, str, list[str]]]:
    """Key, label, description and control tags of every metric, and of code of one's own."""
    found = [(spec.key, spec.title, spec.summary, tags(spec.kinds)) for spec in METRICS.catalog()]
    own = (CUSTOM, "Custom Python", "Your own function over two whole annotations, run in a sandbox.", ["*"])
    return [*found, own]


def tags(kinds: frozenset[Kind]) -> list[str]:
    """Names of the control tags whose answers are of some kinds; ``*`` = any.

    Examples
    --------
    >>> tags(frozenset({Kind.NUMBER, Kind.RATING})), tags(frozenset())
    (['Rating', 'Number'], ['*'])
    """
    if not kinds:
        return ["*"]
    return [tag_name(tag) for tag, kind in KINDS.items() if kind in kinds]


def choices(control: Control) -> tuple[Choice, ...]:
    """Metrics for a control: fitting ones, the most particular first, then the others with the reason."""
    good = fitting(control.kind)
    keys = {spec.key for spec in good}
    others = [spec for spec in METRICS.catalog() if spec.key not in keys]
    return tuple(map(_choice, good)) + tuple(_refused(spec, control.kind) for spec in others)


def default_words(control: Control) -> str:
    """What a control gets when nothing is chosen."""
    level = default_for(control.kind).level
    return f"default ({level} level)" if level is not None else "default"


def _choice(spec: MetricSpec) -> Choice:
    return Choice(spec.key, spec.title, spec.summary)


def _refused(spec: MetricSpec, kind: Kind) -> Choice:
    wanted = ", ".join(sorted(KIND_WORDS[one] for one in spec.kinds))
    return Choice(spec.key, spec.title, spec.summary, f"for {wanted}; these answers are {KIND_WORDS[kind]}")
