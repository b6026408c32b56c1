"""What is to be seen and heard in each invented scene of the harbour."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

WIDTH, HEIGHT = 200, 150
FRAMES = 250
SHIPS = ("Aurora", "Petrel", "Nordlys", "Gannet", "Selene")


@dataclass(frozen=True)
class Boat:
    """A boat: box in percent of the picture, turn in degrees, and what can be said about it."""

    box: tuple[float, float, float, float]
    turn: float
    name: str
    kind: tuple[str, str]
    metres: float
    state: str


@dataclass(frozen=True)
class Scene:
    """One task; lists are what a perfect annotator would mark."""

    number: int
    boats: tuple[Boat, ...]
    persons: tuple[tuple[float, float, float, float], ...]
    buoys: tuple[tuple[float, float], ...]
    waterline: float
    slick: tuple[float, float, float, float] | None
    start: int
    log: str
    talk: tuple[tuple[str, str], ...]
    notice: str
    busy: str


def scene(number: int, chance: random.Random) -> Scene:
    """Invent a scene."""
    waterline = chance.uniform(38, 48)
    boats = tuple(_boat(k, waterline, chance) for k in range(chance.randint(1, 3)))
    persons = tuple((chance.uniform(4, 22), waterline - 14, 4.0, 13.0) for _ in range(chance.randint(0, 2)))
    slick = None if number % 3 == 0 else (chance.uniform(40, 70), 85.0, chance.uniform(9, 18), 6.0)
    first, second = chance.sample(SHIPS, 2)
    at = f"{chance.randint(5, 20):02d}:{chance.choice(('05', '20', '40'))}"
    return Scene(
        number=number,
        boats=boats,
        persons=persons,
        buoys=tuple((chance.uniform(30, 95), chance.uniform(62, 78)) for _ in range(chance.randint(0, 3))),
        waterline=waterline,
        slick=slick,
        start=chance.randint(20, 60),
        log=f"At {at} the {first} passed the mole; the {second} waits outside until the ferry has left.",
        talk=(
            (first, "Harbour, may I enter now? I have a pilot on board."),
            ("Harbour", "Wait for the ferry, then go to berth four."),
            (first, "Berth four after the ferry, thank you."),
        ),
        notice=f"<p>Shallow water at the <b>north mole</b>.</p><p>No anchoring near the {second}.</p>",
        busy="yes" if len(boats) > 1 else "no",
    )


def _boat(place: int, waterline: float, chance: random.Random) -> Boat:
    width = chance.uniform(14, 24)
    kind = chance.choice((("Work", "Tug"), ("Work", "Dredger"), ("Leisure", "Sail"), ("Leisure", "Motor")))
    return Boat(
        box=(28 + 24 * place + chance.uniform(-2, 2), waterline + chance.uniform(4, 9), width, width * 0.7),
        turn=chance.choice((0.0, 0.0, 8.0, -6.0)),
        name=chance.choice(SHIPS),
        kind=kind,
        metres=round(chance.uniform(6, 40), 1),
        state=chance.choices(("sound", "damaged", "wreck"), (6, 2, 1))[0],
    )


def data_of(found: Scene) -> dict[str, Any]:
    """Data of the task."""
    tide = [round(2 + 0.02 * minute - 0.00014 * minute**2, 3) for minute in range(0, 240, 5)]
    return {
        "picture": f"harbour-{found.number:02d}.png",
        "film": f"entrance-{found.number:02d}.mp4",
        "papers": f"papers-{found.number:02d}.pdf",
        "radio": f"radio-{found.number:02d}.wav",
        "gauge": {"minute": list(range(0, 240, 5)), "level": tide},
        "log": found.log,
        "talk": [{"who": who, "said": said} for who, said in found.talk],
        "notice": found.notice,
    }
