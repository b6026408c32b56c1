"""Choose what counts of one control: roles, independent answers, first answers, clusters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

import numpy as np

from accord.dataset import Column, Dataset, Flag, Role
from accord.errors import DataError, UnknownNameError, UsageError
from accord.study.coded import Study, compact, pick
from accord.values import BoolArray, Index, IntArray

DEPENDENT: Final = int(Flag.EDITED_BY_OTHER | Flag.COPIED | Flag.FROM_PREDICTION)


def study_of(
    dataset: Dataset,
    control: str,
    *,
    answers: Literal["all", "independent"] = "all",
    first: int | None = None,
    roles: Iterable[Role] = (Role.RATER,),
    cluster: str | None = None,
) -> Study:
    """Take one control of a dataset as a study; units and raters without answers go.

    Parameters
    ----------
    answers
        ``independent`` leaves out answers edited by somebody else, copied, or started from a prediction.
    first
        Keep only the K earliest answers of each unit, by time of creation.
    roles
        Roles of the raters that count.
    cluster
        Name in ``dataset.clusters``, or ``unit`` for none. By default units that share a task form a cluster.

    Raises
    ------
    UsageError
        Unknown control, cluster name or value of ``answers``.
    DataError
        ``first`` is given and an answer has no time.
    """
    column = dataset[control]
    keep = _kept(dataset, column, answers, frozenset(roles))
    if first is not None:
        keep = _earliest(dataset, column, keep, first)
    unit, rater, code = (
        (column.unit, column.rater, column.code)
        if keep.all()
        else (column.unit[keep], column.rater[keep], column.code[keep])
    )
    unit, units = compact(unit, len(dataset.units))
    rater, raters = compact(rater, len(dataset.raters))
    rater_names = [dataset.raters[i].name for i in raters.tolist()]
    complete = len(code) == len(units) * len(raters) and len(code) > 0
    kind, domain = column.control.kind, column.control.domain
    return Study(
        unit=unit,
        rater=rater,
        code=code,
        values=column.values,
        unit_names=pick(dataset.units, units),
        rater_names=rater_names,
        name=control,
        kind=kind,
        level=column.control.level,
        domain=None if domain is None or kind.is_set else len(domain),  # sets are made of the domain, not members of it
        slots=column.slots,
        cluster=_clusters(dataset, cluster, units),
        matrix=code.reshape(len(units), len(raters)) if complete else None,
    )


def _kept(dataset: Dataset, column: Column, answers: str, roles: frozenset[Role]) -> BoolArray:
    if answers not in ("all", "independent"):
        raise UsageError(f"Unknown value {answers!r} of answers. Allowed: all, independent.")
    counts = np.array([rater.role in roles for rater in dataset.raters], dtype=np.bool_)
    keep = np.ones(len(column.code), dtype=np.bool_) if counts.all() else counts[column.rater]
    if dataset.annotations is None or column.annotation is None:
        return keep
    unwanted = int(Flag.SUPERSEDED) | (DEPENDENT if answers == "independent" else 0)
    refused = (dataset.annotations.flags & unwanted) != 0
    if refused.any():
        known = column.annotation >= 0
        keep = keep & ~(known & refused[column.annotation])
    return keep


def _earliest(dataset: Dataset, column: Column, keep: BoolArray, first: int) -> BoolArray:
    if first < 1:
        raise UsageError(f"first must be at least 1, not {first}.")
    cells = np.flatnonzero(keep)
    if not len(cells):
        return keep
    if dataset.annotations is None or column.annotation is None:
        raise _no_times(column)
    annotation = column.annotation[cells]
    created = dataset.annotations.created[annotation]
    if (annotation < 0).any() or np.isnan(created).any():
        raise _no_times(column)
    order = np.lexsort((annotation, created, column.unit[cells]))
    unit = column.unit[cells[order]]
    begins = np.flatnonzero(np.concatenate(([True], unit[1:] != unit[:-1])))
    sizes = np.diff(np.append(begins, len(unit)))
    rank = np.arange(len(unit)) - np.repeat(begins, sizes)
    result = np.zeros_like(keep)
    result[cells[order[rank < first]]] = True
    return result


def _no_times(column: Column) -> DataError:
    return DataError.at(
        "the first answers cannot be told: some answers have no time of creation.",
        control=column.control.name,
        hint="Leave out --first, or read an export that has created_at.",
    )


def _clusters(dataset: Dataset, name: str | None, units: Index) -> IntArray | None:
    if name == "unit":
        return None
    wanted = "task" if name is None else name
    if wanted not in dataset.clusters:
        if name is None:
            return None
        raise UnknownNameError.among("cluster", name, [*dataset.clusters, "unit"])
    _, numbers = np.unique(dataset.clusters[wanted][units], return_inverse=True)
    if name is None and (not len(numbers) or int(numbers.max()) + 1 == len(numbers)):
        return None
    return numbers.astype(np.int32)
