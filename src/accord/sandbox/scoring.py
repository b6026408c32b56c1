"""Score pairs of annotations with custom code: in batches, each pair within its own limits."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Final

from accord.sandbox.code import CustomCode
from accord.sandbox.failures import CustomCodeError, Failure, FailureKind, kind_of
from accord.sandbox.workers import WATCHED_PAIRS, Limits, Session, Stopped, sessions

#: A batch aims at this many seconds, and holds no more pairs or characters than these.
AIM: Final = 0.25
MOST_PAIRS: Final = 2000
MOST_CHARACTERS: Final = 8_000_000
#: A pair slower than this is always watched: calling back costs nothing in comparison.
SLOW: Final = 0.005
#: After so many pairs in a row that had to be stopped, the rest is not run.
MOST_STOPPED: Final = 10
#: Kinds that are not run again to learn the line: it would cost the whole limit once more.
_STOPPED: Final = frozenset({FailureKind.TIMEOUT, FailureKind.SANDBOX})
#: Types of what cannot be called.
_PLAIN: Final = "(int, float, str, bytes, list, tuple, dict, set, frozenset, type(None))"
_ONE_PAIR: Final = "__called(__left, __right, __seed, __options)"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one pair: a score in 0..1, or None: no score, or the ``failure``.

    ``labels`` are the scores by label, where the code returned a dict; ``clamped`` says that the score lay outside.
    """

    score: float | None
    labels: Mapping[str, float] = field(default_factory=dict)
    failure: Failure | None = None
    clamped: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """A test run: what came of the pair, what the code printed, and the seconds it took."""

    outcome: Outcome
    printed: str
    seconds: float


def seed_of(code: CustomCode, left: str, right: str) -> int:
    """Seed of the random numbers of a pair of annotations, in whichever order."""
    digests = sorted(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in (left, right))
    return int.from_bytes(hashlib.sha256(b"".join((code.version.encode(), *digests))).digest()[:8], "big")


def score_pairs(
    code: CustomCode,
    texts: Sequence[str],
    pairs: Sequence[tuple[int, int]],
    *,
    limits: Limits | None = None,
    options: Mapping[str, Any] | None = None,
) -> list[Outcome]:
    """Score pairs of annotations, each in the direction given.

    Parameters
    ----------
    texts
        Annotations as JSON.
    pairs
        Positions of the first and second annotation of each pair in ``texts``.
    options
        Further arguments of ``agreement``.

    Raises
    ------
    CustomCodeError
        If the code cannot be loaded at all.
    MissingExtraError
        Without the sandbox's interpreter.

    Examples
    --------
    >>> code = CustomCode.of("def agreement(a, b): return 1 / len(a['result'] + b['result'])")
    >>> both = ['{"id": 1, "result": [1]}', '{"id": 2, "result": []}']
    >>> [str(outcome.failure or outcome.score) for outcome in score_pairs(code, both, [(0, 1), (1, 1)])]
    ['1.0', 'run time error, line 1: ZeroDivisionError: division by zero']
    """
    with sessions(code, limits or Limits()) as fresh:
        return _Run(code, texts, pairs, fresh, dict(options or {})).all()


def check(code: CustomCode, limits: Limits | None = None) -> None:
    """Load code into a sandbox and run all but the function ``agreement``.

    Raises
    ------
    CustomCodeError
        If that fails.
    MissingExtraError
        Without the sandbox's interpreter.
    """
    with sessions(code, limits or Limits()) as fresh:
        try:
            plain = _loaded(code, fresh).run(f"isinstance(__module(), {_PLAIN})")
        except Stopped as stop:
            raise CustomCodeError(stop.failure, code.name) from None
    if plain:
        raise CustomCodeError(Failure(FailureKind.TYPE, "agreement is not a function"), code.name)


def try_pair(
    code: CustomCode,
    left: str,
    right: str,
    *,
    limits: Limits | None = None,
    options: Mapping[str, Any] | None = None,
) -> Test:
    """Score one pair for its author: the exact error with its line, and what was printed."""
    given = {"__keep": True, "__left": left, "__right": right, "__seed": seed_of(code, left, right)}
    given["__options"] = dict(options or {})
    started = time.perf_counter()
    with sessions(code, limits or Limits()) as fresh:
        session = _loaded(code, fresh)
        try:
            outcome = _outcome(session.run(_ONE_PAIR, given))
        except Stopped as stop:
            outcome = Outcome(None, failure=stop.failure)
        return Test(outcome=outcome, printed=_printed(session), seconds=time.perf_counter() - started)


def _loaded(code: CustomCode, fresh: Callable[[bool], Session], *, watched: bool = False) -> Session:
    try:
        return fresh(watched)
    except Stopped as stop:
        raise CustomCodeError(stop.failure, code.name) from None


def _printed(session: Session) -> str:
    """What a test run printed; nothing where its worker had to be ended."""
    try:
        return str(session.run("''.join(__printed)"))
    except Stopped:
        return ""


