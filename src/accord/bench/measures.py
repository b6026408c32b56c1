"""The measures of a benchmark by name, and their scores of all pairs of some texts."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.bench.drawing import Draw
from accord.equivalence.models import MODELS, Setup
from accord.equivalence.protocol import Equivalence
from accord.errors import UsageError
from accord.similarity.text_pool import PairMemo, TextPool
from accord.values import FloatArray

#: Knows which concept each text names: what a perfect measure would reach.
ORACLE = "oracle"


@dataclass(frozen=True, slots=True)
class Table:
    """Scores of all pairs of texts, (T, T), and what they took: pairs asked for, without an answer, CPU seconds."""

    scores: FloatArray
    pairs: int
    failed: int
    seconds: float


@dataclass(frozen=True)
class Measure:
    """One measure under test."""

    name: str
    fingerprint: str
    model: Equivalence | None
    paid: bool = False

    def table(self, draw: Draw) -> Table:
        """Score all pairs of the texts of a draw."""
        if self.model is None:
            return Table((draw.owner[:, None] == draw.owner[None, :]).astype(np.float64), 0, 0, 0.0)
        started = time.process_time()
        memo = PairMemo(TextPool(draw.texts), self.model)
        scores = memo.table()
        return Table(scores, memo.calls, memo.failed, time.process_time() - started)


def measures(names: tuple[str, ...], options: Mapping[str, Mapping[str, Any]], setup: Setup) -> list[Measure]:
    """Build the measures; the oracle and exact match always come first.

    Raises
    ------
    UsageError
        For an unknown name or option, or options of a measure that is not asked for.
    """
    known = MODELS.catalog()
    keys = list(dict.fromkeys(("exact", *(known[name].key for name in names if name != ORACLE))))
    for given in options:
        if known[given].key not in keys:
            raise UsageError(f"{given} has options but is not among the measures: {', '.join(keys)}.")
    own = {known[name].key: chosen for name, chosen in options.items()}
    made = [Measure(ORACLE, "concepts", None)]
    for key in keys:
        model = known[key].made(own.get(key, {}), setup)
        made.append(Measure(key, model.fingerprint, model, known[key].paid))
    return made
