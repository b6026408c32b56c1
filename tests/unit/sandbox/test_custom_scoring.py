"""Many pairs: the same numbers in whatever batches and order, each pair alone with its limits."""

import json
import time

import pytest

from accord.sandbox import CustomCode, FailureKind, Limits, score_pairs, try_pair

HEAD = "def agreement(a, b, per_label=False):\n    "
MANY = 300
TEXTS = [json.dumps({"id": k, "result": list(range(k % 7))}) for k in range(MANY)]
PAIRS = [(k, (k * 7 + 1) % MANY) for k in range(MANY)]


def scores(text, pairs=PAIRS, texts=TEXTS, **limits):
    return [found.score for found in score_pairs(CustomCode.of(text), texts, pairs, limits=Limits(**limits))]


def test_random_numbers_belong_to_the_pair():
    text = "import random\n" + HEAD + "return random.random()"
    found = scores(text)
    assert len(set(found)) == MANY
    assert scores(text, PAIRS[::-1])[::-1] == found
    assert scores(text, PAIRS[100:103]) == found[100:103]
    assert scores(text, [(j, i) for i, j in PAIRS]) == found
    assert scores(text + "  # changed") != found


@pytest.mark.parametrize(
    "draw",
    ["random.Random().random()", "random.seed() or random.random()", "random.seed(None) or random.random()"],
)
def test_no_entropy_gets_in(draw):
    text = "import random\n" + HEAD + f"return {draw}"
    assert scores(text) == scores(text)


def test_the_clock_stands_still():
    assert set(scores(HEAD + "return datetime.datetime.now().year / 4000")) == {0.5}


def test_hashes_and_orders_do_not_depend_on_the_process():
    text = HEAD + "return (hash(str(a['id'])) % 997 + list({'x', 'y', str(b['id'])}).index('y')) / 1000"
    assert scores(text) == scores(text)


@pytest.mark.parametrize(
    "text",
    [
        "seen = []\n" + HEAD + "seen.append(1)\n    return len(seen) / 2",
        "seen = 0\n" + HEAD + "global seen\n    seen += 1\n    return seen / 2",
        HEAD + "a['result'].append(1)\n    b['result'].clear()\n    return (len(a['result']) == a['id'] % 7 + 1) / 2",
        "def note(x, seen=[]):\n    seen.append(x)\n    return len(seen)\n" + HEAD + "return note(1) / 2",
        "import statistics\n" + HEAD + "old = statistics.mean([1])\n    statistics.mean = None\n    return old / 2",
        "import math\n" + HEAD + "found = math.floor(1.2)\n    math.floor = None\n    return found / 2",
        "class Box:\n    n = 0\n" + HEAD + "Box.n += 1\n    return Box.n / 2",
        "import random\n" + HEAD + "random.seed(1)\n    return 0.5",
    ],
)
def test_nothing_is_left_for_the_next_pair(text):
    assert set(scores(text)) == {0.5}


def test_one_endless_pair_costs_only_itself():
    text = HEAD + "while a['id'] == 40: pass\n    return 0.5"
    found = score_pairs(CustomCode.of(text), TEXTS, PAIRS, limits=Limits(seconds=0.3))
    failed = [number for number, outcome in enumerate(found) if outcome.failure]
    assert failed == [40]
    assert found[40].failure.kind == FailureKind.TIMEOUT
    assert {outcome.score for number, outcome in enumerate(found) if number != 40} == {0.5}


def test_the_clock_is_that_of_one_pair():
    """Pairs that together take longer than the limit are all scored."""
    code = CustomCode.of(HEAD + "n = 0\n    for i in range(300000): n += i\n    return 0.5")
    one = try_pair(code, TEXTS[0], TEXTS[1]).seconds
    found = score_pairs(code, TEXTS, PAIRS[:16], limits=Limits(seconds=4 * one))
    assert {outcome.score for outcome in found} == {0.5}


def test_failures_are_counted_pair_by_pair():
    text = HEAD + "return 1 / (a['id'] % 3) if a['id'] % 2 else a['missing']"
    found = [outcome.failure and outcome.failure.kind for outcome in score_pairs(CustomCode.of(text), TEXTS, PAIRS)]
    for number, kind in enumerate(found):
        expected = FailureKind.MISSING_KEY if number % 2 == 0 else None if number % 3 else FailureKind.RUN_TIME
        assert kind == expected


def test_code_that_is_always_stopped_is_given_up():
    started = time.perf_counter()
    found = score_pairs(CustomCode.of(HEAD + "while True: pass"), TEXTS, PAIRS, limits=Limits(seconds=0.05))
    assert time.perf_counter() - started < 10
    assert {outcome.failure.kind for outcome in found} == {FailureKind.TIMEOUT}
    assert "not run" in found[-1].failure.message


def test_an_annotation_larger_than_the_memory_fails_alone():
    texts = [*TEXTS[:3], json.dumps({"id": 9, "result": ["x" * 100] * 200_000})]
    found = score_pairs(
        CustomCode.of(HEAD + "return 0.5"), texts, [(0, 1), (1, 3), (1, 2)], limits=Limits(memory=24 << 20)
    )
    assert [outcome.score for outcome in found] == [0.5, None, 0.5]
    assert found[1].failure.kind == FailureKind.SANDBOX


def test_no_pairs_no_work():
    assert scores(HEAD + "return 1", []) == []
