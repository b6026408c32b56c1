"""Options of metrics and coefficients, given as ``KEY.OPTION=VALUE``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from accord.coefficients.spec import COEFFICIENTS
from accord.dataset import Dataset
from accord.equivalence.models import MODELS
from accord.errors import UnknownNameError, UsageError
from accord.metrics.spec import METRICS
from accord.pipeline.custom_files import CUSTOM
from accord.pipeline.detection_scores import THRESHOLD
from accord.pipeline.plan import Plan
from accord.pipeline.readiness import AGREEMENT_BY, REQUIRED_ANSWERS, WEIGHTS, setting_of
from accord.registry import Option
from accord.similarity.custom import OPTIONS

#: Settings of the report itself: whether means over controls may mix levels of measurement, what readiness weighs, and
#: from which geometry on a matched region is found.
_OWN: Mapping[str, Option] = MappingProxyType(
    {
        "overall.levels": Option("one", allowed=("one", "mixed")),
        "readiness.answers": Option(REQUIRED_ANSWERS),
        AGREEMENT_BY: Option(None),
        THRESHOLD: Option(0.5),
        **{setting_of(part): Option(weight) for part, weight in WEIGHTS.items()},
    }
)


class _Custom:
    """What custom code takes as options."""

    key = CUSTOM
    options = OPTIONS


def check_setting(text: str) -> tuple[str, Any]:
    """Return ("key.option", value) from KEY.OPTION=VALUE, checked against the catalogue.

    Raises
    ------
    UsageError
        If the form is wrong, the key or option unknown, or the value not allowed.
    """
    name, separator, value = text.partition("=")
    if not separator:
        raise UsageError(_form(text))
    return _checked(name, _parse(value))


def check_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings under the keys of the catalogue, checked as those of the command line.

    Raises
    ------
    UsageError
        If a key or option is unknown, or a value is not allowed.
    """
    return dict(_checked(name, value) for name, value in settings.items())


def check_names(dataset: Dataset, plan: Plan) -> None:
    """Refuse plans that name controls the data do not have, or options nobody has.

    Raises
    ------
    UnknownNameError
        With the closest names.
    """
    for name in (*plan.controls, *plan.only):
        dataset.control(name)
    for setting in plan.settings:
        if "." not in setting:
            raise UsageError(f"Setting {setting!r} is not KEY.OPTION, for example span_overlap.min_overlap.")


def _checked(name: str, value: Any) -> tuple[str, Any]:
    key, dot, option = name.partition(".")
    if not dot:
        raise UsageError(_form(name))
    if name in _OWN:
        return name, _own(_OWN[name], value, name)
    if key in {own.partition(".")[0] for own in _OWN}:
        raise UnknownNameError.among("setting", name, _OWN)
    spec = _spec(key)
    if option not in spec.options:
        raise UnknownNameError.among(f"option of {spec.key}", option, spec.options)
    return f"{spec.key}.{option}", _allowed(spec.options[option], value, name)


def _form(text: str) -> str:
    return f"Setting {text!r} is not KEY.OPTION=VALUE, for example span_overlap.min_overlap=0.1."


def _own(option: Option, value: Any, name: str) -> Any:
    if name == AGREEMENT_BY:
        return COEFFICIENTS.catalog()[str(value)].key
    found = _allowed(option, value, name)
    if not option.allowed and not 0 <= found < float("inf"):
        raise UsageError(f"--set {name}={value}: not allowed. Allowed: 0 or a positive number.")
    if name == THRESHOLD and found >= 1:
        raise UsageError(f"--set {name}={value}: not allowed. Allowed: from 0 to below 1.")
    return found


def _spec(key: str) -> Any:
    coefficients, metrics, models = COEFFICIENTS.catalog(), METRICS.catalog(), MODELS.catalog()
    if key == CUSTOM:
        return _Custom
    if key in models and models[key].options:
        return models[key]
    if key in coefficients:
        return coefficients[key]
    if key in metrics:
        return metrics[key]
    known = [spec.key for spec in coefficients] + [spec.key for spec in metrics]
    known += [spec.key for spec in models]
    raise UnknownNameError.among("coefficient, metric or model", key, known)


def _parse(value: str) -> Any:
    try:
        return json.loads(value)
    except (json.JSONDecodeError, RecursionError):
        return value


def _allowed(option: Option, value: Any, name: str) -> Any:
    if option.allowed and value not in option.allowed:
        words = ", ".join(map(str, option.allowed))
        raise UsageError(f"--set {name}={value}: not allowed. Allowed: {words}.")
    if isinstance(option.default, int | float) and not isinstance(value, int | float):
        raise UsageError(f"--set {name}={value}: a number is expected.")
    return value
