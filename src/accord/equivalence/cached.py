"""Scores that were paid for are kept: SQLite, keyed by hashes, no text stored."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from accord.equivalence.protocol import TYPICAL_SECONDS, Equivalence, attempt, notes_of
from accord.errors import DataError, UsageError
from accord.values import BoolArray, FloatArray

#: Pairs stored at a time, for models that do not say.
CHUNK = 1024
#: Seconds to wait for another process that writes.
PATIENCE = 60.0
#: Keys looked up at a time (SQLite allows 32,766 variables).
LOOKUP = 10_000


def default_cache() -> Path:
    """File of kept scores under the user's cache directory (``ACCORD_CACHE`` or ``XDG_CACHE_HOME`` move it)."""
    given = os.environ.get("ACCORD_CACHE")
    if given:
        return Path(given).expanduser() / "scores.sqlite"
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "accord" / "scores.sqlite"


def key_of(*parts: str) -> bytes:
    """Hash under which something is kept; the length of every part is hashed too, so that no two keys meet."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    return digest.digest()


class _Store:
    """A file of values by key. Every write is one transaction: a killed process loses at most the last chunk."""

    table = ""
    column = ""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._link = sqlite3.connect(self.path, timeout=PATIENCE)
            self._link.execute("PRAGMA journal_mode=WAL")
            self._link.execute("PRAGMA synchronous=NORMAL")
            with self._link:
                self._link.execute(
                    f"CREATE TABLE IF NOT EXISTS {self.table} (key BLOB PRIMARY KEY, value {self.column}) WITHOUT ROWID"
                )
        except (OSError, sqlite3.Error) as problem:
            raise self._broken(problem) from None

    def _get(self, keys: Sequence[bytes]) -> dict[bytes, Any]:
        found: dict[bytes, Any] = {}
        try:
            for start in range(0, len(keys), LOOKUP):
                some = keys[start : start + LOOKUP]
                marks = ",".join("?" * len(some))
                found.update(
                    self._link.execute(f"SELECT key, value FROM {self.table} WHERE key IN ({marks})", some)  # noqa: S608
                )
        except sqlite3.Error as problem:
            raise self._broken(problem) from None
        return found

    def _put(self, items: Iterable[tuple[bytes, Any]]) -> None:
        try:
            with self._link:
                self._link.executemany(f"INSERT OR IGNORE INTO {self.table} VALUES (?, ?)", items)  # noqa: S608
        except sqlite3.Error as problem:
            raise self._broken(problem) from None

    def close(self) -> None:
        """Close the file."""
        self._link.close()

    def _broken(self, problem: Exception) -> DataError:
        return DataError.at(
            f"the cache of scores cannot be used: {problem}.",
            file=str(self.path),
            hint="Give another file with --cache PATH, or --cache off.",
        )


class ScoreStore(_Store):
    """Scores by key; the first one under a key stays."""

    table, column = "score", "REAL"

    def get(self, keys: Sequence[bytes]) -> dict[bytes, float]:
        """Scores kept under some of the keys; NaN for an answer without a score."""
        return {key: np.nan if value is None else float(value) for key, value in self._get(keys).items()}

    def put(self, items: Iterable[tuple[bytes, float | None]]) -> None:
        """Keep scores."""
        self._put(items)


class VectorStore(_Store):
    """Vectors by key, as 8-byte floats."""

    table, column = "vector", "BLOB"

    def get(self, keys: Sequence[bytes]) -> dict[bytes, FloatArray]:
        """Vectors kept under some of the keys."""
        return {key: np.frombuffer(value, dtype="<f8") for key, value in self._get(keys).items()}

    def put(self, items: Iterable[tuple[bytes, FloatArray]]) -> None:
        """Keep vectors."""
        self._put((key, vector.astype("<f8").tobytes()) for key, vector in items)


class Cached:
    """A model that never scores the same pair twice.

    Attributes
    ----------
    hits, calls
        Pairs found in the cache, and pairs the model was asked for.
    """

    def __init__(self, model: Equivalence, store: ScoreStore) -> None:
        self.model = model
        self.store = store
        self.name, self.fingerprint, self.symmetric = model.name, model.fingerprint, model.symmetric
        self.chunk: int = getattr(model, "chunk", CHUNK)
        self.seconds: float = getattr(model, "seconds", TYPICAL_SECONDS)
        self.hits = self.calls = 0

    def score(self, left: Sequence[str], right: Sequence[str], /) -> FloatArray:
        """Scores of pairs, (n,): kept ones, and new ones stored chunk by chunk."""
        return self.attempt(left, right)[0]

    def attempt(self, left: Sequence[str], right: Sequence[str], /) -> tuple[FloatArray, BoolArray]:
        """Scores, and which pairs were answered, now or before."""
        keys = [key_of(self.fingerprint, a, b) for a, b in zip(left, right, strict=True)]
        kept = self.store.get(keys)
        values = np.array([kept.get(key, np.nan) for key in keys], dtype=np.float64)
        answered = np.array([key in kept for key in keys], dtype=np.bool_)
        fresh = np.flatnonzero(~answered)
        self.hits += len(keys) - len(fresh)
        for start in range(0, len(fresh), self.chunk):
            some = fresh[start : start + self.chunk]
            asked = [left[k] for k in some.tolist()], [right[k] for k in some.tolist()]
            values[some], answered[some] = attempt(self.model, *asked)
            self.calls += len(some)
            self.store.put(
                (keys[k], None if np.isnan(values[k]) else float(values[k])) for k in some.tolist() if answered[k]
            )
        return values, answered

    @property
    def inner(self) -> Equivalence:
        """The model behind the cache."""
        return self.model

    def notes(self, texts: Sequence[str]) -> tuple[str, ...]:
        """What the model says about these texts."""
        return notes_of(self.model, texts)


def cached(model: Equivalence, path: Path | str | None = None) -> Equivalence:
    """Keep the scores of a model in a file, by default under the user's cache directory; ``"off"`` keeps none.

    Any number of processes may read; writes wait for one another. Texts are never stored, only hashes of them with the
    model's fingerprint.

    Raises
    ------
    DataError
        If the file is no cache or cannot be written.

    Examples
    --------
    >>> from accord.equivalence.lexical import lexical
    >>> cached(lexical("jaccard"), ":memory:").score(["a b"], ["b c"]).round(3).tolist()
    [0.333]
    """
    place = cache_file(path)
    return model if place is None else Cached(model, ScoreStore(place))


def cache_file(path: Path | str | None) -> Path | None:
    """File of the cache: the default one, the one given, or none for ``"off"``.

    Raises
    ------
    UsageError
        For an empty name.
    """
    if path is None:
        return default_cache()
    if not str(path):
        raise UsageError("The cache needs a file name; 'off' keeps nothing.")
    return None if str(path) == "off" else Path(path)
