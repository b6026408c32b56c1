"""Reading a coefficient on a published scale, with its standard error taken into account.

A band is claimed only if the probability of reaching at least its lower edge is high enough (95 %): the cumulative
rule. A value just above an edge with a large standard error then stays in the band below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from accord.errors import UnknownNameError, UsageError


@dataclass(frozen=True, slots=True)
class Scale:
    """Bands of a scale, best first: (lower edge, upper edge, words), and the families it was proposed for."""

    title: str
    bands: tuple[tuple[float, float, str], ...]
    families: tuple[str, ...]
    reference: str = ""


@dataclass(frozen=True, slots=True)
class Membership:
    """Probability of each band, summed from the best band down, and the band that can be claimed."""

    bands: tuple[tuple[float, float, str], ...]
    cumulative: tuple[float, ...]
    claimed: int

    @property
    def words(self) -> str:
        """Name of the claimed band."""
        return self.bands[self.claimed][2]


SCALES = {
    "landis_koch": Scale(
        "Landis and Koch",
        (
            (0.8, 1.0, "almost perfect"),
            (0.6, 0.8, "substantial"),
            (0.4, 0.6, "moderate"),
            (0.2, 0.4, "fair"),
            (0.0, 0.2, "slight"),
            (-1.0, 0.0, "poor"),
        ),
        ("kappa",),
        "Landis and Koch 1977, The measurement of observer agreement for categorical data",
    ),
    "altman": Scale(
        "Altman",
        (
            (0.8, 1.0, "very good"),
            (0.6, 0.8, "good"),
            (0.4, 0.6, "moderate"),
            (0.2, 0.4, "fair"),
            (-1.0, 0.2, "poor"),
        ),
        ("kappa",),
        "Altman 1991, Practical Statistics for Medical Research",
    ),
    "fleiss": Scale(
        "Fleiss",
        ((0.75, 1.0, "excellent"), (0.4, 0.75, "intermediate to good"), (-1.0, 0.4, "poor")),
        ("kappa",),
        "Fleiss 1981, Statistical Methods for Rates and Proportions",
    ),
    "cicchetti_sparrow": Scale(
        "Cicchetti and Sparrow",
        ((0.75, 1.0, "excellent"), (0.6, 0.75, "good"), (0.4, 0.6, "fair"), (-1.0, 0.4, "poor")),
        ("kappa", "icc"),
        "Cicchetti and Sparrow 1981",
    ),
    "krippendorff": Scale(
        "Krippendorff",
        ((0.8, 1.0, "reliable"), (0.667, 0.8, "tentative conclusions only"), (-1.0, 0.667, "not reliable")),
        ("alpha",),
        "Krippendorff 2004, Content Analysis",
    ),
    "koo_li": Scale(
        "Koo and Li",
        ((0.9, 1.0, "excellent"), (0.75, 0.9, "good"), (0.5, 0.75, "moderate"), (-1.0, 0.5, "poor")),
        ("icc",),
        "Koo and Li 2016, A guideline of selecting and reporting intraclass correlation coefficients",
    ),
}


def scales_for(family: str) -> dict[str, Scale]:
    """Return the scales that were proposed for a family of coefficients."""
    return {key: scale for key, scale in SCALES.items() if family in scale.families}


def custom_scale(edges: Sequence[float], words: Sequence[str] = ()) -> Scale:
    """Make a scale from ascending edges, the last one the largest possible value.

    Raises
    ------
    UsageError
        If the edges do not rise, or the words do not fit them.
    """
    if len(edges) < 2 or any(b <= a for a, b in pairwise(edges)):
        raise UsageError("A scale needs at least two edges in rising order, for example 0, 0.3, 0.6, 1.")
    names = list(words) or [f"{low:g} to {high:g}" for low, high in pairwise(edges)]
    if len(names) != len(edges) - 1:
        raise UsageError(f"{len(edges)} edges make {len(edges) - 1} bands; {len(names)} names were given.")
    bands = tuple(zip(edges[:-1], edges[1:], names, strict=True))
    return Scale("custom", bands[::-1], ())


def membership(value: float, se: float, scale: str | Scale, *, level: float = 0.95) -> Membership:
    """Probabilities that the true value lies in each band or a better one, and the best band above ``level``.

    The coefficient is taken as normal around its value, cut off at the ends of the scale.

    References
    ----------
    Gwet, Handbook of Inter-Rater Reliability, benchmarking.

    Examples
    --------
    >>> found = membership(0.67, 0.15, "landis_koch")
    >>> [round(p, 3) for p in found.cumulative], found.words
    ([0.182, 0.675, 0.964, 0.999, 1.0, 1.0], 'moderate')
    """
    from scipy.special import ndtr

    if isinstance(scale, str):
        if scale not in SCALES:
            raise UnknownNameError.among("benchmark scale", scale, SCALES)
        scale = SCALES[scale]
    if not (np.isfinite(value) and np.isfinite(se) and se > 0.0):
        raise UsageError("A benchmark needs a value and a standard error above 0.")
    low, high = scale.bands[-1][0], scale.bands[0][1]
    inside = ndtr((value - low) / se) - ndtr((value - high) / se)
    edges = np.array([band[0] for band in scale.bands])
    cumulative = (ndtr((value - edges) / se) - ndtr((value - high) / se)) / inside
    claimed = int(np.argmax(cumulative >= level - 1e-12))
    return Membership(scale.bands, tuple(float(p) for p in cumulative), claimed)
