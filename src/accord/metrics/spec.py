"""What a metric declares, and the decorator that puts it into the catalogue."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from accord.errors import UnknownNameError, UsageError
from accord.registry import Option, Registry, summary
from accord.values import FloatArray, Kind, Value

Codes = npt.NDArray[np.integer]
Shape = Literal["pair", "batch", "matrix"]
_TYPICAL_COST: Mapping[Shape, float] = MappingProxyType({"pair": 2000.0, "batch": 200.0, "matrix": 1.0})
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricSpec:
    """Everything the rest of Accord knows about a metric.

    Attributes
    ----------
    function
        ``pair``: (a, b) -> float or None; ``batch``: (pool, i, j) -> (n,); ``matrix``: (left, right) -> (n, m).
        Arguments are prepared values; options follow by keyword. None and NaN mean "not comparable".
    prepare
        Value -> working form, None if the value does not fit; done once per value.
    block
        Optional (left, right) -> (n, m) beside a ``pair`` or ``batch`` function: the same scores, faster.
    classes
        Optional value -> hashable class such that the metric is 1 within a class and 0 between classes; None
        for a value that is no member of such a partition.
    symmetric, directed
        Whether s(a, b) = s(b, a), and the option values that break it. Otherwise both directions are averaged.
    threshold, threshold_options
        Default of the threshold form, and options it settles where they are ``auto``.
    family
        Key whose options this metric shares (``span_labels`` belongs to ``span_overlap``).
    cost
        Prepared values -> what scoring one pair takes, in units of 100 ns; None = typical for the shape.
    refuses
        (values, options) -> sentence why the metric must not be used on them, or None.
    """

    key: str
    function: Callable[..., Any]
    kinds: frozenset[Kind]
    reference: str
    bounds: tuple[float, float] = (0.0, 1.0)
    symmetric: bool = True
    directed: tuple[tuple[str, Any], ...] = ()
    shape: Shape = "pair"
    prepare: Callable[..., Any]
    block: Callable[..., FloatArray] | None = None
    classes: Callable[[Value], Any] | None = None
    options: Mapping[str, Option] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    threshold: float = 0.5
    threshold_options: Mapping[str, Any] = field(default_factory=dict)
    family: str
    cost: Callable[[Sequence[Any]], float] | None = None
    refuses: Callable[[Sequence[Value], Mapping[str, Any]], str | None] | None = None
    title: str
    summary: str

    def fits(self, kind: Kind) -> bool:
        """Whether the metric is meant for a kind; an empty set of kinds means all."""
        return not self.kinds or kind in self.kinds

    def is_symmetric(self, options: Mapping[str, Any]) -> bool:
        """Whether s(a, b) = s(b, a) under these options."""
        return self.symmetric and all(options.get(name) != value for name, value in self.directed)

    def checked(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in defaults and check names, allowed values and types.

        Raises
        ------
        UsageError
            For an unknown option or a value that is not allowed.
        """
        for name in given:
            if name not in self.options:
                raise UnknownNameError.among(f"option of {self.key}", name, self.options)
        options = {name: given.get(name, option.default) for name, option in self.options.items()}
        for name, value in options.items():
            _check_value(f"{self.key}.{name}", self.options[name], value)
        return options

    def prepared(self, values: Sequence[Value], options: Mapping[str, Any]) -> list[Any]:
        """Working forms of values, None where a value does not fit."""
        chosen = accepted(self.prepare, options)
        return [self.prepare(value, **chosen) for value in values]

    def pairs(self, pool: Sequence[Any], i: Codes, j: Codes, options: Mapping[str, Any]) -> FloatArray:
        """Scores of pairs of prepared values in the direction given, (n,); NaN = not comparable."""
        scores = np.full(len(i), np.nan)
        fit = np.fromiter((value is not None for value in pool), dtype=np.bool_, count=len(pool))
        use = np.flatnonzero(fit[i] & fit[j])
        if len(use):
            used, codes = np.unique(np.concatenate((i[use], j[use])), return_inverse=True)
            left, right = np.split(codes, 2)
            scores[use] = self._call([pool[k] for k in used.tolist()], left, right, accepted(self.function, options))
        return scores

    def rectangle(self, left: Sequence[Any], right: Sequence[Any], options: Mapping[str, Any]) -> FloatArray:
        """Scores of every prepared value on the left with every one on the right, (n, m)."""
        function = self.function if self.shape == "matrix" else self.block
        if function is not None and all(v is not None for v in left) and all(v is not None for v in right):
            return np.asarray(function(left, right, **accepted(function, options)), dtype=np.float64)
        i, j = np.indices((len(left), len(right)))
        scores = self.pairs([*left, *right], i.ravel(), len(left) + j.ravel(), options)
        return scores.reshape(len(left), len(right))

    def pair_cost(self, pool: Sequence[Any]) -> float:
        """What scoring one pair takes, in units of 100 ns."""
        if self.cost is not None:
            return self.cost([value for value in pool if value is not None])
        return 1.0 if self.block is not None else _TYPICAL_COST[self.shape]

    def _call(self, pool: Sequence[Any], i: Codes, j: Codes, options: Mapping[str, Any]) -> Any:
        if self.shape == "batch":
            return self.function(pool, i, j, **options)
        if self.shape == "matrix":
            return [self.function([pool[a]], [pool[b]], **options)[0, 0] for a, b in zip(i, j, strict=True)]
        scores = (self.function(pool[a], pool[b], **options) for a, b in zip(i.tolist(), j.tolist(), strict=True))
        return np.fromiter((math.nan if s is None else s for s in scores), dtype=np.float64, count=len(i))


