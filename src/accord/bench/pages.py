"""A benchmark as a document for people."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from accord.bench.figures import Figure
from accord.bench.log import Entry
from accord.bench.measures import ORACLE
from accord.bench.pictures import intervals, small_plots
from accord.bench.settings import Settings
from accord.bench.summary import BUDGET, Cost, Permuted, Row, Summary
from accord.reporting.document import Block, Document, Grid, Heading, Paragraph, Picture
from accord.reporting.words import number

ALL = "all kinds"
FORM_WORDS = {"single": "one concept an answer", "sets": "sets of concepts"}
READING = (
    "Two annotators are simulated over a terminology: the second names the concept of the first one, or, where she "
    "does not agree, another one. The true coefficient comes from the concepts, the estimate from the texts alone, by "
    "the same coefficient, with the same chance rule, over the same studies. MAE is the mean absolute difference; "
    "bias is the mean difference, above 0 where a measure makes agreement look better than it is. Intervals are 95 %, "
    "by drawing replicates anew."
)
REFERENCE = (
    "For orientation only: a preprint on soft agreement (arXiv 2608.03529) reports errors of .005 to .065 for its best "
    "measures. It used other data (captions and reports with codes), other models and few permutations for chance "
    "agreement, so nothing here is better or worse than that; the numbers cannot be compared."
)
VERDICT = (
    "The last column compares with the best measure: the even replicates choose it, the odd ones test the others "
    "against it (paired sign flips, p adjusted by Holm). What is not distinguishable at .05 is said to be so."
)
BUDGET_READING = (
    "Where errors come from: the mean score of pairs that are equivalent (should be 1) and of pairs that are not "
    "(should be 0), within an item and over all items. A floor that is the same within and across costs nothing; a "
    "score of disagreeing answers to one item above that of answers to different items inflates the coefficient."
)
PERMUTATIONS_READING = (
    "The numbers above rest on exact chance agreement over all pairs. Had it been estimated from D random permutations "
    "of the second annotator's answers, it would have this standard error, and the coefficient this further half-width "
    "(95 %) at the levels of agreement nearest to .2 and .8."
)


def document(summary: Summary, entries: Iterable[Entry], settings: Settings, manifest: Mapping[str, Any]) -> Document:
    """Every table and picture."""
    blocks: list[Block] = [Paragraph(READING), Paragraph(_setting(settings)), Paragraph(REFERENCE)]
    runs = list(entries)
    places = list(dict.fromkeys((row.terminology, row.form) for row in summary.rows))
    for place in places:
        blocks += _place(place, summary, runs, settings)
    blocks += [Heading("Chance agreement by permutations"), Paragraph(PERMUTATIONS_READING)]
    blocks += [_permutations(place, summary.permuted) for place in places]
    blocks += [Heading("Cost"), _costs(summary.costs), Heading("Equal settings"), *_equal(manifest, settings)]
    return Document("Text benchmark", tuple(blocks))


def slug(place: tuple[str, str]) -> str:
    """Part of a file name."""
    kept = "".join(c if c.isalnum() else "-" for c in " ".join(place).lower())
    return "-".join(filter(None, kept.split("-")))[:60]


def _setting(s: Settings) -> str:
    levels = ", ".join(f"{level:g}" for level in s.levels)
    rates = ", ".join(f"{rate:g}" for rate in s.rates)
    sets = f" Sets have 1 to {s.set_size} concepts, compared by matched {s.set_measure.capitalize()} on both sides."
    return (
        f"{s.replicates} replicates of {s.items} items; levels {levels}; synonym rates {rates}; {s.coefficient}, "
        f"{s.chance} chance agreement over all pairs; seed {s.seed}.{sets if 'sets' in s.forms else ''}"
    )


def _place(place: tuple[str, str], summary: Summary, entries: Sequence[Entry], settings: Settings) -> list[Block]:
    rows = [row for row in summary.rows if (row.terminology, row.form) == place]
    by_kind = [row for row in rows if row.rate is None]
    kinds = (*settings.negatives, None)
    name, title = slug(place), f"{place[0]}: {FORM_WORDS[place[1]]}"
    errors = {m: {k: _row(by_kind, m, k).mae for k in settings.negatives} for m in _measures(rows) if m != ORACLE}
    return [
        Heading(title),
        _by_kind("Mean absolute error of the coefficient", by_kind, kinds, lambda r: figure(r.mae), verdict=True),
        Paragraph(VERDICT + _power(settings)),
        Picture(f"{name}-error.svg", f"{title}: mean absolute error by kind of negative", intervals(
            title, "mean absolute error of the coefficient", errors)),
        _by_kind("Bias: mean of estimate minus truth", by_kind, kinds, lambda r: figure(r.bias)),
        Picture(f"{name}-estimates.svg", f"{title}: mean estimate against truth, by kind of negative", small_plots(
            title, "true coefficient", "estimate", _curves(place, entries, settings))),
        _spread(by_kind),
        Paragraph(BUDGET_READING),
        *(_budget(by_kind, kind) for kind in settings.negatives),
        _by_rate(place, rows, summary, settings),
    ]  # fmt: skip


def _power(settings: Settings) -> str:
    """Say so where there are too few replicates for any verdict."""
    smallest = 2.0 / 2 ** (settings.replicates // 2)
    return "" if smallest < 0.005 else f" With {settings.replicates} replicates no p can be below {smallest:g}."


def _measures(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(row.measure for row in rows))


def _row(rows: Sequence[Row], measure: str, negative: str | None) -> Row:
    return next(row for row in rows if row.measure == measure and row.negative == negative)


def figure(value: Figure) -> str:
    """Number with its interval."""
    if math.isnan(value.low):
        return number(value.value, 3)
    return f"{number(value.value, 3)} [{number(value.low, 3)}, {number(value.high, 3)}]"


def _by_kind(
    caption: str,
    rows: Sequence[Row],
    kinds: Sequence[str | None],
    cell: Callable[[Row], str],
    *,
    verdict: bool = False,
) -> Grid:
    head = ("measure", *(kind or ALL for kind in kinds), *(("against the best, all kinds",) if verdict else ()))
    made = []
    for measure in _measures(rows):
        found = [_row(rows, measure, kind) for kind in kinds]
        made.append((measure, *map(cell, found), *((verdict_words(found[-1]),) if verdict else ())))
    return Grid(caption, head, tuple(made))


def verdict_words(row: Row) -> str:
    """Verdict with its p-value."""
    return row.verdict if math.isnan(row.p) else f"{row.verdict} (p = {row.p:.3f})"


def _spread(rows: Sequence[Row]) -> Grid:
    made = tuple(
        (
            row.measure,
            figure(row.slope),
            figure(row.rmse),
            number(row.largest, 3),
            number(row.rank, 3),
            f"{row.studies:,}",
            f"{row.undefined:,}",
        )
        for row in rows
        if row.negative is None
    )
    head = ("measure", "slope on truth", "RMSE", "largest error", "rank correlation", "studies", "undefined")
    return Grid("All kinds of negatives together", head, made)


def _budget(rows: Sequence[Row], negative: str) -> Grid:
    head = ("measure", "equivalent, same item", "other, same item", "equivalent, all items", "other, all items")
    made = tuple((row.measure, *(number(value, 3) for value in row.budget)) for row in rows if row.negative == negative)
    assert len(head) == 1 + len(BUDGET)
    return Grid(f"Mean scores, {negative} negatives", head, made)


def _by_rate(place: tuple[str, str], rows: Sequence[Row], summary: Summary, settings: Settings) -> Grid:
    chosen = [row for row in rows if row.rate is not None]
    made = [
        (m, *(figure(row.mae) for rate in settings.rates for row in chosen if (row.measure, row.rate) == (m, rate)))
        for m in _measures(rows)
    ]
    unique = [summary.unique[*place, rate] for rate in settings.rates]
    made.append(("distinct texts / texts", *(number(one, 2) for one, _ in unique)))
    made.append(("effective number of concepts", *(number(many, 1) for _, many in unique)))
    head = ("measure", *(f"synonym rate {rate:g}" for rate in settings.rates))
    return Grid("Mean absolute error by synonym rate, all kinds of negatives", head, tuple(made))


def _curves(
    place: tuple[str, str], entries: Sequence[Entry], settings: Settings
) -> dict[str, dict[str, list[tuple[float, float]]]]:
    """Mean truth and estimate of every level, by measure and kind of negative."""
    sums: dict[tuple[str, str, float], list[tuple[float, float]]] = {}
    for entry in entries:
        if (entry.terminology, entry.form) == place and entry.measure != ORACLE:
            for run in entry.runs:
                if math.isfinite(run.error):
                    sums.setdefault((entry.measure, entry.negative, run.level), []).append((run.truth, run.value))
    curves: dict[str, dict[str, list[tuple[float, float]]]] = {}
    for (measure, negative, _), pairs in sorted(sums.items(), key=lambda item: item[0][2]):
        x, y = (sum(side) / len(pairs) for side in zip(*pairs, strict=True))
        curves.setdefault(measure, {k: [] for k in settings.negatives})[negative].append((x, y))
    return curves


def _permutations(place: tuple[str, str], permuted: Sequence[Permuted]) -> Grid:
    mine = [p for p in permuted if (p.terminology, p.form) == place]
    counts = list(dict.fromkeys((p.permutations, p.calls) for p in mine))
    made = [
        (
            measure,
            *(f"{number(p.error, 4)} ({number(p.low, 3)}; {number(p.high, 3)})" for p in mine if p.measure == measure),
        )
        for measure in dict.fromkeys(p.measure for p in mine)
    ]
    head = ("measure", *(f"D = {count} ({calls:,} pairs)" for count, calls in counts))
    caption = f"{place[0]}, {FORM_WORDS[place[1]]}: standard error of chance agreement (half-widths)"
    return Grid(caption, head, tuple(made))


def _costs(costs: Sequence[Cost]) -> Grid:
    rows = []
    for measure in dict.fromkeys(cost.measure for cost in costs if cost.measure != ORACLE):
        mine = [cost for cost in costs if cost.measure == measure]
        whole = Cost("", "", measure, *(sum(getattr(c, k) for c in mine) for k in ("texts", "pairs", "seconds")))
        rows.append(
            (
                measure,
                f"{whole.texts:,}",
                f"{whole.pairs:,}",
                number(whole.seconds, 1),
                number(whole.rate, 0),
                number(whole.projected, 1),
            )
        )
    head = ("measure", "texts", "pairs scored", "CPU seconds", "pairs / s", "all pairs of 1,000 texts, s")
    return Grid("Reading texts included; one process", head, tuple(rows))


def _equal(manifest: Mapping[str, Any], settings: Settings) -> list[Block]:
    tables = tuple(
        (
            name,
            f"{d['concepts']:,}",
            f"{d['strings']:,}",
            f"{d['with_synonyms']:,}",
            f"{d['dropped']:,}",
            d["fingerprint"],
        )
        for name, d in manifest["terminologies"].items()
    )
    head = ("terminology", "concepts", "names", "with synonyms", "ambiguous names dropped", "hash")
    text = (
        f"All measures scored the same draws (each draw's hash stands in every line of runs.jsonl and is compared), by "
        f"one setting with the hash {settings.fingerprint}; Accord {manifest['accord']}."
    )
    models = tuple(manifest["measures"].items())
    return [Paragraph(text), Grid("", head, tables), Grid("", ("measure", "fingerprint"), models, numeric=False)]
