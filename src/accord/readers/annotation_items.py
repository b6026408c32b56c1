"""The answers of one annotation: items grouped into regions, answers by control, relations between regions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from accord.dataset import Control, Nested
from accord.readers.builder import HIDDEN, UNUSABLE, DatasetBuilder, Place
from accord.readers.config_model import LabelConfig
from accord.readers.frequent import region_of
from accord.readers.here import Here
from accord.readers.item_plans import ItemPlan, ItemPlans, Target
from accord.readers.nesting import NestedPlace, holds, place_of, region_id, with_answer
from accord.readers.payloads import BAD
from accord.readers.slots import Slot, Slots
from accord.values import Kind, Link, Ranking, Raw, Region

NO_LABELS: Final[frozenset[str]] = frozenset()


@dataclass(slots=True)
class Found:
    """What one annotation holds: regions and answers by control and place, nested answers, relations."""

    regions: dict[Target, list[Region]] = field(default_factory=dict)
    answers: dict[Target, Any] = field(default_factory=dict)
    nested: list[tuple[str, Slot, Any, Any]] = field(default_factory=list)
    relations: list[Mapping[str, Any]] = field(default_factory=list)
    prediction: bool = False


class AnnotationItems:
    """Reads the result of annotations into the builder."""

    def __init__(self, builder: DatasetBuilder, slots: Slots, config: LabelConfig | None, here: Here) -> None:
        self._builder = builder
        self._slots = slots
        self._config = config
        self._here = here
        self._notices = here.notices
        self._plans = ItemPlans(slots, config, here.notices)
        self._owners: dict[str, str] = {}
        questions = config.questions.values() if config is not None else ()
        self._conditional = [q for q in questions if q.conditions and not q.control.per_region]
        for question in questions:
            if question.control.per_region:
                self._place(question.control)

    def read(self, result: Sequence[Any]) -> Found:
        """Collect the items of an annotation."""
        found = Found()
        known, here, all_regions = self._plans.known, self._here, found.regions
        last = None
        for item in result:
            try:
                value = item["value"]
                plan = known[item["from_name"], item["type"], item["to_name"], *value]
            except (KeyError, TypeError):
                planned = self._plan(item, found)
                if planned is None:
                    continue
                plan, value = planned
            if item.get("origin", "manual") != "manual" and item["origin"] is not None:
                found.prediction = True
            target = plan.target
            if plan.in_item or "item_index" in item:
                target = self._at(plan, item, value)
            if plan.locate is None:
                self._take_answer(plan, target, item, value, found)
                continue
            regions = all_regions.get(target)
            if regions is None:
                regions = all_regions[target] = []
            if plan is not last:
                last = plan
                target.slot.kinds[plan.kind] = target.slot.kinds.get(plan.kind, 0) + 1
            geometry = plan.locate(value, item, here, target.slot)
            if geometry is not None:
                labels = target.slot.labels(value[plan.labels]) if plan.labels else NO_LABELS
                identity = item.get("id")
                regions.append(region_of(geometry, labels, identity if type(identity) is str else region_id(item)))
        return found

    def _plan(self, item: Any, found: Found) -> tuple[ItemPlan, Mapping[str, Any]] | None:
        """Plan and value of an item of a new shape; None if it holds no answer, which is counted."""
        if not isinstance(item, dict):
            self._notices.add("no-value", str(item))
            return None
        value = item.get("value")
        if isinstance(value, dict) and value:
            return self._plans.plan(item, value), value
        if item.get("type") == "relation" or "from_id" in item:
            found.relations.append(item)
        else:
            self._notices.add("no-value", control=str(item.get("from_name") or ""))
        return None

    def _at(self, plan: ItemPlan, item: Mapping[str, Any], value: Mapping[str, Any]) -> Target:
        """Where an answer about one item of a list goes."""
        index = item.get("item_index")
        if index is None and plan.in_item:
            index = value[plan.in_item]
        target = plan.target
        if type(index) is int:
            return self._plans.target(target.slot, (*target.place, index))
        if index is not None:
            self._notices.add("item-index", str(index), control=target.slot.name)
        return target

    def _take_answer(
        self, plan: ItemPlan, target: Target, item: Mapping[str, Any], value: Mapping[str, Any], found: Found
    ) -> None:
        slot = target.slot
        answer = plan.read(slot, value[plan.payload] if plan.payload else value)
        if plan.nested:
            identity = region_id(item)
            geometry = None if identity or plan.about is None else plan.about(value, item, self._here, slot)
            found.nested.append((identity, slot, answer, geometry))
        elif target in found.answers:
            found.answers[target] = self._together(slot, found.answers[target], answer)
        else:
            found.answers[target] = answer

    def _together(self, slot: Slot, one: Any, other: Any) -> Any:
        """One answer out of several items of a control."""
        if one is None or one is BAD or one == other:
            return other
        if other is None or other is BAD:
            return one
        self._notices.add("repeated-item", f"{one!r} and {other!r}", control=slot.name)
        kind = slot.control.kind
        if kind in (Kind.LABEL, Kind.LABELS, Kind.PATHS):
            members = [v if isinstance(v, frozenset) else frozenset((v,)) for v in (one, other)]
            return members[0] | members[1]
        if kind is Kind.TEXT:
            return tuple(line for v in (one, other) for line in (v if isinstance(v, tuple) else (v,)))
        if isinstance(one, Raw) and isinstance(other, Raw):
            return Raw(f"[{one.json},{other.json}]")
        return other

    def store(self, found: Found, task: int, annotation: int) -> None:
        """Put the answers of an annotation into the builder."""
        if found.nested:
            self._attach(found)
        for target, regions in found.regions.items():
            self._put(target, tuple(regions) if regions else BAD, task, annotation)
        for target, value in found.answers.items():
            if target in found.regions:
                continue
            if value is None:
                self._blank(target, task, annotation)
                continue
            self._put(target, value, task, annotation)
            if isinstance(value, Ranking):
                self._note_untouched(target.slot, value)
        if found.relations:
            self._relate(found, task, annotation)
        if self._conditional:
            self._hide(found, task, annotation)

    def _note_untouched(self, slot: Slot, ranking: Ranking) -> None:
        """Count a ranking that is the order in which the items were shown."""
        shown = self._here.field(slot.control.objects[0]) if slot.control.objects else None
        if isinstance(shown, list) and len(shown) > 1:
            order = tuple(str(item.get("id", item)) if isinstance(item, dict) else str(item) for item in shown)
            if order == ranking.order:
                self._notices.add("ranker-untouched", control=slot.name)

    def _blank(self, target: Target, task: int, annotation: int) -> None:
        """Remember an answer without content, apart from the cells."""
        answers = target.slot.answers
        if answers is not None:
            unit = self._builder.unit(task, target.place) if target.place else self._builder.base[task]
            answers.blanks.extend((annotation, unit))

    def _put(self, target: Target, value: Any, task: int, annotation: int) -> None:
        slot = target.slot
        answers = slot.answers or self._slots.open(slot)
        if not slot.control.declared:
            answers.scopes.add(self._here.scope)
        unit = self._builder.unit(task, target.place) if target.place else self._builder.base[task]
        if value is BAD:
            answers.add_without_value(annotation, unit, UNUSABLE)
        else:
            answers.add(annotation, unit, value)

    def _attach(self, found: Found) -> None:
        """Put answers about regions into their regions: by id, in exports without ids by equal geometry."""
        by_id: dict[str, list[tuple[list[Region], int]]] = {}
        for regions in found.regions.values():
            for number, region in enumerate(regions):
                by_id.setdefault(region.id, []).append((regions, number))
        for identity, slot, answer, geometry in found.nested:
            places = by_id.get(identity, [])
            if not identity:
                places = [place for place in places if geometry is not None and place[0][place[1]].geometry == geometry]
            if not places:
                self._notices.add("orphan-per-region", identity, control=slot.name)
                continue
            self._notices.add("per-region", control=slot.name)
            if answer is None or answer is BAD:
                continue
            place = self._place(slot.control)
            for regions, number in places:
                regions[number] = with_answer(regions[number], slot, answer, place)

    def _place(self, control: Control) -> NestedPlace:
        """Where regions keep the answers to a question about them: the first Choices and TextArea have places."""
        place = place_of(control)
        return place if self._owners.setdefault(place, control.name) == control.name else "attributes"

    def nested(self) -> tuple[Nested, ...]:
        """All questions about regions."""
        return tuple(Nested(slot.control, self._place(slot.control)) for slot in self._slots if slot.control.per_region)

    def _relate(self, found: Found, task: int, annotation: int) -> None:
        """Relations between regions, each with its control and its number in the answer."""
        ends: dict[str, tuple[str, Region]] = {}
        for target, regions in found.regions.items():
            where = f"[{'.'.join(map(str, target.place))}]" if target.place else ""
            for number, region in enumerate(regions):
                if region.labels or region.id not in ends:
                    ends[region.id] = f"{target.slot.name}{where}#{number}", region
        slot = self._relations()
        links = [self._link(item, ends, slot) for item in found.relations]
        self._put(self._plans.target(slot, ()), tuple(links), task, annotation)

    def _relations(self) -> Slot:
        questions = self._config.questions.values() if self._config is not None else ()
        name = next((q.control.name for q in questions if q.control.kind is Kind.RELATIONS), "relations")
        found = self._slots.get(name)
        return found or self._slots.discover(Control(name=name, kind=Kind.RELATIONS, tag="Relations"))

    def _link(self, item: Mapping[str, Any], known: Mapping[str, tuple[str, Region]], slot: Slot) -> Region:
        ends = [str(item.get(key) or "") for key in ("from_id", "to_id")]
        lost = [end for end in ends if end not in known]
        if lost:
            self._notices.add("dangling-relation", ", ".join(lost), control=slot.name)
        direction = item.get("direction") if isinstance(item.get("direction"), str) else None
        raw = item.get("labels")
        labels = slot.labels(raw if isinstance(raw, list) else [] if raw is None else [raw])
        (source, first), (target, second) = (known.get(end, (end, None)) for end in ends)
        return Region(Link(source, target, direction if direction else "right", (first, second)), labels)

    def _hide(self, found: Found, task: int, annotation: int) -> None:
        """Mark questions that their conditions hid from this annotator."""
        given: dict[tuple[str, Place], Any] = {(t.slot.name, t.place): tuple(r) for t, r in found.regions.items()}
        given |= {(t.slot.name, t.place): answer for t, answer in found.answers.items()}
        places = {place for _, place in given if place}
        for question in self._conditional:
            name = question.control.name
            for place in places if question.repeats else ((),):
                if all(holds(condition, given, place) for condition in question.conditions):
                    continue
                if given.get((name, place)) is not None:
                    self._notices.add("hidden-answer", control=name)
                else:
                    unit = self._builder.unit(task, place)
                    self._builder.answers[name].add_without_value(annotation, unit, HIDDEN)
