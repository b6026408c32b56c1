"""Where most agreement is lost: in ``inspect --control`` and ``score --tasks``; questions about regions in both."""

import json

import pytest
from typer.testing import CliRunner

import accord
from accord.cli.app import app
from accord.pipeline.plan import Plan
from accord.pipeline.sweep import sweep
from accord.reporting.sweeps import render_sweep

HARBOUR = ["examples/harbour-export.json", "--config", "examples/harbour-config.xml"]


def run(*arguments):
    found = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert found.exit_code == 0, found.output
    return found.stdout


def test_inspect_names_the_questions_about_regions():
    controls = {control["name"]: control for control in json.loads(run("inspect", *HARBOUR, "--json"))["controls"]}
    assert controls["state"]["per_region"] is True
    assert controls["state"]["answers"] == 55
    assert controls["state"]["domain"] == ["sound", "damaged", "wreck"]
    assert "per_region" not in controls["boxes"]
    text = run("inspect", *HARBOUR)
    assert "Choices, about regions" in text
    assert "where most is lost" not in text


def test_inspect_of_a_control_shows_what_each_task_lost():
    (lost,) = json.loads(run("inspect", *HARBOUR, "--control", "boxes", "--json"))["most_lost"]
    assert lost["control"] == "boxes"
    values = [task["value"] for task in lost["tasks"]]
    assert values == sorted(values)
    assert len(values) == 10
    for task in lost["tasks"]:
        assert sum(task["losses"].values()) == pytest.approx(1 - task["value"])
    text = run("inspect", *HARBOUR, "--control", "boxes")
    assert "boxes: where most is lost" in text
    assert "one rater only" in text


def test_controls_without_matched_regions_show_agreement_alone():
    found = json.loads(run("inspect", *HARBOUR, "--control", "state", "--control", "wakes", "--json"))["most_lost"]
    assert {lost["control"] for lost in found} == {"state", "wakes"}
    assert all("losses" not in task for lost in found for task in lost["tasks"])


def test_score_with_tasks_says_where_most_is_lost():
    assert "where most is lost" not in run("score", *HARBOUR, "--control", "phases")
    assert "phases: where most is lost" in run("score", *HARBOUR, "--control", "phases", "--tasks")


def test_a_question_about_regions_has_a_curve():
    found = json.loads(run("sweep", *HARBOUR, "--control", "certainty", "--json"))
    assert found["control"] == "certainty"
    assert found["area"]["pairwise"]["covered"] == 1
    units = {point["coefficient"]["units"] for point in found["points"]}
    assert units == {20}
    assert all(point["coefficient"]["clusters"] for point in found["points"])


def test_every_control_with_regions_has_a_curve():
    dataset = accord.read(HARBOUR[0], config=HARBOUR[2])
    names = [*dataset.columns, *(nested.control.name for nested in dataset.nested)]
    for name in names:
        found = sweep(dataset, name, Plan(ci=None), stop=1.0, steps=2)
        assert found.points[0].pairwise.undefined is None, name
        assert render_sweep(found, "svg").startswith("<svg")
