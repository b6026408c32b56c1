"""What was shown to annotators, kept to show answers on it: texts, and where pictures are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from accord.readers.here import Here
from accord.readers.slots import Slot
from accord.values import Kind

TextsByTask = dict[str, dict[int, str]]

ON_TEXT: Final = frozenset({Kind.SPANS, Kind.TEXT, Kind.LABEL, Kind.LABELS, Kind.PATHS, Kind.RATING, Kind.NUMBER})
ON_PICTURE: Final = frozenset({Kind.BOXES, Kind.ELLIPSES, Kind.POLYGONS, Kind.MASKS, Kind.KEYPOINTS, Kind.VECTORS})
LONGEST_ADDRESS: Final = 2000


def keep_context(kept: TextsByTask, task: int, here: Here, slots: Iterable[Slot], objects: Iterable[str]) -> None:
    """Add the texts of the objects of a task, and the addresses of pictures on which regions are drawn."""
    every = [slot.control for slot in slots]
    texts = {name for control in every if control.kind in ON_TEXT for name in control.objects}
    pictures = {name for control in every if control.kind in ON_PICTURE for name in control.objects}
    for name in sorted(texts or objects):
        dialogue, shown = here.dialogue(name), here.shown(name)
        text = "\n".join(dialogue.texts) if dialogue is not None else shown.text if shown is not None else None
        if text is not None:
            kept.setdefault(name, {})[task] = text
    for name in sorted(pictures):
        address = here.field(name)
        if isinstance(address, str) and len(address) <= LONGEST_ADDRESS and not address.startswith("data:"):
            kept.setdefault(name, {}).setdefault(task, address)
