"""Custom code: what is refused before it runs, and what its results become."""

import json

import pytest

from accord.sandbox import CustomCode, CustomCodeError, FailureKind, check, score_pairs, try_pair

HEAD = "def agreement(annotation_1, annotation_2, per_label=False):\n    "


def annotation(number, *choices):
    item = {"id": f"r{number}", "from_name": "tone", "type": "choices", "value": {"choices": list(choices)}}
    return json.dumps({"id": number, "result": [item]})


PAIR = [annotation(1, "calm", "warm"), annotation(2, "warm")]


def outcome(body, texts=PAIR, **options):
    code = CustomCode.of(HEAD + body)
    check(code)
    return score_pairs(code, texts, [(0, 1)], options=options)[0]


@pytest.mark.parametrize(
    ("body", "score"),
    [
        ("return 0.25", 0.25),
        ("return 3", 1.0),
        ("return -1.5", 0.0),
        ("return True", 1.0),
        ("return float('inf')", 1.0),
        ("return float('nan')", None),
        ("return None", None),
        ("pass", None),
        ("return {'a': 0.5, 'b': 1, 'note': 'x', 'other': None}", 0.75),
        ("return {'a': 2.0, 'b': 0.0}", 1.0),
        ("return {'a': float('nan')}", None),
        ("return {}", None),
        ("from decimal import Decimal\n    return Decimal('0.5')", 0.5),
        ("from fractions import Fraction\n    return Fraction(1, 4)", 0.25),
        ("return float(per_label)", 0.0),
        ("return annotation_1['id'] / 4", 0.25),
        ("return mean([0, 1]) * median([1, 1, 3]) + stdev([2, 2])", 0.5),
        ("return math.sqrt(statistics.mean([1, 1])) / len(re.findall('a', 'aa'))", 0.5),
        ("return len(json.loads('[1]')) / len(list(itertools.chain([1], [2])))", 0.5),
        ("return functools.reduce(lambda a, b: a * b, [1, 0.5]) * collections.Counter('a')['a']", 0.5),
        ("return datetime.date(2020, 1, 2).day / len(string.digits[:4])", 0.5),
    ],
)
def test_what_is_returned_becomes_a_score(body, score):
    found = outcome(body)
    assert (found.failure, found.score) == (None, score)


def test_scores_by_label_are_kept():
    assert dict(outcome("return {'calm': 0.0, 'warm': 1.0}").labels) == {"calm": 0.0, "warm": 1.0}


def test_scores_by_label_on_request():
    body = "return {'calm': 1.0} if per_label else 0.5"
    assert outcome(body).score == 0.5
    assert dict(outcome(body, per_label=True).labels) == {"calm": 1.0}


def test_a_score_outside_is_told():
    assert outcome("return 7").clamped
    assert not outcome("return 1").clamped


@pytest.mark.parametrize(
    ("body", "kind", "line", "words"),
    [
        ("return annotation_1['nothing']", FailureKind.MISSING_KEY, 2, "'nothing'"),
        ("return 1 + 'a'", FailureKind.TYPE, 2, "unsupported"),
        ("return 'high'", FailureKind.TYPE, None, "returned a str"),
        ("return [1]", FailureKind.TYPE, None, "returned a list"),
        ("\n    return 1 / 0", FailureKind.RUN_TIME, 3, "ZeroDivisionError"),
        ("raise ValueError('no')", FailureKind.RUN_TIME, 2, "no"),
        ("return [][0]", FailureKind.RUN_TIME, 2, "IndexError"),
        ("raise SystemExit", FailureKind.RUN_TIME, 2, "SystemExit"),
        ("return 10 ** 400", FailureKind.RUN_TIME, None, "OverflowError"),
        ("return {str(i): 1 for i in range(201)}", FailureKind.TYPE, None, "201 labels"),
    ],
)
def test_a_failing_pair_says_why(body, kind, line, words):
    failure = outcome(body).failure
    assert (failure.kind, failure.line) == (kind, line)
    assert words in failure.message


