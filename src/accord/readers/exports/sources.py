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
            found.append(Source(entries, str(path), rater, export, one, document, rater_is, several))
            continue
        entries = _below(entries, one)
        source = Source(entries, str(path), rater, export, one, None, rater_is, several)
        found += [source] if several else _parts(source)
        if not any(map(one.is_document, entries)):
            what = f"there is no file of the format {one.key} in it."
            raise DataError.at(what, file=str(path), allowed=" ".join(one.endings))
    return found


def _parts(source: Source) -> list[Source]:
    """Work of several raters in one folder or archive: in a folder each, or in a file each."""
    one = source.format
    by_folder = one.one_a_folder and source.rater_is != "tier"
    folders = _by_folder(source.entries, one) if by_folder else {}
    if folders:
        whole = replace(source, several=True)
        return [
            replace(whole, rater=name, entries=inner, shown=f"{source.shown}/{name}") for name, inner in folders.items()
        ]
    documents = [entry for entry in source.entries if one.is_document(entry)]
    if not one.one_a_file or len(documents) < 2:
        return [source]
    return [
        replace(source, rater=entry.place, entries=[entry], shown=entry.shown, document="", several=True)
        for entry in documents
    ]


def _below(entries: Sequence[Entry], one: ExportFormat) -> Sequence[Entry]:
    """Files named below the folders that hold all documents."""
    split = [PurePosixPath(entry.name).parts for entry in entries if one.is_document(entry)]
    shared = 0
    while split and all(len(parts) > shared + 1 and parts[shared] == split[0][shared] for parts in split):
        if split[0][shared] in one.folders:
            break
        shared += 1
    return [_named(entry, split[0][:shared]) for entry in entries] if shared else entries


def _named(entry: Entry, folders: Sequence[str]) -> Entry:
    """File named below some folders, where it lies in them."""
    parts = PurePosixPath(entry.name).parts
    return replace(entry, name="/".join(parts[len(folders) :])) if parts[: len(folders)] == folders else entry


def _by_folder(entries: Sequence[Entry], one: ExportFormat) -> dict[str, list[Entry]]:
    """Files by the folder that holds them, each named within it; empty unless documents lie in several folders.

    Files beside the folders belong to each of them.
    """
    folders = {PurePosixPath(entry.name).parts[0] for entry in entries if one.is_document(entry)}
    beside = [entry for entry in entries if "/" not in entry.name]
    if len(folders) < 2 or any(map(one.is_document, beside)):
        return {}
    inner = {name: [entry for entry in entries if entry.name.startswith(f"{name}/")] for name in sorted(folders)}
    return {name: [*_below([_named(entry, (name,)) for entry in found], one), *beside] for name, found in inner.items()}


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
