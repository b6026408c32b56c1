"""Intervals that hold for other raters too."""

import numpy as np
import pytest

import accord.measures as measures
from accord.readers.arrays import from_counts, from_matrix


def project(rng, units=60, raters=8, spread=0.15):
    skill = np.clip(0.75 + spread * rng.normal(size=raters), 0.05, 1.0)
    true = rng.integers(0, 3, (units, 1))
    return np.where(rng.random((units, raters)) < skill, true, rng.integers(0, 3, (units, raters)))


def width(found):
    return found.interval.high - found.interval.low


def test_it_is_wider_and_says_so():
    data = project(np.random.default_rng(0))
    these = measures.krippendorff_alpha(data)
    like_these = measures.krippendorff_alpha(data, generalise="units+raters")
    assert like_these.value == these.value
    assert like_these.se > these.se
    assert width(like_these) > width(these)
    assert "generalise:units+raters" in like_these.signature
    assert any("8 raters is shaky" in note for note in like_these.notes)


@pytest.mark.parametrize("interval", [None, "score", "analytic", "jackknife"])
@pytest.mark.parametrize("name", ["krippendorff_alpha", "gwet_ac1", "percent_agreement", "conger_kappa"])
def test_every_way_covers_other_panels(name, interval):
    """Truth: the value of a panel of 400 raters with the same spread of skill."""
    rng = np.random.default_rng(11)
    function = getattr(measures, name)
    truth = np.mean([function(project(rng, 300, 200), ci=None).value for _ in range(6)])
    hits = {"units": 0, "units+raters": 0}
    for _ in range(60):
        data = from_matrix(project(rng, raters=10))
        for way in hits:
            found = function(data, interval=interval, generalise=way).interval
            hits[way] += found.low <= truth <= found.high
    assert hits["units+raters"] >= 54
    assert hits["units"] < hits["units+raters"]


def test_ten_raters_are_enough_to_be_quiet():
    found = measures.fleiss_kappa(project(np.random.default_rng(1), raters=10), generalise="units+raters")
    assert not any("shaky" in note for note in found.notes)


def test_four_raters_say_nothing_about_others():
    data = project(np.random.default_rng(1), raters=4)
    found = measures.fleiss_kappa(data, generalise="units+raters")
    assert found.interval == measures.fleiss_kappa(data).interval
    assert "generalise:units|" in found.signature
    assert any("4 are too few" in note for note in found.notes)


def test_slots_say_nothing_about_others():
    found = measures.fleiss_kappa(from_counts([[5, 1], [2, 4], [3, 3]]), generalise="units+raters")
    assert "generalise:units|" in found.signature
    assert any("counts table" in note for note in found.notes)


@pytest.mark.parametrize("interval", ["bootstrap", "bca"])
def test_resampling_units_is_no_answer(interval):
    data = project(np.random.default_rng(1))
    found = measures.fleiss_kappa(data, generalise="units+raters", interval=interval)
    assert found.interval.method == "score"
    assert "generalise:units+raters" in found.signature
    assert any(f"no {interval} interval" in note for note in found.notes)
