"""Published reading scales beside a coefficient, by the cumulative-probability rule."""

from __future__ import annotations

import math
from dataclasses import replace

from accord.coefficients.estimate import Estimate
from accord.coefficients.spec import CoefficientSpec
from accord.inference.benchmark_scale import membership, scales_for


def with_scales(estimate: Estimate, spec: CoefficientSpec) -> Estimate:
    """Add ``details["scales"]``: for each scale proposed for this family, the band that can be claimed.

    A band is claimed if the probability of lying in it or a better one is 95 % or more. Nothing is added where there
    is no value, no standard error, or no scale for the family.
    """
    found = scales_for(spec.family)
    if estimate.undefined or not found or not math.isfinite(estimate.se) or estimate.se <= 0:
        return estimate
    read = {}
    for key in found:
        member = membership(estimate.value, estimate.se, key)
        low, high, words = member.bands[member.claimed]
        read[key] = {"band": words, "from": low, "to": high, "probability": member.cumulative[member.claimed]}
    return replace(estimate, details={**estimate.details, "scales": read})
