"""How the sums of a study's texts under a model are had within a budget of calls, and the calls themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from accord.equivalence.protocol import TYPICAL_SECONDS, Embedder, Encoder, Equivalence
from accord.errors import UsageError
from accord.similarity.core import Codes, Dense
from accord.similarity.estimated_sums import EstimatedSums, RandomSums
from accord.similarity.pair_population import PairPopulation
from accord.similarity.sample_designs import Aim, Ask, Kind, Sample, Z, control_variate, shifts, stratified
from accord.similarity.set_pool import MEASURES, SetMeasure, SetMemo, SetPool
from accord.similarity.text_pool import PairMemo, Progress, TextPool
from accord.similarity.text_similarity import Sums
from accord.similarity.text_sums import CosineSums
from accord.study import Study
from accord.values import FloatArray, Index

#: Chance agreement is exact if scoring all pairs takes no longer than this, in seconds.
AFFORDABLE = 120.0
#: Texts up to which a table of all pairs is held.
MOST_TEXTS = 5000
#: Draws for chance agreement where nobody says how many.
CALLS = 5000


@dataclass(frozen=True, kw_only=True)
class Budget:
    """What scoring may take.

    Parameters
    ----------
    calls
        Most pairs a model may be asked for, None = what takes two minutes.
    precision
        Half-width (95 %) that the sample for chance agreement may add to kappa; None = use the calls.
    design
        ``stratified`` by a proxy, ``control`` variate, or cyclic ``shifts``.
    """

    calls: int | None = None
    precision: float | None = None
    design: Kind = "stratified"

    def __post_init__(self) -> None:
        if self.calls is not None and self.calls < 1:
            raise UsageError(f"{self.calls} calls score nothing. Allowed: 1 or more.")
        if self.precision is not None and not 0.0 < self.precision < 1.0:
            raise UsageError(f"precision={self.precision:g} is out of range. Allowed: above 0 and below 1, as 0.005.")
        if self.design not in ("stratified", "control", "shifts"):
            raise UsageError(f"design={self.design!r} is not known. Allowed: stratified, control, shifts.")


@dataclass(frozen=True, slots=True)
class Forecast:
    """Pairs a model will be asked for at most: within units, and for chance agreement; whether that is all pairs.

    ``draws`` is how many pairs of answers a sample for chance agreement takes. Where answers are sets, a draw costs as
    many calls as their members have pairs, on average.
    """

    within: int
    chance: int
    exact: bool
    seconds: float
    draws: int = 0

    @property
    def calls(self) -> int:
        """All of them."""
        return self.within + self.chance


class TextPlan:
    """How the sums of one study under one model will be had."""

    def __init__(
        self,
        study: Study,
        model: Equivalence,
        budget: Budget,
        progress: Progress | None,
        set_measure: SetMeasure | None,
    ) -> None:
        self.model, self.budget = model, budget
        self.pool, self.memo = _memo(study, model, progress, set_measure)
        self.counts = self.pool.gathered(study.counts.astype(np.float64))
        self.pairs = _value_pairs(study)
        self.known = self._distinct(self.pairs)
        self.forecast = self._forecast()

    def _distinct(self, pairs: tuple[Codes, Codes]) -> tuple[Index, Index]:
        """Distinct pairs of different texts that meet within units."""
        i, j = (self.pool.place[side] for side in pairs)
        low, high = np.minimum(i, j), np.maximum(i, j)
        keep = (low != high) & (high != self.pool.blank)
        keys = np.unique(low[keep] * self.pool.size + high[keep])
        return keys // max(1, self.pool.size), keys % max(1, self.pool.size)

    @property
    def vectors(self) -> bool:
        """Whether vectors give the sums."""
        return isinstance(self.model, Embedder) and not isinstance(self.pool, SetPool)

    @property
    def cells(self) -> tuple[int, float]:
        """Pairs of texts to ask for: within units, and for one draw, on average where answers are sets."""
        if not isinstance(self.pool, SetPool):
            return len(self.known[0]), 1.0
        said = self.counts[: len(self.pool.texts)]
        mean = float(said @ self.pool.length / max(said.sum(), 1.0))
        return self.pool.distinct_cells(*self.known), max(1.0, mean**2)

    def _forecast(self) -> Forecast:
        texts, (within, each) = len(self.memo.asked.texts), self.cells
        every = texts * (texts - 1) // 2
        seconds = float(getattr(self.model, "seconds", TYPICAL_SECONDS))
        if self.vectors:
            return Forecast(0, 0, True, 0.0)
        most = self.budget.calls if self.budget.calls is not None else int(AFFORDABLE / seconds)
        if within > most and self.budget.calls is not None:
            raise UsageError(
                f"{within:,} pairs of answers within units must be scored, and --max-calls is {most:,}. "
                f"Allow {within:,} and some more for chance agreement."
            )
        held = max(texts, len(self.pool.texts)) <= MOST_TEXTS
        exact = every <= most and held and self.budget.precision is None
        chance = every - within if exact else self._sampled(every - within, most - within)
        return Forecast(within, chance, exact, (within + chance) * seconds, 0 if exact else int(chance / each))

    def _sampled(self, others: int, most: int) -> int:
        given = self.budget.calls is not None
        return max(0, min(others, most if given else max(most, CALLS)))

    def design(self, proxy: Equivalence) -> str:
        """Name of the way sums are had."""
        if self.vectors:
            return "closed form"
        if self.forecast.exact:
            return "exact"
        large = len(self.pool.texts) > MOST_TEXTS
        kind = (
            "random"
            if large
            else "shifts"
            if self.budget.design == "shifts"
            else f"{self.budget.design} by {proxy.name}"
        )
        return f"{kind}, at most {self.forecast.draws:,} draws"

    def sums(self, seed: int, proxy: Equivalence) -> Sums:
        """Make the sums: this is where the calls are."""
        if self.vectors:
            embedder = cast("Any", self.model)
            vectors = cast("FloatArray", self.memo.scorer.encoded)
            return CosineSums(vectors, embedder.slope, embedder.offset, blank=self.pool.has_blank)
        if self.forecast.exact:
            return Dense(self.memo.table(), "texts")
        return self._estimated(seed, proxy)

    def _estimated(self, seed: int, proxy: Equivalence) -> Sums:
        if len(self.pool.texts) > MOST_TEXTS:
            # Single pairs are all that is asked of the memo.
            return RandomSums(cast("Any", self.memo), self.counts, seed, self.forecast.draws)
        i, j = self.known
        table = np.eye(self.pool.size)
        table[i, j] = table[j, i] = self.memo.at(i, j)
        population = PairPopulation.of(self.counts[: len(self.pool.texts)], self.known)

        def ask(members: Index) -> FloatArray:
            return self.memo.at(population.left[members], population.right[members])

        aim = Aim(self.forecast.draws, self._wanted_error(table, population))
        sample = self._sample(population, proxy, ask, aim, np.random.default_rng(seed))
        return EstimatedSums(table, self.known, population, sample)

    def _sample(
        self, population: PairPopulation, proxy: Equivalence, ask: Ask, aim: Aim, rng: np.random.Generator
    ) -> Sample:
        if self.budget.design == "shifts":
            return shifts(population, ask, aim, rng)
        cheap = proxy_scores(proxy, self.pool.texts, population)
        draw = stratified if self.budget.design == "stratified" else control_variate
        return draw(population, cheap, ask, aim, rng)

    def _wanted_error(self, table: FloatArray, population: PairPopulation) -> Callable[[float], float] | None:
        """Standard error of the mean score of the population that keeps the wanted precision of kappa.

        A change of expected agreement p_e moves kappa by (1 - p_o) / (1 - p_e)^2 times as much.
        """
        precision = self.budget.precision
        if precision is None:
            return None
        i, j = (self.pool.place[side] for side in self.pairs)
        disagreement = max(1.0 - float(np.nanmean(table[i, j])), 1e-9) if len(i) else 1.0
        known = self.counts @ np.nan_to_num(table) @ self.counts
        share = 2.0 * population.pairs / self.counts.sum() ** 2

        def error(mean: float) -> float:
            expected = min(known / self.counts.sum() ** 2 + share * mean, 1.0)
            return precision * (1.0 - expected) ** 2 / disagreement / Z / max(share, 1e-12)

        return error


def _memo(
    study: Study, model: Equivalence, progress: Progress | None, set_measure: SetMeasure | None
) -> tuple[TextPool, PairMemo]:
    """Distinct answers, as texts or as sets of them, and their scores."""
    if set_measure is None:
        pool = TextPool(study.values)
        return pool, PairMemo(pool, model, progress)
    if set_measure not in MEASURES:
        raise UsageError(f"set_measure={set_measure!r} is not known. Allowed: {', '.join(MEASURES)}.")
    sets = SetPool(study.values)
    return sets, SetMemo(sets, model, set_measure, progress)


def _value_pairs(study: Study) -> tuple[Codes, Codes]:
    """Values of all pairs of answers within units, (P,) each."""
    first, second = study.pairs
    return study.code[first], study.code[second]


def proxy_scores(proxy: Equivalence, texts: Sequence[str], population: PairPopulation) -> FloatArray:
    """Scores of all pairs of a population by a cheap model, (K,)."""
    if isinstance(proxy, Embedder):
        vectors = np.nan_to_num(proxy.vectors(texts))
        return np.asarray((vectors @ vectors.T)[population.left, population.right], dtype=np.float64)
    block = getattr(proxy, "block", None)
    if isinstance(proxy, Encoder) and block is not None:
        every = slice(0, len(texts))
        return block(proxy.encode(texts), every, every)[population.left, population.right]
    from accord.equivalence.scoring import PairScorer

    return np.nan_to_num(PairScorer(proxy, texts).scores(population.left, population.right).values)
