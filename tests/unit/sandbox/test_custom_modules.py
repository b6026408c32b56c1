"""The modules written for the sandbox give what Python's own give, on random arguments, inside the sandbox."""

import difflib
import fractions
import heapq
import json
import math
import operator
import random
import statistics
import string
import textwrap

import pytest

from accord.sandbox import CustomCode, library, score_pairs

#: Python's own modules, under their names.
MODULES = {
    "difflib": difflib,
    "fractions": fractions,
    "heapq": heapq,
    "math": math,
    "operator": operator,
    "statistics": statistics,
    "string": string,
    "textwrap": textwrap,
}
WORDS = ["the", "quick-brown", "fox", "jumps", "over\tthe", "lazy", "", "and-then", "well", "rests", "unbelievably"]


def numbers(rng):
    return [rng.choice([rng.randint(-9, 9), rng.uniform(-5, 5)]) for _ in range(rng.randint(2, 9))]


def positive(rng):
    return [rng.randint(1, 9) for _ in range(rng.randint(2, 9))]


def words(rng):
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(0, 14)))


def letters(rng):
    return "".join(rng.choice("abcd ") for _ in range(rng.randint(0, 12)))


#: Expressions over ``x``, one a line, with what makes x.
EXPRESSIONS = {
    numbers: """
        statistics.mean(x)
        statistics.fmean(x)
        statistics.median(x)
        statistics.median_low(x)
        statistics.median_high(x)
        statistics.stdev(x)
        statistics.pstdev(x)
        statistics.variance(x)
        statistics.pvariance(x)
        statistics.mode(x)
        statistics.multimode(x)
        statistics.quantiles(x)
        statistics.quantiles(x, n=10, method='inclusive')
        statistics.fmean(x, [i + 1 for i in range(len(x))])
        statistics.covariance(x, x[::-1])
        list(statistics.linear_regression([i for i in range(len(x))], x))
        statistics.correlation([i for i in range(len(x))], [n + 10 * i for i, n in enumerate(x)])
        heapq.nlargest(3, x)
        heapq.nsmallest(2, x, key=abs)
        list(heapq.merge(sorted(x), [0, 3]))
        heapq.heappushpop(sorted(x), 2)
        heapq.heapreplace(sorted(x), 2)
        operator.itemgetter(0, 1)(x)
        operator.itemgetter(1)(x)
        operator.indexOf(x, x[1])
        operator.countOf(x, x[0])
        [f(x[0]) for f in (operator.neg, operator.pos, operator.abs, operator.not_, operator.truth)]
        [f(x[0], x[1]) for f in (operator.add, operator.sub, operator.mul, operator.lt, operator.ge, operator.ne)]
    """,
    positive: """
        statistics.geometric_mean(x)
        statistics.harmonic_mean(x)
        statistics.harmonic_mean(x, x)
        float(sum([fractions.Fraction(1, n) for n in x]))
        str(fractions.Fraction(x[0], x[1]) * fractions.Fraction(3, 7) - fractions.Fraction('1/3'))
        str(fractions.Fraction(x[0] / x[1]).limit_denominator(12))
        str(fractions.Fraction(x[0], x[1]) ** 2 // fractions.Fraction(1, 5))
        str(fractions.Fraction(x[0]) % fractions.Fraction(2, 3))
        str(2 - fractions.Fraction(x[0], x[1]) / 3 + fractions.Fraction('0.25') + fractions.Fraction('1e-2'))
        [fractions.Fraction(x[0], x[1]) == fractions.Fraction(2 * x[0], 2 * x[1]), int(fractions.Fraction(-7, x[1]))]
        [operator.and_(x[0], x[1]), operator.mod(x[0], x[1]), operator.floordiv(x[0], x[1]), operator.xor(x[0], 3)]
    """,
    words: """
        textwrap.dedent('  ' + x + '\\n    b\\n  c')
        textwrap.indent(x + '\\n\\nend', '> ')
        textwrap.wrap(x, 20)
        textwrap.wrap(x, 9)
        textwrap.wrap(x, 12, break_on_hyphens=False, subsequent_indent='  ')
        textwrap.wrap(x, 8, break_long_words=False)
        textwrap.wrap(x, 24, max_lines=2)
        textwrap.fill(x, 15, initial_indent='* ')
        textwrap.shorten(x, 30)
        textwrap.shorten(x, 20, placeholder='…')
        string.capwords(x)
        difflib.get_close_matches('quick', x.split(), n=2, cutoff=0.3)
    """,
    letters: """
        difflib.SequenceMatcher(None, x, x[::-1]).ratio()
        difflib.SequenceMatcher(None, x, 'abcabd').quick_ratio()
        difflib.SequenceMatcher(None, x, 'abcabd').real_quick_ratio()
        difflib.SequenceMatcher(lambda c: c == ' ', x, 'ab ca bd').get_opcodes()
        [list(m) for m in difflib.SequenceMatcher(None, x, 'dcab').get_matching_blocks()]
        list(difflib.SequenceMatcher(None, x, 'abdc').find_longest_match(0, len(x), 0, 4))
        difflib.SequenceMatcher(None, x * 10, 'abcd ' * 45).ratio()
    """,
}
CASES = [
    (make, expression)
    for make, found in EXPRESSIONS.items()
    for expression in map(str.strip, found.strip().splitlines())
]
ROUNDS = 25


