"""One coefficient on one study: value, reason where undefined, interval, counts and recipe."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any, Literal

import numpy as np

from accord.coefficients.chance_form import expected_error
from accord.coefficients.empties import narrowed
from accord.coefficients.estimate import Estimate
from accord.coefficients.spec import COEFFICIENTS, CoefficientSpec, Options, Parts, Tally
from accord.coefficients.within import within
from accord.errors import UsageError
from accord.inference.case import METHOD_NAMES, Case, Method, Request
from accord.inference.interval import find
from accord.inference.notes import cluster_note, size_notes
from accord.inference.recipe import complete_options, signature
from accord.inference.rows import number
from accord.inference.undefined import Counts, after, all_alike, before
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import IntArray

Generalise = Literal["units", "units+raters"]
ALIKE = "all answers that are compared with another one are the same, so agreement cannot be told from chance"


def estimate(
    spec: CoefficientSpec,
    study: Study,
    similarity: Similarity,
    *,
    options: Mapping[str, Any] | None = None,
    ci: float | None = 0.95,
    interval: Method | None = None,
    resamples: int = 2000,
    clusters: IntArray | None = None,
    generalise: Generalise = "units",
    seed: int = 0,
) -> Estimate:
    """Measure ``study`` with one coefficient.

    Parameters
    ----------
    options
        Options of the coefficient; unknown ones raise.
    ci
        Level of the interval, None for the value alone.
    interval
        None chooses: the score interval where value = (observed - expected) / (1 - expected) and a variance exists,
        an exact interval where the coefficient has one, else BCa, or the jackknife for coefficients without rows.
    clusters
        Cluster of each unit (U,); by default the study's own.
    generalise
        ``units``: these raters, units like these. ``units+raters``: raters like these too.

    Raises
    ------
    UsageError
        For wrong arguments. Poor data never raises: the Estimate says why it is undefined.
    """
    chosen = complete_options(spec, options)
    _check(ci, interval, resamples, generalise, seed)
    if clusters is not None:
        study = _clustered(study, clusters)
    narrow = narrowed(study, similarity, chosen)
    study, similarity = narrow.study, narrow.similarity
    return _Measurement(spec, study, similarity, chosen, Counts.of(study)).run(
        Request(ci, interval, resamples, _groups(study), generalise, seed)
    )


def _check(ci: object, interval: str | None, resamples: object, generalise: str, seed: object) -> None:
    if ci is not None and not (isinstance(ci, Real) and 0.0 < float(ci) < 1.0):
        raise UsageError(f"ci must lie between 0 and 1, for example 0.95; got {ci!r}.")
    if interval is not None and interval not in METHOD_NAMES:
        raise UsageError(f"Unknown interval {interval!r}. Known: {', '.join(METHOD_NAMES)}.")
    if not (isinstance(resamples, Integral) and int(resamples) >= 1):
        raise UsageError(f"resamples must be at least 1; got {resamples!r}.")
    if not (isinstance(seed, Integral) and int(seed) >= 0):
        raise UsageError(f"seed must be a whole number, 0 or more; got {seed!r}.")
    if generalise not in ("units", "units+raters"):
        raise UsageError(f"generalise must be 'units' or 'units+raters'; got {generalise!r}.")


def _clustered(study: Study, clusters: IntArray) -> Study:
    """Return the study with other clusters."""
    if len(clusters) != study.U:
        raise UsageError(f"There are {len(clusters)} cluster numbers for {study.U} units.")
    return replace(study, cluster=np.asarray(clusters))


def _groups(study: Study) -> IntArray | None:
    """Cluster numbers without gaps."""
    if study.cluster is None:
        return None
    return np.unique(study.cluster, return_inverse=True)[1].astype(np.int32)


@dataclass(frozen=True, slots=True)
class _Measurement:
    """One call of ``estimate``."""

    spec: CoefficientSpec
    study: Study
    similarity: Similarity
    options: Options
    counts: Counts

    def run(self, request: Request) -> Estimate:
        reason = before(self.study, self.counts)
        if reason is not None:
            return self.outcome(request, undefined=reason)
        sentence = self.spec.refuses(self.study, self.similarity, self.options) if self.spec.refuses else None
        if sentence is not None:
            return self.refused(request, sentence)
        parts, tally, skipped = self.compute(need_rows=request.level is not None)
        failed = (
            getattr(self.similarity, "incomplete", None) if self.spec.needs in ("similarity", "distances") else None
        )
        if failed is not None:
            return replace(self.outcome(request, parts, undefined="incomplete", skipped=skipped), reason=failed)
        return self.comparable(skipped).finish(request, parts, tally, skipped)

    def comparable(self, skipped: int) -> _Measurement:
        """Count only units with a pair that could be compared."""
        if not skipped or self.spec.needs != "similarity":
            return self
        units = int(within(self.study, self.similarity).usable.sum())
        return replace(self, counts=replace(self.counts, units=units))

    def finish(self, request: Request, parts: Parts, tally: Tally | None, skipped: int) -> Estimate:
        """Give the value, the reason why there is none, and the interval where asked."""
        value, expected = number(parts.value), number(parts.expected)
        unbiased = self.options.get("chance") == "unbiased"
        reason = after(value, expected, self.counts, skipped, chance_from_others=unbiased)
        if reason is None and self.spec.compared_vary and value >= 1.0 and all_alike(self.study):
            return replace(self.outcome(request, parts, undefined="no_variation", skipped=skipped), reason=ALIKE)
        if reason is not None:
            return self.outcome(request, parts, undefined=reason, skipped=skipped)
        result = self.outcome(request, parts, value=value, skipped=skipped)
        if request.level is None:
            return result
        return self.with_interval(result, request, parts, tally)

    def compute(self, *, need_rows: bool) -> tuple[Parts, Tally | None, int]:
        """Parts, rows where something will need them, pairs that could not be compared."""
        spec = self.spec
        if spec.fit is not None and spec.rows == "refit":
            return spec.fit(self.study, self.similarity, self.options), None, 0
        if spec.finish is None or spec.tally is None:
            raise TypeError(f"{spec.key} has neither rows nor fit")
        if spec.once is not None and not need_rows:
            totals, context = spec.once(self.study, self.similarity, self.options)
            parts = spec.finish(totals, context)
            return parts, None, parts.skipped
        tally = spec.tally(self.study, self.similarity, self.options)
        return spec.finish(tally.totals(), tally.context), tally, tally.skipped

    def with_interval(self, result: Estimate, request: Request, parts: Parts, tally: Tally | None) -> Estimate:
        if self.counts.units == 1:
            note = "One unit only: no standard error and no interval."
            return replace(result, notes=(*result.notes, note))
        error = result.expected_error
        case = Case(self.spec, self.study, self.similarity, self.options, self.counts, parts, tally, error)
        found = find(case, request)
        notes = (*result.notes, *found.notes, *size_notes(self.study, self.counts), *cluster_note(request.groups))
        method = found.interval.method if found.interval else "none"
        return replace(
            result,
            se=found.se,
            interval=found.interval,
            notes=notes,
            signature=self.signature(replace(request, generalise=found.generalise), method),
        )

    def refused(self, request: Request, sentence: str) -> Estimate:
        """The coefficient does not apply; observed agreement is still given where answers can be compared."""
        observed = math.nan
        if self.spec.needs == "similarity" and self.spec.key != "percent_agreement":
            plain = _Measurement(
                COEFFICIENTS.catalog()["percent_agreement"], self.study, self.similarity, {}, self.counts
            )
            observed = plain.run(replace(request, level=None)).observed
        return replace(self.outcome(request, undefined="not_applicable"), observed=observed, reason=sentence)

    def outcome(
        self,
        request: Request,
        parts: Parts | None = None,
        *,
        value: float = math.nan,
        undefined: str | None = None,
        skipped: int = 0,
    ) -> Estimate:
        spec, counts = self.spec, self.counts
        observed = expected = math.nan
        disagreement = None
        details: Mapping[str, Any] = {}
        error, limits = self.sampling_error(parts, math.nan if parts is None else number(parts.expected))
        if parts is not None:
            observed, expected, d_o, d_e = (
                number(x) for x in (parts.observed, parts.expected, parts.observed_distance, parts.expected_distance)
            )
            disagreement = None if math.isnan(d_o) else (d_o, d_e)
            if spec.details is not None:
                level = request.level if request.level is not None else 0.95
                details = spec.details(self.study, self.similarity, self.options, parts, level)
        return Estimate(
            name=spec.key,
            symbol=spec.symbol,
            value=value,
            observed=observed,
            expected=expected,
            disagreement=disagreement,
            units=counts.units,
            raters=counts.raters,
            values=self.study.observed_values,
            pairs=max(0, counts.pairs - skipped),
            skipped=skipped,
            clusters=None if request.groups is None else int(request.groups.max(initial=-1)) + 1,
            undefined=undefined,
            expected_error=error,
            notes=self.notes(parts),
            similarity=self.similarity.name if spec.needs == "similarity" else "",
            signature=self.signature(request, "none"),
            details={**details, **limits},
        )

    def sampling_error(self, parts: Parts | None, expected: float) -> tuple[float | None, Mapping[str, Any]]:
        """Standard error of the chance term where it rests on a sample, and the limits within which it lies."""
        if parts is not None and parts.expected_error is not None:
            return parts.expected_error, {}
        if parts is None or math.isnan(expected):
            return None, {}
        found = expected_error(self.spec, self.study, self.similarity, self.options)
        if found is None:
            return None, {}
        error, below, above = found
        return error, {"expected_low": max(0.0, expected - below), "expected_high": min(1.0, expected + above)}

    def notes(self, parts: Parts | None) -> tuple[str, ...]:
        """What the coefficient itself has to say."""
        if parts is None:
            return ()
        chosen = self.spec.notes(self.study, self.options) if self.spec.notes else ()
        return (*chosen, *parts.notes)

    def signature(self, request: Request, method: str) -> str:
        level = "" if request.level is None or method == "none" else f" {request.level:g}"
        resampled = f" of {request.resamples}" if method in ("bca", "bootstrap") else ""
        return signature(
            self.spec,
            self.similarity.name if self.spec.needs == "similarity" else "",
            self.options,
            clusters=None if request.groups is None else int(request.groups.max(initial=-1)) + 1,
            interval=f"{method}{level}{resampled}",
            generalise=request.generalise,
            seed=request.seed,
        )
