"""Raters against gold answers, the audit of gold, and the policy that may propose a pause."""

import math

import numpy as np
import pytest

from accord.errors import UsageError
from accord.workspace.policies import SuspendPolicy
from accord.workspace.reviews import Decision
from accord.workspace.suspension import false_suspension

from . import answers as made

ONE = '<View><Text name="text" value="$text"/>{}</View>'
MOOD = ONE.format(
    '<Choices name="mood" toName="text"><Choice value="good"/><Choice value="bad"/><Choice value="so so"/></Choices>'
)
TOPICS = ONE.format(
    '<Choices name="mood" toName="text" choice="multiple"><Choice value="a"/><Choice value="b"/>'
    '<Choice value="c"/></Choices>'
)


def listed(labels):
    return [labels] if isinstance(labels, str) else labels


def chosen(number, answers, gold=None):
    """A task with the answers of raters 1, 2, ... (None = none), and maybe one by rater 9 marked as ground truth."""
    annotations = [
        made.annotation(10 * number + rater, rater, made.choice("mood", *listed(labels)))
        for rater, labels in enumerate(answers, 1)
        if labels is not None
    ]
    if gold is not None:
        marked = made.choice("mood", *listed(gold))
        annotations.append(made.annotation(10 * number + 9, 9, marked, ground_truth=True))
    return made.task(number, *annotations)


def project_with(workspace, tasks, config=MOOD, **settings):
    number = workspace.projects.create("p", config, actor="test")
    workspace.content.import_(number, tasks, actor="test")
    if settings:
        workspace.settings.put(number, settings, actor="test")
    return number


def test_accuracy_is_counted_against_marked_answers(workspace):
    tasks = [
        chosen(1, ["good", "bad"], "good"),
        chosen(2, ["bad", "bad"], "bad"),
        chosen(3, ["so so", None], "good"),
        chosen(4, ["good", "good"]),
    ]
    project = project_with(workspace, tasks)
    one, two = workspace.evaluation.raters(project)
    assert (one.rater, one.tasks, one.passed, one.accuracy) == ("1", 3, 2, pytest.approx(2 / 3))
    assert (two.rater, two.tasks, two.passed, two.accuracy) == ("2", 2, 1, 0.5)
    assert one.interval.low < one.accuracy < one.interval.high
    keys = {row.id: row.key for row in workspace.tasks.page(project).rows}
    assert [(keys[task], score) for task, score in one.evidence] == [("3", 0.0), ("1", 1.0), ("2", 1.0)]


def test_precision_recall_and_f1_by_class(workspace):
    gold = ["good", "good", "good", "bad", "bad", "so so"]
    said = ["good", "good", "bad", "bad", "good", "so so"]
    project = project_with(workspace, [chosen(i, [s], g) for i, (s, g) in enumerate(zip(said, gold, strict=True), 1)])
    (control,) = workspace.evaluation.raters(project)[0].controls
    by_label = {c.label: (c.hits, c.extra, c.missed) for c in control.classes}
    assert by_label == {"good": (2, 1, 1), "bad": (1, 1, 1), "so so": (1, 0, 0)}
    assert [c.f1 for c in control.classes] == [pytest.approx(2 / 3), 0.5, 1.0]
    assert control.macro == pytest.approx((2 / 3 + 0.5 + 1) / 3)
    assert control.micro == pytest.approx(8 / 12)


def test_sets_are_scored_by_the_metric_and_by_member(workspace):
    project = project_with(workspace, [chosen(1, [["a", "b"]], ["a", "c"])], TOPICS)
    (rater,) = workspace.evaluation.raters(project)
    assert rater.accuracy == pytest.approx(1 / 3)
    classes = {c.label: (c.precision, c.recall, c.f1) for c in rater.controls[0].classes}
    assert classes == {"a": (1.0, 1.0, 1.0), "b": (0.0, None, 0.0), "c": (None, 0.0, 0.0)}


def test_reviews_make_gold_and_an_own_answer_that_became_gold_does_not_count(workspace, person):
    tasks = [chosen(1, ["good", "bad", "bad"]), chosen(2, ["good", "good", "bad"])]
    project = project_with(workspace, tasks)
    judge = person("Judge")
    assert workspace.evaluation.raters(project) == []
    for row in workspace.tasks.page(project, sort="key").rows:
        view = workspace.reviews.task(project, row.id, judge, blind=False)
        decision = Decision(outcome="accept", reason="slip", accepted=[view.annotations[0].id])
        workspace.reviews.decide(project, row.id, judge, decision)
    found = {rater.rater: (rater.tasks, rater.accuracy) for rater in workspace.evaluation.raters(project)}
    assert found == {"2": (2, 0.5), "3": (2, 0.0)}


def test_several_valid_answers_and_composed_ones_are_gold(workspace, person):
    tasks = [chosen(1, ["good", "bad", "so so"]), chosen(2, ["good", "bad", "unheard of"])]
    project = project_with(workspace, tasks)
    judge = person("Judge")
    first, second = workspace.tasks.page(project, sort="key").rows
    numbers = [row.id for row in workspace.reviews.task(project, first.id, judge, blind=False).annotations]
    several = Decision(outcome="several", reason="several_valid", accepted=numbers[:2])
    workspace.reviews.decide(project, first.id, judge, several)
    composed = Decision(outcome="compose", reason="slip", composed=[made.choice("mood", "bad")])
    workspace.reviews.decide(project, second.id, judge, composed)
    found = {rater.rater: dict(rater.evidence) for rater in workspace.evaluation.raters(project)}
    # Rater 1 is compared with the other valid answer, which is another one.
    assert found["1"] == {first.id: 0.0, second.id: 0.0}
    assert found["2"] == {first.id: 0.0, second.id: 1.0}
    assert found["3"] == {first.id: 0.0, second.id: 0.0}


