"""Reading scales: only for the family they were proposed for, and with the standard error taken into account."""

import pytest

from accord.coefficients.estimate import Estimate
from accord.coefficients.spec import COEFFICIENTS
from accord.pipeline.scales import with_scales


def read(key, value, se):
    return with_scales(Estimate(name=key, value=value, se=se), COEFFICIENTS.catalog()[key]).details.get("scales")


def test_published_benchmark_of_a_kappa():
    """Value .67 with error .15: moderate on Landis and Koch's scale (irrCAC, benchmark tests)."""
    scales = read("cohen_kappa", 0.67, 0.15)
    assert scales["landis_koch"]["band"] == "moderate"
    assert scales["landis_koch"]["probability"] == pytest.approx(0.96356, abs=1e-5)
    assert scales["altman"]["band"] == "moderate"
    assert scales["cicchetti_sparrow"]["band"] == "fair"
    assert "krippendorff" not in scales


def test_alpha_is_read_on_its_own_scale_only():
    assert set(read("krippendorff_alpha", 0.85, 0.01)) == {"krippendorff"}
    assert read("krippendorff_alpha", 0.85, 0.01)["krippendorff"]["band"] == "reliable"
    assert read("krippendorff_alpha", 0.85, 0.06)["krippendorff"]["band"] == "tentative conclusions only"


@pytest.mark.parametrize(("key", "value", "se"), [("percent_agreement", 0.9, 0.1), ("cohen_kappa", 0.9, float("nan"))])
def test_no_scale_where_none_was_proposed_or_no_error_is_known(key, value, se):
    assert read(key, value, se) is None
