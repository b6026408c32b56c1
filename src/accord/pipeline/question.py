"""One control ready to be measured: its study, its pairwise scores and the similarity of each coefficient."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, cast

import numpy as np

from accord.coefficients.empties import narrowed
from accord.coefficients.estimate import Estimate
from accord.coefficients.pair_rows import TooManyPairsError
from accord.coefficients.spec import COEFFICIENTS, CoefficientSpec
from accord.dataset import Column, Dataset, Role
from accord.equivalence.as_metric import as_metric
from accord.errors import UsageError
from accord.inference.estimate import estimate
from accord.metrics.spec import MetricSpec
from accord.pipeline.asked_study import asked_study
from accord.pipeline.choose import coefficients_for, default_for
from accord.pipeline.custom import code_of, observed_only, similarity_of
from accord.pipeline.plan import ControlPlan, Plan
from accord.pipeline.scores import PairScores
from accord.pipeline.text_model import Announce, Progress, TextModel, model_spec, noted
from accord.pipeline.variants import ALPHA, READING, in_places
from accord.pipeline.variants import spec_of as spec_of
from accord.pipeline.weighted import weighted
from accord.similarity.alias import Choice, default_metric, resolve
from accord.similarity.core import Identity, Similarity
from accord.similarity.custom import CustomScores
from accord.similarity.levels import for_study
from accord.similarity.metric import from_metric
from accord.study import Study
from accord.values import Index, Kind, Level

#: Coefficients that take the level of measurement; all others take weights.
LEVEL_COEFFICIENTS = frozenset({ALPHA, "sigma", "ks", "auc"})
SETS = frozenset({Kind.LABELS, Kind.PATHS})

#: Options that seed the sampler of a coefficient.
SAMPLER_SEEDS = frozenset({"sampler_seed", "sample_seed"})
#: Coefficients that are another one by name once answers are weighted.
UNWEIGHTED = frozenset({"gwet_ac1"})


@dataclass(frozen=True, kw_only=True)
class Question:
    """A control, what was asked about it, and everything derived from both.

    ``parent`` is the same question on more answers; similarities of values are taken from it.
    """

    dataset: Dataset
    column: Column
    plan: Plan
    study: Study
    parent: Question | None = None
    progress: Progress | None = field(default=None, compare=False)
    announce: Announce | None = field(default=None, compare=False)

    @classmethod
    def of(cls, dataset: Dataset, name: str, plan: Plan, roles: Iterable[Role] = (Role.RATER,)) -> Question:
        """Take a control of a dataset under a plan; answers of these roles count."""
        return cls(dataset=dataset, column=dataset[name], plan=plan, study=asked_study(dataset, name, plan, roles))

    @property
    def name(self) -> str:
        """Name of the control."""
        return self.column.control.name

    @property
    def wish(self) -> ControlPlan:
        """What was asked for this control."""
        return self.plan.control(self.name)

    @cached_property
    def metric(self) -> str:
        """Name of the pairwise metric, as asked for or by default."""
        control = self.column.control
        return self.wish.similarity or self.wish.metric or default_metric(control.kind, control.tag, self.study.values)

    @cached_property
    def custom(self) -> CustomScores | None:
        """Custom code that scores the pairs, with what came of it; None where a metric of the catalogue does."""
        if not self.wish.is_custom:
            return None
        if self.parent is not None:
            return self.parent.custom
        return CustomScores(code_of(self.wish), one_way=self.plan.compat is not None)

    @cached_property
    def text_model(self) -> TextModel | None:
        """Model of equivalence the answers are compared by; None where a metric compares them."""
        spec = model_spec(self.study.kind, self.metric)
        if spec is None:
            if self.plan.set_measure and self.study.kind is Kind.TEXT:
                raise UsageError(
                    f"--set-measure: {self.metric} compares no sets. Choose a model, as --similarity edit."
                )
            return None
        return TextModel.of(spec, self.plan.options_for(spec.key, self.name), self.plan)

    @cached_property
    def choice(self) -> Choice:
        """Pairwise metric with its options and threshold."""
        if self.text_model is not None:
            return Choice(as_metric(self.text_model.model, threshold=self.text_model.spec.threshold), {}, None)
        return self._resolved(self.metric if self.custom is None else self.custom.spec)

    def _resolved(self, name: str | MetricSpec) -> Choice:
        """Settle the options: what was set for the metric, and how regions are matched."""
        plain = resolve(name, compat=self.plan.compat).spec
        options = self.plan.options_for(plain.key, self.name) | self.plan.options_for(plain.family, self.name)
        if self.plan.matching != "optimal" and "matching" in plain.options:
            options.setdefault("matching", self.plan.matching)
        return resolve(name, options, compat=self.plan.compat)

    @cached_property
    def pair_similarity(self) -> Similarity:
        """Similarity that scores pairs."""
        if self.parent is not None:
            return self.parent.pair_similarity
        if self.text_model is not None:
            return self.text_model.similarity(self.study, self.plan, self.progress, self.announce)
        return self._similarity(self.choice, self.choice.threshold)

    def _similarity(self, choice: Choice, threshold: float | None) -> Similarity:
        if self.custom is not None:
            options, seed = self.choice.options, self.plan.seed
            return similarity_of(self.custom, self.study, self.column, options, threshold, seed)
        return from_metric(
            self.study.values,
            choice.spec,
            options=choice.options,
            threshold=threshold,
            kind=self.study.kind,
            compat=self.plan.compat,
            counts=self.study.counts.astype(np.float64),
            seed=self.plan.seed,
        )

    @property
    def threshold(self) -> float:
        """From this similarity on two answers match."""
        return self.choice.threshold or self.choice.spec.threshold

    @cached_property
    def scores(self) -> PairScores:
        """Every within-unit pair, scored once."""
        return PairScores(self.study, self.pair_similarity, self.wish.label_weights)

    @property
    def spec(self) -> CoefficientSpec:
        """Coefficient of the headline."""
        return spec_of(self.headline)

    @cached_property
    def place(self) -> Mapping[str, int]:
        """Position of each unit in the dataset, by name."""
        return {name: i for i, name in enumerate(self.dataset.units)}

    @cached_property
    def places(self) -> Index:
        """Position of each unit of the study in the dataset, rising, (U,)."""
        if len(self.study.unit_names) == len(self.dataset.units):
            return np.arange(self.study.U)
        return np.array([self.place[name] for name in self.study.unit_names], dtype=np.int64)

    @cached_property
    def headline(self) -> str:
        """Coefficient shown first: the first one asked for, else alpha."""
        return self.coefficients[0]

    @cached_property
    def coefficients(self) -> tuple[str, ...]:
        """Keys of the coefficients to compute, headline first."""
        asked = self.wish.coefficients or self.plan.coefficients
        if self.only_observed:
            return observed_only(self.name, self.wish.coefficients, self.plan.coefficients)
        if not asked:
            return coefficients_for(self.study, weighted=bool(self.wish.weights))
        catalog = COEFFICIENTS.catalog()
        return tuple(dict.fromkeys(catalog[name].key for name in asked))

    @property
    def only_observed(self) -> bool:
        """Whether scores exist within tasks only, so that nothing can be said about chance."""
        return self.custom is not None and not self.custom.code.comparable_across_units

    @cached_property
    def uses_level(self) -> bool:
        """Whether single labels, ratings and numbers are compared by level rather than by the metric."""
        return default_for(self.study.kind).level is not None and not self.wish.similarity

    def similarity_of(self, spec: CoefficientSpec) -> Similarity:
        """Similarity a coefficient uses: level or weights for single values, else the metric without threshold.

        To the platform's coefficients a set is one category.
        """
        if self.plan.compat and self.study.kind in SETS and not self.wish.similarity:
            return self.kept.setdefault("sets", Identity(self.study.V))
        if not self.uses_level:
            return self._graded
        if self.wish.weights and spec.key not in UNWEIGHTED:
            return self._weighted(self.wish.weights)
        if spec.key in LEVEL_COEFFICIENTS:
            level = Level.NOMINAL if self.plan.compat else self.study.level
            return self.kept.setdefault(f"level {level}", for_study(self.study, level=level))
        return self._weighted(spec.default_weights or "identity")

    @cached_property
    def _graded(self) -> Similarity:
        """Pairwise metric without its threshold."""
        if self.choice.threshold is None:
            return self.pair_similarity
        if self.parent is not None:
            return self.parent._graded
        return self._similarity(self.choice, None)

    @cached_property
    def kept(self) -> dict[str, Any]:
        """What was derived from this question, by name."""
        return {}

    def _weighted(self, weights: str) -> Similarity:
        key = f"weights {weights}"
        if key not in self.kept:
            self.kept[key] = for_study(self.study, weights=weights)
        found: Similarity = self.kept[key]
        return found

    def estimate(
        self, key: str, study: Study | None = None, similarity: Similarity | None = None, interval: bool = True
    ) -> Estimate:
        """Measure with one coefficient, on a subset of the study if given.

        Without an interval where the pairs of answers it needs do not fit into memory.
        """
        spec, answers, chosen, options = self.measured_by(key, study, similarity)
        ask = partial(
            estimate,
            spec,
            answers,
            chosen,
            options=options,
            interval=cast(Any, self.plan.interval),
            resamples=self.plan.resamples,
            generalise=cast(Any, self.plan.generalise),
            seed=self.plan.seed,
        )
        try:
            return noted(self.text_model, ask(ci=self.plan.ci if interval else None), chosen)
        except TooManyPairsError:
            found = ask(ci=None)
            return replace(
                found, notes=(*found.notes, f"no interval: it would need all {answers.P:,} pairs of answers")
            )

    def measured_by(
        self, key: str, study: Study | None = None, similarity: Similarity | None = None
    ) -> tuple[CoefficientSpec, Study, Similarity, Mapping[str, Any]]:
        """Coefficient, answers, similarity and options behind a key; parts of the study are not weighted."""
        plain, (spec, options) = spec_of(key), self.rule(key)
        answers = narrowed(self.study if study is None else study, similarity or self.similarity_of(plain), options)
        options = in_places(options, answers.study)
        return spec if study is None else plain, answers.study, answers.similarity, options

    def rule(self, key: str) -> tuple[CoefficientSpec, Mapping[str, Any]]:
        """Coefficient behind a key, weighted as asked, and its options."""
        plain, weights = spec_of(key), self.wish.label_weights
        options = {**self.options_of(plain), **({"empty": READING[key]} if key in READING else {})}
        return weighted(plain, weights) if weights else plain, in_places(options, self.study)

    def options_of(self, spec: CoefficientSpec) -> Mapping[str, Any]:
        """Options of a coefficient: those set for it, and shared margins under the platform's rules."""
        options = {
            k.removeprefix(f"{spec.key}."): v for k, v in self.plan.settings.items() if k.startswith(f"{spec.key}.")
        }
        for name in SAMPLER_SEEDS & set(spec.options):
            options.setdefault(name, self.plan.seed)
        if self.plan.compat and "marginals" in spec.options:
            options.setdefault("marginals", "shared")
        return options

    def independent(self) -> Question | None:
        """Return the same question on independent answers only; None if nothing would change."""
        if self.plan.answers == "independent":
            return None
        again = Question.of(self.dataset, self.name, replace(self.plan, answers="independent"))
        return replace(again, parent=self) if again.study.C != self.study.C else None


def answered_units(study: Study) -> int:
    """Units with two answers or more."""
    return int(np.count_nonzero(study.m >= 2))
