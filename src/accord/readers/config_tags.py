"""What the tags of a label config ask for."""

from __future__ import annotations

from typing import Final

from accord.values import Kind, Level

#: Kind of every control tag, by its name in lower case; ``labels`` depends on the object it marks.
KINDS: Final = {
    "choices": Kind.LABEL,
    "taxonomy": Kind.PATHS,
    "rating": Kind.RATING,
    "number": Kind.NUMBER,
    "datetime": Kind.DATETIME,
    "textarea": Kind.TEXT,
    "pairwise": Kind.SIDE,
    "ranker": Kind.RANKING,
    "labels": Kind.SPANS,
    "hypertextlabels": Kind.SPANS,
    "htmllabels": Kind.SPANS,
    "paragraphlabels": Kind.SPANS,
    "timeserieslabels": Kind.SPANS,
    "timelinelabels": Kind.TIMELINE,
    "rectangle": Kind.BOXES,
    "rectanglelabels": Kind.BOXES,
    "ocrlabels": Kind.BOXES,
    "ellipse": Kind.ELLIPSES,
    "ellipselabels": Kind.ELLIPSES,
    "polygon": Kind.POLYGONS,
    "polygonlabels": Kind.POLYGONS,
    "keypoint": Kind.KEYPOINTS,
    "keypointlabels": Kind.KEYPOINTS,
    "brush": Kind.MASKS,
    "brushlabels": Kind.MASKS,
    "magicwand": Kind.MASKS,
    "bitmask": Kind.MASKS,
    "bitmasklabels": Kind.MASKS,
    "vector": Kind.VECTORS,
    "vectorlabels": Kind.VECTORS,
    "videorectangle": Kind.TRACKS,
    "videovector": Kind.TRACKS,
    "videovectorlabels": Kind.TRACKS,
    "relations": Kind.RELATIONS,
    "chatmessage": Kind.OTHER,
    "reactcode": Kind.OTHER,
}

#: Names of the tags as the editor writes them.
_PRINTED: Final = (
    "Choices",
    "Taxonomy",
    "Rating",
    "Number",
    "DateTime",
    "TextArea",
    "Pairwise",
    "Ranker",
    "Labels",
    "HyperTextLabels",
    "HtmlLabels",
    "ParagraphLabels",
    "TimeSeriesLabels",
    "TimelineLabels",
    "Rectangle",
    "RectangleLabels",
    "OcrLabels",
    "Ellipse",
    "EllipseLabels",
    "Polygon",
    "PolygonLabels",
    "KeyPoint",
    "KeyPointLabels",
    "Brush",
    "BrushLabels",
    "MagicWand",
    "Bitmask",
    "BitmaskLabels",
    "Vector",
    "VectorLabels",
    "VideoRectangle",
    "VideoVector",
    "VideoVectorLabels",
    "Relations",
    "ReactCode",
    "Text",
    "HyperText",
    "Paragraphs",
    "Image",
    "Audio",
    "AudioPlus",
    "Video",
    "TimeSeries",
    "Pdf",
    "List",
    "Chat",
    "Table",
)

NAMES: Final = {name.lower(): name for name in _PRINTED}

LEVELS: Final = {Kind.RATING: Level.ORDINAL, Kind.NUMBER: Level.INTERVAL}

#: Kind of a Labels control by the drawing tools on the same image.
TOOLS: Final = {
    "rectangle": Kind.BOXES,
    "ellipse": Kind.ELLIPSES,
    "polygon": Kind.POLYGONS,
    "keypoint": Kind.KEYPOINTS,
    "brush": Kind.MASKS,
    "magicwand": Kind.MASKS,
    "bitmask": Kind.MASKS,
    "vector": Kind.VECTORS,
}

#: Controls that are never questions of their own.
NOT_CONTROLS: Final = frozenset({"filter", "style", "shortcut", "header", "view", "repeater", "relation"})

TEXT_OBJECTS: Final = frozenset({"text", "hypertext", "paragraphs"})


def tag_name(tag: str) -> str:
    """Printed name of a tag or of the type of an answer item."""
    return NAMES.get(tag.lower(), tag)


def kind_of_tag(tag: str) -> Kind:
    """Kind of a control tag or item type."""
    return KINDS.get(tag.lower(), Kind.OTHER)
