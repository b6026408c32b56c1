"""What experts' answers say, as a document."""

from __future__ import annotations

import math

from accord.bench.pages import figure
from accord.bench.pictures import intervals, small_plots
from accord.reporting.document import Block, Document, Grid, Heading, Paragraph, Picture
from accord.reporting.words import clip, number
from accord.validation.calibration import Quality
from accord.validation.findings import GROUPS, Disagreement, Findings

LONGEST = 90


def people_page(found: Findings, coefficient: str) -> Document:
    """Numbers, pictures and lists."""
    a = found.anchored
    text = (
        f"Experts judged {found.judged:,} of {found.pairs:,} sampled pairs. By their judgement {coefficient} is "
        f"{figure(a.value)} (observed {number(a.observed, 3)}, expected {number(a.expected, 3)}): a difference "
        f"estimate over all pairs guided by {a.guide}, whose choice changes its precision, not what is estimated. The "
        f"interval covers the draw of units and of pairs; the draw of pairs alone has a standard error of "
        f"{number(a.design_error, 3)}."
    )
    blocks: list[Block] = [
        Paragraph(text),
        Heading("Experts"),
        *_experts(found),
        Heading("Measures against people"),
        *_measures(found, coefficient),
        Heading("Calibration"),
        *_calibration(found),
    ]
    if a.codes is not None:
        blocks += [Heading("People and codes"), *_lists(found)]
    return Document("Soft agreement checked by people", tuple(blocks))


def _experts(found: Findings) -> list[Block]:
    rows = tuple(
        (
            e.name,
            f"{e.answered:,} of {e.asked:,}",
            f"{e.repeats_alike} of {e.repeats}",
            f"{e.controls_right} of {e.controls}",
        )
        for e in found.experts.each
    )
    head = ("expert", "answered", "repeats answered alike", "controls right")
    blocks: list[Block] = [Grid("", head, rows)]
    for e in found.experts.agreement:
        if e.undefined:
            said = f"undefined ({e.undefined})"
        else:
            low, high = (e.interval.low, e.interval.high) if e.interval else (math.nan, math.nan)
            said = f"{number(e.value, 3)} [{number(low, 3)}, {number(high, 3)}]"
        blocks.append(Paragraph(f"Experts' own agreement, {e.name}: {said}, {e.units:,} pairs."))
    if not found.experts.agreement:
        blocks.append(Paragraph("One expert only: how far experts agree is not known."))
    return blocks


def _measures(found: Findings, coefficient: str) -> list[Block]:
    a = found.anchored
    coded = a.codes is not None
    rows = []
    for row in sorted(a.rows, key=lambda r: abs(r.difference.value)):
        cells = [row.measure, figure(row.value), figure(row.difference)]
        if row.from_codes is not None:
            cells.append(figure(row.from_codes))
        rows.append((*cells, *(number(value, 3) for value in row.budget)))
    head = ("measure", coefficient, "minus people's", *(("minus that of the codes",) if coded else ()),
            "equivalent, same unit", "other, same unit", "equivalent, other units", "other, other units")  # fmt: skip
    series = {row.measure: {"people": row.difference, **({"codes": row.from_codes} if row.from_codes else {})}
              for row in a.rows}  # fmt: skip
    blocks: list[Block] = [
        Grid("Nearest to people first; the last columns are mean scores by what people say", head, tuple(rows)),
        Picture("differences.svg", "Soft coefficient minus people's, and minus that of the codes",
                intervals("Soft coefficient minus the reference", "difference", series)),
    ]  # fmt: skip
    if a.ranks is not None:
        blocks.append(
            Paragraph(
                f"From the nearest to the farthest, by people: {', '.join(a.ranks.by_people)}; by codes: "
                f"{', '.join(a.ranks.by_codes)}. Kendall's τ of both orders: {figure(a.ranks.tau)}; 1 is the same "
                "order, −1 the reverse."
            )
        )
    return blocks


def _calibration(found: Findings) -> list[Block]:
    rows = tuple(
        (
            c.measure,
            c.method,
            *_quality(c.before),
            *_quality(c.after),
            *(number(value, 3) for value in c.auc),
        )
        for c in found.calibrated
    )
    names = ("Brier", "log loss", "calibration error", "slope", "intercept")
    head = ("measure", "map", *names, *(f"{name}, calibrated" for name in names), *(f"AUC, {g}" for g in GROUPS))
    text = (
        "Maps of scores to people's answers are fitted on pairs within and across units, half the weight each; the "
        "calibrated columns are cross-validated. A measure may be well calibrated across units and badly within them."
    )
    curves = {
        c.measure: {group: [(b.score, b.share) for b in c.reliability[group]] for group in GROUPS}
        for c in found.calibrated
    }
    picture = small_plots("Share that people call equivalent, by score", "mean score", "share equivalent", curves)
    return [Paragraph(text), Grid("", head, rows), Picture("reliability.svg", "Reliability of every measure", picture)]


def _quality(q: Quality) -> tuple[str, ...]:
    return tuple(number(value, 3) for value in (q.brier, q.log_loss, q.error, q.slope, q.intercept))


def _lists(found: Findings) -> list[Block]:
    a = found.anchored
    text = (
        f"The codes' own coefficient is {figure(a.codes) if a.codes else ''}. People and codes differ on "
        f"{found.disputed[0]:,} of {found.disputed[1]:,} judged pairs of answers to one unit."
    )
    return [
        Paragraph(text),
        _list("People say equivalent, codes differ", found.equivalent_by_people),
        _list("Codes are the same, people say not equivalent", found.equivalent_by_codes),
    ]


def _list(caption: str, rows: tuple[Disagreement, ...]) -> Grid:
    head = ("unit", "one answer", "the other", "codes", "people")
    made = tuple(
        (d.unit, clip(d.left, LONGEST), clip(d.right, LONGEST), " / ".join(d.codes), number(d.people, 2)) for d in rows
    )
    return Grid(caption, head, made or (("none", "", "", "", ""),), numeric=False)
