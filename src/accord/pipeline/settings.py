"""Options of metrics and coefficients, given as ``KEY.OPTION=VALUE``."""

from __future__ import annotations

import json
from typing import Any

from accord.coefficients.spec import COEFFICIENTS
from accord.errors import UnknownNameError, UsageError
from accord.metrics.spec import METRICS
from accord.registry import Option

#: Whether means over controls may mix levels of measurement; by default they do not.
_LEVELS = Option("one", allowed=("one", "mixed"))


def check_setting(text: str) -> tuple[str, Any]:
    """Return ("key.option", value), checked against the catalogue.

    Raises
    ------
    UsageError
        If the form is wrong, the key or option unknown, or the value not allowed.
    """
    name, separator, value = text.partition("=")
    key, dot, option = name.partition(".")
    if not separator or not dot:
        raise UsageError(f"--set {text}: write KEY.OPTION=VALUE, for example span_overlap.min_overlap=0.1.")
    if name == "overall.levels":
        return name, _allowed(_LEVELS, _parse(value), name)
    spec = _spec(key)
    if option not in spec.options:
        raise UnknownNameError.among(f"option of {spec.key}", option, spec.options)
    return f"{spec.key}.{option}", _allowed(spec.options[option], _parse(value), name)


def _spec(key: str) -> Any:
    coefficients, metrics = COEFFICIENTS.catalog(), METRICS.catalog()
    if key in coefficients:
        return coefficients[key]
    if key in metrics:
        return metrics[key]
    known = [spec.key for spec in coefficients] + [spec.key for spec in metrics]
    raise UnknownNameError.among("coefficient or metric", key, known)


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
