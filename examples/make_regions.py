"""Write an example with every kind of region: a harbour watched by camera, film, radio, tide gauge and log.

Ten invented scenes, three people, all region tags of Label Studio and answers about regions. Run
``python examples/make_regions.py``: it writes ``harbour-export.json``, the same on every run. With a folder as argument
it writes there, and also the pictures.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from harbour_papers import rare_marks
from harbour_raters import Json, Rater, marks
from harbour_scenes import Scene, data_of, scene

HERE = Path(__file__).parent
SCENES = 10


def main(folder: str | None = None) -> None:
    """Write the export, and the pictures if a folder is given."""
    chance = random.Random(20260914)
    scenes = [scene(number, chance) for number in range(1, SCENES + 1)]
    ids = (f"r{number:05d}" for number in range(99_999))
    tasks = [task(found, chance, ids) for found in scenes]
    target = HERE if folder is None else Path(folder)
    lines = ",\n".join(json.dumps(found, ensure_ascii=False, separators=(",", ":")) for found in tasks)
    (target / "harbour-export.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    if folder is not None:
        from harbour_pictures import paint

        for found in scenes:
            paint(found, target / data_of(found)["picture"])


def raters(chance: random.Random) -> list[Rater]:
    """Three people: a careful one, one who draws too large and misses things, one who mixes labels up."""
    return [
        Rater(1, "anna@harbour.example", shift=0.4, larger=1.0, misses=0.03, mixes=0.02, chance=chance),
        Rater(2, "bela@harbour.example", shift=0.9, larger=1.15, misses=0.2, mixes=0.05, chance=chance),
        Rater(3, "cho@harbour.example", shift=0.7, larger=1.0, misses=0.08, mixes=0.25, chance=chance),
    ]


def apart(rater: Rater, found: Scene) -> Rater:
    """Return the same person with chances of their own, so that one part of the example changes without the other."""
    return replace(rater, chance=random.Random(100 * found.number + rater.number))


def task(found: Scene, chance: random.Random, ids: Iterator[str]) -> Json:
    """Build one task with the answers of all three."""
    annotations: list[dict[str, Any]] = [
        {
            "id": 100 * found.number + rater.number,
            "completed_by": {"id": rater.number, "email": rater.mail},
            "result": [*marks(found, rater, ids), *rare_marks(found, apart(rater, found), ids)],
            "was_cancelled": False,
            "ground_truth": False,
            "created_at": f"2026-09-14T{7 + rater.number:02d}:{found.number:02d}:00Z",
            "lead_time": round(chance.uniform(60, 240), 1),
        }
        for rater in raters(chance)
    ]
    return {"id": 500 + found.number, "data": data_of(found), "annotations": annotations, "project": 77}


if __name__ == "__main__":
    main(*sys.argv[1:2])
