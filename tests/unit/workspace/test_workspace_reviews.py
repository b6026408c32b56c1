"""Reviews: who may decide what, what follows from it, undo; and that they never touch what is measured."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord.errors import DataError, UsageError
from accord.workspace import Workspace
from accord.workspace.making import full_report, loaded_with
from accord.workspace.projects import project_row
from accord.workspace.reviews import Decision, OwnAnswerError, reviewer_agreement

from . import answers as made
from .conftest import new_person


@pytest.fixture
def project(workspace):
    number = workspace.projects.create("p", made.CONFIG, actor="test")
    workspace.content.import_(number, made.simple(tasks=6), actor="test")
    workspace.settings.put(number, {"review": {"threshold": 0.9}}, actor="test")
    return number


@pytest.fixture
def judge(person):
    return person("Judge", "reviewer")


def worst(workspace, project, judge):
    return workspace.reviews.queue(project, judge).rows[0]


def numbers(workspace, project, task, judge):
    return [row.id for row in workspace.reviews.task(project, task, judge).annotations]


def marked(workspace, project, task, judge):
    return {row.id for row in workspace.reviews.task(project, task, judge).annotations if row.accepted}


def test_queue_holds_tasks_below_the_threshold_lowest_first(workspace, project, judge):
    page = workspace.reviews.queue(project, judge)
    assert [row.key for row in page.rows] == ["3", "6"]
    assert page.rows[0].by_control["mood"] == pytest.approx(1 / 3)


def test_accept_marks_one_and_takes_the_task_from_the_queue(workspace, project, judge):
    task = worst(workspace, project, judge)
    first, second, third = numbers(workspace, project, task.id, judge)
    workspace.reviews.decide(project, task.id, judge, Decision(outcome="accept", reason="slip", accepted=[first]))
    assert marked(workspace, project, task.id, judge) == {first}
    assert [row.key for row in workspace.reviews.queue(project, judge).rows] == ["6"]
    workspace.reviews.decide(project, task.id, judge, Decision(outcome="accept", reason="slip", accepted=[second]))
    assert marked(workspace, project, task.id, judge) == {second}
    more = Decision(outcome="accept", reason="slip", accepted=[third], mode="keep_all")
    workspace.reviews.decide(project, task.id, judge, more)
    assert marked(workspace, project, task.id, judge) == {second, third}


def test_undo_brings_back_what_was_before(workspace, project, judge, person):
    task = worst(workspace, project, judge)
    first, second, _ = numbers(workspace, project, task.id, judge)
    workspace.reviews.decide(project, task.id, judge, Decision(outcome="accept", reason="slip", accepted=[first]))
    review = workspace.reviews.decide(
        project, task.id, judge, Decision(outcome="accept", reason="bad_data", accepted=[second])
    )
    workspace.reviews.undo(project, review, judge)
    assert marked(workspace, project, task.id, judge) == {first}
    with pytest.raises(UsageError, match="undone already"):
        workspace.reviews.undo(project, review, judge)
    other = person("Other", "reviewer")
    with pytest.raises(UsageError, match="manager"):
        workspace.reviews.undo(project, review, other)
    assert [event.kind for event in workspace.events.page(project).rows[:2]] == ["review.undone", "review.decided"]


def test_several_and_none_are_outcomes(workspace, project, judge):
    task = worst(workspace, project, judge)
    first, second, _ = numbers(workspace, project, task.id, judge)
    several = Decision(outcome="several", reason="several_valid", accepted=[first, second])
    workspace.reviews.decide(project, task.id, judge, several)
    assert marked(workspace, project, task.id, judge) == {first, second}
    workspace.reviews.decide(project, task.id, judge, Decision(outcome="none", reason="ambiguous_item", note="odd"))
    assert marked(workspace, project, task.id, judge) == set()
    assert workspace.reviews.task(project, task.id).accepted.outcome == "none"


def test_an_answer_is_composed_item_by_item(workspace, project, judge):
    task = worst(workspace, project, judge)
    row = workspace.reviews.task(project, task.id, judge).annotations[0]
    items = [{"annotation": row.id, "item": row.result[0]["id"]}, made.stars(4)]
    workspace.reviews.decide(project, task.id, judge, Decision(outcome="compose", reason="slip", composed=items))
    composed = workspace.reviews.task(project, task.id).accepted.composed
    assert [item["from_name"] for item in composed[0]] == ["mood", "stars"]
    assert composed[0][0] == row.result[0]
    before = workspace.tasks.page(project, sort="key").rows
    assert {row.key: row.raters for row in before} == dict.fromkeys("123456", 3)


@pytest.mark.parametrize(
    "items, words",
    [
        ([made.choice("mood", "excellent")], "unknown-value"),
        ([made.item("nowhere", "choices", {"choices": ["a"]})], "unknown-control"),
        ([{"annotation": 999, "item": "x"}], "no item 'x'"),
        (["text"], "is an object"),
        ([made.item("stars", "rating", {"rating": "many"})], "bad-value"),
    ],
)
def test_composed_answers_that_do_not_fit_are_refused(workspace, project, judge, items, words):
    task = worst(workspace, project, judge)
    decision = Decision(outcome="compose", reason="slip", composed=items)
    with pytest.raises((UsageError, DataError), match=words):
        workspace.reviews.decide(project, task.id, judge, decision)
    assert not workspace.reviews.all(project)


def test_nobody_reviews_own_answers(workspace, project, person):
    workspace.content.import_(
        project,
        [made.task(3, made.annotation(99, {"id": 8, "email": "Judge@example.org"}, made.choice("mood", "bad")))],
        actor="test",
    )
    judge = person("Judge", "reviewer", identities=["judge@example.org"])
    assert [row.key for row in workspace.reviews.queue(project, judge).rows] == ["6"]
    task = next(row for row in workspace.tasks.page(project).rows if row.key == "3")
    with pytest.raises(OwnAnswerError):
        workspace.reviews.decide(project, task.id, judge, Decision(outcome="none", reason="bad_data"))
    assert [row.own for row in workspace.reviews.task(project, task.id, judge, blind=False).annotations][-1]


def test_an_id_is_the_person_behind_its_address(workspace, project, person):
    mail = {"id": 2, "email": "judge@example.org"}
    workspace.content.import_(
        project, [made.task(7, made.annotation(71, mail, made.choice("mood", "bad")))], actor="test"
    )
    judge = person("Judge", "reviewer", identities=["judge@example.org"])
    assert not workspace.reviews.queue(project, judge).rows


def test_names_are_hidden_unless_the_policy_shows_them(workspace, project, judge):
    task = worst(workspace, project, judge)
    hidden = workspace.reviews.task(project, task.id, judge)
    assert hidden.blinded
    assert [row.rater for row in hidden.annotations] == ["A", "B", "C"]
    assert hidden == workspace.reviews.task(project, task.id, judge)
    shown = workspace.reviews.task(project, task.id, judge, blind=False)
    assert [row.rater for row in shown.annotations] == ["1", "2", "3"]


@pytest.mark.parametrize(
    "decision, words",
    [
        ({"outcome": "perhaps", "reason": "slip"}, "Allowed: accept"),
        ({"outcome": "none", "reason": "mood"}, "Allowed: slip"),
        ({"outcome": "accept", "reason": "slip"}, "0 accepted"),
        ({"outcome": "accept", "reason": "slip", "accepted": [1, 2]}, "2 accepted"),
        ({"outcome": "several", "reason": "slip", "accepted": [1, 1]}, "1 accepted"),
        ({"outcome": "none", "reason": "slip", "accepted": [1]}, "1 accepted"),
        ({"outcome": "compose", "reason": "slip"}, "composed items"),
        ({"outcome": "accept", "reason": "slip", "accepted": [1], "mode": "both"}, "Allowed: single_truth"),
    ],
)
def test_contradictory_decisions_are_refused(decision, words):
    with pytest.raises(UsageError, match=words):
        Decision(**decision)


def test_only_present_annotations_of_the_task_are_accepted(workspace, project, judge):
    task, other = (row.id for row in workspace.reviews.queue(project, judge).rows)
    theirs = numbers(workspace, project, other, judge)[0]
    with pytest.raises(UsageError, match="cannot be accepted"):
        workspace.reviews.decide(project, task, judge, Decision(outcome="accept", reason="slip", accepted=[theirs]))
    with pytest.raises(UsageError, match="no task 9999"):
        workspace.reviews.decide(project, 9999, judge, Decision(outcome="none", reason="slip"))


def test_reviewers_are_compared(workspace, project, judge, person):
    other = person("Other", "reviewer")
    for task, alike in zip(workspace.reviews.queue(project, judge).rows, (True, False), strict=True):
        first, second, _ = numbers(workspace, project, task.id, judge)
        for who, choice in ((judge, first), (other, first if alike else second)):
            workspace.reviews.decide(
                project, task.id, who, Decision(outcome="accept", reason="slip", accepted=[choice])
            )
    found = reviewer_agreement(workspace.reviews.all(project))
    assert (found["tasks"], found["value"]) == (2, 0.5)
    assert found["interval"]["low"] < 0.5 < found["interval"]["high"]
    assert reviewer_agreement({}) == {"tasks": 0, "value": None, "interval": None}


STEP = st.tuples(st.sampled_from(["accept", "several", "none", "compose", "undo"]), st.integers(0, 5), st.booleans())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=15)
@given(steps=st.lists(STEP, min_size=1, max_size=6))
def test_measured_agreement_is_the_same_before_and_after_any_reviews(steps, tmp_path_factory):
    with Workspace.open(tmp_path_factory.mktemp("reviews") / "accord.db") as workspace:
        project = workspace.projects.create("p", made.CONFIG, actor="test")
        workspace.content.import_(project, made.simple(tasks=6), actor="test")
        judge = new_person(workspace, "Judge", "manager")
        tasks = workspace.tasks.page(project, sort="key").rows
        before = measured(workspace, project)
        for outcome, place, keep in steps:
            review(workspace, project, judge, tasks[place].id, outcome, keep)
            assert measured(workspace, project) == before
        assert list(workspace.content.export(project)) == before[2]


def review(workspace, project, judge, task, outcome, keep):
    standing = [r for made_ in workspace.reviews.all(project).values() for r in made_ if r.undone_at is None]
    if outcome == "undo":
        for last in standing[-1:]:
            workspace.reviews.undo(project, last.id, judge)
        return
    mine = numbers(workspace, project, task, judge)
    decision = Decision(
        outcome=outcome,
        reason="slip",
        accepted={"accept": mine[:1], "several": mine[1:]}.get(outcome, []),
        composed=[made.choice("mood", "so so")] if outcome == "compose" else None,
        mode="keep_all" if keep else "single_truth",
    )
    workspace.reviews.decide(project, task, judge, decision)


def measured(workspace, project):
    """Everything measured, computed anew."""
    with workspace.database.read() as connection:
        row = project_row(connection, project)
        report = full_report(row, *loaded_with(connection, row)).to_dict()
    scores = [(row.key, row.agreement, row.by_control) for row in workspace.tasks.page(project).rows]
    return json.dumps(report), scores, list(workspace.content.export(project))
