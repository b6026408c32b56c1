"""What accord and other packages do on the same data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Measure = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One measure: data, accord's call on what was prepared of it, and the others' (see ``peer_worker.CALLS``)."""

    title: str
    prepare: Callable[[np.ndarray], Measure]
    data: Callable[[], np.ndarray]
    others: tuple[str, ...]
