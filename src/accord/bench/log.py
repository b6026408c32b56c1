"""Results are kept line by line, so that a run that was killed goes on where it stopped."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from accord.bench.trial import Run
from accord.errors import DataError, UsageError

#: terminology, form, negative, replicate, measure
Key = tuple[str, str, str, int, str]
RUNS, MANIFEST = "runs.jsonl", "manifest.json"


@dataclass(frozen=True, slots=True)
class Entry:
    """One measure on one replicate of one condition; ``draw`` is the hash of what was drawn."""

    terminology: str
    form: str
    negative: str
    replicate: int
    measure: str
    draw: str
    texts: int
    pairs: int
    failed: int
    seconds: float
    runs: tuple[Run, ...]

    @property
    def key(self) -> Key:
        """What this is about."""
        return self.terminology, self.form, self.negative, self.replicate, self.measure


class Log:
    """The folder of a benchmark."""

    def __init__(self, folder: Path, manifest: Mapping[str, Any]) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise DataError.at(f"cannot make the folder: {problem.strerror}.", file=str(folder)) from None
        self._agree(manifest)
        self.entries = {entry.key: entry for entry in _read(folder / RUNS)}

    def _agree(self, manifest: Mapping[str, Any]) -> None:
        """Keep the manifest, or make sure that the folder holds the same benchmark."""
        path = self.folder / MANIFEST
        if not path.exists():
            from accord.reporting.writing import write_text

            write_text(path, json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")
            return
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as problem:
            raise DataError.at(f"this is no manifest: {problem}.", file=str(path)) from None
        other = [name for name in manifest if not isinstance(kept, dict) or kept.get(name) != manifest[name]]
        if other:
            raise UsageError(
                f"{self.folder} holds a benchmark with other {', '.join(other)}. Give another folder with --out, "
                "or the same settings to go on."
            )

    def add(self, entry: Entry) -> None:
        """Append one result; it is on disk when this returns."""
        self.entries[entry.key] = entry
        with (self.folder / RUNS).open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(_to_json(entry), allow_nan=False) + "\n")
            stream.flush()
            os.fsync(stream.fileno())


_COLUMNS = tuple(field.name for field in fields(Run))


def _to_json(entry: Entry) -> dict[str, Any]:
    rows = [[None if math.isnan(v) else v for v in asdict(run).values()] for run in entry.runs]
    return {**{f.name: getattr(entry, f.name) for f in fields(Entry) if f.name != "runs"}, "runs": rows}


def _read(path: Path) -> Iterator[Entry]:
    """Entries of a file; a last line that was cut off is dropped from it."""
    if not path.exists():
        return
    content = path.read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        with path.open("r+b") as stream:
            stream.truncate(whole)
    for number, line in enumerate(content[:whole].splitlines(), 1):
        try:
            data = json.loads(line)
            rows = [Run(*(math.nan if v is None else float(v) for v in row)) for row in data.pop("runs")]
            yield Entry(**data, runs=tuple(rows))
        except (ValueError, TypeError, KeyError, AttributeError):
            raise DataError.at("this is no result of a benchmark.", file=str(path), line=number) from None
