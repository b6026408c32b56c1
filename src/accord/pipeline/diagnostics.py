"""Can this number be trusted? One answer per trap, with the number that would change."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from accord.coefficients.estimate import Estimate
from accord.dataset import Column, Dataset, Flag
from accord.inference.design_check import design_check
from accord.pipeline.report import Diagnostic, Status
from accord.pipeline.scores import RaterPairs
from accord.pipeline.words import interval_words, listed, number, percent, plural, show
from accord.study import Study
from accord.values import EMPTY, FloatArray

FEW_UNITS = 30


def skew(study: Study, coefficients: Mapping[str, Estimate], headline: str) -> Diagnostic | None:
    """High percent agreement with a low coefficient: the labels are skewed, and both numbers are right."""
    if study.C == 0 or study.V < 2:
        return None
    share = study.counts.max() / study.C
    main, plain, ac1 = coefficients[headline], coefficients.get("percent_agreement"), coefficients.get("gwet_ac1")
    label = show(study.values[int(study.counts.argmax())])
    text = f"{label} is {percent(share)} of the answers; agreement expected by chance is {number(main.expected)}."
    if share < 0.8:
        return Diagnostic("Skew", "fine", f"{text} That is not extreme.")
    text += " With answers this skewed, chance alone agrees often, so the coefficient is low at high raw agreement"
    if plain is not None and np.isfinite(plain.value):
        text += f" ({percent(plain.value)})"
    text += ". Read agreement per label."
    if ac1 is not None and np.isfinite(ac1.value):
        text += f" AC1 ({number(ac1.value)}) approaches percent agreement here and is no second opinion."
    return Diagnostic("Skew", "look", text, ac1)


def few_units(main: Estimate) -> Diagnostic:
    """Whether there is enough to go by, and how many more units would narrow the interval."""
    text = f"{plural(main.units, 'task')} with two or more answers."
    if main.interval is None or main.undefined:
        return Diagnostic("Number of tasks", "look", f"{text} No interval can be given.")
    half = (main.interval.high - main.interval.low) / 2
    text += f" The interval is {interval_words(main)}."
    if half > 0.1 and main.units:
        more = int(np.ceil(main.units * ((half / 0.1) ** 2 - 1)))
        text += f" At this agreement and label mix about {more:,} more would give ± 0.1."
    status: Status = "look" if main.units < 10 else "thin" if main.units < FEW_UNITS or half > 0.15 else "fine"
    return Diagnostic("Number of tasks", status, text)


def independence(dataset: Dataset, column: Column, main: Estimate, again: Callable[[], Estimate]) -> Diagnostic | None:
    """Answers edited by others, copied or started from a prediction, and agreement without them."""
    if dataset.annotations is None or column.annotation is None:
        return None
    known = column.annotation >= 0
    flags = dataset.annotations.flags[column.annotation[known]]
    counts = {
        "edited by somebody else": int(np.count_nonzero(flags & Flag.EDITED_BY_OTHER)),
        "copied from another annotation": int(np.count_nonzero(flags & Flag.COPIED)),
        "started from a prediction": int(np.count_nonzero(flags & Flag.FROM_PREDICTION)),
    }
    words = [f"{count} {name}" for name, count in counts.items() if count]
    if not words:
        return Diagnostic(
            "Independence", "fine", "No sign of answers that were edited by others, copied or pre-filled."
        )
    without = again()
    text = f"Of {len(column.code):,} answers, {listed(words)}."
    if without.undefined:
        return Diagnostic("Independence", "look", f"{text} Without them too little is left to measure.", without)
    text += (
        f" Without these the coefficient is {number(without.value)} ({interval_words(without)}, "
        f"{plural(without.units, 'task')}); with them {number(main.value)}."
    )
    status: Status = "look" if abs(without.value - main.value) > 0.02 else "fine"
    return Diagnostic("Independence", status, text, without)


def design(study: Study, agreement: FloatArray, seed: int) -> Diagnostic | None:
    """Whether the number of answers depends on disagreement; ``agreement`` is per unit, (U,)."""
    if np.unique(study.m[study.m >= 2]).size < 2:
        return None
    check = design_check(study, agreement, seed=seed)
    status: Status = "look" if check.dependent else "thin" if check.dependent is None else "fine"
    return Diagnostic("Design", status, check.sentence)


def overlap(study: Study, met: RaterPairs | None) -> Diagnostic | None:
    """Who was never compared with whom."""
    if study.slots or study.R < 2 or met is None:
        return None
    never = study.R * (study.R - 1) // 2 - int(np.count_nonzero(met.shared))
    thin = int(np.count_nonzero((met.shared > 0) & (met.shared < 10)))
    groups = _components(study.R, met)
    if groups > 1:
        text = (
            f"The raters fall into {groups} groups that share no task, so nothing compares them. "
            "Give some tasks to raters of different groups."
        )
        return Diagnostic("Overlap", "look", text)
    if never or thin:
        parts = [f"{plural(never, 'pair of raters', 'pairs of raters')} never met on a task"] if never else []
        parts += [f"{plural(thin, 'pair', 'pairs')} met on fewer than 10 tasks"] if thin else []
        text = f"{listed(parts)}."
        return Diagnostic("Overlap", "thin", f"{text} All raters are connected through others.")
    return Diagnostic("Overlap", "fine", "Every pair of raters shares 10 tasks or more.")


def _components(raters: int, met: RaterPairs) -> int:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    links = coo_array((met.shared > 0, (met.first, met.second)), shape=(raters, raters))
    return int(connected_components(links, directed=False, return_labels=False))


def unused(study: Study) -> Diagnostic | None:
    """Declared categories nobody used, and answers outside the declared ones."""
    if not study.domain:
        return None
    idle = [show(study.values[i]) for i in range(study.domain) if study.counts[i] == 0]
    outside = [
        show(study.values[i]) for i in range(study.domain, study.V) if study.counts[i] and study.values[i] is not EMPTY
    ]
    if outside:
        text = f"{plural(len(outside), 'answer value')} outside the label config: {listed(outside[:5])}."
        return Diagnostic("Categories", "look", text)
    if idle:
        text = f"Never used: {listed(idle[:8])}. Coefficients with a fixed number of categories count them."
        return Diagnostic("Categories", "thin", text)
    return None


def dominance(study: Study) -> Diagnostic | None:
    """One rater who gave most of the answers."""
    if study.R < 3 or study.slots:
        return None
    by_rater = np.bincount(study.rater, minlength=study.R)
    share = by_rater.max() / by_rater.sum()
    if share < max(0.5, 1.5 / study.R):
        return None
    name = study.rater_names[int(by_rater.argmax())]
    text = f"{name} gave {percent(share)} of the answers; the number says most about agreement with {name}."
    return Diagnostic("One rater", "thin", text)


def copies(dataset: Dataset) -> Diagnostic | None:
    """Different raters' annotations of one task with the same creation time."""
    table = dataset.annotations
    if table is None or not len(table):
        return None
    known = np.isfinite(table.created)
    key = np.stack([table.unit[known].astype(np.float64), table.created[known]])
    order = np.lexsort(key)
    rater = table.rater[known][order]
    same = (np.diff(key[:, order], axis=1) == 0).all(axis=0) & (np.diff(rater) != 0)
    count = int(np.count_nonzero(same))
    if count < 5:
        return None
    text = f"{plural(count, 'pair')} of answers to one task by different raters carry the same time: were they copied?"
    return Diagnostic("Identical times", "look", text)
