"""Published values of coefficients on numbers and ranks."""

import math

import numpy as np
import pytest

from accord.coefficients.spec import COEFFICIENTS
from accord.inference.estimate import estimate
from accord.readers.arrays import from_matrix
from accord.similarity.core import Identity

#: Shrout, P. E. & Fleiss, J. L. (1979), table 2: six targets, four judges.
SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
#: Wines rated by four judges (data set "icc" of pingouin, tests/test_reliability.py there).
WINE = [[int(digit) for digit in wine] for wine in ["1201", "1332", "3814", "6433", "6556", "7562", "8779", "9998"]]
#: Bland, J. M. & Altman, D. G. (1986), Lancet i, 307-310: peak flow by two meters, first measurements.
WRIGHT = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427]
MINI_WRIGHT = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451]


def measured(key, rows, **options):
    study = from_matrix(rows)
    return estimate(COEFFICIENTS.catalog()[key], study, Identity(study.V), options=options)


@pytest.mark.parametrize(
    ("form", "value", "low", "high"),
    [
        ("ICC1", 0.165742, -0.13, 0.72),
        ("ICC2", 0.289764, 0.02, 0.76),
        ("ICC3", 0.714841, 0.34, 0.95),
        ("ICC1k", 0.442797, -0.88, 0.91),
        ("ICC2k", 0.620051, 0.07, 0.93),
        ("ICC3k", 0.909316, 0.68, 0.99),
    ],
)
def test_v26_shrout_fleiss_1979_table_4_and_psych_icc(form, value, low, high):
    found = measured("icc", SHROUT_FLEISS, form=form)
    assert found.value == pytest.approx(value, abs=5e-7)
    assert found.interval.method == "exact"
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high), abs=5e-3)
    assert math.isnan(found.observed)
    assert math.isnan(found.expected)


def test_v26_shrout_fleiss_1979_mean_squares():
    details = measured("icc", SHROUT_FLEISS).details
    squares = {name: part["value"] for name, part in details["mean_squares"].items()}
    assert squares == pytest.approx({"units": 11.241667, "raters": 32.486111, "error": 1.019444}, abs=5e-7)
    assert details["one_way"]["error"] == pytest.approx(6.263889, abs=5e-7)
    assert {name: part["df"] for name, part in details["mean_squares"].items()} == {
        "units": 5,
        "raters": 3,
        "error": 15,
    }


@pytest.mark.parametrize(
    ("form", "value", "low", "high"),
    [
        ("ICC(1,1)", 0.727521, 0.43, 0.93),
        ("ICC(A,1)", 0.727689, 0.43, 0.93),
        ("ICC(C,1)", 0.729487, 0.43, 0.93),
        ("ICC(1,k)", 0.914384, 0.75, 0.98),
        ("ICC(A,k)", 0.914450, 0.75, 0.98),
        ("ICC(C,k)", 0.915159, 0.75, 0.98),
    ],
)
def test_v26_wine_pingouin(form, value, low, high):
    found = measured("icc", WINE, form=form)
    assert found.value == pytest.approx(value, abs=5e-7)
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high), abs=5e-3)


def test_bland_altman_1986_peak_flow():
    found = measured("bland_altman", np.column_stack((WRIGHT, MINI_WRIGHT)))
    assert found.value == pytest.approx(-2.1, abs=0.05)
    assert (found.interval.low, found.interval.high) == pytest.approx((-22.0, 17.8), abs=0.05)
    assert found.details["sd"] == pytest.approx(38.8, abs=0.05)
    # The paper rounds 1.96 up to 2.
    two = measured("bland_altman", np.column_stack((WRIGHT, MINI_WRIGHT)), coverage=0.9544997361036416).details
    assert (two["lower"], two["upper"]) == pytest.approx((-79.7, 75.5), abs=0.1)


def test_siegel_1956_page_230_kendall_w_of_three_executives():
    ranks = [[1, 1, 6], [6, 5, 3], [3, 6, 2], [2, 4, 5], [5, 2, 4], [4, 3, 1]]
    found = measured("kendall_w", ranks)
    assert found.value == pytest.approx(0.16, abs=5e-3)
    assert found.value == pytest.approx(12 * 25.5 / (9 * 210), abs=1e-12)
    assert found.details["null_value"] == pytest.approx(1 / 3)
