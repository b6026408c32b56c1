"""UIMA documents as INCEpTION exports them: a folder for each text, in it a file for each user."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Final

from accord.errors import DataError, MissingExtraError
from accord.readers.decoding import decoding
from accord.readers.exports.entries import Entry, entries_in
from accord.readers.exports.export import ExportFormat, Look, Source, Task
from accord.readers.exports.items import task
from accord.readers.exports.opening import decoded, xml_of
from accord.readers.exports.uima_layers import items_of

#: Folders of an exported project that hold texts.
_PROJECT: Final = frozenset({"annotation", "curation"})
#: Files that are no user's own work: the text before anybody worked on it, and what a curator decided.
_NOBODY: Final = frozenset({"INITIAL_CAS", "CURATION_USER"})
_LISTS: Final = frozenset({"exportedproject.json"})
_TYPES: Final = "typesystem.xml"


def tasks(source: Source) -> Iterator[Task]:
    """Every text is a task for each user."""
    for name, entry in source.documents():
        inner = entries_in(entry) if entry.ending == ".zip" else [entry]
        for document in (one for one in inner if one.ending in (".xmi", ".json")):
            text, rater = (name, source.rater) if source.document is not None else _named(entry, document, source)
            source.notices.task = text
            if rater in _NOBODY:
                source.notices.add("curated-left-out", rater)
                continue
            cas = _cas(document, [*inner, *source.entries])
            yield task(text, {"text": str(cas.sofa_string or "")}, {rater: items_of(cas, source)})


def _named(entry: Entry, document: Entry, source: Source) -> tuple[str, str]:
    """Text and rater of a document, by where it lies."""
    folders = PurePosixPath(entry.name).parts[:-1]
    in_project = bool(_PROJECT & set(folders))
    if source.several and not in_project:
        return entry.place, source.rater
    below = folders[folders.index(next(part for part in folders if part in _PROJECT)) + 1 :] if in_project else folders
    return "/".join(below), document.stem if document.stem in _NOBODY else entry.stem


def _cas(entry: Entry, around: list[Entry]) -> Any:
    """Annotated text of a document; types of XMI lie in a file beside it."""
    try:
        import cassis
    except ImportError:
        raise MissingExtraError.install("Reading UIMA documents", "formats") from None
    content, file = entry.content(), Path(entry.shown)
    if entry.ending == ".json":
        with decoding(file, "this is no UIMA document"):
            return cassis.load_cas_from_json(decoded(content, entry.shown))
    xml_of(entry)
    types = _types(entry, around)
    xml_of(types)
    with decoding(Path(types.shown), "this is no type system"):
        known = cassis.load_typesystem(io.BytesIO(types.content()))
    with decoding(file, "this is no UIMA document of this type system"):
        return cassis.load_cas_from_xmi(io.BytesIO(content), typesystem=known)


def _types(entry: Entry, around: list[Entry]) -> Entry:
    """Type system of a document: the one that lies nearest, or beside a file on its own."""
    folder = PurePosixPath(entry.name).parent
    found = [one for one in around if PurePosixPath(one.name).name.casefold() == _TYPES]
    near = [one for one in found if folder.is_relative_to(PurePosixPath(one.name).parent)]
    if near or found:
        return max(near or found, key=lambda one: len(PurePosixPath(one.name).parts))
    beside = next((one for name in ("TypeSystem.xml", "typesystem.xml") if (one := entry.at(name))), None)
    if beside is None:
        hint = "Export the documents with their type system, and keep it beside them."
        raise DataError.at("there is no TypeSystem.xml for it.", file=entry.shown, hint=hint)
    return beside


def _recognises(look: Look) -> bool:
    in_project = look.entry.ending == ".zip" and bool(_PROJECT & set(PurePosixPath(look.entry.name).parts))
    return look.root == "XMI" or "%FEATURE_STRUCTURES" in look.record or in_project


FORMAT: Final = ExportFormat(
    key="uima",
    title="INCEpTION and other UIMA documents (XMI, JSON)",
    raters="one file each in the folder of a text, named after it; of several sources each is a rater",
    endings=(".xmi", ".json", ".zip"),
    tasks=tasks,
    recognises=_recognises,
    unit="a text (folder)",
    note="A project as INCEpTION exports it (XMI or JSON, extra `formats`); WebAnno TSV has to be exported as XMI.",
    lists=_LISTS,
    folders=_PROJECT,
)
