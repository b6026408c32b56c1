"""Effort, trends, exports, one person's data, retention."""

import datetime as dt
import json

import pytest
from sqlalchemy import select

import accord
from accord.errors import UsageError
from accord.workspace.reviews import Decision
from accord.workspace.tables import ANNOTATION_VERSIONS, ANNOTATIONS, EVENTS, RATERS
from accord.workspace.worker import Worker

from . import answers as made


@pytest.fixture
def project(workspace):
    number = workspace.projects.create("p", made.CONFIG, actor="test")
    workspace.content.import_(number, made.simple(tasks=6), actor="test")
    return number


def skipped(number, rater, **more):
    return made.annotation(number, rater, was_cancelled=True, **more)


def test_raters_with_tasks_skips_and_time(workspace, project):
    more = [
        made.task(7, made.annotation(71, 1, made.choice("mood", "good"), lead_time=100.0), skipped(72, 2)),
        made.task(8, skipped(81, 2), skipped(84, 4)),
    ]
    workspace.content.import_(project, more, actor="test")
    found = {
        row.name: (row.tasks, row.skipped, row.lead_time_median, row.state) for row in workspace.raters.all(project)
    }
    assert found == {
        "1": (7, 0, 12.5, "active"),
        "2": (6, 2, 12.5, "active"),
        "3": (6, 0, 12.5, "active"),
    }
    effort = workspace.raters.effort(project)
    rates = {row.name: (row.answered, row.skipped, row.rate) for row in effort.raters}
    assert rates == {"1": (7, 0, 0.0), "2": (6, 2, 0.25), "3": (6, 0, 0.0), "4": (0, 1, 1.0)}
    assert all(row.limits[0] <= row.rate <= row.limits[1] for row in effort.raters)
    assert [(row.name, row.answered, row.skipped) for row in effort.tasks] == [("8", 0, 2), ("7", 1, 1)]
    labels = {row.name: (row.answered, row.skipped) for row in effort.labels}
    assert labels == {"mood: good": (19, 1), "mood: bad": (6, 0)}


def test_overlap_says_who_cannot_be_compared(workspace):
    project = workspace.projects.create("p", made.CONFIG, actor="test")
    pairs = {1: ("a", "b"), 2: ("b", "c"), 3: ("x", "y")}
    tasks = [
        made.task(n, *(made.annotation(10 * n + i, who, made.choice("mood", "good")) for i, who in enumerate(pair)))
        for n, pair in pairs.items()
    ]
    workspace.content.import_(project, tasks, actor="test")
    overlap = workspace.raters.effort(project).overlap
    assert [list(group) for group in overlap.groups] == [["a", "b", "c"], ["x", "y"]]
    assert not overlap.connected
    assert overlap.never_met_total == 7
    assert ("a", "c") in overlap.never_met
    (rater, task) = overlap.missing[0]
    assert (rater, task) == ("x", "1")
    joining = made.annotation(99, rater, made.choice("mood", "good"))
    workspace.content.import_(project, [made.task(int(task), joining)], actor="test")
    assert workspace.raters.effort(project).overlap.connected


def test_an_empty_project_has_no_work(workspace):
    project = workspace.projects.create("p", made.CONFIG, actor="test")
    assert workspace.raters.all(project) == []
    assert workspace.raters.effort(project).overlap.groups == []
    assert workspace.trends.of(project).days == []
    assert workspace.evaluation.raters(project) == []
    assert list(workspace.exports.soft_label_rows(project)) == []
    assert workspace.reports.current(project) is None
    assert workspace.reports.live(project)["controls"] == []


def test_days_and_weeks_follow_the_time_zone(workspace):
    project = workspace.projects.create("p", made.CONFIG, actor="test")

    def on(number, stamp, *moods):
        return made.task(
            number,
            *(
                made.annotation(10 * number + i, i, made.choice("mood", mood), created_at=stamp, updated_at=stamp)
                for i, mood in enumerate(moods, 1)
            ),
        )

    tasks = [
        on(1, "2026-03-01T23:30:00Z", "good", "good"),
        on(2, "2026-03-02T12:00:00Z", "good", "bad"),
        on(3, None, "good"),
        on(4, "9999-12-31T23:59:59Z", "good"),
    ]
    workspace.content.import_(project, tasks, actor="test")
    trend = workspace.trends.of(project)
    sunday, monday = dt.date(2026, 3, 1), dt.date(2026, 3, 2)
    assert [(p.begin, p.annotations, p.tasks) for p in trend.days] == [(sunday, 2, 1), (monday, 2, 1)]
    assert trend.days[0].agreement == 1.0
    assert trend.days[1].agreement < 1.0
    assert [p.begin for p in trend.weeks] == [dt.date(2026, 2, 23), monday]
    assert trend.unknown == 2
    workspace.settings.put(project, {"time_zone": "Europe/Berlin"}, actor="test")
    assert [(p.begin, p.annotations) for p in workspace.trends.of(project).days] == [(monday, 4)]


