"""A Plan says how to measure: read from JSON or from options, checked, and part of every recipe."""

from __future__ import annotations

import dataclasses
import difflib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

from accord.errors import DataError, UsageError, shorten
from accord.pipeline.custom_files import is_custom, read_code
from accord.values import Level

INTERVALS = ("score", "analytic", "bootstrap", "bca", "jackknife")
WEIGHTS = ("identity", "linear", "quadratic", "radical", "ordinal", "bipolar", "circular", "ratio")
CHOICES: Mapping[str, tuple[Any, ...]] = MappingProxyType(
    {
        "interval": (None, *INTERVALS),
        "unanswered": ("auto", "empty"),
        "matching": ("optimal", "greedy", "last"),
        "compat": (None, "platform"),
        "generalise": ("units", "units+raters"),
        "answers": ("all", "independent"),
        "set_measure": (None, "dice", "jaccard"),
        "level": (None, *map(str, Level)),
        "weights": (None, *WEIGHTS),
    }
)


@dataclass(frozen=True, kw_only=True)
class ControlPlan:
    """What was asked for one control; None = the default for its kind.

    ``code`` is the text of a custom metric, whose ``metric`` is ``custom`` or ``custom:NAME``.
    """

    metric: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    similarity: str | None = None
    level: str | None = None
    weights: str | None = None
    domain: tuple[Any, ...] | None = None
    coefficients: tuple[str, ...] = ()
    weight: float = 1.0
    label_weights: Mapping[str, float] = field(default_factory=dict)
    criterion: float | None = None
    code: str | None = None

    def __post_init__(self) -> None:
        _check_choices(self, ("level", "weights"))
        if self.is_custom and (self.similarity or self.level or self.weights):
            raise UsageError("custom code is the only measure of its control: leave out similarity, level and weights.")
        if is_custom(self.similarity):
            raise UsageError(f"similarity={self.similarity!r}: custom code is given as metric.")
        if self.level and self.weights:
            raise UsageError(
                f"level={self.level} and weights={self.weights} contradict each other: "
                "level is Krippendorff's difference function, weights are Cohen's and Gwet's. Give one of them."
            )
        if self.similarity and (self.level or self.weights):
            raise UsageError("similarity replaces level and weights: give one of them.")
        _check_range("weight", self.weight, 0.0)
        for label, weight in self.label_weights.items():
            _check_range(f"label_weights, {label}", weight, 0.0)
        if self.criterion is not None:
            _check_range("criterion", self.criterion, -1.0, 1.0)

    @property
    def is_custom(self) -> bool:
        """Whether pairs are scored by custom code."""
        return is_custom(self.metric)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How to measure a dataset; absent = default.

    ``settings`` are options of metrics and coefficients for all controls, keyed ``KEY.OPTION``; ``resamples``
    counts bootstrap replicates. ``unite`` names controls made of the regions of several others.

    For texts under a model of equivalence: ``set_measure`` makes answers sets of texts, ``max_calls`` and ``precision``
    bound what chance agreement may cost, ``cache`` is the file of kept scores (``off`` = none), ``allow_remote`` names
    the machines texts may be sent to.
    """

    version: int = 1
    seed: int = 0
    ci: float | None = 0.95
    interval: str | None = None
    resamples: int = 2000
    unanswered: str = "auto"
    join: str | None = None
    unite: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    matching: str = "optimal"
    compat: str | None = None
    cluster: str | None = None
    generalise: str = "units"
    first: int | None = None
    answers: str = "all"
    missing: tuple[str, ...] = ()
    coefficients: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    controls: Mapping[str, ControlPlan] = field(default_factory=dict)
    only: tuple[str, ...] = ()
    set_measure: str | None = None
    max_calls: int | None = None
    precision: float | None = None
    cache: str | None = None
    allow_remote: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        names = ("interval", "unanswered", "matching", "compat", "generalise", "answers", "set_measure")
        _check_choices(self, names)
        if self.version != 1:
            raise UsageError(f"Plan version {self.version!r} is not known. Allowed: 1.")
        _check_range("seed", self.seed, 0)
        for name, parts in self.unite.items():
            if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
                raise UsageError(f"unite, {shorten(name)}: a list of controls is expected, not {shorten(repr(parts))}.")
        if self.ci is not None and not 0.5 <= self.ci < 1.0:
            raise UsageError(f"ci={self.ci} is not a confidence level. Allowed: from 0.5 to below 1, or none.")
        if self.first is not None and self.first < 2:
            raise UsageError(f"first={self.first} leaves nothing to compare. Allowed: 2 or more.")
        if not 100 <= self.resamples <= 1_000_000:
            raise UsageError(f"{self.resamples} resamples are not useful. Allowed: 100 to 1,000,000.")

    def control(self, name: str) -> ControlPlan:
        """Plan of one control, the default where nothing was asked."""
        return self.controls.get(name, ControlPlan())

    def options_for(self, key: str, name: str | None = None) -> dict[str, Any]:
        """Options set for a metric or coefficient, the control's own last."""
        prefix = f"{key}."
        options = {k.removeprefix(prefix): v for k, v in self.settings.items() if k.startswith(prefix)}
        if name is not None:
            options |= self.control(name).options
        return options

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form, every key present."""
        plain = dataclasses.asdict(self)
        plain["set"] = plain.pop("settings")
        return plain

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], where: str = "plan") -> Plan:
        """Check and build; an unknown key is an error with a suggestion.

        Raises
        ------
        UsageError
            For unknown keys, values that are not allowed and wrong types.
        """
        fields = _known(data, cls, where, rename={"set": "settings"})
        controls = fields.pop("controls", {})
        if not isinstance(controls, Mapping):
            raise UsageError(f"{where}: controls must be an object from control name to settings.")
        parsed = {
            str(name): ControlPlan(**_known(item, ControlPlan, f"{where}, control {name}"))
            for name, item in controls.items()
        }
        return cls(controls=parsed, **fields)

    @classmethod
    def load(cls, path: str | Path) -> Plan:
        """Read a plan from a JSON file.

        Raises
        ------
        DataError
            If the file is not JSON.
        UsageError
            If a key or value is not allowed.
        """
        return with_code(cls.from_dict(load_json_object(path), where=str(path)), Path(path).parent)


def with_code(plan: Plan, folder: Path) -> Plan:
    """Read the files of custom metrics whose code the plan does not hold; names are relative to ``folder``.

    Raises
    ------
    UsageError
        If a file cannot be read.
    """
    found = {
        name: dataclasses.replace(wish, **read_code(wish.metric, folder))
        for name, wish in plan.controls.items()
        if wish.metric is not None and wish.is_custom and wish.code is None
    }
    return dataclasses.replace(plan, controls={**plan.controls, **found}) if found else plan


def load_json_object(path: str | Path) -> Mapping[str, Any]:
    """Read a JSON object from a small settings file."""
    file = str(path)
    try:
        data = json.loads(_text(Path(path)), parse_constant=_no_constant, object_pairs_hook=_each_once)
    except OSError as error:
        raise UsageError(f"{shorten(file)}: cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise DataError.at("is not UTF-8 text.", file=file, hint="Save it as UTF-8.") from None
    except json.JSONDecodeError as error:
        raise DataError.at(f"is not JSON: {error.msg}.", file=file, line=error.lineno) from None
    except RecursionError:
        raise DataError.at("is not JSON: it nests too deeply.", file=file) from None
    except ValueError as error:
        raise DataError.at(f"is not JSON: {error}.", file=file) from None
    if not isinstance(data, dict):
        raise DataError.at("must hold one JSON object.", file=file, found=json.dumps(data, ensure_ascii=False))
    return data


def _text(path: Path) -> str:
    if path.exists() and not path.is_file():
        raise UsageError(f"{shorten(str(path))} is not a file. Give the name of a JSON file.")
    return path.read_text(encoding="utf-8-sig")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key in found if sum(key == other for other, _ in pairs) > 1)
        raise ValueError(f"the key {shorten(twice)!r} occurs twice in one object")
    return found


def _known(data: Any, cls: type, where: str, rename: Mapping[str, str] | None = None) -> dict[str, Any]:
    if not isinstance(data, Mapping):
        raise UsageError(f"{where}: an object is expected, not {type(data).__name__}.")
    back = {v: k for k, v in (rename or {}).items()}
    types = {back.get(f.name, f.name): f for f in dataclasses.fields(cls)}
    result = {}
    for key, value in data.items():
        if key not in types:
            close = difflib.get_close_matches(str(key)[:100], types, n=1)
            hint = f"Did you mean {close[0]}?" if close else f"Known: {', '.join(types)}."
            raise UsageError(f"{where}: unknown key {shorten(repr(key))}. {hint}")
        result[types[key].name] = _typed(value, str(types[key].type), f"{where}: {key}")
    return result


def _typed(value: Any, declared: str, where: str) -> Any:
    """Check a JSON value against the declared type of a field, written as text."""
    if value is None and "None" in declared:
        return None
    kinds: tuple[tuple[str, type | tuple[type, ...], str], ...] = (
        ("tuple", (list, tuple), "a list"),
        ("Mapping", Mapping, "an object"),
        ("float", (int, float), "a number"),
        ("int", int, "a whole number"),
        ("str", str, "a text"),
    )
    for name, allowed, words in kinds:
        if declared.startswith(name):
            if not isinstance(value, allowed) or isinstance(value, bool):
                raise UsageError(f"{where} must be {words}, not {shorten(repr(value))}.")
            return _tuple(value, declared, where) if isinstance(value, list | tuple) else value
    return value


def _tuple(items: Sequence[Any], declared: str, where: str) -> tuple[Any, ...]:
    if declared.startswith("tuple[str") and not all(isinstance(item, str) for item in items):
        raise UsageError(f"{where} must be a list of texts, not {shorten(repr(items))}.")
    return tuple(items)


def _check_range(name: str, value: Any, low: float, high: float = math.inf) -> None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and value == value
    if not is_number or not low <= value <= high or value == math.inf:
        limits = f"{low:g} or more" if high == math.inf else f"{low:g} to {high:g}"
        raise UsageError(f"{name}={shorten(repr(value))} is out of range. Allowed: {limits}.")


def _check_choices(plan: Any, names: tuple[str, ...]) -> None:
    for name in names:
        value, allowed = getattr(plan, name), CHOICES[name]
        if value not in allowed:
            words = ", ".join(str(a) for a in allowed if a is not None)
            raise UsageError(f"{name}={value!r} is not known. Allowed: {words}.")
