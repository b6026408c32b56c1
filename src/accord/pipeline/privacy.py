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


def pseudonymise(dataset: Dataset, key_file: Path) -> Dataset:
    """Replace rater names by pseudonyms that stay the same for the same key file.

    The file is created if it does not exist, readable by its owner only, and holds the key and the names.

    Raises
    ------
    DataError
        If the key file holds no key.
    """
    key, known = _load(key_file)
    names = {rater.name: _pseudonym(key, rater.name) for rater in dataset.raters}
    _save(key_file, key, known | {pseudonym: name for name, pseudonym in names.items()})
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
        return secrets.token_bytes(32), {}
    data = load_json_object(path)
    try:
        return bytes.fromhex(data["key"]), dict(data.get("names", {}))
    except (KeyError, TypeError, ValueError):
        raise DataError.at(
            "is not a pseudonym key file.", file=str(path), hint="Move it away to start with a new key."
        ) from None


def _save(path: Path, key: bytes, names: dict[str, str]) -> None:
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump({"key": key.hex(), "names": names}, file, ensure_ascii=False, indent=1)
    temporary.replace(path)
