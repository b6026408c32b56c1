"""Arguments that steer an interval are checked even where the interval at hand does not use them."""

from __future__ import annotations

import numpy as np
import pytest

import accord

ROWS = [["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"]]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("seed", seed) for seed in (-1, "1", 1.5, None)),
        *(("ci", ci) for ci in ("0.9", 0, 1, 2, float("nan"))),
        *(("resamples", resamples) for resamples in (0, -1, "many", 10.5)),
    ],
)
@pytest.mark.parametrize("interval", ["score", "bca"])
def test_what_steers_nothing_is_refused_by_name(name, value, interval):
    with pytest.raises(accord.UsageError, match=f"{name} must"):
        accord.krippendorff_alpha(ROWS, interval=interval, **{name: value})


def test_numbers_of_numpy_steer_as_well():
    plain = accord.krippendorff_alpha(ROWS, interval="bca", seed=3, ci=0.9, resamples=50)
    found = accord.krippendorff_alpha(
        ROWS, interval="bca", seed=np.int64(3), ci=np.float64(0.9), resamples=np.int32(50)
    )
    assert (found.interval, found.signature) == (plain.interval, plain.signature)
