"""The first paragraph of a report, where little can be said."""

from __future__ import annotations

import pytest

import accord
from accord.pipeline.measure import measure


def paragraph(controls: int, tasks: int) -> str:
    rows = [(f"t{task}", rater, task % 2) for task in range(tasks) for rater in "ab"]
    table: dict[str, list[object]] = {"item": [r[0] for r in rows], "rater": [r[1] for r in rows]}
    for number in range(controls):
        table[f"c{number}"] = [f"x{(r[2] + (number == 1)) % 2}" for r in rows]
    data = accord.read(table, unit="item", rater="rater", value=[f"c{number}" for number in range(controls)])
    return measure(data, page=True).answer


@pytest.mark.parametrize(
    ("controls", "said"),
    [
        (1, "For c0 only 6 tasks can be compared: too few to say much."),
        (2, "For c0 and c1 only 6 tasks can be compared: too few to say much."),
        (5, "For 5 controls, c0 and c1 among them, only 6 tasks can be compared: too few to say much."),
    ],
)
def test_controls_with_few_tasks_are_named_once(controls: int, said: str) -> None:
    assert paragraph(controls, 6) == said
