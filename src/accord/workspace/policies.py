"""Policies of a project: which tasks are reviewed, who may have to pause, what tells rounds apart."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Final

from accord.errors import UsageError, shorten

#: Rounds of a project.
MOST_ROUNDS: Final = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPolicy:
    """Which tasks are reviewed, and how: tasks with ``answers`` raters or more and agreement below ``threshold``.

    ``control`` None = the mean over controls. ``mode``: accepting an answer under ``single_truth`` takes the mark
    from its siblings, under ``keep_all`` it stays. ``blind`` hides the names of raters.
    """

    threshold: float = 0.5
    control: str | None = None
    answers: int = 2
    mode: str = "single_truth"
    blind: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspendPolicy:
    """When a rater is proposed for suspension: see ``suspension.py``. Off unless ``enabled``.

    A gold task counts as passed from a mean score of ``match`` on; ``minimum`` gold tasks are needed.
    """

    enabled: bool = False
    automatic: bool = False
    threshold: float = 0.8
    minimum: int = 20
    level: float = 0.95
    match: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPolicy:
    """What tells rounds apart: days on which one begins, as 2026-03-02, 2026-04-01; or a field of the tasks' data."""

    field: str | None = None
    dates: str = ""

    @property
    def cuts(self) -> tuple[dt.date, ...]:
        """Days on which a round begins, in order.

        Raises
        ------
        UsageError
            One of them is no day.
        """
        try:
            days = {dt.date.fromisoformat(day.strip()) for day in self.dates.split(",") if day.strip()}
        except ValueError:
            raise UsageError(
                f"rounds.dates={shorten(repr(self.dates))}: write days as 2026-03-02, 2026-04-01."
            ) from None
        if len(days) >= MOST_ROUNDS or any(not 1970 <= day.year <= 9000 for day in days):
            raise UsageError(f"rounds.dates: at most {MOST_ROUNDS - 1} days from 1970 on.")
        return tuple(sorted(days))
