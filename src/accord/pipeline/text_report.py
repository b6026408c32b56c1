"""What the report says about free text: several measures side by side, chance, and the pairs that decide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from typing import Any

import numpy as np

from accord.coefficients.estimate import Estimate, finite
from accord.equivalence.language import refusal
from accord.pipeline.question import Question
from accord.similarity.text_similarity import TextSimilarity
from accord.values import Kind

#: Pairs of texts shown of either kind.
SHOWN = 10
#: Distinct texts, and pairs of them, up to which the shipped model is asked although nobody chose it.
MOST_TEXTS, MOST_CALLS = 1000, 100_000
#: What a measure compares, in words.
TITLES = {
    "exact_match": "Exact match",
    "exact": "Exact match",
    "text_similarity": "Wording",
    "edit": "Wording",
    "nli": "Meaning",
}


@dataclass(frozen=True, slots=True)
class Measured:
    """The headline coefficient under one measure of texts; ``chosen`` is the one everything else rests on."""

    key: str
    title: str
    chosen: bool
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class Chance:
    """Where expected agreement comes from: ``design``, pairs of texts scored of all pairs there are.

    Where it rests on a sample, ``error`` is its standard error, and it lies from ``low`` to ``high`` (95 %).
    ``other`` is the headline under the other convention, that leaves pairs within a unit out or counts them in.
    """

    design: str
    scored: int
    pairs: int
    expected: float
    error: float | None
    low: float | None
    high: float | None
    other: float | None


@dataclass(frozen=True, slots=True)
class TextPair:
    """Two texts about one unit, how many pairs of answers hold them, and their score."""

    unit: str
    a: str
    b: str
    left: str
    right: str
    count: int
    score: float


@dataclass(frozen=True, slots=True)
class TextReport:
    """Free text in full.

    ``texts`` are the distinct ones, ``effective`` is how many equally frequent texts that have nothing in common would
    agree by chance as often. Two answers count as the same from ``threshold`` on: ``closest`` are the pairs that just
    do not, ``farthest`` those of different texts that just do.
    """

    texts: int
    effective: float
    threshold: float
    chance: Chance | None
    measures: tuple[Measured, ...]
    closest: tuple[TextPair, ...]
    farthest: tuple[TextPair, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form, without a text."""
        chance = self.chance
        return {
            "texts": self.texts,
            "effective": finite(self.effective),
            "threshold": self.threshold,
            "chance": None if chance is None else finite(asdict(chance)),
            "measures": [
                {"key": one.key, "title": one.title, "chosen": one.chosen, "estimate": one.estimate.to_dict()}
                for one in self.measures
            ],
        }

    def deciding(self, content: bool) -> dict[str, list[dict[str, Any]]]:
        """Return the pairs that decide as JSON; without ``content`` they are numbers and names."""
        return {
            name: [finite(asdict(pair)) | ({} if content else {"left": None, "right": None}) for pair in pairs]
            for name, pairs in (("closest", self.closest), ("farthest", self.farthest))
        }


def text_report(question: Question, main: Estimate, *, page: bool) -> TextReport | None:
    """Say more about a control of free texts; None for any other."""
    study = question.study
    if study.kind is not Kind.TEXT or question.custom is not None or not study.P:
        return None
    closest, farthest = _deciding(question) if page else ((), ())
    return TextReport(
        texts=int(np.count_nonzero(study.counts)),
        effective=_effective(question),
        threshold=question.threshold,
        chance=_chance(question, main),
        measures=tuple(_measures(question, main, page)),
        closest=closest,
        farthest=farthest,
    )


def measure_of(question: Question) -> str:
    """Key of the model or metric that texts are compared by."""
    model = question.text_model
    return question.choice.spec.key if model is None else model.spec.key


def _measures(question: Question, main: Estimate, page: bool) -> Iterator[Measured]:
    """Exact match, wording and meaning, and the measure in use where it is none of them."""
    sets, chosen = question.plan.set_measure is not None, measure_of(question)
    keys = ["exact" if sets else "exact_match", "edit" if sets else "text_similarity"]
    if page and _affordable(question):
        keys.append("nli")
    if chosen not in keys:
        keys.append(chosen)
    for key in keys:
        estimate = main if key == chosen else _under(question, key)
        yield Measured(key, TITLES.get(key, key), key == chosen, estimate)


def _under(question: Question, key: str) -> Estimate:
    """Headline under another measure."""
    plan = question.plan
    wish = replace(question.wish, similarity=key, metric=None, options={})
    calls = MOST_CALLS if key == "nli" else None
    plan = replace(plan, controls={**plan.controls, question.name: wish}, max_calls=calls, precision=None)
    return replace(question, plan=plan, announce=None, parent=None).estimate(question.headline)


def _affordable(question: Question) -> bool:
    """Whether the shipped model reads these texts, and quickly."""
    study = question.study
    if question.plan.compat or study.V > MOST_TEXTS or study.P > MOST_CALLS:
        return False
    ready = all(find_spec(name) is not None for name in ("onnxruntime", "tokenizers"))
    return ready and refusal([str(value) for value in study.values]) is None


def _effective(question: Question) -> float:
    """1 / sum of p_u p_v s(u, v) over the texts of all answers."""
    share = question.study.counts / question.study.counts.sum()
    similarity = question.similarity_of(question.spec)
    together = float(share @ np.asarray(similarity.times(share)))
    return 1.0 / together if together > 0 else float("nan")


def _chance(question: Question, main: Estimate) -> Chance | None:
    similarity = question.similarity_of(question.spec)
    if not isinstance(similarity, TextSimilarity) or main.undefined:
        return None
    found = similarity.chance
    other = next((main.details[name] for name in ("unbiased", "classical") if name in main.details), None)
    return Chance(
        design=found.design,
        scored=found.calls,
        pairs=found.pairs,
        expected=main.expected,
        error=main.expected_error,
        low=main.details.get("expected_low"),
        high=main.details.get("expected_high"),
        other=other,
    )


def _deciding(question: Question) -> tuple[tuple[TextPair, ...], tuple[TextPair, ...]]:
    """Different texts on either side of the threshold, the nearest to it first."""
    every, study = question.scores.every, question.study
    if every is None:
        return (), ()
    a, b = study.code[every.left], study.code[every.right]
    other = np.flatnonzero((a != b) & np.isfinite(every.score) & (every.score < 1.0))
    keys = np.minimum(a, b)[other].astype(np.int64) * study.V + np.maximum(a, b)[other]
    _, first, counts = np.unique(keys, return_index=True, return_counts=True)
    pair = other[first]
    score = every.score[pair]
    same = score >= question.threshold
    below, above = np.flatnonzero(~same), np.flatnonzero(same)
    below, above = below[np.argsort(-score[below], kind="stable")], above[np.argsort(score[above], kind="stable")]

    def shown(place: int) -> TextPair:
        cells = int(every.left[pair[place]]), int(every.right[pair[place]])
        first, second = (str(study.rater_names[study.rater[cell]]) for cell in cells)
        left, right = (_words(study.values[study.code[cell]]) for cell in cells)
        unit = str(study.unit_names[study.unit[cells[0]]])
        return TextPair(unit, first, second, left, right, int(counts[place]), float(score[place]))

    return tuple(map(shown, below[:SHOWN].tolist())), tuple(map(shown, above[:SHOWN].tolist()))


def _words(value: Any) -> str:
    return " / ".join(map(str, value)) if isinstance(value, tuple) else str(value)
