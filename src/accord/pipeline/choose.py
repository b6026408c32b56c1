"""Which metric, similarity and coefficients a control gets when nobody says otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from accord.study import Study
from accord.values import Kind, Level

ALPHA = "krippendorff_alpha"


@dataclass(frozen=True, slots=True)
class Default:
    """Defaults of one kind of answer.

    ``metric`` scores pairs; ``level`` is the level of measurement the coefficients use, None = the metric itself
    is the similarity. ``why`` completes the sentence "alpha is shown because ...".
    """

    metric: str
    level: Level | None
    beside: tuple[str, ...]
    why: str


_ANY = "it takes any number of raters and missing answers"
_LABEL = Default("jaccard", Level.NOMINAL, ("gwet_ac1", "cohen_kappa", "fleiss_kappa"), _ANY)
_REGION = "it takes any number of raters and missing answers, and counts what one rater marked and another did not"


def _region(metric: str) -> Default:
    return Default(metric, None, (), _REGION)


DEFAULTS: Mapping[Kind, Default] = MappingProxyType(
    {
        Kind.LABEL: _LABEL,
        Kind.SIDE: Default("exact_match", Level.NOMINAL, _LABEL.beside, _ANY),
        Kind.DATETIME: Default("exact_match", Level.NOMINAL, _LABEL.beside, _ANY),
        Kind.RATING: Default(
            "numeric_difference", Level.ORDINAL, ("weighted_kappa", "gwet_ac2"), f"the scale is ordered, and {_ANY}"
        ),
        Kind.NUMBER: Default("numeric_difference", Level.INTERVAL, ("icc",), f"differences count, and {_ANY}"),
        Kind.LABELS: Default("jaccard", None, ("conger_kappa",), f"answers are sets, and {_ANY}"),
        Kind.PATHS: Default("jaccard", None, ("conger_kappa",), f"answers are sets of paths, and {_ANY}"),
        Kind.TEXT: Default("text_similarity", None, ("cohen_kappa",), f"answers are graded by wording, and {_ANY}"),
        Kind.RANKING: Default("kendall_tau", None, ("kendall_w",), f"answers are rankings, and {_ANY}"),
        Kind.SPANS: _region("span_labels"),
        Kind.TIMELINE: _region("span_labels"),
        Kind.BOXES: _region("box_labels"),
        Kind.ELLIPSES: _region("box_labels"),
        Kind.POLYGONS: _region("polygon_labels"),
        Kind.MASKS: _region("brush_iou"),
        Kind.KEYPOINTS: _region("keypoint_distance"),
        Kind.TRACKS: _region("video_frames"),
    }
)
_OTHER = Default("exact_match", None, (), f"answers are compared whole, and {_ANY}")


def default_for(kind: Kind) -> Default:
    """Return the defaults of a kind; kinds without a metric of their own are compared whole."""
    return DEFAULTS.get(kind, _OTHER)


def coefficients_for(study: Study) -> tuple[str, ...]:
    """Headline first, then percent agreement, then those shown beside it for this design."""
    beside = default_for(study.kind).beside
    if study.slots:
        beside = tuple(key for key in beside if key not in {"cohen_kappa", "weighted_kappa", "conger_kappa", "icc"})
    if study.R > 2 and not study.is_complete:
        beside = tuple(key for key in beside if key != "fleiss_kappa")
    return (ALPHA, "percent_agreement", *beside)
