"""Custom code in a plan: the answers it compares, its scores, and what the report says of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from accord.coefficients.spec import COEFFICIENTS
from accord.dataset import Annotations, Column, Control, Dataset, Flag
from accord.errors import UsageError
from accord.pipeline.plan import ControlPlan, Plan
from accord.sandbox import CustomCode
from accord.similarity.core import Similarity
from accord.similarity.custom import CustomScores, CustomSimilarity
from accord.similarity.sampled import Sampled
from accord.study import Study
from accord.values import Index, Kind, Level, Raw

#: Pseudo-control of the whole annotation.
WHOLE: Final = "*"
#: Coefficients that need no scores between tasks.
OBSERVED: Final = ("percent_agreement", "plurality")
#: Most annotations of which all pairs are scored where code compares across tasks; of more, so many pairs.
MOST_COMPARED: Final = 200
DRAWS: Final = 20_000
_REPEATED: Final = re.compile(r"\\\{\\\{.*?\\\}\\\}")


def code_of(wish: ControlPlan) -> CustomCode:
    """Custom code of a control, checked.

    Raises
    ------
    CustomCodeError
        If it cannot run.
    """
    name = (wish.metric or "").partition(":")[2]
    return CustomCode.of(wish.code or "", name or "code")


def observed_only(name: str, own: Sequence[str], general: Sequence[str]) -> tuple[str, ...]:
    """Coefficients that can be had of custom code whose scores mean nothing between tasks.

    Raises
    ------
    UsageError
        If others were asked for this very control.
    """
    catalog = COEFFICIENTS.catalog()
    wrong = [key for key in own if catalog[key].key not in OBSERVED]
    if wrong:
        raise UsageError(
            f"Control {name}: {wrong[0]} needs scores between annotations of different tasks. Custom code that gives "
            "them says so with comparable_across_units = True."
        )
    asked = [catalog[key].key for key in own or general]
    return tuple(dict.fromkeys(key for key in asked if key in OBSERVED)) or OBSERVED[:1]


def with_custom(dataset: Dataset, plan: Plan) -> Dataset:
    """Give the controls with custom code the annotations themselves as answers, each a value of its own.

    Raises
    ------
    UsageError
        If whole annotations were not kept, as in tables.
    """
    columns: dict[str, Column] = {}
    for name, wish in plan.controls.items():
        known = dataset.columns.get(name)
        if not wish.is_custom or (known is not None and known.control.kind is Kind.ANNOTATION):
            continue
        table = dataset.annotations
        if table is None or table.results is None:
            raise UsageError(
                f"Control {name}: custom code compares whole annotations. Give a Label Studio export, in Python read "
                "with accord.read(…, results=True)."
            )
        columns[name] = _whole(table) if name == WHOLE else _of_control(table, dataset[name])
    return replace(dataset, columns={**dataset.columns, **columns}) if columns else dataset


def _whole(table: Annotations) -> Column:
    control = Control(name=WHOLE, kind=Kind.ANNOTATION)
    counted = (table.flags & int(Flag.SUPERSEDED)) == 0
    return _column(table, control, np.flatnonzero(counted), table.results or ())


def _of_control(table: Annotations, column: Column) -> Column:
    """Answers to one control, with the items of its annotations that belong to it."""
    control = replace(column.control, kind=Kind.ANNOTATION, level=Level.NOMINAL, domain=None)
    some = np.unique(column.annotation[column.annotation >= 0]) if column.annotation is not None else np.empty(0)
    name = re.compile(_REPEATED.sub("[0-9]+", re.escape(control.name)))
    texts = dict(zip(some.tolist(), (_filtered(table.results[k], name) for k in some.tolist()), strict=True))  # type: ignore[index]
    return _column(table, control, some.astype(np.int64), texts)


def _column(table: Annotations, control: Control, some: Index, texts: Mapping[int, str] | Sequence[str]) -> Column:
    """Column of the given annotations, one value each."""
    some = some[table.unit[some] < np.iinfo(np.int32).max]
    some = some[np.lexsort((table.rater[some], table.unit[some]))]
    return Column(
        control=control,
        unit=table.unit[some],
        rater=table.rater[some],
        code=np.arange(len(some), dtype=np.int32),
        values=tuple(Raw(texts[k]) for k in some.tolist()),
        annotation=some.astype(np.int32),
    )


def _filtered(text: str, name: re.Pattern[str]) -> str:
    annotation = json.loads(text)
    annotation["result"] = [item for item in annotation["result"] if _belongs(item, name)]
    return json.dumps(annotation, separators=(",", ":"))


def _belongs(item: Any, name: re.Pattern[str]) -> bool:
    return isinstance(item, dict) and name.fullmatch(str(item.get("from_name"))) is not None


def similarity_of(
    scores: CustomScores, study: Study, column: Column, options: Mapping[str, Any], threshold: float | None, seed: int
) -> Similarity:
    """Scores of custom code, those within tasks at once; sums over many annotations rest on a sample of pairs."""
    unit = np.full(study.V, -1, dtype=np.int32)
    unit[column.code] = column.unit
    exact = CustomSimilarity(study.values, unit, scores, options, threshold)
    left, right = study.pairs
    exact.at(study.code[left], study.code[right])
    if not scores.code.comparable_across_units or study.V <= MOST_COMPARED:
        return exact
    return Sampled(exact, study.counts.astype(np.float64), seed, DRAWS)
