"""How the three people who look at the harbour mark what they see: one function for each kind of mark."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from harbour_masks import Mask, bitmask, brush
from harbour_scenes import FRAMES, HEIGHT, WIDTH, Scene

Json = dict[str, Any]
PICTURE = {"original_width": WIDTH, "original_height": HEIGHT, "image_rotation": 0}


@dataclass
class Rater:
    """Somebody who marks: how far off, how often things are missed, mixed up or seen where nothing is."""

    number: int
    mail: str
    shift: float
    larger: float
    misses: float
    mixes: float
    chance: random.Random = field(default_factory=random.Random)

    def off(self, value: float, scale: float = 1.0) -> float:
        """Value as this rater places it."""
        return round(value + self.chance.gauss(0, self.shift * scale), 3)

    def sees(self) -> bool:
        """Whether a thing is marked at all."""
        return self.chance.random() >= self.misses

    def label(self, right: str, *wrong: str) -> str:
        """Label as this rater gives it."""
        return self.chance.choice(wrong) if wrong and self.chance.random() < self.mixes else right


def marks(scene: Scene, rater: Rater, ids: Iterator[str]) -> list[Json]:
    """Everything one rater marks in a scene."""
    boats = list(_boats(scene, rater, ids))
    found = [item for items in boats for item in items]
    found += [*_buoys(scene, rater, ids), *_outlines(scene, rater, ids), *_masks(scene, rater, ids)]
    found += [*_points(scene, rater, ids), *_lines(scene, rater, ids), *_film(scene, rater, ids)]
    found += [*_ranges(scene, rater, ids), *_texts(scene, rater, ids)]
    found.append(marked("busy", "picture", "choices", next(ids), {"choices": [rater.label(scene.busy, "yes", "no")]}))
    quay = next((item["id"] for item in found if item["from_name"] == "outlines"), None)
    regions = [items[0]["id"] for items in boats]
    ends = [(region, quay, "moored to") for region in regions[:2] if quay and rater.sees()]
    ends += [(a, b, rater.label("follows", "moored to")) for a, b in pairwise(regions)]
    return found + [
        {"type": "relation", "from_id": a, "to_id": b, "direction": "right", "labels": [label]} for a, b, label in ends
    ]


def marked(name: str, to: str, kind: str, identity: str, value: Json, **more: Any) -> Json:
    """Build the item of one mark."""
    return {
        "id": identity,
        "from_name": name,
        "to_name": to,
        "type": kind,
        "origin": "manual",
        **more,
        "value": value,
    }


def _boats(scene: Scene, rater: Rater, ids: Iterator[str]) -> Iterator[list[Json]]:
    """Boxes with what was answered about them."""
    for boat in scene.boats:
        if not rater.sees():
            continue
        x, y, width, height = boat.box
        place = {
            "x": rater.off(x),
            "y": rater.off(y),
            "width": rater.off(width * rater.larger),
            "height": rater.off(height * rater.larger),
            "rotation": boat.turn and rater.off(boat.turn),
        }
        identity = next(ids)
        label = rater.label("Boat", "Crane")
        about: list[tuple[str, str, Json]] = [
            ("boxes", "rectanglelabels", {"rectanglelabels": [label]}),
            ("state", "choices", {"choices": [rater.label(boat.state, "sound", "damaged")]}),
            ("type", "taxonomy", {"taxonomy": [[boat.kind[0], rater.label(boat.kind[1], "Tug", "Sail")]]}),
            ("metres", "number", {"number": round(boat.metres * rater.chance.uniform(0.9, 1.1), 1)}),
            ("certainty", "rating", {"rating": rater.chance.randint(3, 5)}),
            ("name", "textarea", {"text": [rater.label(boat.name, boat.name.upper(), f"{boat.name} II")]}),
        ]
        yield [marked(name, "picture", kind, identity, place | value, **PICTURE) for name, kind, value in about]
    for x, y, width, height in scene.persons:
        if rater.sees():
            place = {"x": rater.off(x), "y": rater.off(y), "width": width, "height": height, "rotation": 0}
            value = place | {"rectanglelabels": ["Person"]}
            yield [marked("boxes", "picture", "rectanglelabels", next(ids), value, **PICTURE)]


def _buoys(scene: Scene, rater: Rater, ids: Iterator[str]) -> Iterator[Json]:
    for x, y in scene.buoys:
        if rater.sees():
            place = {"x": rater.off(x, 0.5), "y": rater.off(y, 0.5), "radiusX": rater.off(2.6, 0.2), "rotation": 0}
            value = place | {"radiusY": rater.off(3.4, 0.2), "ellipselabels": ["Buoy"]}
            yield marked("buoys", "picture", "ellipselabels", next(ids), value, **PICTURE)


def _outlines(scene: Scene, rater: Rater, ids: Iterator[str]) -> Iterator[Json]:
    line = scene.waterline
    quay = [(0, line), (26, line), (26, line + 6), (18, line + 9), (18, 100), (0, 100)]
    shed = [(3, line - 16), (10, line - 24), (17, line - 16), (17, line - 1), (3, line - 1)]
    for points, label in ((quay, "Quay"), (shed, "Shed")):
        if label == "Quay" or rater.sees():
            ring = [[rater.off(x), rater.off(y)] for x, y in points]
            value = {"points": ring, "closed": True, "polygonlabels": [rater.label(label, "Quay", "Shed")]}
            yield marked("outlines", "picture", "polygonlabels", next(ids), value, **PICTURE)


def _grid() -> tuple[Any, Any]:
    """Pixel centres in percent."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    return (x + 0.5) * 100 / WIDTH, (y + 0.5) * 100 / HEIGHT


