"""Means over controls: which controls count, with which weights, and one interval from tasks they share."""

from dataclasses import replace

import numpy as np
import pytest

import accord
from accord.pipeline.plan import ControlPlan, Plan
from accord.readers.tables import read_tables

LABELS = ["x", "y", "z"]


def answers(seed, units=60, raters=3, noise=0.3):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, (units, 1))
    return np.where(rng.random((units, raters)) < noise, rng.integers(0, 3, (units, raters)), truth)


def kappa(table):
    return accord.fleiss_kappa(table.tolist(), domain=[0, 1, 2], ci=None).value


@pytest.fixture
def dataset(tmp_path):
    """Two label controls on the same tasks, and one of numbers."""

    def make(first, second, numbers=None):
        lines = ["item,rater,tone,kind" + ("" if numbers is None else ",score")]
        for unit, (left, right) in enumerate(zip(first, second, strict=True)):
            for rater, (a, b) in enumerate(zip(left, right, strict=True)):
                more = "" if numbers is None else f",{numbers[unit][rater]}.5"
                lines.append(f"t{unit},r{rater},{LABELS[a]},{LABELS[b]}{more}")
        path = tmp_path / "table.csv"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return read_tables(path, value="tone,kind" if numbers is None else "tone,kind,score")

    return make


def mean_of(data, key="fleiss_kappa", plan=None):
    return accord.measure(data, plan or Plan(coefficients=(key,))).overall[key]


def test_the_mean_is_over_the_controls(dataset):
    first, second = answers(1), answers(2)
    found = mean_of(dataset(first, second))
    parts = [kappa(table) for table in (first, second)]
    assert found.value == pytest.approx(np.mean(parts), abs=1e-12)
    assert (found.controls, found.of, found.left_out) == (2, 2, ())


def test_the_interval_is_that_of_tasks_drawn_for_both_controls(dataset):
    first, second = answers(1), answers(2)
    found = mean_of(dataset(first, second)).interval
    rng = np.random.default_rng(7)
    means = []
    for _ in range(1000):
        drawn = rng.integers(0, 60, 60)
        pair = [kappa(table[drawn]) for table in (first, second)]
        means.append(np.mean(pair))
    assert found.method == "bootstrap"
    assert (found.low, found.high) == pytest.approx(np.quantile(means, (0.025, 0.975)), abs=0.02)


def test_a_control_and_its_copy_vary_together(dataset):
    """Drawn one by one, two equal controls would seem more certain than one."""
    table = answers(3)
    both = mean_of(dataset(table, table)).interval
    one = accord.fleiss_kappa(table.tolist(), domain=[0, 1, 2], interval="bootstrap").interval
    assert (both.low, both.high) == pytest.approx((one.low, one.high), abs=0.02)


def test_one_control_keeps_its_own_interval(dataset):
    data = dataset(answers(1), answers(2))
    report = accord.measure(data, Plan(coefficients=("fleiss_kappa",), only=("tone",)))
    assert report.overall["fleiss_kappa"].interval == report["tone"].main.interval


def test_weights_of_controls(dataset):
    data = dataset(answers(1, noise=0.1), answers(2, noise=0.6))
    weighted = Plan(coefficients=("fleiss_kappa",), controls={"kind": ControlPlan(weight=3.0)})
    report = accord.measure(data, weighted)
    parts = [report[name].main.value for name in ("tone", "kind")]
    assert report.overall["fleiss_kappa"].value == pytest.approx((parts[0] + 3 * parts[1]) / 4, abs=1e-12)
    pairwise = [report[name].pairwise.value for name in ("tone", "kind")]
    assert report.overall_pairwise.value == pytest.approx((pairwise[0] + 3 * pairwise[1]) / 4, abs=1e-12)
    none = replace(weighted, controls={"kind": ControlPlan(weight=0.0)})
    found = accord.measure(data, none).overall["fleiss_kappa"]
    assert found.value == pytest.approx(parts[0], abs=1e-12)
    assert found.left_out == (("kind", "its weight is 0"),)


def test_undefined_controls_are_left_out_with_the_reason(dataset):
    found = mean_of(dataset(answers(1), np.zeros((60, 3), dtype=int)))
    assert (found.controls, found.of) == (1, 2)
    ((control, reason),) = found.left_out
    assert control == "kind"
    assert "vary" in reason or "same" in reason


def test_levels_are_not_mixed_unless_asked(dataset):
    numbers = answers(4)
    data = dataset(answers(1), answers(2), numbers)
    found = mean_of(data, "krippendorff_alpha")
    assert (found.controls, found.of) == (2, 3)
    assert found.left_out == (("score", "compared as interval, the mean is over nominal"),)
    mixed = mean_of(
        data,
        "krippendorff_alpha",
        Plan(coefficients=("krippendorff_alpha",), settings={"overall.levels": "mixed"}),
    )
    assert (mixed.controls, mixed.left_out) == (3, ())
    assert mixed.value != pytest.approx(found.value)


def test_perfect_controls_have_no_interval_of_width_zero(dataset):
    found = mean_of(dataset(answers(1, noise=0.0), answers(2, noise=0.0)))
    assert found.value == 1.0
    assert found.interval.low < 1.0
    assert found.interval.method == "mean of limits"


def test_more_tasks_than_are_drawn_one_by_one(dataset, monkeypatch):
    data = dataset(answers(1, units=300), answers(2, units=300))
    plain = mean_of(data).interval
    monkeypatch.setattr("accord.pipeline.joint.MOST_GROUPS", 100)
    dealt = mean_of(data).interval
    assert dealt != plain
    assert (dealt.low, dealt.high) == pytest.approx((plain.low, plain.high), abs=0.02)


def test_no_interval_and_seeds(dataset):
    data = dataset(answers(1), answers(2))
    plan = Plan(coefficients=("fleiss_kappa",), ci=None)
    assert mean_of(data, plan=plan).interval is None
    seeded = [mean_of(data, plan=Plan(coefficients=("fleiss_kappa",), seed=seed)).interval for seed in (0, 0, 1)]
    assert seeded[0] == seeded[1] != seeded[2]
