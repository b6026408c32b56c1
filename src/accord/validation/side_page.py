"""Free text and codes side by side, as a document."""

from __future__ import annotations

from accord.bench.pages import figure
from accord.bench.pictures import intervals
from accord.reporting.document import Block, Document, Grid, Paragraph, Picture
from accord.reporting.words import number
from accord.validation.side_by_side import ROLES, SideBySide, of_estimate

CAUTION = (
    "Codes are not the truth: an inventory that is too coarse, or codes that were derived from the texts, reward "
    "the measure that makes the same mistakes. What experts say of a sample of pairs is stronger evidence: see "
    "accord text sample."
)
SOURCES = (
    "The raters are sources, such as web captions of one image, not annotators of one task: this is cross-source "
    "agreement, and no reliability of annotators can be read from it."
)


def side_page(found: SideBySide) -> Document:
    """Numbers, picture and what they can mean."""
    rows = [("codes", figure(of_estimate(found.codes)), "", *([""] * 4))]
    for row in found.rows:
        budget = (number(value, 3) for value in row.budget)
        rows.append((row.measure, figure(row.value), figure(row.difference), *budget))
    head = ("measure", found.coefficient, "minus that of the codes", "same code, same unit", "other code, same unit",
            "same code, all pairs", "other code, all pairs")  # fmt: skip
    text = (
        f"{ROLES[found.role].capitalize()} of {found.units:,} units and {found.raters:,} raters, {found.texts:,} "
        f"distinct texts; {found.dropped:,} answers without a text or a code are left out. Intervals are 95 %, for "
        f"differences by drawing units anew. The last columns are mean scores of pairs by what their codes say."
    )
    picture = intervals(
        "Soft coefficient minus that of the codes", "difference", {r.measure: {"all": r.difference} for r in found.rows}
    )
    blocks: list[Block] = [
        Paragraph(text),
        *([Paragraph(SOURCES)] if found.role == "source" else []),
        Grid("", head, tuple(rows)),
        Picture("differences.svg", "Soft coefficient minus that of the codes, by measure", picture),
        Paragraph(CAUTION),
    ]
    return Document("Free text beside codes", tuple(blocks))
