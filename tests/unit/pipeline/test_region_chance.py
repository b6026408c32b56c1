"""Where chance agreement of regions comes from: chosen in a plan, named in the recipe, shown with its size."""

from pathlib import Path

import pytest

import accord
from accord.pipeline.region_chance import chance_rule
from accord.pipeline.sweep import sweep

EXAMPLES = Path(__file__).parents[3] / "examples"
WITHIN = {"krippendorff_alpha.chance": "within"}


@pytest.fixture(scope="module")
def dataset():
    return accord.read(EXAMPLES / "harbour-export.json", config=EXAMPLES / "harbour-config.xml")


@pytest.fixture(scope="module", params=[False, True], ids=["units", "within"])
def within(request):
    return request.param


@pytest.fixture(scope="module")
def report(within, dataset):
    only = ("boxes", "entities", "relations", "busy")
    return accord.measure(dataset, accord.Plan(settings=WITHIN if within else {}, only=only), page=True)


def chance_of(report, control):
    return [d.text for d in report[control].diagnostics if d.title == "Chance"]


def test_the_recipe_names_the_rule(report, within):
    rule = "within" if within else "classical"
    for control in ("boxes", "entities"):
        found = report[control].coefficients
        assert f"|chance:{rule}|" in found["krippendorff_alpha"].signature
        assert f"|chance:{rule}|" in found["krippendorff_alpha_marked"].signature
        assert "|chance:classical|" in found["krippendorff_alpha_presence"].signature
        assert all("|chance:classical|" in row.agreement.signature for row in report[control].labels)
    assert "|chance:classical|" in report["busy"].main.signature


def test_the_page_says_where_chance_comes_from_and_when_it_hardly_matters(report, within):
    (text,) = chance_of(report, "boxes")
    if within:
        assert text.startswith("Chance agreement is 0.02 ± ")
        assert "at random places (rule within). Chance hardly matters here." in text
    else:
        assert text.startswith("Chance agreement is 0.13: answers of other units laid over each other")
        assert text.endswith("(rule units).")
    assert chance_of(report, "busy") == []
    rule = "rule within" if within else "rule units"
    assert rule in report["entities"].methods
    assert "rule" not in report["busy"].methods


def test_relations_have_no_places(report, within):
    main = report["relations"].main
    if within:
        assert main.undefined == "not_applicable"
        assert "random places" in main.reason
    else:
        assert main.undefined is None
        assert chance_rule(main, report["relations"].control.kind) == "answers of other units (rule units)"


def test_the_same_plan_gives_the_same_numbers(dataset):
    plans = [accord.Plan(settings=WITHIN, only=("entities",), seed=seed) for seed in (0, 0, 1)]
    first, again, other = (accord.measure(dataset, plan)["entities"].main for plan in plans)
    assert first == again
    assert other.value != first.value
    assert other.value == pytest.approx(first.value, abs=5 * first.expected_error)


def test_bundles_are_reproduced(dataset, tmp_path):
    from accord.pipeline.bundle import reproduce_bundle, write_bundle

    plan = accord.Plan(settings=WITHIN, only=("entities", "oil"))
    write_bundle(tmp_path / "bundle", dataset, plan, accord.measure(dataset, plan))
    numbers = reproduce_bundle(tmp_path / "bundle")
    assert numbers
    assert all(number.same for number in numbers)


def test_a_sweep_does_not_draw_at_every_threshold(dataset):
    points = sweep(dataset, "entities", accord.Plan(settings=WITHIN), steps=3).points
    assert {point.coefficient.undefined for point in points} == {"not_applicable"}
    assert all(point.pairwise.undefined is None for point in points)
