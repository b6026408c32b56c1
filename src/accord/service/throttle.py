"""A limit on failed sign-ins, by address and by name, so that passwords cannot be guessed."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from datetime import timedelta
from time import monotonic

MOST_KEYS = 10_000


class Throttle:
    """Counts failures of each key within a sliding window; old keys are forgotten.

    Examples
    --------
    >>> throttle = Throttle(2, timedelta(seconds=60), clock=lambda: 0.0)
    >>> throttle.wait("a"), throttle.fail("a"), throttle.fail("a"), throttle.wait("a"), throttle.wait("b")
    (0, None, None, 60, 0)
    """

    def __init__(self, limit: int, window: timedelta, clock: Callable[[], float] = monotonic) -> None:
        self._limit = limit
        self._window = window.total_seconds()
        self._clock = clock
        self._failures: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def wait(self, *keys: str) -> int:
        """Seconds until another attempt is allowed for all keys; 0 = now."""
        with self._lock:
            return max((self._wait(key) for key in keys), default=0)

    def fail(self, *keys: str) -> None:
        """Count a failed attempt."""
        with self._lock:
            for key in keys:
                self._failures.setdefault(key, deque(maxlen=self._limit)).append(self._clock())
                self._failures.move_to_end(key)
            while len(self._failures) > MOST_KEYS:
                self._failures.popitem(last=False)

    def succeed(self, *keys: str) -> None:
        """Forget the failures of keys that have proved themselves."""
        with self._lock:
            for key in keys:
                self._failures.pop(key, None)

    def _wait(self, key: str) -> int:
        failures = self._failures.get(key)
        if failures is None or len(failures) < self._limit:
            return 0
        return max(0, math.ceil(failures[0] + self._window - self._clock()))
