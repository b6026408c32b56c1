"""How to read an answer item, decided once for each shape that items have: by the keys of their value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from accord.dataset import Control
from accord.readers import geometry, mask_items, spans, track_items
from accord.readers.builder import Place
from accord.readers.codes import Notices
from accord.readers.config_model import LabelConfig
from accord.readers.config_tags import KINDS, LEVELS, TEXT_OBJECTS, tag_name
from accord.readers.here import Here
from accord.readers.payloads import PAYLOADS, Read, raw_value, wrong_type
from accord.readers.slots import CHOICES, Slot, Slots
from accord.values import Kind, Level

Locate: TypeAlias = Callable[[Mapping[str, Any], Mapping[str, Any], Here, Slot], Any]

_AUDIO: Final = frozenset({"audio", "audioplus"})
_PLACE_KEYS: Final = frozenset({"start", "end", "x", "y", "points", "ranges", "rle", "sequence", "vertices"})


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """Where answers go: a control, and the place where it repeats. There is one object for each."""

    slot: Slot
    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class ItemPlan:
    """Reading plan of one shape of item.

    ``in_item`` is the key of the value that numbers the item of a list, "" where it has none. ``locate`` reads the
    region the item marks or sits on, None where there is none; ``labels`` and ``payload`` are keys of its value;
    ``nested`` says that the payload is about a region of another control, and ``about`` reads that region.
    """

    target: Target
    in_item: str = ""
    locate: Locate | None = None
    kind: Kind = Kind.OTHER
    labels: str = ""
    payload: str = ""
    read: Read = raw_value
    nested: bool = False
    about: Locate | None = None


class ItemPlans:
    """Plans by shape; finds or makes the control of an item."""

    def __init__(self, slots: Slots, config: LabelConfig | None, notices: Notices) -> None:
        self._slots = slots
        self._config = config
        self._notices = notices
        self._targets: dict[tuple[Slot, Place], Target] = {}
        self.known: dict[Any, ItemPlan] = {}

    def plan(self, item: Mapping[str, Any], value: Mapping[str, Any]) -> ItemPlan:
        """Plan for an item."""
        key = (item.get("from_name"), item.get("type"), item.get("to_name"), *value)
        try:
            return self.known[key]
        except KeyError:
            plan, keep = self._make(item, value)
            if keep:
                self.known[key] = plan
            return plan
        except TypeError:
            return self._make({**item, "from_name": None, "type": str(item.get("type"))}, value)[0]

    def target(self, slot: Slot, place: Place) -> Target:
        """Where answers to a control go."""
        key = (slot, place)
        found = self._targets.get(key)
        if found is None:
            found = self._targets[key] = Target(slot, place)
        return found

    def _make(self, item: Mapping[str, Any], value: Mapping[str, Any]) -> tuple[ItemPlan, bool]:
        """Plan, and whether it may be kept: what deserves a remark is planned anew each time."""
        remarks = self._notices.total
        type_ = item.get("type") if isinstance(item.get("type"), str) else ""
        labels = next((key for key in value if key.endswith("labels")), "")
        payload = _payload(value, str(type_), labels)
        locate, kind = _locate(value, str(type_), self._tag(item))
        name, place = self._name(item)
        slot = self._slots.get(name)
        nested = _is_nested(slot, payload, labels, locate)
        if slot is None:
            slot = self._discover(name, str(type_), payload, kind if not nested else None, item, nested)
        labeling = slot.question is not None and slot.question.labeling and locate is not None
        reads = PAYLOADS[payload][0] if payload else Kind.OTHER
        if not (labeling or _fits(slot.control.kind, kind if locate is not None and not nested else reads)):
            return ItemPlan(target=self.target(slot, place), read=wrong_type), True
        plan = ItemPlan(
            target=self.target(slot, place),
            in_item=next((key for key in ("item_index", "pageIndex") if key in value), ""),
            locate=None if nested else locate,
            kind=kind,
            labels=payload if labeling else labels,
            payload=payload if nested or locate is None else "",
            read=PAYLOADS[payload][1] if payload else raw_value,
            nested=nested,
            about=locate if nested else None,
        )
        return plan, self._notices.total == remarks

    def _tag(self, item: Mapping[str, Any]) -> str:
        name = item.get("to_name")
        tag = self._config.objects.get(name) if self._config is not None and isinstance(name, str) else None
        return tag.tag if tag is not None else ""

    def _name(self, item: Mapping[str, Any]) -> tuple[str, Place]:
        """Control of an item, and its place where the control repeats."""
        name = item.get("from_name")
        if not isinstance(name, str) or not name:
            name = f"{item.get('type') or 'answer'}@{item.get('to_name') or ''}"
            self._notices.add("no-from-name", name)
            return name, ()
        found = self._config.find(name) if self._config is not None else None
        if found is not None:
            return found
        if self._config is not None:
            self._notices.add("unknown-control", name, control=name)
        return name, ()

    def _discover(
        self, name: str, type_: str, payload: str, kind: Kind | None, item: Mapping[str, Any], nested: bool
    ) -> Slot:
        if kind is None or kind is Kind.OTHER:
            kind = PAYLOADS[payload][0] if payload else Kind.OTHER
        if kind is Kind.OTHER and type_.lower() not in KINDS:
            self._notices.add("unknown-type", type_, control=name)
        to_name = item.get("to_name")
        control = Control(
            name=name,
            kind=kind,
            tag=tag_name(type_ or payload),
            level=LEVELS.get(kind, Level.NOMINAL),
            domain=("left", "right") if kind is Kind.SIDE else None,
            objects=(to_name,) if isinstance(to_name, str) else (),
            per_region=nested,
        )
        return self._slots.discover(control)


def _fits(control: Kind, found: Kind) -> bool:
    """Whether an answer of a kind can be one to a control of a kind."""
    return found is control or (found in CHOICES and control in CHOICES) or (found.is_region and control.is_region)


def _payload(value: Mapping[str, Any], type_: str, labels: str) -> str:
    """Key of the answer in an item's value; ``text`` is one only where it is not the text of a span."""
    for key in PAYLOADS:
        if key in value and key != "text":
            return key
    if "text" in value and not labels and (type_.lower() in ("textarea", "") or not _PLACE_KEYS & value.keys()):
        is_entry = type_.lower() == "textarea" or isinstance(value["text"], list) or not _PLACE_KEYS & value.keys()
        return "text" if is_entry else ""
    return ""