def test_accepted_answers_are_exported_and_read_again(workspace, project, person, tmp_path):
    judge = person("Judge")
    three, six = (row for row in workspace.tasks.page(project).rows if row.key in "36")
    first = workspace.reviews.task(project, three.id, judge, blind=False).annotations[0]
    workspace.reviews.decide(project, three.id, judge, Decision(outcome="accept", reason="slip", accepted=[first.id]))
    composed = Decision(outcome="compose", reason="guideline_gap", composed=[made.choice("mood", "so so")], note="=x")
    workspace.reviews.decide(project, six.id, judge, composed)
    path = tmp_path / "accepted.json"
    path.write_text(json.dumps(list(workspace.exports.accepted_tasks(project))), encoding="utf-8")
    dataset = accord.read(path, config=made.CONFIG)
    column = dataset["mood"]
    said = {dataset.units[u]: column.values[c] for u, c in zip(column.unit, column.code, strict=True)}
    assert said == {"3": "good", "6": "so so"}
    rows = list(workspace.exports.accepted_rows(project))
    assert [(row["task"], row["composed"], row["control"]) for row in rows] == [(3, False, "mood"), (6, True, "mood")]
    decisions = list(workspace.exports.decision_rows(project))
    assert [(row["task"], row["outcome"], row["reason"]) for row in decisions] == [
        (3, "accept", "slip"),
        (6, "compose", "guideline_gap"),
    ]


def test_soft_labels_are_shares_of_answers(workspace, project):
    rows = [row for row in workspace.exports.soft_label_rows(project) if row["control"] == "mood"]
    shares = {(row["unit"], row["label"]): row["share"] for row in rows}
    assert shares["1", "good"] == 1.0
    assert shares["3", "good"] == pytest.approx(2 / 3)
    assert shares["3", "bad"] == pytest.approx(1 / 3)
    task = next(task for task in workspace.exports.soft_label_tasks(project) if task["id"] == 3)
    items = [item for item in task["predictions"][0]["result"] if item["from_name"] == "mood"]
    assert [(item["value"]["choices"], item["type"], item["to_name"]) for item in items] == [
        (["bad"], "choices", "text"),
        (["good"], "choices", "text"),
    ]
    assert task["data"] == {"text": made.TEXT}


def everything(workspace):
    """All text in the database about annotations, raters and events."""
    with workspace.database.read() as connection:
        tables = (ANNOTATIONS, ANNOTATION_VERSIONS, RATERS, EVENTS)
        return "\n".join(str(row) for table in tables for row in connection.execute(select(table)))


def add_ann(workspace, project):
    ann = {"id": 7, "email": "ann@example.org"}
    tasks = [made.task(n, made.annotation(90 + n, ann, made.choice("mood", "bad"), updated_by=ann)) for n in (1, 2)]
    workspace.content.import_(project, tasks, actor="test")
    changed = made.annotation(91, ann, made.choice("mood", "good"), updated="2026-05-01T00:00:00Z")
    workspace.content.import_(project, [made.task(1, changed)], actor="test")


def test_a_person_gets_every_version_of_their_answers(workspace, project):
    add_ann(workspace, project)
    found = workspace.persons.export(project, ["Ann@Example.org"])
    assert [(row["task"], row["version"]) for row in found["annotations"]] == [("1", 1), ("1", 2), ("2", 1)]
    assert found["annotations"][1]["content"]["result"][0]["value"] == {"choices": ["good"]}


def test_a_person_is_erased_with_all_versions(workspace, project):
    before = workspace.reports.live(project)["controls"]
    add_ann(workspace, project)
    assert workspace.reports.live(project)["controls"] != before
    erased = workspace.persons.erase(project, ["ann@example.org"], actor="admin")
    assert (erased.annotations, erased.tasks, erased.job) == (2, 2, None)
    assert "ann@example.org" not in everything(workspace)
    assert workspace.reports.live(project)["controls"] == before
    with pytest.raises(UsageError, match="Nobody"):
        workspace.persons.erase(project, ["ann@example.org"], actor="admin")
    with pytest.raises(UsageError, match="at least one name"):
        workspace.persons.erase(project, [" "], actor="admin")


