"""Where chance agreement of regions comes from, in words."""

from __future__ import annotations

import numpy as np

from accord.coefficients.alpha_placed import WITHIN
from accord.coefficients.estimate import Estimate
from accord.pipeline.report import Diagnostic
from accord.pipeline.words import number
from accord.values import Kind

#: Expected agreement below this hardly changes a coefficient.
SMALL = 0.1


def chance_rule(main: Estimate, kind: Kind) -> str:
    """Where chance agreement comes from, for regions under alpha; else empty."""
    if not kind.is_region or main.name != "krippendorff_alpha" or "|empty:presence|" in main.signature:
        return ""
    if f"|chance:{WITHIN}|" in main.signature:
        return "the same answers with their regions at random places (rule within)"
    if kind in (Kind.SPANS, Kind.TIMELINE):
        return "answers of other units laid over each other from their beginning (rule units)"
    if kind is Kind.RELATIONS:
        return "answers of other units (rule units)"
    return "answers of other units laid over each other, relative to the image (rule units)"


def chance_of_regions(main: Estimate, kind: Kind) -> Diagnostic | None:
    """How much chance alone would give, and by which rule."""
    rule = chance_rule(main, kind)
    if not rule or not np.isfinite(main.expected):
        return None
    error = f" ± {number(main.expected_error, 4)}" if main.expected_error else ""
    text = f"Chance agreement is {number(main.expected)}{error}: {rule}."
    if main.expected < SMALL:
        text += " Chance hardly matters here."
    return Diagnostic("Chance", "fine", text)
