"""The way from a user's data to an Estimate, shared by every public function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from accord.coefficients.estimate import Estimate
from accord.coefficients.spec import COEFFICIENTS, CoefficientSpec
from accord.equivalence.protocol import Equivalence
from accord.errors import UsageError
from accord.inference.case import Method as Method
from accord.inference.estimate import Generalise as Generalise
from accord.inference.estimate import estimate
from accord.similarity.core import Identity, Similarity
from accord.study import Study
from accord.values import Kind, Value

Weights: TypeAlias = str | npt.ArrayLike | None
SimilarityLike: TypeAlias = str | Similarity | Equivalence | npt.ArrayLike | Callable[..., float | None] | None

#: Kinds whose similarity follows from their level of measurement; others need a metric.
LEVELLED = (Kind.LABEL, Kind.SIDE, Kind.DATETIME, Kind.RATING, Kind.NUMBER, Kind.OTHER)

#: Families that follow the level of the data by themselves; all others take weights, none by default.
LEVEL_FAMILIES = ("alpha", "distribution")


def measure_one(
    key: str,
    data: Any,
    *,
    level: str | None = None,
    weights: Weights = None,
    similarity: SimilarityLike = None,
    domain: Sequence[Value] | None = None,
    ci: float | None = 0.95,
    interval: Method | None = None,
    resamples: int = 2000,
    cluster: Sequence[Any] | None = None,
    seed: int = 0,
    generalise: Generalise = "units",
    missing: Iterable[Value] = (),
    options: Mapping[str, Any] | None = None,
) -> Estimate:
    """Measure data of any shape with the coefficient ``key``; arguments as in ``accord.measures``."""
    from accord.readers.arrays import as_study

    spec = COEFFICIENTS.catalog()[key]
    study = as_study(data, level=level, domain=domain, cluster=cluster, missing=missing)
    return estimate(
        spec,
        study,
        similarity_for(spec, study, level=level, weights=weights, similarity=similarity),
        options=options,
        ci=ci,
        interval=interval,
        resamples=resamples,
        generalise=generalise,
        seed=seed,
    )


def similarity_for(
    spec: CoefficientSpec,
    study: Study,
    *,
    level: str | None = None,
    weights: Weights = None,
    similarity: SimilarityLike = None,
) -> Similarity:
    """Choose the similarity: the one given, else weights or level, else the default of the coefficient.

    Raises
    ------
    UsageError
        If two of level, weights and similarity are given, or a coefficient that compares no values gets one.
    """
    given = [
        name for name, it in (("level", level), ("weights", weights), ("similarity", similarity)) if it is not None
    ]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} contradict each other: give one of them.")
    if spec.needs not in ("similarity", "distances"):
        return Identity(study.V)
    if similarity is not None:
        return given_similarity(study, similarity)
    from accord.similarity.levels import for_study

    if not given and study.kind not in LEVELLED:
        from accord.similarity.alias import default_metric

        return given_similarity(study, default_metric(study.kind, values=study.values))
    if weights is None and level is None and spec.family not in LEVEL_FAMILIES:
        weights = spec.default_weights or "identity"
    if isinstance(weights, str) or weights is None:
        return for_study(study, level=level, weights=weights)
    return for_study(study, matrix=np.asarray(weights, dtype=np.float64))


def given_similarity(study: Study, similarity: SimilarityLike) -> Similarity:
    """Turn a metric's name, a model of equivalence, a matrix (V, V) or a function of two values into a Similarity."""
    if isinstance(similarity, str):
        from accord.equivalence.models import MODELS
        from accord.metrics.spec import METRICS
        from accord.similarity.metric import from_metric

        if similarity in MODELS.catalog() and (study.kind is Kind.TEXT or similarity not in METRICS.catalog()):
            return given_similarity(study, MODELS.catalog()[similarity].made({}))

        counts = study.counts.astype(np.float64)
        return from_metric(study.values, similarity, kind=study.kind, counts=counts)
    if hasattr(similarity, "times"):
        return cast("Similarity", similarity)
    if hasattr(similarity, "score") and hasattr(similarity, "fingerprint"):
        from accord.similarity.equivalent import from_model

        return from_model(study, cast("Equivalence", similarity))
    if callable(similarity):
        from accord.similarity.metric import from_function

        return from_function(study.values, similarity)
    if isinstance(similarity, np.ndarray | list | tuple):
        from accord.similarity.levels import for_study

        return for_study(study, matrix=np.asarray(similarity, dtype=np.float64))
    raise UsageError(
        f"similarity cannot be {type(similarity).__name__}. "
        "Give the name of a metric, a function of two values, a matrix over the values, or a Similarity."
    )
