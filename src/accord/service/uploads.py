"""What people upload: kept in a file of our own naming, read by the readers, and gone afterwards."""

from __future__ import annotations

import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from accord.errors import AccordError
from accord.service.failures import Failure
from accord.service.settings import Settings
from accord.workspace import Workspace
from accord.workspace.records import Imported

PIECE = 1024 * 1024


async def import_body(request: Request, actor: str, project: int, *, strict: bool = False) -> Imported:
    """Import what a request holds: a form with a ``file``, or a JSON array of tasks.

    Raises
    ------
    Failure
        415 for another media type, 400 or 422 for what is no form or no file.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "multipart/form-data":
        async with request.form(max_files=1, max_fields=20) as form:
            file = form.get("file")
            if not isinstance(file, UploadFile):
                raise Failure(422, "The form has no file.", code="no_file")
            return await run_in_threadpool(import_file, request, file.file, file.filename or "", actor, project, strict)
    if kind == "application/json":
        with tempfile.TemporaryFile() as body:
            async for piece in request.stream():
                body.write(piece)
            body.seek(0)
            return await run_in_threadpool(import_file, request, body, "tasks.json", actor, project, strict)
    raise Failure(415, "Send a form with a file, or JSON.")


def import_file(
    request: Request, source: IO[bytes], name: str, actor: str, project: int, strict: bool = False
) -> Imported:
    """Import one file; ``name`` is shown and never used as a path."""
    workspace: Workspace = request.app.state.workspace
    settings: Settings = request.app.state.settings
    shown = shown_name(name)
    with kept(source, name, settings) as path:
        try:
            return workspace.content.import_(project, path, actor=actor, name=shown, strict=strict)
        except AccordError as error:
            raise type(error)(str(error).replace(str(path), shown)) from None


@contextmanager
def kept(source: IO[bytes], name: str, settings: Settings) -> Iterator[Path]:
    """Copy an upload into a folder of its own, which is removed at the end.

    Raises
    ------
    Failure
        422 for an empty file, 413 for one that would grow too large when it is opened.
    """
    with tempfile.TemporaryDirectory(prefix="accord-upload-") as folder:
        path = Path(folder) / f"upload{_ending(name)}"
        with path.open("wb") as target:
            shutil.copyfileobj(source, target, PIECE)
        if not path.stat().st_size:
            raise Failure(422, "The file is empty.", code="data")
        _refuse_bomb(path, settings.expanded_bytes)
        yield path


def _ending(name: str) -> str:
    """Ending that tells readers what a file is; nothing else of a name is trusted."""
    ending = os.path.splitext(name)[1].lower()  # noqa: PTH122 - a name, not a path
    return ending if ending in {".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".xlsx", ".parquet", ".xml"} else ".json"


def _refuse_bomb(path: Path, limit: int) -> None:
    """Refuse an archive whose parts together are larger than allowed."""
    if not zipfile.is_zipfile(path):
        return
    with zipfile.ZipFile(path) as archive:
        grown = sum(part.file_size for part in archive.infolist())
    if grown > limit:
        raise Failure(413, f"The file would grow to {grown:,} bytes. Allowed: {limit:,}.")


def shown_name(name: str) -> str:
    """Last part of a file name, printable and short."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(c for c in last if c.isprintable())[:200] or "upload"
