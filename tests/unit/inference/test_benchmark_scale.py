"""Benchmark scales with the cumulative-probability rule; values of irrCAC's benchmark tests (.67, SE .15)."""

import math

import pytest

from accord.errors import UsageError
from accord.inference.benchmark_scale import SCALES, custom_scale, membership, scales_for

PUBLISHED = {
    "landis_koch": [0.18168, 0.67511, 0.96356, 0.99912, 1, 1],
    "altman": [0.18168, 0.67511, 0.96356, 0.99912, 1],
    "cicchetti_sparrow": [0.28699, 0.67511, 0.96356, 1],
    "fleiss": [0.28699, 0.96356, 1],
}


@pytest.mark.parametrize("scale", PUBLISHED)
def test_irrcac_membership(scale):
    assert membership(0.67, 0.15, scale).cumulative == pytest.approx(PUBLISHED[scale], abs=6e-6)


def test_irrcac_membership_of_a_custom_scale_from_below():
    found = membership(0.67, 0.15, custom_scale([0, 0.3, 0.6, 1.0]))
    from_below = [1 - p for p in found.cumulative[-2::-1]] + [1.0]
    assert from_below == pytest.approx([0.00691, 0.32488, 1], abs=6e-6)


@pytest.mark.parametrize(
    "scale,words",
    [
        ("landis_koch", "moderate"),
        ("altman", "moderate"),
        ("cicchetti_sparrow", "fair"),
        ("fleiss", "intermediate to good"),
    ],
)
def test_claimed_band(scale, words):
    assert membership(0.67, 0.15, scale).words == words


def test_claim_grows_with_certainty():
    assert membership(0.85, 0.001, "landis_koch").words == "almost perfect"
    assert membership(0.85, 0.1, "landis_koch").words == "substantial"
    assert membership(0.85, 5.0, "landis_koch").words == "poor"


def test_scales_are_offered_to_the_families_they_were_proposed_for():
    assert set(scales_for("alpha")) == {"krippendorff"}
    assert "landis_koch" in scales_for("kappa")
    assert "krippendorff" not in scales_for("kappa")
    assert set(scales_for("icc")) == {"koo_li", "cicchetti_sparrow"}
    assert scales_for("moments") == {}


@pytest.mark.parametrize("scale", SCALES.values(), ids=list(SCALES))
def test_bands_join_without_gap(scale):
    for better, worse in zip(scale.bands, scale.bands[1:], strict=False):
        assert better[0] == worse[1]
    assert scale.bands[0][1] == 1.0
    assert scale.reference


@pytest.mark.parametrize("edges,words", [([0.5], ()), ([0, 0.6, 0.3], ()), ([0, 1], ("a", "b"))])
def test_bad_custom_scale(edges, words):
    with pytest.raises(UsageError):
        custom_scale(edges, words)


@pytest.mark.parametrize("value,se", [(math.nan, 0.1), (0.5, 0.0), (0.5, math.nan)])
def test_needs_value_and_error(value, se):
    with pytest.raises(UsageError):
        membership(value, se, "altman")


def test_unknown_scale_suggests():
    with pytest.raises(UsageError, match="landis_koch"):
        membership(0.5, 0.1, "landis")
