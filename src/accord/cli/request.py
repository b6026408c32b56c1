"""What a user asked for on the command line, and how it becomes a dataset and a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, cast

from accord.coefficients.spec import COEFFICIENTS
from accord.dataset import Control, Dataset
from accord.errors import UsageError
from accord.pipeline.choose import default_for
from accord.pipeline.custom import WHOLE
from accord.pipeline.custom_files import CUSTOM, is_custom
from accord.pipeline.plan import ControlPlan, Plan, with_code
from accord.pipeline.settings import check_setting

OWN_CLUSTERS = frozenset({"task", "file", "unit"})


@dataclass(frozen=True, kw_only=True)
class Request:
    """Options shared by all commands that measure."""

    sources: tuple[str, ...] = ()
    config: Path | None = None
    plan: Path | None = None
    control: tuple[str, ...] = ()
    metric: tuple[str, ...] = ()
    similarity: tuple[str, ...] = ()
    level: tuple[str, ...] = ()
    weights: tuple[str, ...] = ()
    set: tuple[str, ...] = ()
    coefficient: tuple[str, ...] = ()
    matching: str | None = None
    compat: str | None = None
    ci: str | None = None
    interval: str | None = None
    bootstrap: int | None = None
    seed: int | None = None
    cluster: str | None = None
    generalise: str | None = None
    first: int | None = None
    answers: str | None = None
    unanswered: str | None = None
    missing: tuple[str, ...] = ()
    join: str | None = None
    unite: tuple[str, ...] = ()
    strict: bool = False
    unit: str | None = None
    rater: str | None = None
    value: str | None = None
    text: str | None = None
    read_as: str | None = None
    json: bool = False
    tasks: bool = False
    set_measure: str | None = None
    max_calls: int | None = None
    precision: float | None = None
    cache: str | None = None
    allow_remote: tuple[str, ...] = ()
    bundle: Path | None = None
    fail_under: float | None = None
    fail_on: str = "value"
    no_content: bool = False
    pseudonyms: bool = False

    def __post_init__(self) -> None:
        if self.fail_on not in ("value", "lower"):
            raise UsageError(f"--fail-on {self.fail_on!r} is not known. Allowed: value, lower.")
        if self.fail_under is not None and not -1.0 <= self.fail_under <= 1.0:
            raise UsageError(f"--fail-under {self.fail_under} is out of range. Allowed: -1 to 1.")
        if self.bootstrap is not None and self.interval not in (None, "bootstrap", "bca"):
            raise UsageError(f"--bootstrap and --interval {self.interval} contradict each other. Give one of them.")
        if self.value is not None and self.text is not None:
            raise UsageError("--value and --text contradict each other: a column holds labels or free text.")

    def base_plan(self) -> Plan:
        """Plan file, overridden by the options that were given."""
        plan = Plan.load(self.plan) if self.plan else Plan()
        names: tuple[str, ...] = ("matching", "compat", "interval", "seed", "cluster", "generalise", "first", "answers")
        names += ("unanswered", "set_measure", "max_calls", "precision", "cache")
        given: dict[str, Any] = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        if self.ci is not None:
            given["ci"] = _level(self.ci)
            if given["ci"] is None and self.bootstrap is not None:
                raise UsageError("--ci none and --bootstrap contradict each other. Give one of them.")
        if self.bootstrap is not None:
            given |= {"interval": self.interval or "bootstrap", "resamples": self.bootstrap}
        if self.allow_remote:
            given["allow_remote"] = self.allow_remote
        if self.missing:
            given["missing"] = self.missing
        if self.join is not None:
            given["join"] = self.join
        if self.coefficient:
            given["coefficients"] = tuple(COEFFICIENTS.catalog()[name].key for name in self.coefficient)
        if self.control:
            given["only"] = self.control
        if self.unite:
            given["unite"] = {**plan.unite, **dict(map(_parts, self.unite))}
        if self.set:
            given["settings"] = {**plan.settings, **dict(map(check_setting, self.set))}
        return replace(plan, **given)

    def read(self, plan: Plan, context: bool = False, progress: Any = None) -> Dataset:
        """Read the sources as the plan asks."""
        from accord.readers import read
        from accord.readers.uniting import united

        cluster = plan.cluster
        dataset = read(
            *self.sources,
            config=self.config,
            join=plan.join,
            strict=self.strict,
            format=self.read_as,
            unit=self.unit,
            rater=self.rater,
            value=self.value,
            text=self.text,
            missing=plan.missing,
            unanswered=cast(Any, plan.unanswered),
            fields=() if cluster is None or cluster in OWN_CLUSTERS else (cluster,),
            context=context,
            results=any(map(is_custom, map(_last, self.metric))) or any(w.is_custom for w in plan.controls.values()),
            progress=progress,
        )
        return united(dataset, plan.unite)

    def full_plan(self, plan: Plan, dataset: Dataset) -> Plan:
        """Add what was asked for single controls, once their names are known."""
        controls = dict(plan.controls)
        for name in ("metric", "similarity", "level", "weights"):
            for text in getattr(self, name):
                for control, value in _assign(name, text, dataset).items():
                    current = controls.get(control, ControlPlan())
                    given = {f.name: getattr(current, f.name) for f in fields(current)} | {name: value}
                    controls[control] = ControlPlan(**given | ({"code": None} if name == "metric" else {}))
        return with_code(replace(plan, controls=controls), Path())


def _last(text: str) -> str:
    """Metric in ``[CONTROL=]METRIC``; the path of custom code may hold an equals sign."""
    control, found, path = text.partition(f"={CUSTOM}:")
    return f"{CUSTOM}:{path}" if found and control else text.rpartition("=")[2] if not is_custom(text) else text


def _assign(option: str, text: str, dataset: Dataset) -> Mapping[str, str]:
    """Parse ``[CONTROL=]VALUE``; without a control it goes to every control it fits, custom code to the whole."""
    if option == "metric" and is_custom(_last(text)):
        value = _last(text)
        control = text.removesuffix(value).removesuffix("=") or WHOLE
        return {control if control == WHOLE else dataset[control].control.name: value}
    control, separator, value = text.rpartition("=")
    if not value:
        raise UsageError(f"--{option} {text}: write [CONTROL=]VALUE.")
    if separator:
        return {dataset.control(control).name: value}
    if option == "metric" and len(dataset.columns) > 1:
        raise UsageError(
            f"--metric {text}: say for which control, as in --metric {next(iter(dataset.columns))}={text}."
        )
    fitting = [c.name for c in dataset.controls if _fits(option, c)]
    if not fitting:
        raise UsageError(f"--{option} {text}: no control takes a {option}. Controls: {_kinds(dataset.controls)}.")
    return dict.fromkeys(fitting, text)


def _fits(option: str, control: Control) -> bool:
    return option not in ("level", "weights") or default_for(control.kind).level is not None


def _kinds(controls: Sequence[Control]) -> str:
    return ", ".join(f"{control.name} ({control.kind})" for control in controls)


def _parts(text: str) -> tuple[str, tuple[str, ...]]:
    """Parse ``NAME=CONTROL,CONTROL``."""
    name, _, parts = text.partition("=")
    if not name or not parts:
        raise UsageError(f"--unite {text}: write NAME=CONTROL,CONTROL.")
    return name, tuple(part.strip() for part in parts.split(","))


def _level(text: str) -> float | None:
    if text.lower() == "none":
        return None
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"--ci {text!r} is not a level. Allowed: a number such as 0.95, or none.") from None
