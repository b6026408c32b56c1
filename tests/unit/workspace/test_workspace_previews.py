"""A preview says what saving then does: numbers, queue, nothing kept."""

import pytest

from accord.errors import UsageError
from accord.workspace.worker import Worker

from . import answers as made


@pytest.fixture
def project(workspace):
    number = workspace.projects.create("p", made.CONFIG, actor="test")
    workspace.content.import_(number, made.simple(tasks=12), actor="test")
    return number


def waiting(workspace, project, viewer):
    return {row.key for row in workspace.reviews.queue(project, viewer).rows}


@pytest.mark.parametrize(
    "wanted",
    [
        {"review": {"threshold": 0.95}},
        {"review": {"threshold": 0.95, "control": "mood"}},
        {"review": {"threshold": 1.0, "answers": 3}},
        {"plan": {"controls": {"stars": {"level": "nominal"}}}},
        {"plan": {"controls": {"mood": {"weight": 0.0}}}, "review": {"threshold": 0.9}},
    ],
)
def test_saving_does_what_the_preview_said(workspace, project, person, wanted):
    viewer = person("Viewer")
    before = waiting(workspace, project, viewer)
    found = workspace.previews.of(project, wanted)
    assert workspace.settings.get(project)[1] == 0
    assert found.waiting_before == len(before)
    workspace.settings.put(project, wanted, actor="test")
    Worker(workspace).run_all()
    after = waiting(workspace, project, viewer)
    assert set(found.entering) == after - before
    assert set(found.leaving) == before - after
    assert found.waiting_after == len(after)
    live = {one["name"]: one for one in workspace.reports.live(project)["controls"]}
    for control in found.controls:
        headline = live[control.name]["coefficients"][control.after.coefficient]
        assert control.after.value == pytest.approx(headline["value"], nan_ok=True) or control.after.undefined
        assert control.after.metric == live[control.name]["metric"]


def test_nothing_to_preview_and_nothing_allowed(workspace, project):
    empty = workspace.projects.create("e", made.CONFIG, actor="test")
    found = workspace.previews.of(empty, {"review": {"threshold": 0.9}})
    assert (found.agreement_after, found.waiting_after, list(found.controls)) == (None, 0, [])
    with pytest.raises(UsageError):
        workspace.previews.of(project, {"review": {"treshold": 0.9}})
