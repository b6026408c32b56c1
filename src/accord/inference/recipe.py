"""Options of a coefficient checked and completed, and the signature that names everything a number depends on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord.coefficients.spec import CoefficientSpec, Options
from accord.errors import UnknownNameError, UsageError
from accord.version import __version__


def complete_options(spec: CoefficientSpec, given: Mapping[str, Any] | None) -> Options:
    """Fill in defaults.

    Raises
    ------
    UsageError
        For an option the coefficient does not have, or a value it does not allow.
    """
    options = {name: option.default for name, option in spec.options.items()}
    for name, value in (given or {}).items():
        if name not in spec.options:
            raise UnknownNameError.among(f"option of {spec.key}", name, spec.options)
        allowed = spec.options[name].allowed
        if allowed and value not in allowed:
            raise UsageError(
                f"Option {name} of {spec.key}: {value!r} is not allowed. Allowed: {', '.join(map(str, allowed))}."
            )
        options[name] = value
    return options


def signature(
    spec: CoefficientSpec,
    similarity: str,
    options: Options,
    *,
    clusters: int | None,
    interval: str,
    generalise: str,
    seed: int,
) -> str:
    """Return the recipe as one line; two numbers are comparable when their lines are equal."""
    chance = options.get("chance", "own")
    marginals = options.get("marginals", "own")
    other = [f"{name}:{value}" for name, value in options.items() if name not in ("chance", "marginals")]
    parts = [
        spec.key,
        f"similarity:{similarity or 'none'}",
        f"chance:{chance}",
        f"marginals:{marginals}",
        *other,
        f"clusters:{'none' if clusters is None else clusters}",
        f"interval:{interval}",
        f"generalise:{generalise}",
        f"seed:{seed}",
        f"accord:{__version__}",
    ]
    return "|".join(parts)
