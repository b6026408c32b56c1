"""ICC of designs with hardly any degrees of freedom: a value or a reason, never an infinity on the way."""

import numpy as np
import pytest

from accord.measures import icc


@pytest.mark.parametrize("form", ["auto", "ICC(1,1)", "ICC(A,1)", "ICC(C,1)", "ICC(A,k)", "ICC(C,k)"])
def test_incomplete_tables_of_any_size(form):
    rng = np.random.default_rng(0)
    undefined = 0
    for _ in range(250):
        units, raters = rng.integers(2, 7), rng.integers(2, 5)
        rows = rng.normal(5, 2, (units, raters)).round(int(rng.integers(0, 2))).astype(object)
        rows[rng.random((units, raters)) < rng.uniform(0.1, 0.6)] = None
        found = icc(rows.tolist(), form=form, resamples=100)
        undefined += found.undefined is not None
        assert np.isfinite(found.value) == (found.undefined is None)
        if found.interval is not None:
            assert found.interval.low < found.interval.high
            assert np.isfinite([found.interval.low, found.interval.high]).all()
    assert 0 < undefined < 250


def test_one_component_without_degrees_of_freedom_is_not_infinite():
    rows = [[None, None, 5.0], [4.0, 6.0, None], [7.0, 4.0, 2.0], [4.0, 5.0, None], [None, 3.0, None]]
    found = icc(rows, form="ICC(A,1)")
    assert found.undefined is not None or np.isfinite(found.value)