def close(one, other):
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(close, one, other))
    if isinstance(one, float) or isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12)
    return one == other


@pytest.mark.parametrize(("make", "expression"), CASES, ids=[expression[:60] for _, expression in CASES])
def test_a_module_gives_what_pythons_own_gives(make, expression):
    rng = random.Random(expression)
    given = [make(rng) for _ in range(ROUNDS)]
    used = [name for name in MODULES if f"{name}." in expression]
    text = (
        "".join(f"import {name}\n" for name in used)
        + f"def agreement(a, b, per_label=False):\n    x = a['x']\n    return {{json.dumps({expression}): 1}}"
    )
    texts = [json.dumps({"x": x}) for x in given]
    outcomes = score_pairs(CustomCode.of(text), texts, [(k, k) for k in range(ROUNDS)])
    for x, outcome in zip(given, outcomes, strict=True):
        expected = eval(expression, {**{name: MODULES[name] for name in used}, "x": x})
        assert outcome.failure is None, (x, outcome.failure)
        (found,) = outcome.labels
        assert close(json.loads(found), json.loads(json.dumps(expected))), (x, found, expected)


def test_heaps_stay_heaps():
    text = (
        "import heapq\ndef agreement(a, b, per_label=False):\n    heap = []\n"
        "    for n in a['x']: heapq.heappush(heap, n)\n    twin = list(a['x'])\n    heapq.heapify(twin)\n"
        "    one = [heapq.heappop(heap) for _ in a['x']]\n    other = [heapq.heappop(twin) for _ in a['x']]\n"
        "    return float(one == other == sorted(a['x']))"
    )
    rng = random.Random(3)
    texts = [json.dumps({"x": [rng.randint(0, 20) for _ in range(rng.randint(0, 30))]}) for _ in range(50)]
    found = score_pairs(CustomCode.of(text), texts, [(k, k) for k in range(50)])
    assert {outcome.score for outcome in found} == {1.0}


def test_the_platforms_nineteen_modules_are_there():
    assert len(library.names()) == 19
    text = "".join(f"import {name}\n" for name in library.names()) + "def agreement(a, b): return 0.5"
    assert score_pairs(CustomCode.of(text), ["{}"], [(0, 0)])[0].score == 0.5


@pytest.mark.parametrize("module", library.names())
def test_every_name_of_a_module_is_there(module):
    names = ", ".join(sorted(library.names()[module]))
    text = f"from {module} import {names}\ndef agreement(a, b): return 0.5"
    assert score_pairs(CustomCode.of(text), ["{}"], [(0, 0)])[0].failure is None
