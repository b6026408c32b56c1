"""Regions of all raters on one blank canvas of the image's size, or on the image."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from accord.pipeline.drawing import Drawing, Group
from accord.reporting.drawings.images import BLANK, Images
from accord.reporting.drawings.paths import Canvas, Path, path_of
from accord.reporting.markup import element, label, picture, rect
from accord.values import Box, Ellipse, Geometry, KeyPoint, Mask, Polygon, Vector

WIDTH, MOST_HEIGHT = 520.0, 620.0
#: Characters that the paths of one picture may take together.
MOST_TEXT = 60_000
#: Colours of raters; more raters than colours share them.
COLOURS = 6
ON_IMAGE = (Box, Ellipse, Polygon, Vector, KeyPoint, Mask)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture, and the numbers under which its groups stand in it."""

    picture: Markup
    numbers: Mapping[int, int]
    note: str = ""


def is_on_image(drawing: Drawing) -> bool:
    """Whether every region has a place on an image."""
    return all(isinstance(region.geometry, ON_IMAGE) for group in drawing.groups for region in group.members.values())


def on_canvas(
    drawing: Drawing,
    colour: Mapping[str, int],
    name: str,
    images: Images | None = None,
    address: str | None = None,
) -> Drawn | None:
    """Draw the groups of a task; None where nothing can be drawn.

    Parameters
    ----------
    colour
        Number of the colour of each rater.
    images, address
        Pictures at hand, and under which address the task knows its own; without them the canvas is blank.
    """
    size = next(filter(None, map(_size, _geometries(drawing))), None)
    canvas = _canvas(size)
    paths: list[tuple[int, list[tuple[int, Path]]]] = []
    room = MOST_TEXT
    for number, group in enumerate(drawing.groups):
        outlines = ((answer, path_of(region.geometry, canvas)) for answer, region in group.members.items())
        found = [(answer, path) for answer, path in outlines if path is not None]
        room -= sum(len(path.data) for _, path in found)
        if room < 0:
            break
        if found:
            paths.append((number, found))
    if not paths:
        return None
    numbers = {number: place for place, (number, _) in enumerate(paths, 1)}
    ground = BLANK if images is None else images.ground(address, canvas.width, canvas.height)
    frame = rect(0.5, 0.5, canvas.width - 1, canvas.height - 1, "frame")
    shapes = [
        _shape(path, drawing.groups[number], colour[drawing.raters[answer]])
        for number, found in reversed(paths)
        for answer, path in found
    ]
    tags = [_tag(found, numbers[number], canvas) for number, found in paths if drawing.groups[number].kind != "same"]
    made = picture(canvas.width, canvas.height, name, ground.picture, frame, *shapes, *tags)
    unknown = "" if size else "The size of the image is not known: it is drawn as a square."
    return Drawn(made, numbers, " ".join(filter(None, (unknown, ground.note))))


def _geometries(drawing: Drawing) -> Iterable[Geometry]:
    return (region.geometry for group in drawing.groups for region in group.members.values())


def _size(geometry: Geometry) -> tuple[int, int] | None:
    return getattr(geometry, "size", None)


def _canvas(size: tuple[int, int] | None) -> Canvas:
    """Canvas in the shape of the image, held between a flat and a tall one."""
    ratio = size[1] / size[0] if size else 1.0
    height = WIDTH * min(max(ratio, 0.1), 10.0)
    scale = min(1.0, MOST_HEIGHT / height)
    return Canvas(WIDTH * scale, height * scale)


def _shape(path: Path, group: Group, colour: int) -> Markup:
    return element("path", d=path.data, class_=f"shape k-{group.kind} r{colour} {path.form}")


def _tag(found: list[tuple[int, Path]], number: int, canvas: Canvas) -> Markup:
    """Number of a group at the corner of its first region, held inside the picture."""
    x, y = found[0][1].corner
    x, y = min(max(x, 2.0), canvas.width - 18), min(max(y - 4, 15.0), canvas.height - 4)
    return label(x, y, str(number), "halo num")
