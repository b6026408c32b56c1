"""Whose work a source is: raters named after files, folders, or the folders in a folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from accord.errors import DataError
from accord.readers.exports.entries import Entry, entries_of, is_one_file
from accord.readers.exports.export import Export, ExportFormat, Source


def sources_of(paths: Sequence[Path], one: ExportFormat, export: Export, rater_is: str) -> list[Source]:
    """Sources with the raters they are named after.

    Raises
    ------
    DataError
        There is no such file, or nothing of the format in a folder.
    """
    several, found = len(paths) > 1, []
    for path, (rater, document) in zip(paths, names_of(paths), strict=True):
        entries: Sequence[Entry] = entries_of(path)
        if is_one_file(path):
            found.append(Source(entries, str(path), rater, export, document, rater_is, several))
            continue
        entries = _below(_known(entries, path, one))
        source = Source(entries, str(path), rater, export, None, rater_is, several)
        folders = _by_folder(entries) if one.one_a_folder and not several else {}
        parts = [replace(source, rater=name, entries=inner, several=True) for name, inner in folders.items()]
        found += [replace(part, shown=f"{path}/{part.rater}") for part in parts] or [source]
    return found


def _known(entries: Sequence[Entry], path: Path, one: ExportFormat) -> Sequence[Entry]:
    if any(entry.ending in one.endings for entry in entries):
        return entries
    what = f"there is no file of the format {one.key} in it."
    raise DataError.at(what, file=str(path), allowed=" ".join(one.endings))


def _below(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Documents named below the folders that hold all of them."""
    split = [PurePosixPath(entry.name).parts for entry in entries]
    shared = 0
    while all(len(parts) > shared + 1 and parts[shared] == split[0][shared] for parts in split):
        shared += 1
    return [replace(entry, name="/".join(parts[shared:])) for entry, parts in zip(entries, split, strict=True)]


def _by_folder(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    """Documents by the folder that holds them, each named within it; empty unless there are several folders."""
    if any("/" not in entry.name for entry in entries):
        return {}
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        folder, _, name = entry.name.partition("/")
        found.setdefault(folder, []).append(replace(entry, name=name))
    return {name: list(_below(inner)) for name, inner in found.items()} if len(found) > 1 else {}


def names_of(paths: Sequence[Path]) -> list[tuple[str, str]]:
    """Rater and document of each path.

    Files of different names are the work of one rater each. Files of one name in different folders are named after
    these, and where one folder gives several, each file is a document of that rater.

    Examples
    --------
    >>> names_of([Path("ann.json"), Path("ben.json")])
    [('ann', ''), ('ben', '')]
    >>> names_of([Path("ann/1.rttm"), Path("ann/2.rttm"), Path("ben/1.rttm")])
    [('ann', '1'), ('ann', '2'), ('ben', '1')]
    """
    whole = [path.resolve() for path in paths]
    stems = [path.name if path.is_dir() else path.stem for path in whole]
    parents = [path.parent.name for path in whole]
    if len(set(stems)) == len(stems):
        return [(stem, "") for stem in stems]
    if len(set(zip(parents, stems, strict=True))) == len(stems) and all(parents):
        one_each = len(set(stems)) == 1
        return [(parent, "" if one_each else stem) for parent, stem in zip(parents, stems, strict=True)]
    return [(str(path), "") for path in paths]
