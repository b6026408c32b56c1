"""The coded tables of a bundle, checked: a bundle may have been changed by anybody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from accord.dataset import Column, Control, Dataset, Rater
from accord.errors import DataError
from accord.pipeline.plan import load_json_object
from accord.pipeline.value_json import decode
from accord.values import EMPTY, Index, IntArray, Kind, Level, Value

FIELDS: Final[Mapping[str, type | tuple[type, ...]]] = {
    "file": str,
    "name": str,
    "tag": str,
    "kind": str,
    "level": str,
    "domain": (int, type(None)),
    "declared": bool,
    "clustered": bool,
    "units": list,
    "raters": list,
    "values": (list, type(None)),
}
COLUMNS: Final = 4


def read_controls(folder: Path) -> Iterator[tuple[str, bool, Dataset]]:
    """Yield name, whether units are clustered, and answers of every control whose answers are in the bundle.

    Raises
    ------
    DataError
        If a file is missing or was changed so that it cannot be read, or no answers are in the bundle.
    """
    file = folder / "controls.json"
    entries = load_json_object(file).get("controls")
    if not isinstance(entries, list) or not entries:
        raise DataError.at("names no controls.", file=str(file))
    for entry in entries:
        _check(entry, file)
    kept = [entry for entry in entries if entry["values"] is not None]
    if not kept:
        raise DataError.at(
            "holds no answers.", file=str(file), hint="It was written with --no-content, so nothing can be recomputed."
        )
    for entry in kept:
        yield entry["name"], entry["clustered"], _dataset(folder, entry)


def _check(entry: Any, file: Path) -> None:
    if not isinstance(entry, dict):
        raise DataError.at("each control is an object.", file=str(file), found=repr(entry))
    for name, kind in FIELDS.items():
        if not isinstance(entry.get(name), kind):
            raise DataError.at(f"{name} is missing or of a wrong type.", file=str(file), found=repr(entry.get(name)))
    if Path(entry["file"]).name != entry["file"]:
        raise DataError.at("a table lies in the folder of its bundle.", file=str(file), found=entry["file"])
    for name, allowed in (("kind", list(Kind)), ("level", list(Level))):
        if entry[name] not in allowed:
            raise DataError.at(f"{name} is not known.", file=str(file), found=entry[name], allowed=", ".join(allowed))
    if not all(isinstance(name, str) for name in (*entry["units"], *entry["raters"])):
        raise DataError.at("units and raters are texts.", file=str(file), control=entry["name"])
    if entry["values"] is not None and not 0 <= (entry["domain"] or 0) <= len(entry["values"]):
        raise DataError.at("the domain is larger than the values.", file=str(file), control=entry["name"])


def _dataset(folder: Path, entry: Mapping[str, Any]) -> Dataset:
    values = tuple(map(decode, entry["values"]))
    table = _table(folder / entry["file"], (len(entry["units"]), len(entry["raters"]), len(values)))
    unit, rater, code, cluster = (np.ascontiguousarray(table[:, i], dtype=np.int32) for i in range(COLUMNS))
    control = Control(
        name=entry["name"],
        kind=Kind(entry["kind"]),
        level=Level(entry["level"]),
        tag=entry["tag"],
        domain=values[: entry["domain"]] if entry["declared"] else None,
    )
    clusters = np.zeros(len(entry["units"]), dtype=np.int32)
    clusters[unit] = cluster
    clusters.flags.writeable = False
    blanks = _blanks(unit, rater, code, values)
    column = Column(control=control, unit=unit, rater=rater, code=code, values=values, blanks=blanks)
    return Dataset(
        units=entry["units"],
        raters=tuple(map(Rater, entry["raters"])),
        columns={control.name: column},
        clusters={"cluster": clusters},
    )


def _blanks(unit: IntArray, rater: IntArray, code: IntArray, values: tuple[Value, ...]) -> IntArray:
    """Answers without content: under the platform's rules, the only empty ones a table holds."""
    empty = np.isin(code, [i for i, value in enumerate(values) if value is EMPTY])
    return np.column_stack((unit[empty], rater[empty], np.full(int(empty.sum()), -1))).astype(np.int32)


def _table(path: Path, sizes: tuple[int, int, int]) -> Index:
    """Read the coded table (C, 4): numbers of unit, rater, value and cluster, in order of unit and rater."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()[1:]
        table = np.loadtxt(lines, delimiter=",", dtype=np.int64, ndmin=2) if lines else np.empty((0, COLUMNS), np.int64)
    except (OSError, ValueError) as error:
        raise DataError.at(f"cannot be read ({error}).", file=str(path)) from None
    if table.shape[1] != COLUMNS:
        raise DataError.at("each row has four numbers.", file=str(path), found=f"{table.shape[1]}")
    if (table < 0).any() or (table[:, :3] >= sizes).any() or (table[:, 3] > np.iinfo(np.int32).max).any():
        raise DataError.at("a number lies outside what controls.json names.", file=str(path))
    place = table[:, 0] * max(1, sizes[1]) + table[:, 1]
    if (np.diff(place) <= 0).any():
        raise DataError.at("rows are not in order of unit and rater, each pair once.", file=str(path))
    return table
