"""What the workspace measures is what the command line measures on the exported file, however the data came to be."""

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import accord
from accord.workspace import Workspace
from accord.workspace.loading import load
from accord.workspace.rescoring import rescore_all

from . import answers as made

MOODS = st.sampled_from(["good", "bad", "so so", "unheard of"])
RESULTS = st.builds(
    lambda mood, topics, why, rating, amount, note, spans: [
        *([made.choice("mood", mood)] if mood else []),
        *([made.choice("topics", *topics)] if topics else []),
        *([made.choice("why", why)] if why else []),
        *([made.stars(rating)] if rating else []),
        *([made.item("amount", "number", {"number": amount})] if amount is not None else []),
        *([made.item("note", "textarea", {"text": [note]})] if note else []),
        *(made.span(start, start + 5, label) for start, label in spans),
    ],
    st.none() | MOODS,
    st.lists(st.sampled_from(["a", "b"]), unique=True),
    st.none() | st.sampled_from(["x", "y"]),
    st.integers(0, 5),
    st.none() | st.integers(-3, 3),
    st.sampled_from(["", "late", "too late", "späť"]),
    st.lists(st.tuples(st.integers(0, 40), st.sampled_from(["P", "Q"])), max_size=2),
)
RATER = st.integers(1, 4) | st.sampled_from([{"id": 5}, "Ann", "Bob"])


@st.composite
def change(draw):
    """One delivery: some annotations of a task, new or changed, maybe cancelled or by a rater who has one already."""
    number = draw(st.integers(1, 6))
    annotations = [
        made.annotation(
            10 * number + slot,
            draw(RATER),
            *draw(RESULTS),
            updated=f"2026-03-{draw(st.integers(1, 28)):02d}T08:00:00Z",
            was_cancelled=draw(st.integers(0, 9)) == 0,
        )
        for slot in draw(st.lists(st.integers(0, 3), unique=True, max_size=4))
    ]
    return made.task(number, *annotations, group=draw(st.sampled_from(["one", "two", None])))


STEPS = st.lists(
    st.lists(change(), min_size=1, max_size=4)
    | st.tuples(st.just("annotation"), st.integers(10, 63))
    | st.tuples(st.just("task"), st.integers(1, 6)),
    min_size=1,
    max_size=6,
)


def of_file(workspace, project, folder, config):
    path = folder / "export.json"
    path.write_text(json.dumps(list(workspace.content.export(project))), encoding="utf-8")
    return accord.read(path, config=config, fields=["group"])


def loaded(workspace, project):
    with workspace.database.read() as connection:
        return load(connection, project, "group").dataset


def assert_same(one, other):
    assert list(one.units) == list(other.units)
    assert one.raters == other.raters
    for name in ("task", "group"):
        assert np.array_equal(one.clusters[name], other.clusters[name])
    for field in ("unit", "rater", "flags", "created", "updated", "lead_time"):
        assert np.array_equal(getattr(one.annotations, field), getattr(other.annotations, field), equal_nan=True)
    assert list(one.columns) == list(other.columns)
    for name, column in one.columns.items():
        again = other.columns[name]
        for field in ("unit", "rater", "code", "annotation"):
            assert np.array_equal(getattr(column, field), getattr(again, field)), (name, field)
        for field in ("control", "values", "missing", "not_applicable"):
            assert getattr(column, field) == getattr(again, field), (name, field)


def apply(workspace, project, step):
    if step[0] == "annotation":
        workspace.content.delete(project, annotations=[str(step[1])], actor="test")
    elif step[0] == "task":
        workspace.content.delete(project, tasks=[str(step[1])], actor="test")
    else:
        workspace.content.import_(project, step, actor="test")


def counted(workspace, project):
    return any(
        not annotation.get("was_cancelled")
        for task in workspace.content.export(project)
        for annotation in task["annotations"]
    )


@pytest.fixture(params=["one task at a time", "whole"])
def way(request, monkeypatch):
    """Small projects are read whole; here they also go the way of large ones."""
    monkeypatch.setattr("accord.workspace.rescoring.SMALL", 0 if request.param != "whole" else 200)
    return request.param


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=12)
@given(steps=STEPS)
def test_rows_are_those_of_a_reader_after_any_changes(steps, tmp_path_factory, way):
    folder = tmp_path_factory.mktemp("same")
    with Workspace.open(folder / "accord.db") as workspace:
        project = workspace.projects.create("p", made.CONFIG, actor="test")
        workspace.settings.put(project, {"plan": {"cluster": "group"}}, actor="test")
        recompute(workspace, project)
        for step in steps:
            apply(workspace, project, step)
            if not workspace.projects.get(project).fresh:
                assert way != "whole"
                recompute(workspace, project)
            if counted(workspace, project):
                assert_same(loaded(workspace, project), of_file(workspace, project, folder, made.CONFIG))
            else:
                assert not loaded(workspace, project).answers


def recompute(workspace, project):
    outcome = {}
    rescore_all(workspace.database, project, lambda done, total: None, lambda _, found: outcome.update(found))
    assert workspace.projects.get(project).fresh
    return outcome


def stored_scores(workspace, project):
    rows = workspace.tasks.page(project, sort="key", limit=1000).rows
    return {row.key: (row.agreement, row.by_control) for row in rows}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=8)
@given(steps=STEPS)
def test_scores_of_changed_tasks_equal_a_full_recompute(steps, tmp_path_factory, way):
    folder = tmp_path_factory.mktemp("same")
    with Workspace.open(folder / "accord.db") as workspace:
        project = workspace.projects.create("p", made.CONFIG, actor="test")
        recompute(workspace, project)
        for step in steps:
            apply(workspace, project, step)
            if not workspace.projects.get(project).fresh:
                recompute(workspace, project)
        before = stored_scores(workspace, project)
        outcome = recompute(workspace, project)
        assert outcome["mismatch"] == 0
        assert stored_scores(workspace, project) == before


def test_report_is_the_one_of_the_command_line(workspace, tmp_path):
    project = workspace.projects.create("p", made.CONFIG, actor="test")
    workspace.content.import_(project, made.simple(tasks=40), actor="test")
    dataset = of_file(workspace, project, tmp_path, made.CONFIG)
    expected = accord.measure(dataset).to_dict()
    found = workspace.reports.current(project)
    assert found.fresh
    assert json.loads(json.dumps(found.payload["overall"])) == json.loads(json.dumps(expected["overall"]))
    for mine, other in zip(found.payload["controls"], expected["controls"], strict=True):
        mine.pop("tasks")
        assert mine == json.loads(json.dumps(other))
    assert found.payload["dataset"]["fingerprint"] == dataset.fingerprint
