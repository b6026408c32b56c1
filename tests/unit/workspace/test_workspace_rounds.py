"""Rounds by field and by day: each is what its tasks alone give, and changes are told where the data show them."""

import pytest

import accord
from accord.errors import UsageError
from accord.workspace.rounds import Measured, difference

from . import answers as made


def tasks(first=40, second=40):
    """Forty tasks of round one in March, half of them disagreed; forty of round two in April, all agreed."""
    found = []
    for number in range(1, first + second + 1):
        late = number > first
        answers = ("good", "bad")[number % 2], ("good", "bad")[number % 2 if late or number % 4 < 2 else 1 - number % 2]
        stamp = f"2026-0{4 if late else 3}-10T12:00:00Z"
        task = made.task(
            number,
            made.annotation(10 * number + 1, 1, made.choice("mood", answers[0]), created_at=stamp),
            made.annotation(10 * number + 2, 2, made.choice("mood", answers[1]), created_at=stamp),
        )
        task["data"] |= {"round": "two" if late else "one", "other": number}
        found.append(task)
    return found


@pytest.fixture
def project(workspace):
    number = workspace.projects.create("p", made.CONFIG, actor="test")
    workspace.content.import_(number, tasks(), actor="test")
    return number


def alone(some):
    rows = [[item["annotations"][i]["result"][0]["value"]["choices"][0] for i in (0, 1)] for item in some]
    return accord.krippendorff_alpha(rows)


@pytest.mark.parametrize(
    ("policy", "names"),
    [
        ({"field": "round"}, ["one", "two"]),
        ({"dates": "2026-04-01"}, ["before 2026-04-01", "from 2026-04-01"]),
    ],
)
def test_a_round_is_what_its_tasks_give(workspace, project, policy, names):
    workspace.settings.put(project, {"rounds": policy}, actor="test")
    found = workspace.rounds.of(project)
    assert (list(found.names), list(found.tasks), found.unknown) == (names, [40, 40], 0)
    series = next(one for one in found.controls if one.control == "mood")
    for one, some in zip(series.rounds, (tasks()[:40], tasks()[40:]), strict=True):
        expected = alone(some)
        assert (one.value, one.units) == (pytest.approx(expected.value), 40)
        assert (one.low, one.high) == pytest.approx((expected.interval.low, expected.interval.high))
    assert not series.rounds[0].changed
    assert series.rounds[1].changed
    assert series.rounds[1].change[0] > 0
    rater = next(one for one in found.raters if one.control == "mood")
    assert [one.value for one in rater.rounds] == [0.5, 1.0]
    assert rater.rounds[1].changed


def test_tasks_without_a_round_are_counted(workspace, project):
    workspace.settings.put(project, {"rounds": {"field": "round"}}, actor="test")
    more = made.task(99, made.annotation(991, 1, made.choice("mood", "good")))
    workspace.content.import_(project, [more], actor="test")
    assert workspace.rounds.of(project).unknown == 1


def test_without_rounds_there_is_nothing(workspace, project):
    assert workspace.rounds.of(project) is None
    workspace.settings.put(project, {"rounds": {"field": "nobody has it"}}, actor="test")
    found = workspace.rounds.of(project)
    assert (list(found.names), found.unknown) == ([], 80)


def test_a_field_with_many_values_is_cut(workspace, project):
    workspace.settings.put(project, {"rounds": {"field": "other"}}, actor="test")
    found = workspace.rounds.of(project)
    assert len(found.names) == 24
    assert found.unknown == 56


@pytest.mark.parametrize(
    "policy",
    [
        {"dates": "soon"},
        {"dates": "2026-04-01", "field": "round"},
        {"dates": ", ".join(f"2026-01-{day:02}" for day in range(1, 31))},
        {"dates": "0001-01-01"},
        {"dates": 5},
        {"fields": "x"},
    ],
)
def test_what_tells_no_rounds_is_refused(workspace, project, policy):
    with pytest.raises(UsageError, match="rounds"):
        workspace.settings.put(project, {"rounds": policy}, actor="test")


def test_a_difference_of_what_is_unknown_is_unknown():
    one = Measured(value=0.5, low=0.4, high=0.6, units=9)
    assert difference(one, Measured(value=None, low=None, high=None, units=0)) is None
    assert difference(Measured(value=0.5, low=None, high=None, units=1), one) is None
    low, high = difference(one, one)
    assert low == pytest.approx(-high)