def _masks(scene: Scene, rater: Rater, ids: Iterator[str]) -> Iterator[Json]:
    x, y = _grid()
    if scene.slick is not None and rater.sees():
        cx, cy, rx, ry = (rater.off(value) for value in scene.slick)
        wave = 1 + 0.18 * np.sin(5 * np.arctan2(y - cy, x - cx))
        mask: Mask = ((x - cx) / (rx * wave)) ** 2 + ((y - cy) / (ry * wave)) ** 2 < 1
        value = {"format": "rle", "rle": brush(mask), "brushlabels": [rater.label("Oil", "Foam")]}
        yield marked("oil", "picture", "brushlabels", next(ids), value, **PICTURE)
    edge = scene.waterline - 6 + rater.off(0) + 2 * np.sin(x / 9)
    value = {"imageDataURL": bitmask(y < edge), "bitmasklabels": ["Sky"]}
    yield marked("sky", "picture", "bitmasklabels", next(ids), value, **PICTURE)


def _points(scene: Scene, rater: Rater, ids: Iterator[str]) -> Iterator[Json]:
    for boat in scene.boats[:2]:
        x, y, width, height = boat.box
        for label, across in (("Bow", 0.95), ("Stern", 0.05)):
            if rater.sees():
                value = {"x": rater.off(x + across * width, 0.8), "y": rater.off(y + height / 2, 0.8), "width": 0.8}
                named = value | {"keypointlabels": [rater.label(label, "Bow", "Stern")]}
                yield marked("points", "picture", "keypointlabels", next(ids), named, **PICTURE)


def _lines(scene: Scene, rater: Rater, ids: Iterator[str]) -> Iterator[Json]:
    x, y, _, _ = scene.boats[0].box
    rope = [(26.0, scene.waterline + 3), (x - 2, y + 6), (x, y + 4)]
    horizon = [(26.0, scene.waterline), (60.0, scene.waterline), (100.0, scene.waterline)]
    for points, label in ((rope, "Rope"), (horizon, "Horizon")):
        if rater.sees():
            vertices = [
                {
                    "id": f"v{k}",
                    "x": rater.off(px),
                    "y": rater.off(py),
                    "prevPointId": f"v{k - 1}" if k else None,
                    "isBezier": False,
                }
                for k, (px, py) in enumerate(points)
            ]
            value = {"vertices": vertices, "closed": False, "vectorlabels": [label]}
            yield marked("lines", "picture", "vectorlabels", next(ids), value, **PICTURE)


