"""The documents of a source: one file, the files of a folder, or those in a zip archive."""

from __future__ import annotations

import io
import lzma
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Final

from accord.errors import DataError

#: Nobody annotates one document of more than this; what is larger is no export of this kind.
LARGEST: Final = 1 << 30
MOST_FILES: Final = 1_000_000
#: Hidden folders that tools keep their settings in.
_KEPT: Final = frozenset({".argilla"})
_HEAD: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Entry:
    """One document: ``name`` is its place in the source with ending, ``shown`` its place for messages.

    ``path`` is that of a file that lies in a folder, not in an archive.
    """

    name: str
    shown: str
    read: Callable[[int], bytes] = field(repr=False)
    path: Path | None = None

    def content(self) -> bytes:
        """All bytes."""
        return self.read(-1)

    def head(self) -> bytes:
        """The first bytes, enough to tell what it is."""
        return self.read(_HEAD)

    def beside(self, ending: str) -> Entry | None:
        """File of the same name with another ending."""
        return self.at(f"{self.stem}{ending}")

    def at(self, name: str) -> Entry | None:
        """File of a name in the same folder."""
        path = None if self.path is None else self.path.with_name(name)
        return _of_file(path.name, path) if path is not None and path.is_file() else None

    @property
    def stem(self) -> str:
        """Name of the document alone, without folder and ending."""
        return PurePosixPath(self.name).stem

    @property
    def ending(self) -> str:
        """Ending in lower case, with its dot."""
        return PurePosixPath(self.name).suffix.casefold()

    @property
    def place(self) -> str:
        """Place in the source without ending."""
        return PurePosixPath(self.name).with_suffix("").as_posix()


def entries_of(path: Path) -> list[Entry]:
    """Documents of a source, sorted by name; hidden files are none.

    Raises
    ------
    DataError
        A file cannot be read, or an archive is broken or far larger than it looks.
    """
    if path.is_dir():
        found = sorted(_files_below(path))
        named = ((one.relative_to(path).as_posix(), one) for one in found)
        return [_of_file(name, one) for name, one in named if not _is_hidden(name)]
    return _members(path, str(path)) if zipfile.is_zipfile(path) else [_of_file(path.name, path)]


def _files_below(path: Path) -> list[Path]:
    try:
        return [one for one in path.rglob("*") if one.is_file()]
    except OSError as error:
        where = str(error.filename or path)
        message = (
            f"a file in the folder cannot be read: {error.strerror or error}. Remove it, or name the files to read."
        )
        raise DataError.at(message, file=where) from None


def entries_in(entry: Entry) -> list[Entry]:
    """Documents of an archive that is itself a document of a source."""
    return _members(io.BytesIO(entry.content()), entry.shown)


def is_one_file(path: Path) -> bool:
    """Whether a source is one document, no folder and no archive."""
    return path.is_file() and not zipfile.is_zipfile(path)


def _is_hidden(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return any((part.startswith(".") and part not in _KEPT) or part == "__MACOSX" for part in parts)


def _of_file(name: str, path: Path) -> Entry:
    return Entry(name, str(path), partial(_content, path), path)


def _content(path: Path, size: int) -> bytes:
    try:
        if size < 0 and path.stat().st_size > LARGEST:
            raise DataError.at(f"the file is larger than {LARGEST:,} bytes.", file=str(path))
        with path.open("rb") as file:
            return file.read(size)
    except OSError as error:
        raise DataError.at(f"the file cannot be read: {error.strerror or error}.", file=str(path)) from None


def _members(file: Path | io.BytesIO, shown: str) -> list[Entry]:
    """Documents in an archive; together they may not unpack to more than one file may hold."""
    try:
        with zipfile.ZipFile(file) as archive:
            found = [one for one in archive.infolist() if not one.is_dir() and not _is_hidden(one.filename)]
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise DataError.at(f"the archive is broken: {error}.", file=shown) from None
    if len(found) > MOST_FILES or sum(one.file_size for one in found) > LARGEST:
        hint = "Unpack it, and name the files that matter."
        raise DataError.at(f"the archive unpacks to more than {LARGEST:,} bytes.", file=shown, hint=hint)
    names = [(one, f"{shown}/{one.filename}") for one in sorted(found, key=lambda one: one.filename)]
    return [Entry(one.filename, name, partial(_unpacked, file, one, name)) for one, name in names]


def _unpacked(path: Path | io.BytesIO, member: zipfile.ZipInfo, shown: str, size: int) -> bytes:
    """Content of a member; the archive's reader gives no more than the archive says that it holds."""
    try:
        with zipfile.ZipFile(path) as archive, archive.open(member) as file:
            return file.read(size)
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, RuntimeError, OSError, EOFError, ValueError) as error:
        raise DataError.at(f"the member of the archive cannot be unpacked: {error}.", file=shown) from None
