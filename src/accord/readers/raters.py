"""Who is who: one name for each rater, from e-mails, ids, names of files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np

from accord.values import BoolArray, IntArray

if TYPE_CHECKING:
    from accord.readers.builder import DatasetBuilder


def resolve_raters(builder: DatasetBuilder) -> tuple[IntArray, list[str]]:
    """Rater of each annotation (A,), and the names of the raters."""
    identities = list(builder.identities)
    names = [_linked(kind, text, builder) for kind, text in identities]
    given = builder.annotations.column("rater").astype(np.int64)
    file = builder.annotations.column("file").astype(np.int64)
    renamed = _after_files(builder, identities, names, given, file)
    if renamed is not None:
        return renamed
    rater, distinct = _numbered(names, given)
    anonymous = np.array([kind == "none" for kind, _ in identities], dtype=np.bool_)
    if len(given) and anonymous[given].any():
        return _unknown(builder, anonymous[given], rater, distinct, file)
    _warn_one_id(builder, rater)
    return rater, distinct


def _linked(kind: str, text: str, builder: DatasetBuilder) -> str:
    """E-mail of an id where both occur together, and only one e-mail does."""
    emails = builder.emails.get(text, set()) if kind == "id" else set()
    return next(iter(emails)) if len(emails) == 1 else text


def _numbered(names: Sequence[str], given: np.ndarray[tuple[int], np.dtype[np.int64]]) -> tuple[IntArray, list[str]]:
    distinct = {name: number for number, name in enumerate(dict.fromkeys(names))}
    table = np.array([distinct[name] for name in names], dtype=np.int32)
    rater = table[given] if len(given) else np.empty(0, dtype=np.int32)
    return rater, list(distinct)


def _after_files(
    builder: DatasetBuilder,
    identities: Sequence[tuple[str, str]],
    names: Sequence[str],
    given: np.ndarray[tuple[int], np.dtype[np.int64]],
    file: np.ndarray[tuple[int], np.dtype[np.int64]],
) -> tuple[IntArray, list[str]] | None:
    """Name raters after their files: several files, one rater in each, nothing that tells these apart."""
    pairs = sorted(set(zip(file.tolist(), given.tolist(), strict=True)))
    of_file: dict[int, set[str]] = {}
    for number, identity in pairs:
        of_file.setdefault(number, set()).add(names[identity])
    if len(of_file) < 2 or any(len(found) > 1 for found in of_file.values()):
        return None
    kinds = {identities[identity][0] for _, identity in pairs}
    named = [next(iter(found)) for found in of_file.values()]
    projects = [builder.projects[number] for number in of_file]
    one_project = len(projects[0]) == 1 and all(found == projects[0] for found in projects)
    if kinds & {"email", "name"} or (len(set(named)) == len(named) and "none" not in kinds) or one_project:
        return None
    if any("@" in name for name in named):
        return None
    stems = file_stems(builder.files)
    builder.notices.file = builder.notices.task = ""
    builder.notices.add("rater-from-file", ", ".join(stems[number] for number in of_file), count=len(of_file))
    return file.astype(np.int32), stems


def file_stems(files: Sequence[str]) -> list[str]:
    """Names of files without ending; the whole path where these are not distinct."""
    stems = [PurePath(name).stem for name in files]
    return stems if len(set(stems)) == len(stems) else list(files)


def _unknown(
    builder: DatasetBuilder,
    anonymous: BoolArray,
    rater: IntArray,
    names: list[str],
    file: np.ndarray[tuple[int], np.dtype[np.int64]],
) -> tuple[IntArray, list[str]]:
    """Name annotations without annotator after their file, or number them within their task."""
    stems = file_stems(builder.files)
    task = builder.annotations.column("task").astype(np.int64)
    rater, names = rater.copy(), list(names)
    number = {name: i for i, name in enumerate(names)}
    crowded = [f for f in np.unique(file[anonymous]).tolist() if _repeats(task[anonymous & (file == f)])]
    slots: dict[int, int] = {}
    for row in np.flatnonzero(anonymous).tolist():
        name = stems[file[row]]
        if file[row] in crowded:
            slots[task[row]] = slots.get(task[row], 0) + 1
            name = f"unknown-{slots[task[row]]}"
        rater[row] = number.setdefault(name, len(number))
    builder.notices.file = builder.notices.task = ""
    builder.notices.add("rater-unknown", count=int(anonymous.sum()))
    return rater, list(number)


def _repeats(task: np.ndarray[tuple[int], np.dtype[np.int64]]) -> bool:
    return len(np.unique(task)) < len(task)


def _warn_one_id(builder: DatasetBuilder, rater: IntArray) -> None:
    task = builder.annotations.column("task").astype(np.int64)
    if len(rater) and (rater == rater[0]).all() and _repeats(task):
        builder.notices.file = builder.notices.task = ""
        builder.notices.add("one-rater-id", count=len(rater))
