"""Which metric, similarity and coefficients a control gets when nobody says otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from accord.coefficients.pair_rows import MOST_PAIRS
from accord.coefficients.raters_once import fits_once
from accord.pipeline.variants import ALPHA, MARKED, PRESENCE, share_unmarked
from accord.study import Study
from accord.values import Kind, Level

MOSTLY_EMPTY = 0.2


@dataclass(frozen=True, slots=True)
class Default:
    """Defaults of one kind of answer.

    ``level`` is the level of measurement the coefficients use, None = the pairwise metric is the similarity.
    ``why`` completes the sentence "alpha is shown because ...".
    """

    level: Level | None
    beside: tuple[str, ...]
    why: str


_ANY = "it takes any number of raters and missing answers"
_LABEL = Default(Level.NOMINAL, ("gwet_ac1", "cohen_kappa", "fleiss_kappa"), _ANY)
_REGIONS = Default(None, (), f"{_ANY}, and it counts what one rater marked and another did not")


DEFAULTS: Mapping[Kind, Default] = MappingProxyType(
    {
        Kind.LABEL: _LABEL,
        Kind.SIDE: Default(Level.NOMINAL, _LABEL.beside, _ANY),
        Kind.DATETIME: Default(Level.NOMINAL, _LABEL.beside, _ANY),
        Kind.RATING: Default(
            Level.ORDINAL,
            ("weighted_kappa", "gwet_ac2", "mean_absolute_difference"),
            f"the scale is ordered, and {_ANY}",
        ),
        Kind.NUMBER: Default(Level.INTERVAL, ("icc",), f"differences count, and {_ANY}"),
        Kind.LABELS: Default(None, ("conger_kappa",), f"answers are sets, and {_ANY}"),
        Kind.PATHS: Default(None, ("conger_kappa",), f"answers are sets of paths, and {_ANY}"),
        Kind.TEXT: Default(None, ("cohen_kappa",), f"answers are graded by wording, and {_ANY}"),
        Kind.RANKING: Default(None, ("kendall_w", "mean_spearman", "mean_tau"), f"answers are rankings, and {_ANY}"),
    }
)
_OTHER = Default(None, (), f"answers are compared whole, and {_ANY}")


def default_for(kind: Kind) -> Default:
    """Return the defaults of a kind; kinds without a metric of their own are compared whole."""
    return DEFAULTS.get(kind, _REGIONS if kind.is_region else _OTHER)


#: What a coefficient is called once near misses count in part.
WEIGHTED_FORMS = MappingProxyType({"gwet_ac1": "gwet_ac2", "cohen_kappa": "weighted_kappa"})


def coefficients_for(study: Study, *, weighted: bool = False) -> tuple[str, ...]:
    """Headline first, then percent agreement, then those shown beside it for this design.

    Where answers may be empty, alpha is also given for presence and for units where somebody marked something; the
    latter is the headline if nobody marked anything on a fifth of the units or more.
    """
    beside = default_for(study.kind).beside
    if weighted:
        beside = tuple(dict.fromkeys(WEIGHTED_FORMS.get(key, key) for key in beside))
    if study.slots:
        beside = tuple(key for key in beside if key not in {"cohen_kappa", "weighted_kappa", "conger_kappa"})
    if study.P > MOST_PAIRS and not fits_once(study):
        beside = tuple(key for key in beside if key not in {"cohen_kappa", "weighted_kappa"})
    if study.R > 2 and not study.is_complete:
        beside = tuple(key for key in beside if key != "fleiss_kappa")
    unmarked = share_unmarked(study)
    headline = (MARKED, ALPHA) if unmarked >= MOSTLY_EMPTY else (ALPHA, MARKED)
    if study.kind.is_region or unmarked >= MOSTLY_EMPTY:
        return (*headline, PRESENCE, "percent_agreement", *beside)
    return (ALPHA, "percent_agreement", *beside)
