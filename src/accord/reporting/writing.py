"""Writing a file whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from accord.errors import DataError, UsageError


def write_text(path: str | Path, text: str) -> None:
    """Write UTF-8 text whole or not at all; see `write_bytes`."""
    write_bytes(path, text.encode("utf-8", "replace"))


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write to a temporary name beside ``path``, then rename.

    Raises
    ------
    UsageError
        If the folder does not exist or ``path`` is a folder.
    DataError
        If writing fails; ``path`` is then as it was before.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_bytes(Path(folder, "a.txt"), b"whole")
    ...     print(Path(folder, "a.txt").read_text(), len(list(Path(folder).iterdir())))
    whole 1
    """
    target = Path(path)
    try:
        check_target(target)
        if target.exists() and not target.is_file():
            target.write_bytes(content)
        else:
            _replace(target.resolve(), content)
    except OSError as error:
        raise DataError.at(f"cannot write: {error.strerror or error}.", file=str(path)) from error


def _replace(target: Path, content: bytes) -> None:
    temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.part")
    try:
        with temporary.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def check_target(path: str | Path) -> None:
    """Refuse a place where no file can be: a folder, or a name in a folder that does not exist."""
    target = Path(path)
    if target.is_dir():
        raise UsageError(f"{target} is a folder. Give the name of a file.")
    if not target.parent.is_dir():
        raise UsageError(f"The folder {target.parent} does not exist. Create it first.")
