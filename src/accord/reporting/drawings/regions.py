"""The drawn regions of one task with the list of what differs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from accord.dataset import Control
from accord.pipeline.drawing import Drawing, Group
from accord.pipeline.report import TaskRow
from accord.reporting import tables
from accord.reporting.drawings.canvas import COLOURS, Drawn, is_on_image, on_canvas
from accord.reporting.drawings.images import Images
from accord.reporting.drawings.strips import as_strips
from accord.reporting.markup import element, join
from accord.reporting.tables import Table
from accord.reporting.words import clip, squeeze
from accord.values import Kind

#: Differences that are listed.
LISTED = 12
KIND_WORDS = {
    "missing": "not marked by everyone",
    "label": "label",
    "boundary": "boundary",
    "attribute": "answers about it",
    "same": "the same",
}


@dataclass(frozen=True, slots=True)
class DrawnTask:
    """Picture of a task's regions, what differs, and what neither holds."""

    picture: Markup
    table: Table | None
    notes: tuple[str, ...]


def colours(rows: tuple[TaskRow, ...]) -> Mapping[str, int]:
    """Colour of each rater who is drawn, by name: the same in all pictures of a control."""
    names = {rater for row in rows if row.drawing is not None for rater in row.drawing.raters}
    return {name: number % COLOURS for number, name in enumerate(sorted(names))}


def drawn_task(
    row: TaskRow, control: Control, colour: Mapping[str, int], images: Images | None = None
) -> DrawnTask | None:
    """Draw a task, on its picture where that is among the images; None where its regions have no drawing."""
    drawing = row.drawing
    if drawing is None:
        return None
    name = f"Regions of task {row.unit}, {control.name}: {_counted(drawing)}"
    if is_on_image(drawing):
        found = on_canvas(drawing, colour, name, images, row.context)
    else:
        found = as_strips(drawing, colour, name, axis_title(control))
    if found is None:
        return None
    return DrawnTask(found.picture, _table(drawing, found, colour), tuple(_notes(drawing, found)))


def axis_title(control: Control) -> str:
    """What the numbers along a strip are."""
    if control.kind in (Kind.TRACKS, Kind.TIMELINE):
        return "frame"
    if control.tag in ("HyperTextLabels", "ParagraphLabels"):
        return "character"
    return "time or value, as in the data" if control.tag == "TimeSeriesLabels" else "character or second"


def _counted(drawing: Drawing) -> str:
    said = [f"{KIND_WORDS[kind]} {count:,}" for kind, count in drawing.totals.items() if count]
    return ", ".join(said)


def _notes(drawing: Drawing, found: Drawn) -> list[str]:
    notes = [found.note] if found.note else []
    hidden = drawing.left_out + len(drawing.groups) - len(found.numbers)
    if hidden:
        notes.append(f"{hidden:,} more are not drawn.")
    if drawing.raters_left_out:
        notes.append(f"{drawing.raters_left_out:,} more raters are not drawn.")
    same = drawing.totals["same"]
    if same:
        notes.append(f"The same for everyone, without number: {same:,}.")
    differ = sum(drawing.totals.values()) - same
    listed = sum(group.kind != "same" and number in found.numbers for number, group in enumerate(drawing.groups))
    if differ > min(listed, LISTED):
        notes.append(f"{differ - min(listed, LISTED):,} more differences are not listed.")
    return notes


def _table(drawing: Drawing, found: Drawn, colour: Mapping[str, int]) -> Table | None:
    """One row a group that differs: its number, what differs, what each rater has."""
    rows = [
        (
            tables.text(str(found.numbers[number])),
            tables.text(group.words),
            *(tables.text(_said(group, answer)) for answer in range(len(drawing.raters))),
        )
        for number, group in enumerate(drawing.groups)
        if group.kind != "same" and number in found.numbers
    ]
    if not rows:
        return None
    raters = (
        tables.Heading(element("span", squeeze(rater, 16), class_=f"sw r{colour[rater]}")) for rater in drawing.raters
    )
    return Table("", (*tables.headings("No.", "What differs"), *raters), tuple(rows[:LISTED]))


def _said(group: Group, answer: int) -> Markup:
    region = group.members.get(answer)
    if region is None:
        return element("mark", "not marked")
    text = clip(", ".join(sorted(region.labels)) or "marked", 60)
    return element("mark", text) if _is_alone(group, answer) else join(text)


def _is_alone(group: Group, answer: int) -> bool:
    """Whether the labels of a region are those of fewer than half of those who marked it."""
    mine = group.members[answer].labels
    same = sum(region.labels == mine for region in group.members.values())
    return group.kind == "label" and 2 * same <= len(group.members)
