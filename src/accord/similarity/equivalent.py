"""From a model of equivalence to the similarity of a study's texts, within a budget of calls."""

from __future__ import annotations

from accord.equivalence.lexical import lexical
from accord.equivalence.protocol import Equivalence
from accord.similarity.set_pool import SetMeasure
from accord.similarity.text_plan import Budget as Budget
from accord.similarity.text_plan import Forecast as Forecast
from accord.similarity.text_plan import TextPlan
from accord.similarity.text_pool import Progress
from accord.similarity.text_similarity import TextSimilarity
from accord.study import Study


def from_model(
    study: Study,
    model: Equivalence,
    *,
    budget: Budget | None = None,
    seed: int = 0,
    proxy: Equivalence | None = None,
    progress: Progress | None = None,
    set_measure: SetMeasure | None = None,
) -> TextSimilarity:
    """Compare the texts of a study by a model.

    Chance agreement is exact where vectors give it in closed form or scoring all distinct pairs is affordable;
    otherwise pairs are drawn once, with a seed, and every number says what that costs in precision.

    Parameters
    ----------
    proxy
        Cheap model that guides the draws, by default character n-grams; it changes the error of chance agreement,
        never what is estimated.
    set_measure
        Answers are sets of texts, one a line or in a list: their members are matched one to one so that the total W of
        their scores is largest, and two sets of a and b members score ``dice`` 2 W / (a + b) or ``jaccard``
        W / (a + b - W). Members count once; the empty set equals itself (1) and nothing else (0).

    Raises
    ------
    DataError
        If an answer is no text.
    UsageError
        If the calls do not even cover the pairs within units.

    Examples
    --------
    >>> from accord.equivalence.lexical import lexical
    >>> from accord.readers.arrays import from_matrix
    >>> study = from_matrix([["severe cough", "cough"], ["fever", "Fever"]])
    >>> first, second = study.code.reshape(2, 2).T
    >>> from_model(study, lexical("jaccard")).at(first, second).tolist()
    [0.5, 1.0]
    """
    plan = TextPlan(study, model, budget or Budget(), progress, set_measure)
    guide = proxy or lexical("ngrams")
    return TextSimilarity(plan.pool, plan.memo, plan.design(guide), lambda: plan.sums(seed, guide), plan.pairs)


def forecast(
    study: Study, model: Equivalence, budget: Budget | None = None, set_measure: SetMeasure | None = None
) -> Forecast:
    """Say what scoring will take, without a call."""
    return TextPlan(study, model, budget or Budget(), None, set_measure).forecast
