"""One generic catalogue: duplicate names raise, unknown names suggest, aliases resolve, nothing changes later."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar

from accord.errors import UnknownNameError


class Named(Protocol):
    """Anything with a key and aliases."""

    @property
    def key(self) -> str: ...
    @property
    def aliases(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a coefficient or metric; ``stated`` ones are named with every score, also at their default."""

    default: Any
    allowed: tuple[Any, ...] = ()
    help: str = ""
    stated: bool = False


SpecT = TypeVar("SpecT", bound=Named)


@dataclass(frozen=True)
class Catalog(Generic[SpecT]):
    """Immutable mapping from key or alias to spec."""

    what: str
    specs: Mapping[str, SpecT]
    aliases: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, name: str) -> SpecT:
        key = normal(name)
        key = self.aliases.get(key, key)
        try:
            return self.specs[key]
        except KeyError:
            raise UnknownNameError.among(self.what, name, [*self.specs, *self.aliases]) from None

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (normal(name) in self.specs or normal(name) in self.aliases)

    def __iter__(self) -> Iterator[SpecT]:
        return iter(self.specs.values())

    def __len__(self) -> int:
        return len(self.specs)


class Registry(Generic[SpecT]):
    """Collects specs while modules are imported, then freezes into a Catalog."""

    def __init__(self, what: str, modules: tuple[str, ...]) -> None:
        self._what = what
        self._modules = modules
        self._specs: dict[str, SpecT] = {}
        self._catalog: Catalog[SpecT] | None = None

    def add(self, spec: SpecT) -> SpecT:
        """Register ``spec``; the same key twice is a programming error."""
        if spec.key in self._specs:
            raise ValueError(f"{self._what} {spec.key!r} is registered twice")
        self._specs[spec.key] = spec
        self._catalog = None
        return spec

    def catalog(self) -> Catalog[SpecT]:
        """Import every module that registers specs and return the catalogue."""
        if self._catalog is None:
            for module in self._modules:
                importlib.import_module(module)
            self._catalog = Catalog(self._what, MappingProxyType(dict(self._specs)), self._alias_table())
        return self._catalog

    def _alias_table(self) -> Mapping[str, str]:
        table: dict[str, str] = {}
        for spec in self._specs.values():
            for alias in map(normal, spec.aliases):
                if alias in self._specs or alias in table:
                    raise ValueError(f"alias {alias!r} of {spec.key!r} is taken")
                table[alias] = spec.key
        return MappingProxyType(table)


def normal(name: str) -> str:
    """Snake case of a printed name: 'Jaccard Similarity (Threshold)' -> 'jaccard_similarity_threshold'."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def summary(function: Callable[..., object]) -> str:
    """First line of a docstring: the catalogue summary."""
    return (function.__doc__ or "").strip().splitlines()[0] if function.__doc__ else ""
