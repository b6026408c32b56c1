"""Runs inside the environment of another package: one JSON line in, one out.

In: ``{"call": "krippendorff nominal", "data": "answers.npy"}`` with an array, mostly integers (U, R). Out: CPU seconds,
value and peak memory of one call; input is put into the package's own form beforehand.
"""

from __future__ import annotations

import json
import resource
import sys
import time
import tracemalloc
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

MEMORY_LIMIT = 12 * 2**30


def krippendorff(level: str) -> Callable[[Any], Callable[[], float]]:
    def prepare(answers: Any) -> Callable[[], float]:
        from krippendorff import alpha

        data = answers.T.astype(float)
        return lambda: alpha(reliability_data=data, level_of_measurement=level)

    return prepare


def irrcac(method: str, weights: str = "identity") -> Callable[[Any], Callable[[], float]]:
    def prepare(answers: Any) -> Callable[[], float]:
        import pandas as pd
        from irrCAC.raw import CAC

        frame = pd.DataFrame(answers)
        return lambda: getattr(CAC(frame, weights=weights, digits=15), method)()["est"]["coefficient_value"]

    return prepare


def nltk(answers: Any) -> Callable[[], float]:
    from nltk.metrics.agreement import AnnotationTask

    triples = [(rater, unit, value) for unit, row in enumerate(answers.tolist()) for rater, value in enumerate(row)]
    return lambda: AnnotationTask(data=triples).alpha()


def statsmodels(answers: Any) -> Callable[[], float]:
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    return lambda: fleiss_kappa(aggregate_raters(answers)[0])


def sklearn(weights: str | None) -> Callable[[Any], Callable[[], float]]:
    def prepare(answers: Any) -> Callable[[], float]:
        from sklearn.metrics import cohen_kappa_score

        first, second = answers[:, 0].copy(), answers[:, 1].copy()
        return lambda: cohen_kappa_score(first, second, weights=weights)

    return prepare


def pycocotools_boxes(made: Any) -> Callable[[], float]:
    from pycocotools import mask

    first, second, crowd = made[0].copy(), made[1].copy(), [0] * len(made[1])
    return lambda: mask.iou(first, second, crowd).sum()


def pycocotools_masks(made: Any) -> Callable[[], float]:
    from pycocotools import mask

    half = len(made) // 2
    sets = [mask.encode(np.asfortranarray(one.astype(np.uint8))) for one in made]
    return lambda: mask.iou(sets[:half], sets[half:], [0] * half).sum()


def brush(made: Any) -> Callable[[], float]:
    from label_studio_sdk.converter.brush import decode_rle

    data = made.tolist()
    return lambda: np.count_nonzero(np.reshape(decode_rle(data), (-1, 4))[:, 3])


CALLS = {
    "pycocotools boxes": pycocotools_boxes,
    "pycocotools masks": pycocotools_masks,
    "label-studio-sdk brush": brush,
    "krippendorff nominal": krippendorff("nominal"),
    "krippendorff interval": krippendorff("interval"),
    "irrCAC alpha": irrcac("krippendorff"),
    "irrCAC alpha quadratic": irrcac("krippendorff", "quadratic"),
    "irrCAC fleiss": irrcac("fleiss"),
    "irrCAC gwet": irrcac("gwet"),
    "nltk": nltk,
    "statsmodels fleiss": statsmodels,
    "sklearn kappa": sklearn(None),
    "sklearn quadratic": sklearn("quadratic"),
}


def answer(request: dict[str, str]) -> dict[str, float | str]:
    """Time one call, then measure the memory of another."""
    call = CALLS[request["call"]](np.load(request["data"]))
    try:
        value = float(call())
        start = time.process_time()
        call()
        seconds = time.process_time() - start
        tracemalloc.start()
        call()
        memory = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    except (MemoryError, ValueError) as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return {"seconds": seconds, "value": value, "memory": float(memory)}


def main() -> None:
    """Answer until standard input ends."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