def test_no_single_truth_takes_the_mark_of_the_source_away(workspace, person):
    project = project_with(workspace, [chosen(1, ["good", "bad"], "good")])
    (task,) = workspace.tasks.page(project).rows
    decision = Decision(outcome="none", reason="ambiguous_item")
    workspace.reviews.decide(project, task.id, person("Judge"), decision)
    assert workspace.evaluation.raters(project) == []
    assert workspace.evaluation.gold(project) == []


def test_gold_that_good_raters_miss_is_doubtful(workspace, clock):
    tasks = [chosen(i, ["good", "good", "good", "bad"], "good") for i in range(1, 11)]
    tasks.append(chosen(11, ["good", "good", "good", "bad"], "bad"))
    project = project_with(workspace, tasks)
    worst, *others = workspace.evaluation.gold(project)
    keys = {row.id: row.key for row in workspace.tasks.page(project).rows}
    assert (keys[worst.task_id], worst.answers, worst.good_raters, worst.missed_by_good) == ("11", 4, 3, 3)
    assert worst.doubtful
    assert not any(task.doubtful for task in others)


def test_age_of_gold_made_by_reviews(workspace, person, clock):
    project = project_with(workspace, [chosen(1, ["good", "bad"])])
    (task,) = workspace.tasks.page(project).rows
    view = workspace.reviews.task(project, task.id, blind=False)
    decision = Decision(outcome="accept", reason="slip", accepted=[view.annotations[0].id])
    workspace.reviews.decide(project, task.id, person("Judge"), decision)
    clock.now += 3 * 86_400
    (gold,) = workspace.evaluation.gold(project)
    assert (gold.answers, gold.score, gold.days) == (1, 0.0, 3.0)


def failing(workspace, wrong=12, right=8, **policy):
    tasks = [chosen(i, ["bad" if i <= wrong else "good", "good"], "good") for i in range(1, wrong + right + 1)]
    return project_with(workspace, tasks, suspend={"enabled": True, **policy})


def test_nothing_is_proposed_unless_the_policy_is_on(workspace):
    project = failing(workspace, enabled=False)
    assert workspace.suspensions.check(project) == []


def test_a_rater_below_the_threshold_is_proposed_with_evidence(workspace):
    project = failing(workspace)
    (rater,) = workspace.suspensions.check(project)
    assert workspace.suspensions.states(project) == {rater: "proposed"}
    (step,) = workspace.suspensions.history(project, rater)[rater]
    assert step.action == "propose"
    assert (step.evidence["tasks"], step.evidence["passed"]) == (20, 8)
    assert step.evidence["limits"][1] < 0.8
    assert len(step.evidence["scores"]) == 20
    assert 0.0 < step.evidence["false_suspension"] < 0.05
    assert workspace.suspensions.check(project) == []
    assert workspace.events.page(project, kind="rater.propose").total == 1


@pytest.mark.parametrize("policy", [{"minimum": 21}, {"threshold": 0.5}])
def test_few_tasks_or_doubt_propose_nothing(workspace, policy):
    assert workspace.suspensions.check(failing(workspace, **policy)) == []


def test_an_automatic_policy_suspends_and_people_undo(workspace):
    project = failing(workspace, automatic=True)
    (rater,) = workspace.suspensions.check(project)
    assert workspace.suspensions.states(project) == {rater: "suspended"}
    act = workspace.suspensions.act
    act(project, rater, "appeal", reason="The guideline changed.", actor="user 7")
    assert workspace.suspensions.states(project) == {rater: "suspended"}
    act(project, rater, "undo", reason="Right.", actor="user 1")
    assert workspace.suspensions.states(project) == {}
    assert workspace.suspensions.check(project) == []
    more = [chosen(i, ["bad", "good"], "good") for i in range(21, 23)]
    workspace.content.import_(project, more, actor="test")
    assert workspace.suspensions.check(project) == [rater]
    assert [step.action for step in workspace.suspensions.history(project, rater)[rater]] == [
        "suspend",
        "appeal",
        "undo",
        "suspend",
    ]
    assert workspace.projects.get(project).annotations == 66


@pytest.mark.parametrize(
    "action, reason, words",
    [
        ("undo", "x", "is active"),
        ("dismiss", "x", "is active"),
        ("propose", "x", "not known"),
        ("delete", "x", "Allowed: suspend, dismiss, undo, appeal"),
        ("suspend", " ", "reason is needed"),
    ],
)
def test_actions_that_do_not_fit_are_refused(workspace, action, reason, words):
    project = failing(workspace)
    rater = workspace.evaluation.raters(project)[0].rater_id
    with pytest.raises(UsageError, match=words):
        workspace.suspensions.act(project, rater, action, reason=reason, actor="test")
    with pytest.raises(UsageError, match="no rater 999"):
        workspace.suspensions.act(project, 999, "suspend", reason="x", actor="test")


def test_chance_of_a_false_suspension_agrees_with_simulation():
    policy, tasks, runs = SuspendPolicy(threshold=0.8, minimum=10), 60, 4000
    exact = false_suspension(0.75, policy, tasks)
    random = np.random.default_rng(3)
    passed = np.cumsum(random.random((runs, tasks)) < 0.75, axis=1)
    n = np.arange(1, tasks + 1)
    z2 = 1.959963984540054**2
    share = passed / n
    upper = (share + z2 / (2 * n) + np.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n**2)))) / (1 + z2 / n)
    simulated = ((upper < 0.8) & (n >= 10)).any(axis=1).mean()
    assert abs(simulated - exact) < 4 * math.sqrt(exact * (1 - exact) / runs)
    assert false_suspension(0.9, policy, 10) < 0.005
