"""Attacks on the sandbox: each is refused or stopped with the right kind, and nothing around it suffers.

Every attack runs twice: as custom code, where much is refused unseen, and with those checks left out, for the boundary
is the interpreter and not the list of refused names.
"""

import os
import resource
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from accord.sandbox import CustomCode, CustomCodeError, FailureKind, Limits, check, score_pairs, try_pair

SYNTAX, SANDBOX, RUN_TIME = FailureKind.SYNTAX, FailureKind.SANDBOX, FailureKind.RUN_TIME
TYPE, TIMEOUT = FailureKind.TYPE, FailureKind.TIMEOUT
HEAD = "def agreement(annotation_1, annotation_2, per_label=False):\n    "
PLAIN = CustomCode.of(HEAD + "return 0.5")
PAIR = ('{"id": 1, "result": []}', '{"id": 2, "result": []}')
LIMITS = Limits(seconds=0.5, memory=64 << 20)
PATIENT = replace(LIMITS, seconds=60)

#: name -> body, kind as custom code, kinds (or harmless: None) without the checks beforehand.
ATTACKS = {
    "read a file": ("return open('/etc/passwd').read()", SANDBOX, {SANDBOX}),
    "write a file": ("return open('written-by-attack', 'w').write('x')", SANDBOX, {SANDBOX}),
    "read through a path": ("import pathlib\n    return pathlib.Path('/etc/passwd').read_text()", SANDBOX, {SANDBOX}),
    "list a folder": ("import os\n    return os.listdir('/')", SANDBOX, {SANDBOX}),
    "run a program": ("import os\n    return os.system('id')", SANDBOX, {RUN_TIME}),
    "start a process": ("import subprocess\n    return subprocess.run('id')", SANDBOX, {SANDBOX}),
    "see the environment": ("import os\n    return len(os.environ)", SANDBOX, {SANDBOX}),
    "open a socket": ("import socket\n    return socket.socket()", SANDBOX, {SANDBOX}),
    "fetch a page": (
        "import urllib.request\n    return urllib.request.urlopen('http://x')",
        SANDBOX,
        {SANDBOX},
    ),
    "import by name": ("return __import__('os').system('id')", SANDBOX, {RUN_TIME}),
    "import by tools": ("import importlib\n    return importlib.import_module('os')", SANDBOX, {SANDBOX}),
    "loaded modules": ("import sys\n    return sys.modules['os']", SANDBOX, {RUN_TIME}),
    "modules of a module": ("return statistics.sys.modules", RUN_TIME, {RUN_TIME}),
    "loader of a module": ("return math.__loader__", SANDBOX, {RUN_TIME}),
    "classes of an object": ("return ().__class__.__bases__[0].__subclasses__()", SANDBOX, {RUN_TIME}),
    "globals of a function": ("return agreement.__globals__", SANDBOX, {RUN_TIME}),
    "attributes by name": ("return getattr((), '__cla' + 'ss__')", SANDBOX, {RUN_TIME}),
    "attributes by operator": (
        "import operator\n    return operator.attrgetter('__class__')(())",
        RUN_TIME,
        {RUN_TIME},
    ),
    "attributes by format": ("return '{0.__class__}'.format(())", RUN_TIME, {RUN_TIME}),
    "frames of an error": ("try: 1 / 0\n    except Exception as e: return e.__traceback__", SANDBOX, {RUN_TIME}),
    "code from text": ("return eval('10 ** 3') + exec('import os')", SANDBOX, {TYPE}),
    "compiled code": ("return compile('1', '', 'eval')", SANDBOX, {RUN_TIME}),
    "a long text": ("return len('x' * 10 ** 10)", SANDBOX, {SANDBOX}),
    "a long list": ("return len([0] * 10 ** 10)", SANDBOX, {SANDBOX}),
    "growing without end": ("x = []\n    while True: x.append('y' * 1000)", SANDBOX, {SANDBOX}),
    "growing in spite of errors": (
        "x = []\n    while True:\n        try: x.append('y' * 100000)\n        except BaseException: pass",
        SANDBOX,
        {SANDBOX},
    ),
    "doubling": ("x = 'a'\n    while True: x = x + x", SANDBOX, {SANDBOX}),
    "joining": ("return len(('a' * 10 ** 5).join(['b'] * 10 ** 6))", SANDBOX, {SANDBOX}),
    "padding": ("return len(f'{1:>{10 ** 9}}')", SANDBOX, {SANDBOX}),
    "all products": ("return len(list(itertools.product(range(10 ** 4), repeat=3)))", SANDBOX, {SANDBOX}),
    "loop without end": ("while True: pass", TIMEOUT, {TIMEOUT}),
    "loop that catches": (
        "while True:\n        try:\n            while True: pass\n        except BaseException: pass",
        TIMEOUT,
        {TIMEOUT},
    ),
    "counting without end": ("return sum(itertools.count())", TIMEOUT, {TIMEOUT}),
    "recursion": ("return agreement(annotation_1, annotation_2)", RUN_TIME, {RUN_TIME}),
    "recursion that catches": (
        "try: agreement(annotation_1, annotation_2)\n    except BaseException: agreement(annotation_1, annotation_2)",
        TIMEOUT,
        {TIMEOUT},
    ),
    "deep lists": ("x = []\n    for _ in range(10 ** 5): x = [x]\n    return x == [x]", RUN_TIME, {RUN_TIME, None}),
    "deep result": ("x = []\n    for _ in range(10 ** 5): x = [x]\n    return x", TYPE, {TYPE}),
    "huge power": ("return 10 ** 10 ** 8", SANDBOX, {SANDBOX}),
    "huge shift": ("return 1 << 10 ** 10", SANDBOX, {SANDBOX}),
    "huge factorial": ("return math.factorial(10 ** 7)", TIMEOUT, {TIMEOUT}),
    "huge number as text": ("return len(str(10 ** 10 ** 5))", RUN_TIME, {RUN_TIME}),
    "backtracking": ("return re.match(r'(a*)*\\1b', 'a' * 40)", TIMEOUT, {TIMEOUT}),
    "backtracking without groups": ("return re.match('(a+)+$', 'a' * 40 + 'b')", None, {None}),
    "deep pattern": ("return re.compile('(' * 10000)", RUN_TIME, {RUN_TIME}),
    "printing without end": ("while True: print('x' * 1000)", TIMEOUT, {TIMEOUT}),
    "printing much": ("print('x' * 10 ** 7)\n    return 0.5", None, {None, TIMEOUT}),
    "sleeping": ("import time\n    time.sleep(100)\n    return 0.5", SANDBOX, {None}),
    "sleeping elsewhere": ("import asyncio\n    asyncio.run(asyncio.sleep(100))\n    return 0.5", SANDBOX, {None}),
    "leaving": ("import sys\n    sys.exit(0)", SANDBOX, {RUN_TIME}),
    "calling the host": ("return __tick(1)", SANDBOX, {None}),
    "calling the host without end": ("while True: __tick([0.5, {}])", SANDBOX, {RUN_TIME, TIMEOUT}),
    "asking for names without end": (
        "while True:\n        try: nobody_defined_this\n        except BaseException: pass",
        RUN_TIME,
        {RUN_TIME, TIMEOUT},
    ),
}


