"""What an annotation says of itself: when it was made, how long it took, and whether it is its rater's own work."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, Final

from accord.dataset import Flag
from accord.readers.codes import Notices
from accord.readers.identity import same_person
from accord.readers.times import instant

# As plain integers: an enumeration costs more than all the rest of an annotation.
_EDITED: Final = int(Flag.EDITED_BY_OTHER)
_COPIED: Final = int(Flag.COPIED)
_PREDICTION: Final = int(Flag.FROM_PREDICTION)
_TRUTH: Final = int(Flag.GROUND_TRUTH)


def flags_of(annotation: Mapping[str, Any], notices: Notices, *, prediction: bool) -> int:
    """Flags of an annotation; ``prediction`` says that an answer in it came from a model."""
    flags = 0
    by = annotation.get("updated_by")
    if by is not None and _is_other(annotation.get("completed_by"), by):
        flags |= _EDITED
        notices.add("edited-by-other")
    if annotation.get("parent_annotation") is not None:
        flags |= _COPIED
        notices.add("copied")
    if prediction or annotation.get("parent_prediction") is not None or annotation.get("prediction"):
        flags |= _PREDICTION
        notices.add("prediction-started")
    if annotation.get("ground_truth") is True or annotation.get("honeypot") is True:
        flags |= _TRUTH
        notices.add("ground-truth")
    return flags


def _is_other(user: Any, by: Any) -> bool:
    own = user.get("id") if type(user) is dict else user
    return by != own and same_person(user, by) is False


def seconds(stamp: Any, notices: Notices) -> float:
    """Time stamp as seconds since 1970, NaN where there is none."""
    found = instant(stamp)
    if found is None:
        notices.add("bad-time", str(stamp))
        return math.nan
    return found


def lead_time(given: Any, notices: Notices) -> float:
    """Working time in seconds, NaN where there is none."""
    if type(given) is float and 0 <= given < math.inf:
        return given
    if given is None:
        return math.nan
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given < 1e15:
        notices.add("lead-time", str(given))
        return math.nan
    return float(given)


def compact_json(value: Any) -> str:
    """JSON without spaces, all in ASCII."""
    return json.dumps(value, separators=(",", ":"))
