"""Rarer marks of the harbour: stamps on a scanned paper, the wake of the ferry on film, sand picked with the wand."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from harbour_masks import Mask, brush
from harbour_raters import PICTURE, Json, Rater, marked
from harbour_scenes import FRAMES, HEIGHT, WIDTH, Scene


def rare_marks(scene: Scene, rater: Rater, ids: Iterator[str]) -> Iterator[Json]:
    """What one rater marks with the tools that are seldom used."""
    yield from _stamps(scene, rater, ids)
    yield _wake(scene, rater, ids)
    yield _sand(scene, rater, ids)


def _stamps(scene: Scene, rater: Rater, ids: Iterator[str]) -> Iterator[Json]:
    """Read text on the first page, placed in shares of the page."""
    for number, label in enumerate(("Date", "Berth", "Date")):
        if number and not rater.sees():
            continue
        value = {
            "x": round(rater.off(0.1 + 0.25 * number, 0.01), 5),
            "y": round(rater.off(0.2, 0.01), 5),
            "width": 0.2,
            "height": 0.05,
            "rotation": 0,
            "pageIndex": 1,
            "ocrtext": scene.log.split()[1],
            "ocrlabels": [rater.label(label, "Date", "Berth")],
        }
        yield marked("stamps", "papers", "ocrlabels", next(ids), value)


def _wake(scene: Scene, rater: Rater, ids: Iterator[str]) -> Json:
    """Mark a line that moves; two raters who follow it alike give the same vertices."""
    aside = 0 if rater.sees() else 2
    frames = [
        {
            "frame": scene.start + 20 * k,
            "enabled": k == 0,
            "closed": False,
            "vertices": [{"id": "a", "x": 10 + 5 * k, "y": 50}, {"id": "b", "x": 2 + 5 * k, "y": 52 + aside}],
        }
        for k in (0, 1)
    ]
    value = {"framesCount": FRAMES, "duration": FRAMES / 25, "sequence": frames, "videovectorlabels": ["Wake"]}
    return marked("wakes", "film", "videovectorlabels", next(ids), value)


def _sand(scene: Scene, rater: Rater, ids: Iterator[str]) -> Json:
    """Mark the beach in the corner, as the wand finds it."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    reach = 20 + scene.number + rater.off(0, 2)
    beach: Mask = (WIDTH - x) + 1.5 * (HEIGHT - y) < reach
    return marked("sand", "picture", "magicwand", next(ids), {"format": "rle", "rle": brush(beach)}, **PICTURE)