METRICS: Registry[MetricSpec] = Registry(
    "metric",
    (
        "accord.metrics.labels",
        "accord.metrics.taxonomy",
        "accord.metrics.numbers",
        "accord.metrics.rankings",
        "accord.metrics.strings",
        "accord.metrics.words",
        "accord.metrics.ngrams",
        "accord.metrics.intervals",
        "accord.metrics.boxes",
        "accord.metrics.shapes",
        "accord.metrics.masks",
        "accord.metrics.drawings",
        "accord.metrics.boundaries",
        "accord.metrics.vectors",
        "accord.metrics.points",
        "accord.metrics.tracks",
        "accord.metrics.tracking",
        "accord.metrics.relations",
    ),
)


def metric(
    key: str,
    *,
    kinds: Sequence[Kind] = (),
    reference: str,
    prepare: Callable[..., Any],
    title: str | None = None,
    description: str | None = None,
    family: str | None = None,
    **declared: Any,
) -> Callable[[Function], Function]:
    """Register a function as a metric: attach a frozen MetricSpec and nothing else.

    ``declared`` are further attributes of MetricSpec.
    """

    def register(function: Function) -> Function:
        spec = MetricSpec(
            key=key,
            function=function,
            kinds=frozenset(kinds),
            reference=reference,
            prepare=prepare,
            title=title or key.replace("_", " ").capitalize(),
            summary=description or summary(function),
            family=family or key,
            **declared,
        )
        METRICS.add(spec)
        function.__dict__["spec"] = spec
        return function

    return register


def fitting(kind: Kind) -> tuple[MetricSpec, ...]:
    """Metrics meant for a kind, those made for few kinds first."""
    specs = [spec for spec in METRICS.catalog() if spec.fits(kind)]
    return tuple(sorted(specs, key=lambda spec: (len(spec.kinds) or len(Kind), spec.key)))


def accepted(function: Callable[..., Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that a function takes by name."""
    parameters = inspect.signature(function).parameters
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
    return {name: value for name, value in options.items() if takes_any or name in parameters}


def _check_value(name: str, option: Option, value: Any) -> None:
    if option.allowed and value not in option.allowed:
        raise UsageError(f"{name}={value!r} is not known. Allowed: {', '.join(map(str, option.allowed))}.")
    if option.allowed or (value is None and option.default is None):
        return
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise UsageError(f"{name}={value!r} must be a finite number.")
