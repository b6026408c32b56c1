"""Run a benchmark: every measure on every replicate of every condition, in the same order, on the same draws."""

from __future__ import annotations

import math
import platform
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from accord.bench.chosen import Chosen
from accord.bench.drawing import draws
from accord.bench.log import Entry, Key, Log
from accord.bench.measures import Measure
from accord.bench.negatives import Negatives
from accord.bench.settings import Settings
from accord.bench.trial import Trial
from accord.errors import DataError, UsageError
from accord.terminology.concepts import Terminology
from accord.version import __version__

#: (what is under way, done, all)
Progress = Callable[[str, int, int], None]
#: Share of pairs without a score above which a study has no number under a measure.
MOST_FAILED = 0.01


@dataclass(frozen=True)
class Benchmark:
    """Terminologies, measures and settings of one benchmark."""

    chosen: tuple[Chosen, ...]
    measures: tuple[Measure, ...]
    settings: Settings

    def __post_init__(self) -> None:
        names = [table.name for table in self.terminologies]
        if len(set(names)) < len(names) or not names:
            raise UsageError(f"Terminologies need names of their own; found {', '.join(names) or 'none'}.")

    @property
    def terminologies(self) -> list[Terminology]:
        """What is asked about."""
        return [one.table for one in self.chosen]

    def manifest(self) -> dict[str, Any]:
        """What makes this benchmark, and proves that all measures had equal settings."""
        return {
            "accord": __version__,
            "settings": self.settings.to_dict(),
            "settings_hash": self.settings.fingerprint,
            "chance_agreement": "exact, all pairs of distinct texts",
            "terminologies": {one.table.name: _described(one) for one in self.chosen},
            "measures": {measure.name: measure.fingerprint for measure in self.measures},
        }

    def check_calls(self, most: int | None) -> None:
        """Refuse to ask a paid model before somebody has said how often it may be asked.

        Raises
        ------
        UsageError
            With a forecast of the pairs it will be asked for at most.
        """
        s = self.settings
        elements = {"single": s.items, "sets": s.items * (1 + s.set_size) / 2}
        # Preferred names and synonyms of the first annotator's concepts and of the others.
        texts = [elements[form] * (4 if any(s.rates) else 2) for form in s.forms]
        studies = len(self.chosen) * len(s.negatives) * s.replicates
        pairs = round(studies * sum(n * (n - 1) / 2 for n in texts))
        for measure in self.measures:
            if measure.paid and (most is None or pairs > most):
                raise UsageError(
                    f"{measure.name} will be asked for up to {pairs:,} pairs of texts, each in both orders. Allow it "
                    f"with --max-calls {pairs}, or ask for fewer items, replicates or kinds."
                )

    def run(self, folder: Path, progress: Progress | None = None) -> Log:
        """Do what is not yet in the folder.

        Raises
        ------
        UsageError
            If the folder holds another benchmark.
        DataError
            If a terminology lacks concepts to ask about.
        """
        log = Log(folder, self.manifest())
        keys = list(self.keys())
        missing = {key for key in keys if key not in log.entries}
        done = len(keys) - len(missing)
        for table in self.terminologies:
            negatives = Negatives(table) if any(key[0] == table.name for key in missing) else None
            for form, replicate in self._replicates():
                wanted = [key for key in missing if key[:2] == (table.name, form) and key[3] == replicate]
                if negatives is None or not wanted:
                    continue
                for entry in self._entries(table, negatives, form, replicate, set(wanted)):
                    log.add(entry)
                    done += 1
                    if progress:
                        progress(f"{table.name}, {form}, {entry.negative}: {entry.measure}", done, len(keys))
        _same_draws(log)
        return log

    def keys(self) -> Iterator[Key]:
        """Everything that is measured."""
        for table in self.terminologies:
            for form, replicate in self._replicates():
                for negative in self.settings.negatives:
                    for measure in self.measures:
                        yield table.name, form, negative, replicate, measure.name

    def _replicates(self) -> list[tuple[str, int]]:
        return [(form, k) for form in self.settings.forms for k in range(self.settings.replicates)]

    def _entries(
        self, table: Terminology, negatives: Negatives, form: str, replicate: int, wanted: set[Key]
    ) -> Iterator[Entry]:
        for negative, draw in draws(negatives, self.settings, form, replicate).items():
            trial = Trial(draw, self.settings)
            for measure in self.measures:
                key = table.name, form, negative, replicate, measure.name
                if key in wanted:
                    yield _entry(key, measure, trial)


def _entry(key: Key, measure: Measure, trial: Trial) -> Entry:
    draw = trial.draw
    found = measure.table(draw)
    done = trial.runs(found.scores)
    if found.failed > MOST_FAILED * found.pairs:
        done = [replace(run, value=math.nan) for run in done]
    return Entry(
        *key,
        draw.fingerprint,
        len(draw.texts),
        found.pairs,
        found.failed,
        found.seconds,
        tuple(done),
    )


def _described(one: Chosen) -> dict[str, Any]:
    table = one.table
    return {
        "dropped": one.dropped,
        "concepts": len(table.concepts),
        "strings": table.strings,
        "with_synonyms": table.with_synonyms,
        "fingerprint": table.fingerprint,
    }


def _same_draws(log: Log) -> None:
    """All measures must have seen the same draws."""
    seen: dict[Sequence[Any], str] = {}
    for key, entry in log.entries.items():
        if seen.setdefault(key[:4], entry.draw) != entry.draw:
            raise DataError.at(
                "measures in this folder have seen different studies.",
                file=str(log.folder),
                found=f"{key}",
            )


def machine() -> Mapping[str, str]:
    """Where the seconds were measured."""
    return {"python": sys.version.split()[0], "system": platform.platform(), "processor": platform.machine()}