@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        ("def agreement(a, b: return 1", FailureKind.SYNTAX, 1),
        ("x = 1", FailureKind.SYNTAX, None),
        ("def agreement(a, b):\n\treturn 1\n  return 2", FailureKind.SYNTAX, 3),
        ("agreement = 1\0", FailureKind.SYNTAX, None),
        ("import os\n" + HEAD + "return 1", FailureKind.SANDBOX, 1),
        (HEAD + "import subprocess", FailureKind.SANDBOX, 2),
        (HEAD + "from . import x", FailureKind.SANDBOX, 2),
        (HEAD + "from statistics import NormalDist", FailureKind.SANDBOX, 2),
        (HEAD + "return exec('1')", FailureKind.SANDBOX, 2),
        (HEAD + "return [eval][0]('1')", FailureKind.SANDBOX, 2),
        (HEAD + "return open('f')", FailureKind.SANDBOX, 2),
        (HEAD + "return getattr(1, 'real')", FailureKind.SANDBOX, 2),
        (HEAD + "return globals()", FailureKind.SANDBOX, 2),
        (HEAD + "return __import__('os')", FailureKind.SANDBOX, 2),
        (HEAD + "return ().__class__", FailureKind.SANDBOX, 2),
        (HEAD + "return annotation_1._secret", FailureKind.SANDBOX, 2),
        (HEAD + "yield 1", FailureKind.SANDBOX, 2),
        ("async def agreement(a, b):\n    return 1", FailureKind.SANDBOX, 1),
        (HEAD + "__module = 1", FailureKind.SANDBOX, 2),
        (HEAD + "del annotation_1", FailureKind.SANDBOX, 2),
        ("def agreement(a, b):\n    global n\n    n = 1", FailureKind.SANDBOX, 2),
        ("class Mine(dict):\n    pass\n" + HEAD + "return 1", FailureKind.SANDBOX, 1),
        ("agreement = 5", FailureKind.TYPE, None),
        ("#" * 100_001, FailureKind.SANDBOX, None),
        ("x = " + "(" * 300 + ")" * 300, FailureKind.SYNTAX, 1),
        ("x = " + "-" * 50_000 + "1\nagreement = x", FailureKind.SYNTAX, None),
        ("while True: pass\n" + HEAD + "return 1", FailureKind.TIMEOUT, None),
    ],
)
def test_code_that_cannot_run_is_refused(text, kind, line):
    with pytest.raises(CustomCodeError) as caught:
        check(CustomCode.of(text))
    assert caught.value.failure.kind == kind
    if line is not None:
        assert caught.value.failure.line == line
    assert caught.value.exit_code == 2


def test_what_the_platform_allows_runs():
    text = '''
import math, re as patterns
import collections.abc
from statistics import (mean as average,
    stdev)
from string import *

WORDS = """one
  two"""
calls = 0


def tokens(annotation):
    global calls
    calls += 1
    return patterns.findall(r"\\w+", WORDS)


def agreement(annotation_1, annotation_2, per_label=False) -> float:
    from heapq import nlargest; found = nlargest(1, [3, 1])
    one, two = tokens(annotation_1), tokens(annotation_2)
    assert calls == 2, calls
    assert one == ["one", "two"] and WORDS.endswith("  two"), WORDS
    del one[0], two[0:1]
    assert sorted(["b", "A"], key=str.lower) == ["A", "b"]
    assert list(map(str.strip, [" x "])) == ["x"]
    assert isinstance(annotation_1, collections.abc.Mapping)
    assert digits == "0123456789"
    return average([0, len(one)]) * math.floor(1.9) if found == [3] else None
'''
    assert (
        score_pairs(CustomCode.of(text), PAIR, [(0, 1)])[0]
        == score_pairs(CustomCode.of(HEAD + "return 0.5"), PAIR, [(0, 1)])[0]
    )


def test_lines_of_errors_are_those_of_the_text():
    text = '# one\nnote = """\n\n"""\nfrom math import (sqrt,\n    floor)\n' + HEAD + "x = 1; return sqrt(-1)"
    assert try_pair(CustomCode.of(text), *PAIR).outcome.failure.line == 8


def test_declarations_are_read():
    code = CustomCode.of("symmetric = True\ncomparable_across_units = True\n" + HEAD + "return 1")
    assert code.symmetric
    assert code.comparable_across_units
    plain = CustomCode.of(HEAD + "symmetric = True\n    return 1")
    assert not plain.symmetric
    assert not plain.comparable_across_units


def test_the_version_follows_the_text():
    one, other = CustomCode.of(HEAD + "return 1"), CustomCode.of(HEAD + "return 0")
    assert one.version != other.version
    assert one.version == CustomCode.of(HEAD + "return 1", "another name").version


def test_a_test_run_shows_what_was_printed():
    found = try_pair(CustomCode.of(HEAD + "print('ids', annotation_1['id'], sep='=')\n    return 1 / 0"), *PAIR)
    assert found.printed == "ids=1\n"
    assert found.outcome.failure.line == 3
    assert found.seconds > 0


def test_a_test_run_keeps_little_of_what_was_printed():
    body = "for i in range(10000):\n        print('x' * 1000)\n    return 1"
    assert len(try_pair(CustomCode.of(HEAD + body), *PAIR).printed) <= 20_000


def test_a_missing_interpreter_is_told_with_the_install_line(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pydantic_monty", None)
    with pytest.raises(Exception, match=r"pip install 'accord\[custom\]'"):
        check(CustomCode.of(HEAD + "return 1"))