def _is_nested(slot: Slot | None, payload: str, labels: str, locate: Locate | None) -> bool:
    if not payload or labels:
        return False
    if slot is not None and slot.control.per_region:
        return True
    return locate is not None and not (slot is not None and slot.question is not None and slot.question.labeling)


def _locate(value: Mapping[str, Any], type_: str, tag: str) -> tuple[Locate | None, Kind]:
    """How to read the region of an item, by the keys of its value; where they lack some, by its type."""
    keys = value.keys()
    for needed, locate, kind in _LOCATORS:
        if needed <= keys:
            return locate, kind
    damaged = _DAMAGED.get(type_.lower().removesuffix("labels"))
    if damaged is not None:
        return damaged
    if {"x", "y"} <= keys:
        return geometry.keypoint, Kind.KEYPOINTS
    if {"start", "end"} <= keys:
        if tag == "timeseries" or type_.startswith("timeseries") or "instant" in keys:
            return spans.series_span, Kind.SPANS
        is_text = tag in TEXT_OBJECTS or ("text" in keys and "channel" not in keys and tag not in _AUDIO)
        return spans.text_span if is_text else spans.time_span, Kind.SPANS
    return None, Kind.OTHER


_LOCATORS: Final[Sequence[tuple[frozenset[str], Locate, Kind]]] = (
    (frozenset({"ranges"}), spans.timeline, Kind.TIMELINE),
    (frozenset({"sequence"}), track_items.track, Kind.TRACKS),
    (frozenset({"rle"}), mask_items.mask, Kind.MASKS),
    (frozenset({"counts", "size"}), mask_items.column_mask, Kind.MASKS),
    (frozenset({"imageDataURL"}), mask_items.mask, Kind.MASKS),
    (frozenset({"maskDataURL"}), mask_items.mask, Kind.MASKS),
    (frozenset({"points"}), geometry.polygon, Kind.POLYGONS),
    (frozenset({"vertices"}), geometry.vector, Kind.VECTORS),
    (frozenset({"x", "y", "radiusX"}), geometry.ellipse, Kind.ELLIPSES),
    (frozenset({"x", "y", "width", "height"}), geometry.box, Kind.BOXES),
    (frozenset({"globalOffsets"}), spans.node_span, Kind.SPANS),
    (frozenset({"startOffset", "endOffset"}), spans.node_span, Kind.SPANS),
)
#: Readers of items that lack keys of their type: they cannot be placed, which is counted.
_DAMAGED: Final[Mapping[str, tuple[Locate, Kind]]] = {
    "rectangle": (geometry.box, Kind.BOXES),
    "ellipse": (geometry.ellipse, Kind.ELLIPSES),
    "polygon": (geometry.polygon, Kind.POLYGONS),
    "vector": (geometry.vector, Kind.VECTORS),
    "brush": (mask_items.mask, Kind.MASKS),
    "bitmask": (mask_items.mask, Kind.MASKS),
    "videorectangle": (track_items.track, Kind.TRACKS),
    "ocr": (geometry.box, Kind.BOXES),
    "paragraph": (spans.node_span, Kind.SPANS),
}
