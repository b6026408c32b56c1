"""Studies from coded cells: names made on demand, domains, levels and clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from accord.errors import DataError, UnknownNameError, UsageError
from accord.readers.coding import Coded, cell_index, code_objects, kind_of, settle
from accord.study import Study, compact, pick
from accord.values import IntArray, Level, Value


class Numbered(Sequence[str]):
    """Names made from a number on demand: r1, r2, ..."""

    def __init__(self, count: int, prefix: str = "") -> None:
        self._count = count
        self._prefix = prefix

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        numbers = range(1, self._count + 1)[index]
        return f"{self._prefix}{numbers}" if isinstance(numbers, int) else [f"{self._prefix}{n}" for n in numbers]


def named(names: Sequence[str] | None, count: int, prefix: str, what: str) -> Sequence[str]:
    """Names as given, one for each; numbered ones if none are."""
    if names is None:
        return Numbered(count, prefix)
    if len(names) != count:
        raise UsageError(f"{len(names)} names were given for {count} {what}.")
    return [str(name) for name in names]


def laid_out(
    coded: Coded,
    shape: tuple[int, int],
    names: tuple[Sequence[str], Sequence[str]],
    domain: Sequence[Value] | None,
    cluster: Sequence[Any] | None,
) -> Study:
    """Lay coded cells (U * R,) out as a study; units and raters without any answer go."""
    codes = coded.codes
    unit, rater, kept = cell_index(codes, shape)
    matrix = codes.reshape(shape)
    numbers = None if cluster is None else cluster_numbers(cluster, shape[0])
    if kept is not None:
        codes = codes[kept]
        unit, units = compact(unit, shape[0])
        rater, raters = compact(rater, shape[1])
        if len(units) < shape[0] or len(raters) < shape[1]:
            matrix = matrix[np.ix_(units, raters)]
        names = (pick(names[0], units), pick(names[1], raters))
        numbers = None if numbers is None else cluster_numbers(numbers[units], len(units))
    kind, level = kind_of(coded.values, domain)
    return Study(
        unit=unit,
        rater=rater,
        code=codes,
        values=coded.values,
        unit_names=names[0],
        rater_names=names[1],
        kind=kind,
        level=level,
        domain=None if domain is None else len(coded.values) - len(coded.outside),
        cluster=numbers,
        matrix=matrix,
    )


def cluster_numbers(cluster: Sequence[Any] | npt.NDArray[Any], units: int) -> IntArray:
    """Number the clusters of the units (U,) from 0; every unit must have one."""
    if len(cluster) != units:
        raise UsageError(f"cluster has {len(cluster)} entries for {units} units; give one for each unit.")
    if isinstance(cluster, np.ndarray) and cluster.dtype.kind in "iu":
        return np.unique(cluster, return_inverse=True)[1].astype(np.int32)
    coded = code_objects(list(cluster))
    if (coded.codes < 0).any():
        raise DataError.at("a unit has no cluster.", found=f"nothing for unit {int(np.argmin(coded.codes)) + 1}")
    return coded.codes


def with_domain(study: Study, domain: Sequence[Value]) -> Study:
    """Return the study with another declared domain; answers outside it stay, after the declared values."""
    said = study.counts > 0
    old = [value if given else None for value, given in zip(study.values, said.tolist(), strict=True)]
    coded = settle(np.arange(study.V, dtype=np.int32), old, (), domain)
    return replace(
        study,
        code=coded.codes[study.code],
        values=coded.values,
        domain=len(coded.values) - len(coded.outside),
        matrix=None if study.matrix is None else np.append(coded.codes, np.int32(-1))[study.matrix],
    )


def finished(study: Study, level: str | None, cluster: Sequence[Any] | None) -> Study:
    """Set the level and the clusters of a study, where given."""
    chosen = study.level if level is None else as_level(level)
    if chosen is study.level and cluster is None:
        return study
    return replace(
        study,
        level=chosen,
        cluster=study.cluster if cluster is None else cluster_numbers(cluster, study.U),
    )


def as_level(name: str) -> Level:
    """Level of measurement by name."""
    try:
        return Level(name.lower())
    except ValueError:
        raise UnknownNameError.among("level", name, list(Level)) from None