def _outcome(found: Any) -> Outcome:
    """Read what the sandbox gave for a pair; nothing in it is trusted."""
    match found:
        case [None, str(name), str(message)]:
            return Outcome(None, failure=Failure(kind_of(name, message), f"{name}: {message}"))
        case [None, dict()]:
            return Outcome(None)
        case [float(score), dict(labels)] if score == score and _are_scores(labels):
            inside = min(max(score, 0.0), 1.0)
            kept = {label: min(max(value, 0.0), 1.0) for label, value in labels.items()}
            return Outcome(inside, kept, clamped=inside != score)
    return Outcome(None, failure=Failure(FailureKind.SANDBOX, "the sandbox gave no score"))


def _are_scores(labels: Mapping[Any, Any]) -> bool:
    return all(isinstance(label, str) and isinstance(value, float) for label, value in labels.items())


@dataclass
class _Run:
    """One code over many pairs: fast batches while they stay within the limits of a single pair, else pair by pair."""

    code: CustomCode
    texts: Sequence[str]
    pairs: Sequence[tuple[int, int]]
    fresh: Callable[[bool], Session]
    options: Mapping[str, Any]
    outcomes: list[Outcome] = field(default_factory=list)
    pace: float = SLOW
    stopped: int = 0
    open: dict[bool, Session] = field(default_factory=dict)

    def all(self) -> list[Outcome]:
        """Outcomes of all pairs."""
        while len(self.outcomes) < len(self.pairs):
            if self.stopped >= MOST_STOPPED:
                self._give_up()
            elif self.pace >= SLOW or not self._fast():
                self._watched()
        self._find_lines()
        return self.outcomes

    def _session(self, *, watched: bool) -> Session:
        if watched not in self.open:
            self.open.clear()
            self.open[watched] = _loaded(self.code, self.fresh, watched=watched)
        return self.open[watched]

    def _inputs(self, most: int) -> tuple[int, dict[str, Any]]:
        """Take the next pairs, with the annotations they need."""
        place: dict[int, int] = {}
        pairs: list[tuple[int, int, int]] = []
        characters = 0
        for left, right in islice(self.pairs, len(self.outcomes), len(self.outcomes) + most):
            new = sum(len(self.texts[k]) for k in {left, right} - place.keys())
            if pairs and characters + new > MOST_CHARACTERS:
                break
            characters += new
            seed = seed_of(self.code, self.texts[left], self.texts[right])
            pairs.append((place.setdefault(left, len(place)), place.setdefault(right, len(place)), seed))
        texts = [self.texts[k] for k in place]
        return len(pairs), {"__texts": texts, "__pairs": pairs, "__options": dict(self.options)}

    def _fast(self) -> bool:
        """Run a batch within the limits of one pair; what breaks them is run again pair by pair."""
        size, inputs = self._inputs(max(WATCHED_PAIRS, min(MOST_PAIRS, int(AIM / self.pace))))
        started = time.perf_counter()
        try:
            found = self._session(watched=False).run("__batch(__texts, __pairs, __options)", inputs)
        except Stopped:
            self.open.clear()
            self.pace = SLOW
            return False
        self._keep(found if isinstance(found, list) and len(found) == size else [None] * size)
        self.pace = (time.perf_counter() - started) / size
        return True

    def _watched(self) -> None:
        """Run a few pairs, each with a clock of its own; a pair that is stopped ends the session."""
        size, inputs = self._inputs(WATCHED_PAIRS)
        done: list[Any] = []

        def tick(found: Any) -> None:
            if len(done) < size:
                done.append(found)

        session = self._session(watched=True)
        started = time.perf_counter()
        try:
            last = session.run("__watched(__texts, __pairs, __options)", inputs, tick)
        except Stopped as stop:
            self.open.clear()
            self._keep(done[1:])
            self.outcomes.append(Outcome(None, failure=stop.failure))
            self.stopped += 1
            return
        self._keep([*done[1:], last] if len(done) == size else [None] * size)
        if session.is_used_up:
            self.open.clear()
        self.pace = (time.perf_counter() - started) / size

    def _keep(self, found: Sequence[Any]) -> None:
        self.outcomes += map(_outcome, found)
        if found:
            self.stopped = 0

    def _give_up(self) -> None:
        """Count the rest as the last one, without running it."""
        last = self.outcomes[-1].failure
        kind = FailureKind.TIMEOUT if last is None else last.kind
        words = f"not run: {MOST_STOPPED} pairs in a row had to be stopped"
        self.outcomes += [Outcome(None, failure=Failure(kind, words))] * (len(self.pairs) - len(self.outcomes))

    def _find_lines(self) -> None:
        """Run the first failed pair of each kind again, uncaught, to learn the line."""
        first: dict[FailureKind, int] = {}
        for number, outcome in enumerate(self.outcomes):
            if outcome.failure is not None and outcome.failure.kind not in _STOPPED:
                first.setdefault(outcome.failure.kind, number)
        for kind, number in first.items():
            left, right = (self.texts[k] for k in self.pairs[number])
            given = {"__left": left, "__right": right, "__seed": seed_of(self.code, left, right)}
            try:
                self._session(watched=False).run(_ONE_PAIR, {**given, "__options": dict(self.options)})
            except Stopped as stop:
                self.open.clear()
                failure = replace(stop.failure, kind=kind)
                self.outcomes[number] = replace(self.outcomes[number], failure=failure)
