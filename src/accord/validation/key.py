"""The key to a set of questions: which pair is behind each, how it was drawn, and what the measures say.

It is kept apart from the forms, because it holds what experts must not see.
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from accord.errors import DataError
from accord.study import Study
from accord.validation.frame import Frame, frame_of
from accord.validation.material import Material
from accord.validation.sampling import Sample
from accord.values import FloatArray, Kind

KEY, SCORES = "key.json", "scores.npz"
VERSION = 1


@dataclass(frozen=True, slots=True)
class Question:
    """One question: the sampled pair it is about, whether its sides are swapped, and why it is asked.

    ``role`` is ``pair``, ``repeat`` (the same pair once more) or ``control`` with the answer that is ``expected``.
    """

    id: str
    left: str
    right: str
    role: str
    pair: int
    expected: bool | None = None


@dataclass(frozen=True)
class Key:
    """Everything needed to make numbers of answers."""

    data: Material
    sample: Sample
    questions: tuple[Question, ...]
    seed: int

    @property
    def frame(self) -> Frame:
        """All pairs with their weights."""
        return frame_of(self.data.study, self.data.coefficient)


def write_key(key: Key, folder: Path) -> None:
    """Write key.json and scores.npz into a folder."""
    from accord.reporting.writing import write_bytes, write_text

    data, sample = key.data, key.sample
    content = {
        "accord_text_key": VERSION,
        "coefficient": data.coefficient,
        "seed": key.seed,
        "texts": data.texts,
        "answers": _answers(data.study),
        "codes": None
        if data.codes is None
        else {**_answers(data.codes), "values": [str(v) for v in data.codes.values]},
        "measures": dict(data.fingerprints),
        "dropped": data.dropped,
        "strata": [
            {"name": name, "pairs": int(n), "taken": int(m)}
            for name, n, m in zip(sample.names, sample.pairs, sample.taken, strict=True)
        ],
        "pairs": [[int(p), int(h)] for p, h in zip(sample.pair, sample.stratum, strict=True)],
        "questions": [
            {"id": q.id, "left": q.left, "right": q.right, "role": q.role, "pair": q.pair, "expected": q.expected}
            for q in key.questions
        ],
    }
    write_text(folder / KEY, json.dumps(content, ensure_ascii=False, indent=1) + "\n")
    buffer = io.BytesIO()
    np.savez_compressed(buffer, *data.scores.values())
    write_bytes(folder / SCORES, buffer.getvalue())


def _answers(study: Study) -> dict[str, Any]:
    return {
        "units": [str(name) for name in study.unit_names],
        "raters": [str(name) for name in study.rater_names],
        "unit": study.unit.tolist(),
        "rater": study.rater.tolist(),
        "code": study.code.tolist(),
    }


def read_key(path: Path) -> Key:
    """Read a key; the scores lie beside it.

    Raises
    ------
    DataError
        If a file cannot be read or is no key.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return _key(content, _scores(path.with_name(SCORES), content))
    except OSError as problem:
        raise DataError.at(f"cannot read: {problem.strerror or problem}.", file=str(problem.filename or path)) from None
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as problem:
        raise DataError.at(
            f"this is no key of accord text sample ({type(problem).__name__}: {problem}).", file=str(path)
        ) from None


def _scores(path: Path, content: dict[str, Any]) -> dict[str, FloatArray]:
    if content["accord_text_key"] != VERSION:
        raise ValueError("another version")
    size = len(content["texts"])
    with np.load(path, allow_pickle=False) as file:
        found = {name: np.asarray(file[f"arr_{k}"], dtype=np.float64) for k, name in enumerate(content["measures"])}
    if any(table.shape != (size, size) for table in found.values()):
        raise ValueError("the scores belong to another key")
    return found


def _key(content: dict[str, Any], scores: dict[str, FloatArray]) -> Key:
    codes = content["codes"]
    data = Material(
        _study(content["answers"], tuple(content["texts"]), Kind.TEXT),
        None if codes is None else _study(codes, tuple(codes["values"]), Kind.LABEL),
        content["coefficient"],
        scores,
        content["measures"],
        int(content["dropped"]),
    )
    pairs = np.array(content["pairs"], dtype=np.int64).reshape(-1, 2)
    strata = content["strata"]
    sample = Sample(
        pairs[:, 0],
        pairs[:, 1],
        tuple(s["name"] for s in strata),
        np.array([s["pairs"] for s in strata], dtype=np.int64),
        np.array([s["taken"] for s in strata], dtype=np.int64),
    )
    return Key(data, sample, tuple(Question(**q) for q in content["questions"]), int(content["seed"]))


def _study(answers: dict[str, Any], values: tuple[str, ...], kind: Kind) -> Study:
    unit, rater, code = (np.array(answers[name], dtype=np.int32) for name in ("unit", "rater", "code"))
    if len(code) and not (code.min() >= 0 and code.max() < len(values)):
        raise ValueError("an answer has no value")
    return Study(
        unit=unit,
        rater=rater,
        code=code,
        values=values,
        unit_names=answers["units"],
        rater_names=answers["raters"],
        kind=kind,
    )
