"""The answers of one annotation: items grouped into regions, answers by control, relations between regions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from accord.dataset import Condition, Control
from accord.readers.builder import HIDDEN, UNUSABLE, DatasetBuilder, Place
from accord.readers.config_model import LabelConfig, Question
from accord.readers.here import Here
from accord.readers.item_plans import ItemPlan, ItemPlans
from accord.readers.payloads import BAD, canonical_json
from accord.readers.slots import Slot, Slots
from accord.readers.spans import UnclearSpan
from accord.values import EMPTY, Kind, Link, Ranking, Raw, Region, Value

_NONE: Final[Mapping[str, Any]] = {}
Key = tuple[Slot, Place]


@dataclass(slots=True)
class Draft:
    """A region while its items are collected."""

    geometry: Any
    labels: frozenset[str]
    id: str
    choices: frozenset[str] | None = None
    text: str | None = None
    attributes: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Found:
    """What one annotation holds: regions and answers by control and place, nested answers, relations."""

    regions: dict[Key, list[Draft]] = field(default_factory=dict)
    answers: dict[Key, Any] = field(default_factory=dict)
    nested: list[tuple[str, Slot, Any]] = field(default_factory=list)
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
        self._nested_names: dict[Kind, str] = {}
        questions = config.questions.values() if config is not None else ()
        self._conditional = [q for q in questions if q.conditions and not q.control.per_region]
        for question in questions:
            if question.control.per_region:
                self._nested_names.setdefault(question.control.kind, question.control.name)

    def read(self, result: Sequence[Any]) -> Found:
        """Collect the items of an annotation."""
        found = Found()
        for item in result:
            if not isinstance(item, Mapping):
                self._notices.add("no-value", str(item))
                continue
            origin = item.get("origin")
            if origin is not None and origin != "manual":
                found.prediction = True
            value = item.get("value")
            if type(value) is dict and value:
                self._take(item, value, found)
            elif item.get("type") == "relation" or "from_id" in item:
                found.relations.append(item)
            else:
                self._notices.add("no-value", control=str(item.get("from_name") or ""))
        return found

    def _take(self, item: Mapping[str, Any], value: Mapping[str, Any], found: Found) -> None:
        plan = self._plans.plan(item, value)
        place = plan.place
        index = item.get("item_index", value.get("item_index", value.get("pageIndex")))
        if type(index) is int:
            place = (*place, index)
        if plan.locate is not None:
            self._take_region(plan, (plan.slot, place), item, value, found)
        elif plan.nested:
            answer = plan.read(plan.slot, value.get(plan.payload))
            found.nested.append((str(item.get("id", "")), plan.slot, answer))
        else:
            self._take_answer(plan, (plan.slot, place), value, found)

    def _take_region(
        self, plan: ItemPlan, key: Key, item: Mapping[str, Any], value: Mapping[str, Any], found: Found
    ) -> None:
        drafts = found.regions.get(key)
        if drafts is None:
            drafts = found.regions[key] = []
        slot = plan.slot
        kinds = slot.kinds
        kinds[plan.kind] = kinds.get(plan.kind, 0) + 1
        geometry = plan.locate(value, item, self._here, slot)  # type: ignore[misc]
        if geometry is None:
            return
        labels: frozenset[str] = frozenset()
        if plan.labels:
            raw = value[plan.labels]
            if type(raw) is list:
                labels = slot.labels(raw)
            elif raw is not None:
                self._notices.add("value-as-scalar", str(raw), control=slot.name)
                labels = slot.labels([raw])
        drafts.append(Draft(geometry, labels, item.get("id") or ""))

    def _take_answer(self, plan: ItemPlan, key: Key, value: Mapping[str, Any], found: Found) -> None:
        slot = plan.slot
        answer = plan.read(slot, value.get(plan.payload) if plan.payload else dict(value))
        if key in found.answers:
            answer = self._together(slot, found.answers[key], answer)
        found.answers[key] = answer

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
        if isinstance(one, Raw):
            return Raw(f"[{one.json},{other.json}]")
        return other

    def store(self, found: Found, task: int, annotation: int) -> None:
        """Put the answers of an annotation into the builder."""
        if found.nested:
            self._attach(found)
        given: dict[tuple[str, Place], Any] = {}
        for (slot, place), drafts in found.regions.items():
            value = tuple(_region(draft) for draft in drafts) if drafts else BAD
            self._put(slot, place, value, task, annotation)
            given[slot.name, place] = value
        for (slot, place), value in found.answers.items():
            if value is not None:
                self._put(slot, place, value, task, annotation)
                given[slot.name, place] = value
        if found.relations:
            self._relate(found, task, annotation)
        if self._conditional:
            self._hide(given, task, annotation)

    def _put(self, slot: Slot, place: Place, value: Any, task: int, annotation: int) -> None:
        answers = slot.answers
        if answers is None or not slot.control.declared:
            answers = self._slots.open(slot, self._here.scope)
        unit = self._builder.unit(task, place)
        if value is BAD:
            answers.add_without_value(annotation, unit, UNUSABLE)
        else:
            answers.add(annotation, unit, value)

    def _attach(self, found: Found) -> None:
        """Put answers about regions into their regions."""
        by_id: dict[str, list[Draft]] = {}
        for drafts in found.regions.values():
            for draft in drafts:
                by_id.setdefault(draft.id, []).append(draft)
        for identity, slot, answer in found.nested:
            drafts = by_id.get(identity, []) if identity else []
            if not drafts:
                self._notices.add("orphan-per-region", identity, control=slot.name)
                continue
            self._notices.add("per-region", control=slot.name)
            if answer is None or answer is BAD:
                continue
            first = self._nested_names.setdefault(slot.control.kind, slot.name) == slot.name
            for draft in drafts:
                _nest(draft, slot, answer, first=first)

    def _relate(self, found: Found, task: int, annotation: int) -> None:
        """Relations between regions, each named by its control and its number in the answer."""
        names: dict[str, str] = {}
        for (slot, place), drafts in found.regions.items():
            for number, draft in enumerate(drafts):
                where = f"[{'.'.join(map(str, place))}]" if place else ""
                if draft.labels or draft.id not in names:
                    names[draft.id] = f"{slot.name}{where}#{number}"
        slot = self._relations()
        links = [self._link(item, names, slot) for item in found.relations]
        self._put(slot, (), tuple(links), task, annotation)

    def _relations(self) -> Slot:
        questions = self._config.questions.values() if self._config is not None else ()
        name = next((q.control.name for q in questions if q.control.kind is Kind.RELATIONS), "relations")
        found = self._slots.get(name)
        return found or self._slots.discover(Control(name=name, kind=Kind.RELATIONS, tag="Relations"))

    def _link(self, item: Mapping[str, Any], names: Mapping[str, str], slot: Slot) -> Region:
        ends = [str(item.get(key) or "") for key in ("from_id", "to_id")]
        for end in ends:
            if end not in names:
                self._notices.add("dangling-relation", end, control=slot.name)
        direction = item.get("direction")
        raw = item.get("labels")
        labels = slot.labels(raw if isinstance(raw, list) else [] if raw is None else [raw])
        link = Link(names.get(ends[0], ends[0]), names.get(ends[1], ends[1]), direction if direction else "right")
        return Region(link, labels)

    def _hide(self, given: Mapping[tuple[str, Place], Any], task: int, annotation: int) -> None:
        """Mark questions that their conditions hid from this annotator."""
        places = {place for _, place in given} | {()}
        for question in self._conditional:
            control = question.control
            for place in places if question.repeats else ((),):
                if question.repeats and not place:
                    continue
                shown = all(_holds(condition, given, place) for condition in question.conditions)
                answered = (control.name, place) in given
                if not shown and answered:
                    self._notices.add("hidden-answer", control=control.name)
                elif not shown:
                    unit = self._builder.unit(task, place)
                    self._builder.control(control).add_without_value(annotation, unit, HIDDEN)

    def keep_unclear(self) -> None:
        """Decide the unit of text offsets, project by project, and rewrite the spans that depend on it."""
        fits = self._here.fits
        for slot in self._slots:
            answers = slot.answers
            if answers is None or not answers.control.kind.is_region:
                continue
            unclear = [v for v in answers.pool if isinstance(v, tuple) and any(map(_is_unclear, v))]
            if unclear:
                self._notices.file = self._notices.task = ""
                answers.values = lambda values: [_clear(value, fits) for value in values]
                self._tell_units(slot, unclear)

    def _tell_units(self, slot: Slot, values: Sequence[Value]) -> None:
        fits = self._here.fits
        for value in values:
            for region in value:  # type: ignore[attr-defined]
                if _is_unclear(region):
                    plain, utf16 = fits.get(region.geometry.scope, (0, 0))
                    if utf16 > plain:
                        self._notices.add("utf16-offsets", control=slot.name)
                    elif plain == utf16:
                        self._notices.add("text-units-unclear", control=slot.name)


def _region(draft: Draft) -> Region:
    return Region(
        draft.geometry, draft.labels, draft.choices, draft.text, tuple(sorted(draft.attributes.items())), draft.id
    )


def _nest(draft: Draft, slot: Slot, answer: Any, *, first: bool) -> None:
    kind = slot.control.kind
    if first and kind in (Kind.LABEL, Kind.LABELS, Kind.PATHS) and slot.control.tag.lower() != "taxonomy":
        members = answer if isinstance(answer, frozenset) else frozenset((answer,))
        draft.choices = frozenset("/".join(m) if isinstance(m, tuple) else str(m) for m in members)
    elif first and kind is Kind.TEXT:
        draft.text = " ".join(answer) if isinstance(answer, tuple) else answer
    else:
        draft.attributes[slot.name] = canonical_json(_plain(answer))


def _plain(answer: Any) -> Any:
    if isinstance(answer, frozenset):
        return sorted((list(m) if isinstance(m, tuple) else m for m in answer), key=str)
    if isinstance(answer, Ranking):
        return dict(answer.buckets)
    return answer.json if isinstance(answer, Raw) else answer


def _holds(condition: Condition, given: Mapping[tuple[str, Place], Any], place: Place) -> bool:
    """Whether a condition shows its question: at the same place, or for the whole task."""
    answer = given.get((condition.parent, place), given.get((condition.parent, ())))
    if answer is None or answer is BAD or answer is EMPTY:
        said = False
    elif not condition.values:
        said = True
    else:
        said = bool(condition.values & _said(answer))
    return said != condition.negated


def _said(answer: Any) -> set[str]:
    """Labels in an answer; a path says each of its steps and itself."""
    members = answer if isinstance(answer, frozenset | tuple) else (answer,)
    said: set[str] = set()
    for member in members:
        if isinstance(member, Region):
            said |= member.labels
        elif isinstance(member, tuple):
            said |= {*map(str, member), "/".join(map(str, member))}
        else:
            said.add(str(member))
    return said


def _is_unclear(region: Any) -> bool:
    return isinstance(region, Region) and isinstance(region.geometry, UnclearSpan)


def _clear(value: Value, fits: Mapping[int, list[int]]) -> Value:
    from dataclasses import replace

    from accord.readers.spans import unclear_as

    if not isinstance(value, tuple) or not any(map(_is_unclear, value)):
        return value
    return tuple(
        replace(region, geometry=unclear_as(region.geometry, fits)) if _is_unclear(region) else region
        for region in value
    )


def repeats_of(question: Question, data: Mapping[str, Any]) -> int | None:
    """How often a question repeats in a task, None where the data does not say."""
    if len(question.repeats) != 1:
        return None
    rows = data.get(question.repeats[0])
    return len(rows) if isinstance(rows, list) else None
