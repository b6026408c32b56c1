"""One question out of several: what raters drew on one image with different tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from accord.dataset import Column, Control, Dataset
from accord.errors import UsageError
from accord.values import EMPTY, Index, IntArray, Kind, Value

TAG: Final = "United"
DRAWN: Final = frozenset({Kind.BOXES, Kind.ELLIPSES, Kind.POLYGONS, Kind.MASKS})


def united(dataset: Dataset, wanted: Mapping[str, Sequence[str]]) -> Dataset:
    """Add a control for each name, whose answers hold the regions of several controls; those stay as they are.

    An answer is there if a rater answered one of the controls, EMPTY if all of these answers are. A dataset that has
    the control already is returned as it is.

    Parameters
    ----------
    wanted
        Name of the new control -> names of controls with boxes, ellipses, polygons or masks on one object.

    Raises
    ------
    UsageError
        If a name is taken, or the controls cannot be united.
    """
    columns = dict(dataset.columns)
    for name, parts in wanted.items():
        if name in columns and columns[name].control.tag == TAG:
            continue
        if name in columns:
            raise UsageError(f"unite: {name} is a control of the data already. Give the united one another name.")
        columns[name] = _united(name, [dataset[part] for part in dict.fromkeys(parts)])
    return replace(dataset, columns=columns) if len(columns) > len(dataset.columns) else dataset


def _united(name: str, parts: Sequence[Column]) -> Column:
    controls = [part.control for part in parts]
    _check(name, controls)
    keys = [_keys(part) for part in parts]
    cells, place = np.unique(np.concatenate(keys), axis=0, return_inverse=True)
    codes = np.full((len(cells), len(parts)), -1, dtype=np.int64)
    column = np.repeat(np.arange(len(parts)), [len(key) for key in keys])
    codes[place.ravel(), column] = np.concatenate([part.code for part in parts])
    distinct, code = np.unique(codes, axis=0, return_inverse=True)
    values = [_together(row, parts) for row in distinct.tolist()]
    index = {value: number for number, value in enumerate(dict.fromkeys(values))}
    numbers = np.array([index[value] for value in values], dtype=np.int32)
    return Column(
        control=_control(name, controls),
        unit=cells[:, 0].astype(np.int32),
        rater=cells[:, 1].astype(np.int32),
        code=numbers[code.ravel()] if len(numbers) else np.empty(0, dtype=np.int32),
        values=tuple(index),
        annotation=None if all(part.annotation is None for part in parts) else cells[:, 2].astype(np.int32),
        missing=min(part.missing for part in parts),
        not_applicable=min(part.not_applicable for part in parts),
    )


def _check(name: str, controls: Sequence[Control]) -> None:
    words = ", ".join(f"{control.name} ({control.kind})" for control in controls)
    if len(controls) < 2:
        raise UsageError(f"unite: {name} needs two controls or more, not {words or 'none'}.")
    if not {control.kind for control in controls} <= DRAWN:
        raise UsageError(f"unite: {name} can hold boxes, ellipses, polygons and masks only, not {words}.")
    if len({control.objects for control in controls if control.objects}) > 1:
        raise UsageError(f"unite: the controls of {name} are about different objects: {words}.")


def _control(name: str, controls: Sequence[Control]) -> Control:
    kinds = {control.kind for control in controls}
    kind = next(iter(kinds)) if len(kinds) == 1 else Kind.MASKS if Kind.MASKS in kinds else Kind.POLYGONS
    labels = dict.fromkeys(label for control in controls for label in control.domain or ())
    declared = all(control.domain is not None for control in controls)
    return Control(
        name=name,
        kind=kind,
        tag=TAG,
        domain=tuple(labels) if declared else None,
        objects=next((control.objects for control in controls if control.objects), ()),
        declared=all(control.declared for control in controls),
    )


def _keys(part: Column) -> Index:
    """Unit, rater and annotation of every cell, (C, 3)."""
    annotation: IntArray = np.full(len(part.code), -1, np.int32) if part.annotation is None else part.annotation
    return np.column_stack((part.unit, part.rater, annotation)).astype(np.int64)


def _together(codes: Sequence[int], parts: Sequence[Column]) -> Value:
    given = [part.values[code] for part, code in zip(parts, codes, strict=True) if code >= 0]
    regions = tuple(region for value in given if isinstance(value, tuple) for region in value)
    return regions or EMPTY
