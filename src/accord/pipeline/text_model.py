"""The model of equivalence a control's texts are compared by, and what must be said about its numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from accord.coefficients.estimate import Estimate
from accord.equivalence.language import refusal
from accord.equivalence.local_embedding import local_embedding
from accord.equivalence.models import MODELS, ModelSpec, Setup
from accord.equivalence.protocol import Equivalence, innermost, notes_of
from accord.equivalence.scoring import ORDER_GAP
from accord.errors import MissingExtraError, UsageError
from accord.metrics.spec import METRICS
from accord.pipeline.plan import Plan
from accord.pipeline.words import plural
from accord.similarity.core import Similarity
from accord.similarity.equivalent import Budget, Forecast, forecast, from_model
from accord.similarity.set_pool import SetMeasure
from accord.similarity.text_similarity import TextSimilarity
from accord.study import Study
from accord.values import Kind

#: Said with every number that rests on a model, until people have checked the model on these texts.
UNCHECKED = "Model-based, not yet checked by people."
#: (words, done, all)
Progress = Callable[[str, int, int], None]
Announce = Callable[[str], None]


def model_spec(kind: Kind, name: str) -> ModelSpec | None:
    """Model of a name; for answers that are no free texts a metric of that name goes first."""
    models = MODELS.catalog()
    if name not in models or (kind is not Kind.TEXT and name in METRICS.catalog()):
        return None
    return models[name]


@dataclass(frozen=True)
class TextModel:
    """A model made ready for a control."""

    spec: ModelSpec
    model: Equivalence
    options: Mapping[str, Any]

    @classmethod
    def of(cls, spec: ModelSpec, options: Mapping[str, Any], plan: Plan) -> TextModel:
        """Build the model with what the plan allows it."""
        return cls(spec, spec.made(options, Setup(hosts=plan.allow_remote, cache=plan.cache)), options)

    @property
    def remote(self) -> str | None:
        """Other machine that texts are sent to."""
        return getattr(innermost(self.model), "remote", None)

    def similarity(
        self, study: Study, plan: Plan, progress: Progress | None = None, announce: Announce | None = None
    ) -> TextSimilarity:
        """Compare the texts of a study within the budget of the plan.

        Raises
        ------
        UsageError
            If the model reads English and the texts are something else.
        """
        budget, sets = (
            Budget(calls=plan.max_calls, precision=plan.precision),
            cast("SetMeasure | None", plan.set_measure),
        )
        self._check_language(study)
        if announce is not None and (self.spec.paid or self.remote):
            announce(self._forecast(study, forecast(study, self.model, budget, sets)))
        told = None if progress is None else lambda done, total: progress("scoring pairs of texts", done, total)
        return from_model(
            study, self.model, budget=budget, seed=plan.seed, proxy=self._proxy(), progress=told, set_measure=sets
        )

    def _proxy(self) -> Equivalence | None:
        """What guides the draws of a model that costs something: the shipped embedding, where its packages are."""
        if not self.spec.paid:
            return None
        try:
            return local_embedding()
        except MissingExtraError:
            return None

    def _check_language(self, study: Study) -> None:
        if getattr(innermost(self.model), "language", None) != "en" or self.options.get("language") == "any":
            return
        why = refusal([str(value) for value in study.values])
        if why:
            raise UsageError(
                f"{self.spec.key} is refused here: {why} To use it all the same: --set {self.spec.key}.language=any"
            )

    def _forecast(self, study: Study, found: Forecast) -> str:
        where = f" at {self.remote}" if self.remote else ""
        if found.calls == 0:
            return f"{self.spec.key}{where}: each of {plural(study.V, 'text')} is sent once."
        inner: Any = innermost(self.model)
        requests = found.calls * 2
        tokens = getattr(inner, "tokens", None)
        texts = [str(value) for value in study.values]
        words = f", about {requests * tokens(texts):,.0f} tokens" if tokens is not None else ""
        seconds = requests * float(getattr(inner, "seconds", 0.0))
        return (
            f"{self.spec.key}{where}: at most {plural(found.calls, 'pair')} of texts ({found.within:,} within units, "
            f"{found.chance:,} for chance agreement), {requests:,} requests for both orders{words}, about "
            f"{seconds / 60:.1f} minutes at {float(getattr(inner, 'seconds', 0.0)):g} s each; fewer where the cache "
            "knows them. --max-calls and --precision set the limit."
        )

    def with_notes(self, found: Estimate, similarity: TextSimilarity) -> Estimate:
        """Say what must be said about a number under this model."""
        notes: tuple[str, ...] = () if self.spec.key == "exact" else (UNCHECKED,)
        notes += notes_of(self.model, similarity.pool.texts)
        if similarity.memo.order_gap > ORDER_GAP:
            notes += (f"Both orders of a pair differ by {similarity.memo.order_gap:.2f} on average.",)
        if similarity.memo.failed:
            notes += (f"{plural(similarity.memo.failed, 'pair')} got no score.",)
        if self.remote:
            notes += (f"Texts were sent to {self.remote}.",)
        return replace(found, notes=(*notes, *found.notes))


def noted(model: TextModel | None, found: Estimate, similarity: Similarity) -> Estimate:
    """Add what must be said about a number that rests on a model."""
    if model is None or not isinstance(similarity, TextSimilarity):
        return found
    return model.with_notes(found, similarity)