def kind_of(code, limits=LIMITS):
    """Kind of the failure of a pair, or of the code before any pair; None for a score or none."""
    try:
        check(code, limits)
        failure = score_pairs(code, PAIR, [(0, 1)], limits=limits)[0].failure
    except CustomCodeError as error:
        failure = error.failure
    return failure and failure.kind


def limits_of(kinds):
    """Little time where time must run out; elsewhere so much that a busy machine does not change the kind."""
    return LIMITS if TIMEOUT in kinds else PATIENT


def kind_of_text(text, limits=LIMITS):
    """As ``kind_of``, of a text."""
    try:
        code = CustomCode.of(text)
    except CustomCodeError as error:
        return error.failure.kind
    return kind_of(code, limits)


def unchecked(body):
    """Custom code that skipped every check beforehand."""
    imports, _, rest = body.rpartition("\n    ") if body.startswith("import ") else ("", "", body)
    lines = [f" {line.strip()}" for line in imports.splitlines()]
    facades = "".join(f" {m} = __facade('{m}')\n" for m in ("math", "statistics", "itertools", "re", "operator"))
    text = HEAD + rest
    program = (
        f"def __module():\n{facades}"
        + "".join(f"{line}\n" for line in lines if line.strip() != "import operator")
        + "".join(f" {line}\n" for line in text.split("\n"))
        + " return agreement\n"
    )
    return replace(PLAIN, text=text, program=program)


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_fails_with_its_kind(name):
    body, kind, _ = ATTACKS[name]
    assert kind_of_text(HEAD + body, limits_of({kind})) == kind


