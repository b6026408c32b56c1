"""What every condition of a benchmark has in common."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any

from accord.errors import UnknownNameError, UsageError, listed

NEGATIVES = ("random", "sibling", "general", "lexical")
FORMS = ("single", "sets")
COEFFICIENTS = ("cohen_kappa", "scott_pi", "fleiss_kappa", "krippendorff_alpha")
#: All orders of so many elements are tried when sets are matched.
LARGEST_SET = 5
MOST_ITEMS = 2000


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings of a benchmark, the same for every measure.

    Parameters
    ----------
    negatives
        What the second annotator says where she does not agree: ``random`` any other concept, a ``sibling``, a
        ``general`` concept up to two steps above, or a ``lexical`` look-alike.
    forms
        ``single`` answers of one concept, and ``sets`` of 1 to ``set_size``.
    levels
        Target values of the true coefficient.
    rates
        Shares of answers that use any of the concept's names instead of the preferred one.
    items, replicates
        Items of a study, and studies of every condition.

    Examples
    --------
    >>> Settings(replicates=2).fingerprint == Settings(replicates=2).fingerprint
    True
    """

    negatives: tuple[str, ...] = NEGATIVES
    forms: tuple[str, ...] = ("single",)
    levels: tuple[float, ...] = tuple(k / 10 for k in range(11))
    rates: tuple[float, ...] = (0.0, 0.5, 1.0)
    items: int = 100
    replicates: int = 20
    set_size: int = 3
    set_measure: str = "dice"
    coefficient: str = "cohen_kappa"
    chance: str = "classical"
    seed: int = 0

    def __post_init__(self) -> None:
        _among("negatives", self.negatives, NEGATIVES)
        _among("forms", self.forms, FORMS)
        _among("set measure", (self.set_measure,), ("dice", "jaccard"))
        _among("coefficient", (self.coefficient,), COEFFICIENTS)
        _among("chance", (self.chance,), ("classical", "unbiased"))
        _within("levels", self.levels, 0.0, 1.0)
        _within("synonym rates", self.rates, 0.0, 1.0)
        _within("items", (self.items,), 10, MOST_ITEMS)
        _within("replicates", (self.replicates,), 2, 1000)
        _within("set size", (self.set_size,), 1, LARGEST_SET)

    @property
    def fingerprint(self) -> str:
        """Hash of all settings."""
        return hashlib.sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()[:16]

    def to_dict(self) -> dict[str, Any]:
        """Settings as JSON has them."""
        return {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(self).items()}


def _among(what: str, given: tuple[str, ...], allowed: tuple[str, ...]) -> None:
    for name in given:
        if name not in allowed:
            raise UnknownNameError.among(what, name, allowed)
    if not given or len(set(given)) < len(given):
        raise UsageError(f"{what}: each at most once, and at least one. Allowed: {listed(allowed)}.")


def _within(what: str, given: tuple[float, ...], low: float, high: float) -> None:
    wrong = [value for value in given if not low <= value <= high]
    if wrong or not given or len(set(given)) < len(given):
        found = f"{wrong[0]:g}" if wrong else "none or one twice"
        raise UsageError(f"{what}: found {found}. Allowed: {low:g} to {high:g}, each once.")
