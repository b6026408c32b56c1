"""Everything that comes of experts' answers: their agreement, calibration, people's coefficient, disagreements."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from accord.errors import DataError
from accord.validation.anchored import Anchored, Judged, anchored, map_of
from accord.validation.calibration import Bin, Isotonic, Platt, Quality, bins, out_of_fold, quality, weighted_auc
from accord.validation.experts import Experts, consensus, examined
from accord.validation.key import Key
from accord.validation.ratings import Ratings
from accord.validation.side_by_side import figure_dict, of_estimate

#: Pairs of answers shown in each list of disagreements.
MOST = 30
GROUPS = ("same unit", "other units")


@dataclass(frozen=True)
class Calibrated:
    """A measure's scores before and after calibration (cross-validated), and its reliability in both groups."""

    measure: str
    method: str
    map: Platt | Isotonic
    before: Quality
    after: Quality
    auc: tuple[float, float]
    reliability: Mapping[str, list[Bin]]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two answers to one unit on which people and codes differ."""

    unit: str
    left: str
    right: str
    codes: tuple[str, str]
    people: float


@dataclass(frozen=True)
class Findings:
    """What experts' answers say."""

    experts: Experts
    anchored: Anchored
    calibrated: tuple[Calibrated, ...]
    equivalent_by_people: tuple[Disagreement, ...]
    equivalent_by_codes: tuple[Disagreement, ...]
    disputed: tuple[int, int]
    pairs: int
    judged: int

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        found = self.anchored
        return _plain(
            {
                "pairs": self.pairs,
                "judged": self.judged,
                "experts": [asdict(e) for e in self.experts.each],
                "expert_agreement": {e.name: figure_dict(of_estimate(e)) for e in self.experts.agreement},
                "people": {
                    "value": figure_dict(found.value),
                    "observed": found.observed,
                    "expected": found.expected,
                    "design_error": found.design_error,
                    "guide": found.guide,
                },
                "codes": None if found.codes is None else figure_dict(found.codes),
                "measures": [
                    {
                        "measure": row.measure,
                        "value": figure_dict(row.value),
                        "minus_people": figure_dict(row.difference),
                        "minus_codes": None if row.from_codes is None else figure_dict(row.from_codes),
                        "budget": row.budget,
                    }
                    for row in found.rows
                ],
                "ranks": None
                if found.ranks is None
                else {
                    "by_people": found.ranks.by_people,
                    "by_codes": found.ranks.by_codes,
                    "tau": figure_dict(found.ranks.tau),
                },
                "calibration": [_calibration(c) for c in self.calibrated],
                "people_yes_codes_no": [asdict(d) for d in self.equivalent_by_people],
                "codes_yes_people_no": [asdict(d) for d in self.equivalent_by_codes],
                "pairs_with_a_disagreement": self.disputed[0],
                "pairs_with_codes": self.disputed[1],
            }
        )


def _calibration(one: Calibrated) -> dict[str, Any]:
    return {
        "measure": one.measure,
        "method": one.method,
        "map": {"slope": one.map.slope, "shift": one.map.shift}
        if isinstance(one.map, Platt)
        else {"at": one.map.at.tolist(), "value": one.map.value.tolist()},
        "before": asdict(one.before),
        "after": asdict(one.after),
        "auc": dict(zip(GROUPS, one.auc, strict=True)),
        "reliability": {group: [asdict(b) for b in some] for group, some in one.reliability.items()},
    }


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def findings(key: Key, ratings: Ratings, adjudicated: Ratings | None = None) -> Findings:
    """Make numbers of answers; an adjudicated answer replaces the mean of the experts.

    Raises
    ------
    DataError
        If a kind of pair has no answer, or people called all pairs alike.
    """
    n = len(key.sample.pair)
    answers = consensus(ratings, key.questions, n)
    if adjudicated is not None:
        settled = consensus(adjudicated, key.questions, n)
        answers = np.where(np.isfinite(settled), settled, answers)
    judged = Judged.of(key, answers)
    _check(judged)
    lists = _disagreements(judged)
    return Findings(
        examined(ratings, key.questions),
        anchored(judged, key.seed),
        tuple(_calibrated(judged, measure) for measure in key.data.scores),
        *lists,
        n,
        len(judged.answer),
    )


def _check(judged: Judged) -> None:
    names = judged.key.sample.names
    empty = [names[h] for h in np.flatnonzero((judged.taken == 0) & (judged.sizes > 0)).tolist()]
    if empty:
        raise DataError.at(f"no pair is judged of these kinds: {', '.join(empty)}.", hint="Ask for the rest.")
    if judged.answer.min() == judged.answer.max():
        raise DataError.at("people called all pairs alike: nothing can be calibrated.")


def _calibrated(judged: Judged, measure: str) -> Calibrated:
    scores = judged.frame.of(judged.key.data.scores[measure])[judged.pair]
    truth, weight, within = judged.answer, judged.balanced, judged.within
    found, method = map_of(judged, measure)
    after = out_of_fold(scores, truth, weight, method, judged.key.seed)
    groups = (within, ~within)
    return Calibrated(
        measure,
        method,
        found,
        quality(scores, truth, weight),
        quality(after, truth, weight),
        (_auc(scores, truth, weight, within), _auc(scores, truth, weight, ~within)),
        {name: bins(scores[g], truth[g], weight[g], 6) for name, g in zip(GROUPS, groups, strict=True)},
    )


def _auc(scores: Any, truth: Any, weight: Any, group: Any) -> float:
    return weighted_auc(scores[group], truth[group], weight[group])


def _disagreements(judged: Judged) -> tuple[tuple[Disagreement, ...], tuple[Disagreement, ...], tuple[int, int]]:
    """Answers to one unit that people call equivalent though codes differ, and the reverse; how many of how many."""
    data, frame = judged.key.data, judged.frame
    if data.codes is None:
        return (), (), (0, 0)
    said = np.full((data.study.V, data.study.V), np.nan)
    left, right = frame.left[judged.pair], frame.right[judged.pair]
    said[left, right] = said[right, left] = judged.answer
    first, second = data.study.pairs
    people = said[data.study.code[first], data.study.code[second]]
    same = data.codes.code[first] == data.codes.code[second]
    known = np.isfinite(people)

    def listed(which: Any) -> tuple[Disagreement, ...]:
        return tuple(
            _shown(data, int(first[k]), int(second[k]), float(people[k])) for k in np.flatnonzero(which)[:MOST]
        )

    yes, no = known & (people > 0.5) & ~same, known & (people < 0.5) & same
    return listed(yes), listed(no), (int(yes.sum() + no.sum()), int(known.sum()))


def _shown(data: Any, first: int, second: int, people: float) -> Disagreement:
    return Disagreement(
        str(data.study.unit_names[int(data.study.unit[first])]),
        data.texts[int(data.study.code[first])],
        data.texts[int(data.study.code[second])],
        (str(data.codes.values[int(data.codes.code[first])]), str(data.codes.values[int(data.codes.code[second])])),
        people,
    )
