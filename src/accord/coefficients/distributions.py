"""Measures that compare the distances within units with those between units: sigma, KS and AUC.

All three ask how far two answers to one unit are closer than two answers to different units. They depend on the
order of the distances only (except sigma's kernel form), so they work for any metric without calling a distance of
.3 twice a distance of .15.

References
----------
Braylan, A., Alonso, O. & Lease, M. (2022). Measuring annotator agreement generally across complex structured,
multi-object, and free-text annotation tasks. WWW 2022.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from accord.coefficients import distances
from accord.coefficients.distances import Frame
from accord.coefficients.spec import COEFFICIENTS, CoefficientSpec, Option, Options, Parts, Tally
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray

#: (levels (L,), observed pairs (b, L), expected pairs (b, L)) -> (b,)
Statistic = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
#: Two shares are equal if they are this close.
CLOSE = 1e-12
#: Halvings that find the place where the kernel form reaches the cut.
HALVINGS = 60


def _shares(mass: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return mass / mass.sum(axis=1, keepdims=True)


def ks(_levels: FloatArray, observed: FloatArray, expected: FloatArray) -> FloatArray:
    """Largest lead of the observed over the expected distribution function."""
    lead = np.cumsum(_shares(observed), axis=1) - np.cumsum(_shares(expected), axis=1)
    return np.clip(lead.max(axis=1), 0.0, 1.0)


def _midpoint(expected: FloatArray) -> FloatArray:
    """P(E < x) + P(E = x) / 2 at every level."""
    share = _shares(expected)
    return np.cumsum(share, axis=1) - share / 2


def auc(_levels: FloatArray, observed: FloatArray, expected: FloatArray) -> FloatArray:
    """P(E > O) + P(E = O) / 2."""
    return (_shares(observed) * (1.0 - _midpoint(expected))).sum(axis=1)


def sigma_ecdf(cut: float) -> Statistic:
    """Share of observed distances whose mid-rank among the expected ones is below ``cut``."""

    def statistic(_levels: FloatArray, observed: FloatArray, expected: FloatArray) -> FloatArray:
        return (_shares(observed) * (_midpoint(expected) < cut - CLOSE)).sum(axis=1)

    return statistic


def sigma_quantile(cut: float) -> Statistic:
    """Share of observed distances strictly below the ``cut`` quantile (linear interpolation) of the expected ones."""

    def statistic(levels: FloatArray, observed: FloatArray, expected: FloatArray) -> FloatArray:
        below = np.cumsum(expected, axis=1)
        place = (below[:, -1] - 1.0) * cut
        whole = np.floor(place + 1e-9)
        low, high = (levels[_first_above(below, whole + step)] for step in (0.0, 1.0))
        quantile = low + (place - whole) * (high - low)
        return (_shares(observed) * (levels < quantile[:, None] - CLOSE)).sum(axis=1)

    return statistic


def _first_above(below: FloatArray, place: FloatArray) -> np.ndarray:
    """Level that holds the pair with number ``place``, counted from 0."""
    return np.minimum((below <= place[:, None] + 1e-9).sum(axis=1), below.shape[1] - 1)


def sigma_kde(cut: float) -> Statistic:
    """Share of observed distances below the point where a Gaussian kernel estimate reaches ``cut``, from 0 on."""

    def statistic(levels: FloatArray, observed: FloatArray, expected: FloatArray) -> FloatArray:
        low, high = np.zeros(len(expected)), np.full(len(expected), levels[-1])
        mass = _kernel_mass(levels, expected)
        beyond = mass(high) < cut
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            reached = mass(middle) >= cut
            low, high = np.where(reached, low, middle), np.where(reached, middle, high)
        inside = (levels < high[:, None] - CLOSE) | beyond[:, None]
        return (_shares(observed) * inside).sum(axis=1)

    return statistic


def _kernel_mass(levels: FloatArray, expected: FloatArray) -> Callable[[FloatArray], FloatArray]:
    """Mass of the kernel estimate on [0, x], bandwidth sd n^(-1/5), as a function of x (b,)."""
    from scipy.special import ndtr

    n, share = expected.sum(axis=1), _shares(expected)
    mean = share @ levels
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = (share @ levels**2 - mean**2) * n / (n - 1)
        width = np.sqrt(np.maximum(variance, 0.0)) * n**-0.2
        scaled = levels / width[:, None]
        ground = (share * ndtr(-scaled)).sum(axis=1)

    def mass(x: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore", invalid="ignore"):
            return (share * ndtr(x[:, None] / width[:, None] - scaled)).sum(axis=1) - ground

    return mass


FORMS: Mapping[str, Callable[[float], Statistic]] = {
    "ecdf": sigma_ecdf,
    "quantile": sigma_quantile,
    "kde": sigma_kde,
}


def _finish(totals: FloatArray, context: tuple[Statistic, Frame]) -> Parts:
    """Compare the distributions; undefined without pairs of either kind, or if all expected distances are equal."""
    statistic, frame = context
    value, observed, expected = (np.full(len(totals), np.nan) for _ in range(3))
    start = 0
    for within, between in frame.masses(totals):
        block = slice(start, start + len(within))
        start += len(within)
        if not len(frame.levels):
            continue
        varies = ((between > CLOSE).sum(axis=1) > 1) & (within.sum(axis=1) > 0)
        observed[block], expected[block] = _shares(within) @ frame.levels, _shares(between) @ frame.levels
        value[block][varies] = statistic(frame.levels, within[varies], between[varies])
    return Parts(value, 1.0 - observed, 1.0 - expected, observed, expected)


def _tally_with(choose: Callable[[Options], Statistic]) -> Callable[[Study, Similarity, Options], Tally]:
    def tally(study: Study, similarity: Similarity, options: Options) -> Tally:
        found = distances.tally(study, similarity, options)
        return Tally(rows=found.rows, context=(choose(options), found.context), skipped=found.skipped)

    return tally


def _sigma(options: Options) -> Statistic:
    return FORMS[options.get("form", "ecdf")](float(options.get("cut", 0.05)))


def _sigma_details(
    study: Study, similarity: Similarity, options: Options, parts: Parts, level: float
) -> Mapping[str, Any]:
    """Add whether sigma can be above 0: not if too many expected distances tie at the smallest."""
    found = distances.tally(study, similarity, options)
    _, between = next(found.context.masses(found.totals()))
    if not between.sum() > 0:
        return {}
    closest = np.zeros_like(between)
    closest[:, 0] = 1.0
    reachable = bool(_sigma(options)(found.context.levels, closest, between)[0] > 0)
    return {**_details(study, similarity, options, parts, level), "reachable": reachable}


def _details(study: Study, similarity: Similarity, options: Options, parts: Parts, _level: float) -> Mapping[str, Any]:
    """Alpha over different units, and how the expected distances were found."""
    frame: Frame = distances.tally(study, similarity, options).context
    within, between = (float(np.ravel(side)[0]) for side in (parts.observed_distance, parts.expected_distance))
    return {
        "different_item_alpha": 1.0 - within / between if between > 0 else float("nan"),
        "expected_pairs": "all" if frame.exact else len(frame.left),
    }


_SAMPLING = {
    "sample": Option(20_000, (), "expected pairs drawn where there are too many distinct values for all"),
    "sample_seed": Option(0, (), "seed of that draw"),
}


def _add(
    key: str,
    symbol: str,
    title: str,
    summary: str,
    choose: Callable[[Options], Statistic],
    options: Mapping[str, Option],
    aliases: tuple[str, ...],
) -> None:
    COEFFICIENTS.add(
        CoefficientSpec(
            key=key,
            symbol=symbol,
            title=title,
            reference="Braylan, Alonso & Lease 2022",
            summary=summary,
            family="distribution",
            tally=_tally_with(choose),
            finish=_finish,
            details=_sigma_details if key == "sigma" else _details,
            aliases=aliases,
            needs="distances",
            form=False,
            options={**options, **_SAMPLING},
        )
    )


_add(
    "sigma",
    "σ",
    "Sigma",
    "Share of same-unit answer pairs that are closer than chance would make them at the 5 % level.",
    _sigma,
    {
        "form": Option("ecdf", tuple(FORMS), "ecdf: mid-ranks; quantile: below the quantile; kde: kernel estimate"),
        "cut": Option(0.05, (), "level of chance"),
    },
    ("braylan_sigma",),
)
_add(
    "ks",
    "KS",
    "Kolmogorov-Smirnov distance",
    "Largest lead of same-unit distances over different-unit distances, 0 to 1.",
    lambda _options: ks,
    {},
    ("kolmogorov_smirnov",),
)
_add(
    "auc",
    "AUC",
    "Probability that same-unit answers are closer",
    "Chance that two answers to one unit are closer than two answers to different units; 0.5 is no agreement.",
    lambda _options: auc,
    {},
    ("area_under_curve",),
)
