"""Score one pair of answers: 0 to 1, None if they cannot be compared.

Similarity of values: what a coefficient needs to know about any two answers. ``core`` holds the contract and the
closed forms (numpy only); the other modules turn metrics into similarities. The package may be called, because the
public function has its name: ``accord.similarity(metric, a, b, **options)``, see ``accord.similarity.metric``.

Examples
--------
>>> import accord
>>> accord.similarity("jaccard", ["Sports", "Politics"], ["Politics"])
0.5
"""

import sys
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    def __call__(self, metric: str, a: Any, b: Any, /, **options: Any) -> float | None:
        """Score one pair of answers; see ``accord.similarity.metric.similarity``."""
        from accord.similarity.metric import similarity

        return similarity(metric, a, b, **options)


sys.modules[__name__].__class__ = _Callable
