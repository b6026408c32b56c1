"""Questions of Argilla, as its settings declare them or as the answers show, and their answers as items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from accord.readers.exports.export import Item, Source
from accord.readers.exports.items import answered, marked
from accord.values import finite

_FORMS: Final = {
    "label_selection": "choices",
    "multi_label_selection": "choices",
    "dynamic_multi_label_selection": "choices",
    "rating": "rating",
    "text": "text",
    "ranking": "ranking",
    "span": "spans",
}
#: Without settings, texts longer than this, or more kinds of text than that with few repeated, are no labels.
_LONGEST_LABEL: Final = 100
_MOST_LABELS: Final = 20


@dataclass(slots=True)
class Questions:
    """Form of each question, and the field whose text is marked."""

    source: Source
    forms: dict[str, str] = field(default_factory=dict)
    marked: str = ""

    @classmethod
    def of(cls, declared: Iterable[Mapping[str, Any]], given: Iterable[tuple[str, Any]], source: Source) -> Questions:
        """Questions that are declared, and those that only answers show."""
        found = cls(source)
        for one in declared:
            found._declare(str(one.get("name", "")), one.get("settings"))
        values: dict[str, list[Any]] = {}
        for name, value in given:
            if name not in found.forms:
                values.setdefault(name, []).append(value)
        for name, some in values.items():
            found._infer(name, some)
        return found

    def _declare(self, name: str, settings: Any) -> None:
        given = settings if isinstance(settings, Mapping) else {}
        kind = str(given.get("type"))
        form = _FORMS.get(kind)
        if form is None:
            return
        options = given.get("options")
        labels = [one.get("value") for one in options if isinstance(one, Mapping)] if isinstance(options, list) else []
        if form == "spans":
            self.marked = str(given.get("field", ""))
        known = [label for label in labels if isinstance(label, str | int)] if form != "ranking" else []
        self._ask(name, form, known, multiple=kind.endswith("multi_label_selection") if form == "choices" else None)

    def _infer(self, name: str, values: list[Any]) -> None:
        first = values[0]
        if isinstance(first, list):
            keys = first[0].keys() if first and isinstance(first[0], Mapping) else ()
            form = "spans" if "start" in keys else "ranking" if "rank" in keys else "choices"
            self._ask(name, form, [], multiple=True if form == "choices" else None)
            return
        is_number = isinstance(first, int | float)
        form = "rating" if is_number else "text" if _are_texts([str(value) for value in values]) else "choices"
        self.source.notices.add("min-inferred", f"{form} in {name}", control=name)
        self._ask(name, form, [], multiple=None)

    def _ask(self, name: str, form: str, labels: list[Any], *, multiple: bool | None) -> None:
        self.forms[name] = form
        self.source.export.ask(name, form, "text", labels=labels, multiple=multiple)

    def data(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Data of a task: its fields, and the text that is marked."""
        texts = [value for value in fields.values() if isinstance(value, str)]
        text = fields.get(self.marked or "text", texts[0] if len(texts) == 1 else None)
        return {**fields, "text": text} if isinstance(text, str) else dict(fields)

    def items(self, name: str, value: Any) -> Iterator[Item]:
        """Answer to a question."""
        form = self.forms[name]
        if form == "spans":
            yield from self._spans(name, value)
        elif form == "ranking":
            order = self._order(name, value)
            if order is not None:
                yield answered(name, form, "text", {name: order})
        elif form == "rating":
            yield answered(name, form, "text", value)
        else:
            yield answered(name, form, "text", value if isinstance(value, list) else [value])

    def _spans(self, name: str, value: Any) -> Iterator[Item]:
        for one in value if isinstance(value, list) else [value]:
            if not isinstance(one, Mapping):
                self.source.notices.add("bad-geometry", str(one), control=name)
                continue
            place = {"start": one.get("start"), "end": one.get("end")}
            yield marked(name, "spans", "text", place, [str(one.get("label", ""))])

    def _order(self, name: str, value: Any) -> Any:
        """Items in the order of their ranks; equal ranks in that of their names."""
        if not isinstance(value, list) or not all(isinstance(one, Mapping) for one in value):
            return value
        ranked = [(finite(one.get("rank")), str(one.get("value"))) for one in value]
        if any(rank is None for rank, _ in ranked):
            self.source.notices.add("bad-value", str(value), control=name)
            return None
        if len({rank for rank, _ in ranked}) < len(ranked):
            self.source.notices.add("tied-ranks", str(value), control=name)
        return [one for _, one in sorted((rank or 0.0, one) for rank, one in ranked)]


def _are_texts(values: list[str]) -> bool:
    """Whether answers are free texts: one is long or has several lines, or few are the same."""
    kinds = len(set(values))
    long = any(len(value) > _LONGEST_LABEL or "\n" in value for value in values)
    return long or (kinds > _MOST_LABELS and 2 * kinds > len(values))