@pytest.mark.parametrize("name", ATTACKS)
def test_the_boundary_holds_without_the_checks(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    body, _, kinds = ATTACKS[name]
    assert kind_of(unchecked(body), limits_of(kinds)) in kinds
    assert list(tmp_path.iterdir()) == []
    assert kind_of(PLAIN, PATIENT) is None


def test_this_process_stays_responsive_and_small():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    codes = [
        CustomCode.of(HEAD + ATTACKS[name][0]) for name in ("doubling", "loop without end", "printing without end")
    ]
    threads = [threading.Thread(target=kind_of, args=(code,)) for code in codes]
    for thread in threads:
        thread.start()
    gaps, last = [], time.perf_counter()
    while any(thread.is_alive() for thread in threads):
        time.sleep(0.005)
        gaps.append(time.perf_counter() - last)
        last = time.perf_counter()
    assert max(gaps) < 0.5
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 * 1024


def test_workers_end_with_the_run():
    for name in ("loop without end", "joining", "huge power"):
        kind_of(CustomCode.of(HEAD + ATTACKS[name][0]))
    time.sleep(0.2)
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    names = [Path(f"/proc/{child}/comm").read_text().strip() for child in children]
    assert "monty" not in names


def test_nothing_passes_from_one_project_to_another():
    """Whatever one code leaves in its interpreter, the next one starts from nothing."""
    leave = unchecked(
        "exec('secret = 5')\n    json.secret = 1\n    return 0.5".replace("json.secret = 1", "statistics.mean = None")
    )
    assert try_pair(leave, *PAIR).outcome.score == 0.5
    look = unchecked("return secret")
    assert "secret" in try_pair(look, *PAIR).outcome.failure.message
    assert try_pair(CustomCode.of(HEAD + "return mean([0.5])"), *PAIR).outcome.score == 0.5


@pytest.mark.parametrize(
    "text",
    [
        "(" * 90 + "1" + ")" * 90,
        "-" * 60_000 + "1",
        "lambda:" * 10_000 + "1",
        "a" + "[0]" * 30_000,
        "a" + ".b" * 45_000,
        "+".join(["1"] * 45_000),
        "not " * 20_000 + "1",
        "f'" + "{1}" * 30_000 + "'",
        "[" * 150 + "]" * 150,
        "'\\N{NULL}" * 1_000 + "'",
        "x" * 99_000,
        "\ud800",
        "\x00",
        "if 1:\n" + "".join(" " * k + "if 1:\n" for k in range(1, 98)) + " " * 98 + "pass",
    ],
)
def test_text_that_is_hard_to_parse_is_refused_or_harmless(text):
    assert kind_of_text(f"x = 1\n{text}\n{HEAD}return 0.5") in (None, SYNTAX, SANDBOX, RUN_TIME)