def _film(scene: Scene, rater: Rater, ids: Iterator[str]) -> Iterator[Json]:
    for number, label in enumerate(("Pilot", "Ferry")):
        if number and not rater.sees():
            continue
        first = scene.start + 70 * number + round(rater.off(0, 4))
        keys = [
            {
                "frame": frame,
                "time": frame / 25,
                "enabled": k < 2,
                "x": rater.off(10 + 30 * k),
                "y": rater.off(50 + 10 * number),
                "width": 14,
                "height": 10,
                "rotation": 0,
            }
            for k, frame in enumerate((first, first + 40, first + 90))
        ]
        value = {
            "framesCount": FRAMES,
            "duration": FRAMES / 25,
            "sequence": keys,
            "labels": [rater.label(label, "Ferry")],
        }
        yield marked("tracks", "film", "videorectangle", next(ids), value)
    turn = scene.start + 80
    for start, end, label in ((scene.start, turn, "Approach"), (turn, turn + 60, "Mooring")):
        if rater.sees():
            ranges = [{"start": start + round(rater.off(0, 4)), "end": end + round(rater.off(0, 4))}]
            value = {"ranges": ranges, "timelinelabels": [label]}
            yield marked("phases", "film", "timelinelabels", next(ids), value)


def _ranges(scene: Scene, rater: Rater, ids: Iterator[str]) -> Iterator[Json]:
    """Marks on the recording, in seconds, and on the tide gauge, in minutes."""
    for start, label in ((3.0, "Call"), (11.5, "Horn"), (14.0, "Call")):
        if rater.sees():
            begin = max(0.0, rater.off(start, 0.3))
            value = {
                "start": begin,
                "end": begin + rater.off(2.5, 0.2),
                "channel": 0,
                "labels": [rater.label(label, "Horn")],
            }
            yield marked("sounds", "radio", "labels", next(ids), value, original_length=20.0)
    top = 71 + scene.number
    for start, end, label in ((0, top, "Rising"), (top, 235, "Falling")):
        value = {"start": start, "end": end + round(rater.off(0, 3)), "instant": False, "timeserieslabels": [label]}
        yield marked("tides", "gauge", "timeserieslabels", next(ids), value)


def _texts(scene: Scene, rater: Rater, ids: Iterator[str]) -> Iterator[Json]:
    words = scene.log.split()
    for word, label in ((words[1], "Time"), (words[3], "Ship"), (words[8], "Ship")):
        if rater.sees():
            start = scene.log.index(word) - (4 if label == "Ship" and rater.larger > 1 else 0)
            end = scene.log.index(word) + len(word)
            value = {"start": start, "end": end, "text": scene.log[start:end], "labels": [rater.label(label, "Ship")]}
            yield marked("entities", "log", "labels", next(ids), value)
    for number, label in ((0, "Request"), (1, "Answer")):
        said = scene.talk[number][1]
        end = len(said) if rater.sees() else said.index(",") if "," in said else len(said)
        value = {"start": str(number), "end": str(number), "startOffset": 0, "endOffset": end, "text": said[:end]}
        named = value | {"paragraphlabels": [rater.label(label, "Request", "Answer")]}
        yield marked("requests", "talk", "paragraphlabels", next(ids), named)
    end = 26 if rater.sees() else math.ceil(26 / 2)
    path = "/p[1]/text()[1]"
    value = {"start": path, "end": path, "startOffset": 0, "endOffset": end, "globalOffsets": {"start": 0, "end": end}}
    text = "Shallow water at the north mole."[:end]
    yield marked(
        "warnings", "notice", "hypertextlabels", next(ids), value | {"text": text, "hypertextlabels": ["Warning"]}
    )