def test_answers_may_stay_without_the_name(workspace, project):
    add_ann(workspace, project)
    before = workspace.reports.live(project)["controls"]
    workspace.persons.erase(project, ["ann@example.org"], actor="admin", keep_answers=True)
    assert "ann@example.org" not in everything(workspace)
    after = workspace.reports.live(project)["controls"]
    for one, other in zip(before, after, strict=True):
        alpha, again = (c["coefficients"][c["headline"]] for c in (one, other))
        assert (alpha["units"], alpha["raters"], alpha["pairs"]) == (again["units"], again["raters"], again["pairs"])
        assert alpha["value"] == pytest.approx(again["value"], abs=1e-12, nan_ok=True) or alpha["undefined"]
    names = [rater.name for rater in workspace.raters.all(project)]
    assert names[:3] == ["1", "2", "3"]
    assert names[3].startswith("erased ")


def test_retention_removes_what_is_old_and_not_what_is_measured(workspace, project, clock):
    add_ann(workspace, project)
    workspace.content.delete(project, annotations=["11"], actor="test")
    assert workspace.persons.purge(project) == {}
    workspace.settings.put(project, {"retention_days": 30}, actor="test")
    clock.now += 29 * 86_400
    assert not any(workspace.persons.purge(project).values())
    before = workspace.reports.live(project)
    clock.now += 2 * 86_400
    gone = workspace.persons.purge(project)
    assert (gone["versions"], gone["annotations"], gone["tasks"]) == (1, 1, 0)
    assert gone["events"] > 0
    assert workspace.reports.live(project) == before
    assert [event.kind for event in workspace.events.page(project).rows] == ["data.purged"]


def test_a_removed_project_goes_when_retention_ends(workspace, project, clock):
    workspace.settings.put(project, {"retention_days": 1}, actor="test")
    workspace.projects.remove(project, actor="test")
    assert workspace.persons.with_retention() == [project]
    clock.now += 2 * 86_400
    assert workspace.persons.purge(project) == {"projects": 1}
    with workspace.database.read() as connection:
        assert not connection.execute(select(ANNOTATION_VERSIONS)).all()


def test_a_worker_looks_for_what_is_kept_no_longer(workspace, project):
    workspace.settings.put(project, {"retention_days": 1}, actor="test")
    worker = Worker(workspace)
    worker._queue_retention()
    assert worker.run_all() == 1
    assert workspace.jobs.page(project).rows[0].status == "done"


def test_settings_are_kept_by_version_and_checked(workspace, project):
    settings, version = workspace.settings.get(project)
    assert (settings.review.threshold, version) == (0.5, 0)
    assert workspace.settings.put(project, {"review": {"threshold": 0.7}}, actor="ann", version=0) == 1
    with pytest.raises(UsageError, match="changed meanwhile"):
        workspace.settings.put(project, {}, actor="bob", version=0)
    assert [(row["version"], row["actor"]) for row in workspace.settings.history(project)] == [(1, "ann")]
    event = workspace.events.page(project, kind="settings.changed").rows[0]
    assert event.payload["changed"]["review"][1]["threshold"] == 0.7


@pytest.mark.parametrize(
    "wrong, words",
    [
        ({"reveiw": {}}, "Did you mean review"),
        ({"review": {"threshold": "high"}}, "must be float"),
        ({"review": {"threshold": 2}}, "out of range"),
        ({"review": {"mode": "both"}}, "single_truth"),
        ({"review": []}, "must be an object"),
        ({"plan": {"join": "data"}}, "told apart by their ids"),
        ({"plan": {"sed": 1}}, "Did you mean seed"),
        ({"plan": {"version": 2}}, "version"),
        ({"suspend": {"enabled": 1}}, "must be bool"),
        ({"retention_days": True}, "out of range"),
        ({"retention_days": 0}, "out of range"),
        ({"time_zone": "../etc/passwd"}, "not known"),
        ({"time_zone": 5}, "not known"),
        ({"custom": {"mood": 1}}, "code as text"),
    ],
)
def test_settings_that_cannot_be_are_refused(workspace, project, wrong, words):
    with pytest.raises(UsageError, match=words):
        workspace.settings.put(project, wrong, actor="test")
    assert workspace.settings.get(project)[1] == 0


def test_a_new_plan_is_scored_by_a_job(workspace, project):
    before = {row.key: row.by_control.get("mood") for row in workspace.tasks.page(project).rows}
    workspace.settings.put(project, {"plan": {"controls": {"mood": {"label_weights": {"bad": 0.0}}}}}, actor="test")
    assert not workspace.projects.get(project).fresh
    assert workspace.reports.live(project)["fresh"] is False
    Worker(workspace).run_all()
    after = {row.key: row.by_control.get("mood") for row in workspace.tasks.page(project).rows}
    assert before["3"] == pytest.approx(1 / 3)
    assert after["3"] != before["3"]
    assert workspace.projects.get(project).fresh
