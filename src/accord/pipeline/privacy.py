"""Rater names that cannot be read: keyed pseudonyms, and no e-mail address where content is withheld."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from accord.dataset import Dataset, Rater
from accord.errors import DataError
from accord.pipeline.plan import load_json_object

KEY_FILE = "accord-pseudonyms.json"
KEY_BYTES = 32


def pseudonymise(dataset: Dataset, key_file: Path) -> Dataset:
    """Replace rater names by pseudonyms that stay the same for the same key file.

    The file is created if it does not exist, readable by its owner only, and holds the key and the names.

    Raises
    ------
    DataError
        If the key file holds no key, or cannot be written.
    """
    new = not key_file.exists()
    key, known = _load(key_file)
    names = {rater.name: _pseudonym(key, rater.name) for rater in dataset.raters}
    if not _save(key_file, key, known | {pseudonym: name for name, pseudonym in names.items()}, new=new):
        return pseudonymise(dataset, key_file)
    return rename(dataset, names.__getitem__)


def without_addresses(dataset: Dataset) -> Dataset:
    """Replace names that are e-mail addresses by their number in the list of raters."""
    place = {rater.name: f"rater {i}" for i, rater in enumerate(dataset.raters, 1)}
    return rename(dataset, lambda name: place[name] if "@" in name else name)


def rename(dataset: Dataset, new_name: Callable[[str], str]) -> Dataset:
    """Give every rater another name; examples of the import report go, since they may quote the old ones."""
    raters = tuple(Rater(new_name(rater.name), rater.role) for rater in dataset.raters)
    notices = tuple(replace(notice, examples=()) for notice in dataset.report.notices)
    return replace(dataset, raters=raters, report=replace(dataset.report, notices=notices))


def _pseudonym(key: bytes, name: str) -> str:
    return "R-" + hmac.new(key, name.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()[:10]


def _load(path: Path) -> tuple[bytes, dict[str, str]]:
    if not path.exists():
        return secrets.token_bytes(KEY_BYTES), {}
    data = load_json_object(path)
    try:
        key, names = bytes.fromhex(data["key"]), dict(data.get("names", {}))
    except (KeyError, TypeError, ValueError):
        key, names = b"", {}
    if len(key) < KEY_BYTES:
        raise DataError.at("is not a pseudonym key file.", file=str(path), hint="Move it away to start with a new key.")
    return key, names


def _save(path: Path, key: bytes, names: dict[str, str], *, new: bool) -> bool:
    """Write the key file whole or not at all; False if a ``new`` one was made by somebody else meanwhile."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file:
            json.dump({"key": key.hex(), "names": names}, file, ensure_ascii=False, indent=1)
        if new:
            os.link(temporary, path)
        else:
            temporary.replace(path)
    except FileExistsError:
        return False
    except OSError as error:
        raise DataError.at(
            f"the key of the pseudonyms cannot be written: {error.strerror or error}.",
            file=str(path.absolute()),
            hint="Run in a folder that can be written to.",
        ) from None
    finally:
        temporary.unlink(missing_ok=True)
    return True
