"""Layers of a UIMA document as questions: spans with a label, what else was said of them, relations between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from accord.readers.exports.export import Item, Source
from accord.readers.exports.items import answered, link, marked, within

#: Types that software adds, not people.
_NOT_ANNOTATED: Final = (
    "uima.",
    "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.",
    "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.",
    "de.tudarmstadt.ukp.clarin.webanno.api.type.",
)
#: Features that hold the label of a span, best first.
_LABEL: Final = ("value", "PosValue", "label", "DependencyType", "referenceType")
_ENDS: Final = ("Governor", "Dependent")
_PLAIN: Final = frozenset({
    "uima.cas.String", "uima.cas.Boolean", "uima.cas.Integer", "uima.cas.Long", "uima.cas.Float", "uima.cas.Double",
})  # fmt: skip
_OWN: Final = frozenset({"sofa", "begin", "end", *_ENDS})


def items_of(cas: Any, source: Source) -> list[Item]:
    """Items of everything that people annotated."""
    found = [one for one in cas.select_all_annotations() if not one.type.name.startswith(_NOT_ANNOTATED)]
    relations = [one for one in found if _is_relation(one)]
    spans = {one.xmiID: one for one in found if not _is_relation(one)}
    for one in relations:
        spans.update((end.xmiID, end) for name in _ENDS if hasattr(end := getattr(one, name), "begin"))
    items = [item for one in spans.values() for item in _span(one, source)]
    if relations:
        source.export.relate()
    for one in relations:
        ends = [getattr(getattr(one, name), "xmiID", "none") for name in _ENDS]
        label = _label(one)
        items.append(link(str(ends[0]), str(ends[1]), "" if label is None else str(getattr(one, label))))
    return items


def _is_relation(one: Any) -> bool:
    return all(any(feature.name == name for feature in one.type.all_features) for name in _ENDS)


def _features(one: Any, source: Source | None = None) -> Iterator[str]:
    """Names of features with a plain value; other values are counted and left out."""
    for feature in one.type.all_features:
        if feature.name in _OWN or getattr(one, feature.name, None) is None:
            continue
        if feature.rangeType.name in _PLAIN:
            yield feature.name
        elif source is not None:
            source.notices.add("note-left-out", f"{_layer(one)}.{feature.name}")


def _layer(one: Any) -> str:
    return str(one.type.name).rpartition(".")[2]


def _label(one: Any) -> str | None:
    """Name of the feature that holds the label: a known one, else the first text."""
    names = {feature.name: feature.rangeType.name for feature in one.type.all_features if feature.name not in _OWN}
    known = next((name for name in _LABEL if name in names), None)
    first = known or next((name for name, kind in names.items() if kind == "uima.cas.String"), None)
    return first if first is not None and getattr(one, first, None) is not None else None


def _span(one: Any, source: Source) -> Iterator[Item]:
    layer, label = _layer(one), _label(one)
    source.export.ask(layer, "spans", "text")
    labels = [] if label is None else [str(getattr(one, label))]
    region = marked(layer, "spans", "text", {"start": one.begin, "end": one.end}, labels, str(one.xmiID))
    yield region
    for name in _features(one, source):
        if name != label:
            question = source.export.ask(f"{layer}.{name}", "choices", "text", per_region=True)
            yield within(region, answered(question, "choices", "text", [str(getattr(one, name))]))
