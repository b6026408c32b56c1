"""How raters do against gold answers: accuracy, precision and recall by class, the tasks behind it; and gold itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from sqlalchemy import Connection, Row

from accord.coefficients.estimate import Interval
from accord.dataset import Role
from accord.inference.scores import mean_score, wilson
from accord.pipeline.labels import Labels
from accord.pipeline.question import Question
from accord.values import FloatArray, Index, Kind
from accord.workspace.database import Database
from accord.workspace.events import Clock
from accord.workspace.gold import Gold, with_gold
from accord.workspace.loading import Loaded
from accord.workspace.making import loaded_with
from accord.workspace.projects import project_row
from accord.workspace.settings import Settings

CLASSES: Final = frozenset({Kind.LABEL, Kind.LABELS, Kind.PATHS, Kind.SIDE, Kind.RATING})
#: Tasks of a rater listed as evidence, the lowest scores first.
MOST_EVIDENCE: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassScore:
    """One class of a control: chosen and right, chosen and wrong, not chosen though right; None = undefined."""

    label: str
    hits: int
    extra: int
    missed: int

    @property
    def precision(self) -> float | None:
        """Share of the rater's choices that are right."""
        return _share(self.hits, self.hits + self.extra)

    @property
    def recall(self) -> float | None:
        """Share of the right choices that the rater made."""
        return _share(self.hits, self.hits + self.missed)

    @property
    def f1(self) -> float | None:
        """Harmonic mean of both."""
        return _share(2 * self.hits, 2 * self.hits + self.extra + self.missed)


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlScores:
    """Classes of one control, the mean of their F1 (``macro``, over classes that occur) and F1 of all (``micro``)."""

    control: str
    classes: Sequence[ClassScore]
    macro: float | None
    micro: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterEvaluation:
    """A rater against gold: ``accuracy`` is the mean score over gold tasks, ``passed`` those from ``match`` on.

    ``evidence`` are tasks with their scores, lowest first. Answers that became gold do not count for who gave them.
    """

    rater_id: int
    rater: str
    tasks: int
    accuracy: float | None
    interval: Interval | None
    passed: int
    passed_limits: tuple[float, float]
    controls: Sequence[ControlScores]
    evidence: Sequence[tuple[int, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldTask:
    """A gold task: answers compared with it, their mean score, how many of those who do well missed it, its age.

    ``doubtful``: raters who pass most gold tasks miss this one more often than not, so the gold may be wrong.
    """

    task_id: int
    answers: int
    score: float | None
    good_raters: int
    missed_by_good: int
    days: float | None
    doubtful: bool


@dataclass(frozen=True, slots=True)
class _Compared:
    """Answers of raters that were compared with gold in one control, (n,) each; ``gold`` is the best match's code."""

    question: Question
    task: Index
    rater: Index
    code: Index
    gold: Index
    score: FloatArray


class Evaluation:
    """Raters and gold of the projects of a workspace."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def raters(self, project_id: int) -> list[RaterEvaluation]:
        """Every rater with an answer to a gold task, by name; empty where there is no gold."""
        with self._database.read() as connection:
            row = project_row(connection, project_id)
            loaded, settings = loaded_with(connection, row)
            return evaluate(connection, row, loaded, settings)

    def gold(self, project_id: int) -> list[GoldTask]:
        """Audit the gold tasks, most doubtful first: mean score, who of the good raters missed them, age, exposure."""
        with self._database.read() as connection:
            row = project_row(connection, project_id)
            loaded, settings = loaded_with(connection, row)
            gold = with_gold(connection, row, settings, loaded)
        if gold is None:
            return []
        scores = _by_task(_compare(gold, settings, loaded))
        return _audit(scores, gold, settings, self._clock())


def evaluate(connection: Connection, row: Row[Any], loaded: Loaded, settings: Settings) -> list[RaterEvaluation]:
    """Compare the raters of a project with its gold answers."""
    gold = with_gold(connection, row, settings, loaded)
    if gold is None:
        return []
    compared = _compare(gold, settings, loaded)
    scores = _by_task(compared)
    names = [rater.name for rater in gold.dataset.raters]
    return [
        _evaluation(int(loaded.raters[rater]), names[rater], mine, settings, compared, rater)
        for rater in range(gold.raters)
        if (mine := {task: score for (task, who), score in scores.items() if who == rater})
    ]


def _compare(gold: Gold, settings: Settings, loaded: Loaded) -> list[_Compared]:
    return [
        _compare_control(
            gold, Question.of(gold.dataset, name, settings.measuring, (Role.RATER, Role.REFERENCE)), loaded
        )
        for name in gold.dataset.columns
    ]


def _compare_control(gold: Gold, question: Question, loaded: Loaded) -> _Compared:
    """Score every answer against the gold answers of its unit that are not its own; the best counts."""
    study = question.study
    place = {rater.name: i for i, rater in enumerate(gold.dataset.raters)}
    rater = np.array([place[name] for name in study.rater_names], dtype=np.int64)[study.rater]
    unit = question.places[study.unit]
    is_gold = rater >= gold.raters
    codes = np.full(gold.owner.shape, -1, dtype=np.int64)
    codes[unit[is_gold], rater[is_gold] - gold.raters] = study.code[is_gold]
    cells = np.flatnonzero(~is_gold)
    best, which = np.full(len(cells), -np.inf), np.full(len(cells), -1, dtype=np.int64)
    for k in range(gold.slots):
        other, owner = codes[unit[cells], k], gold.owner[unit[cells], k]
        use = np.flatnonzero((other >= 0) & (owner != rater[cells]))
        score = question.pair_similarity.at(study.code[cells[use]], other[use])
        better = use[np.nan_to_num(score, nan=-np.inf) > best[use]]
        best[use] = np.fmax(best[use], score)
        which[better] = other[better]
    known = which >= 0
    cells = cells[known]
    return _Compared(
        question, loaded.tasks[unit[cells]], rater[cells], study.code[cells].astype(np.int64), which[known], best[known]
    )


def _by_task(compared: Sequence[_Compared]) -> dict[tuple[int, int], float]:
    """Mean score over units of a task, then over controls, of each rater: (task, rater) -> score."""
    sums: dict[tuple[int, int], list[float]] = {}
    for part in compared:
        if not len(part.score):
            continue
        width = int(part.rater.max()) + 1
        keys, inverse = np.unique(part.task * width + part.rater, return_inverse=True)
        means = np.bincount(inverse, part.score) / np.bincount(inverse)
        for key, mean in zip(keys.tolist(), means.tolist(), strict=True):
            sums.setdefault((key // width, key % width), []).append(mean)
    return {key: sum(means) / len(means) for key, means in sums.items()}


def _evaluation(
    number: int,
    name: str,
    scores: Mapping[int, float],
    settings: Settings,
    compared: Sequence[_Compared],
    rater: int,
) -> RaterEvaluation:
    value, interval = mean_score(list(scores.values()), level=settings.suspend.level)
    passed = sum(score >= settings.suspend.match for score in scores.values())
    return RaterEvaluation(
        rater_id=number,
        rater=name,
        tasks=len(scores),
        accuracy=value,
        interval=interval,
        passed=passed,
        passed_limits=wilson(passed, len(scores), level=settings.suspend.level),
        controls=tuple(_classes(compared, rater)),
        evidence=tuple(sorted(scores.items(), key=lambda item: (item[1], item[0]))[:MOST_EVIDENCE]),
    )


def _classes(compared: Sequence[_Compared], rater: int) -> Iterator[ControlScores]:
    for part in compared:
        study = part.question.study
        mine = part.rater == rater
        if study.kind not in CLASSES or not mine.any():
            continue
        labels = Labels.of(study.values, study.kind)
        classes = []
        for i, label in enumerate(labels.names):
            has = labels.has(i)
            said, right = has[part.code[mine]], has[part.gold[mine]]
            hits, extra, missed = (int(n.sum()) for n in (said & right, said & ~right, ~said & right))
            if hits + extra + missed:
                classes.append(ClassScore(label=label, hits=hits, extra=extra, missed=missed))
        hits, wrong = sum(c.hits for c in classes), sum(c.extra + c.missed for c in classes)
        f1 = [c.f1 for c in classes if c.f1 is not None]
        macro = sum(f1) / len(f1) if f1 else None
        micro = _share(2 * hits, 2 * hits + wrong)
        yield ControlScores(control=part.question.name, classes=tuple(classes), macro=macro, micro=micro)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _audit(scores: Mapping[tuple[int, int], float], gold: Gold, settings: Settings, now: float) -> list[GoldTask]:
    match, threshold = settings.suspend.match, settings.suspend.threshold
    by_rater: dict[int, list[tuple[int, bool]]] = {}
    by_task: dict[int, list[tuple[int, float]]] = {}
    for (task, rater), score in scores.items():
        by_rater.setdefault(rater, []).append((task, score >= match))
        by_task.setdefault(task, []).append((rater, score))
    found = []
    for task, given in by_task.items():
        # Whether a rater is good is judged by the other tasks, else a wrong gold answer would excuse itself.
        others = {rater: [ok for t, ok in by_rater[rater] if t != task] for rater, _ in given}
        good = {rater for rater, passed in others.items() if passed and sum(passed) / len(passed) >= threshold}
        missed = sum(rater in good and score < match for rater, score in given)
        since = gold.since.get(task)
        found.append(
            GoldTask(
                task_id=task,
                answers=len(given),
                score=sum(score for _, score in given) / len(given),
                good_raters=len(good),
                missed_by_good=missed,
                days=None if since is None else (now - since) / 86_400.0,
                doubtful=len(good) >= 2 and 2 * missed > len(good),
            )
        )
    return sorted(found, key=lambda g: (not g.doubtful, g.score if g.score is not None else 1.0, g.task_id))
