"""Pictures of the invented scenes, flat and simple, for reports that show what was annotated."""

from __future__ import annotations

from pathlib import Path

from harbour_scenes import Scene
from PIL import Image, ImageDraw

SIDE = (800, 600)
SKY, WATER, QUAY, SHED, OIL = "#c8d8e4", "#6d8ba1", "#a8a093", "#8c6f5a", "#3f4b55"


def paint(found: Scene, path: Path) -> None:
    """Paint a scene and save it as PNG."""
    image = Image.new("RGB", SIDE, SKY)
    draw = ImageDraw.Draw(image)

    def at(*percent: float) -> list[float]:
        return [value * SIDE[k % 2] / 100 for k, value in enumerate(percent)]

    line = found.waterline
    draw.rectangle(at(0, line, 100, 100), WATER)
    draw.polygon(at(0, line, 26, line, 26, line + 6, 18, line + 9, 18, 100, 0, 100), QUAY)
    draw.polygon(at(3, line - 16, 10, line - 24, 17, line - 16, 17, line - 1, 3, line - 1), SHED)
    if found.slick is not None:
        x, y, across, along = found.slick
        draw.ellipse(at(x - across, y - along, x + across, y + along), OIL)
    for boat in found.boats:
        x, y, width, height = boat.box
        draw.polygon(
            at(x, y + height / 2, x + width, y + height / 2, x + width * 0.85, y + height, x + 2, y + height), "#31414f"
        )
        draw.rectangle(at(x + width * 0.4, y, x + width * 0.6, y + height / 2), "#e8e4da")
    for x, y, width, height in found.persons:
        draw.ellipse(at(x, y, x + width, y + height), "#d98c3f")
    for x, y in found.buoys:
        draw.ellipse(at(x - 2.6, y - 3.4, x + 2.6, y + 3.4), "#b8402f")
    image.save(path, optimize=True)
