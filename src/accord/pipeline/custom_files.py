"""Custom code named in a plan: which metrics it is, and its file."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from accord.errors import UsageError, shorten

#: Metric that stands for custom code, alone or before the name of its file.
CUSTOM: Final = "custom"
MOST_BYTES: Final = 400_000


def is_custom(metric: str | None) -> bool:
    """Whether a metric is custom code.

    Examples
    --------
    >>> is_custom("custom:overlap.py"), is_custom("custom"), is_custom("jaccard"), is_custom(None)
    (True, True, False, False)
    """
    return metric is not None and metric.partition(":")[0] == CUSTOM


def read_code(metric: str, folder: Path) -> dict[str, Any]:
    """Read the file that a metric names; returns the fields of a plan.

    Raises
    ------
    UsageError
        If there is none, or it cannot be read.
    """
    name = metric.partition(":")[2]
    if not name:
        raise UsageError(f"metric {metric!r}: name the file of the custom code, as in custom:overlap.py.")
    path = folder / Path(name).expanduser()
    try:
        if not path.is_file():
            raise UsageError(f"{shorten(str(path))}: there is no such file of custom code.")
        if path.stat().st_size > MOST_BYTES:
            raise UsageError(f"{shorten(str(path))}: custom code has at most {MOST_BYTES:,} bytes.")
        return {"metric": f"{CUSTOM}:{path.name}", "code": path.read_text(encoding="utf-8-sig")}
    except (OSError, ValueError) as error:
        raise UsageError(f"{shorten(str(path))}: cannot be read as UTF-8 text: {error}.") from None
