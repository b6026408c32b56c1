"""Figures of regions: whether raters find the same ones, who finds whose, agreement by threshold."""

from __future__ import annotations

from markupsafe import Markup

from accord.metrics.detection import Detection
from accord.pipeline.region_report import RegionScores
from accord.pipeline.report import ControlReport, Score
from accord.reporting import tables, words
from accord.reporting.charts import intervals
from accord.reporting.charts.axis import THIN_UNITS
from accord.reporting.charts.curves import HEIGHT, WIDTH, curves
from accord.reporting.figure import Figure
from accord.reporting.markup import picture
from accord.reporting.sweeps import curves_of, row, summary
from accord.reporting.tables import Cell, Table
from accord.values import Kind

LISTED_PAIRS = 60


def found(control: ControlReport) -> Figure | None:
    """F1, overlap and panoptic quality of all raters together, and of each label."""
    regions = control.regions
    if regions is None or not regions.total.left + regions.total.right:
        return None
    rows = tuple((tables.text(label.label), *_cells(label.found)) for label in regions.labels)
    heads = tables.headings("Label", "#Regions", "#Found", "#F1", f"#{closeness(control)}", "#Panoptic quality")
    scores = ((f"F1 at {regions.threshold:g}", regions.f1), (closeness(control), regions.mean_overlap))
    return Figure(
        title="Do raters find the same regions?",
        subtitle=f"Found: matched, with the same labels and an overlap above {regions.threshold:g}",
        table=Table("Regions found, by label", heads, rows),
        picture=_picture(control, (*scores, ("Panoptic", regions.panoptic_quality))),
        note=_labels_alike(regions),
    )


def closeness(control: ControlReport) -> str:
    """What the geometry of a matched pair is called."""
    return "Nearness" if control.control.kind is Kind.KEYPOINTS else "Mean overlap"


def _cells(found: Detection) -> tuple[Cell, ...]:
    numbers = (found.f1, found.mean_overlap, found.panoptic_quality)
    return (
        tables.integer(found.left + found.right),
        tables.integer(found.found),
        *(tables.number(value) for value in numbers),
    )


def _picture(control: ControlReport, scores: tuple[tuple[str, Score], ...]) -> Markup:
    data = [
        intervals.Row(
            name, words.plural(score.units, "task"), score.value, score.interval, score.units < THIN_UNITS, "none found"
        )
        for name, score in scores
    ]
    return intervals.rows(f"Regions found, {control.control.name}", data, None, ())


def _labels_alike(regions: RegionScores) -> str:
    """Sentence about the labels of matched regions."""
    found = regions.label_agreement
    if found is None:
        return ""
    if found.undefined:
        return f"Labels of matched regions: α is undefined, {words.reason(found)}."
    interval = f" ({words.bounds(found.interval)})" if found.interval else ""
    matched = words.plural(found.units, "region")
    return f"Labels alone: on {matched} that two or more marked, α = {words.number(found.value)}{interval}."


def who_found(control: ControlReport) -> Figure | None:
    """Table of what one rater found of another's regions."""
    regions = control.regions
    pairs = [pair for pair in regions.rater_pairs if pair.a and pair.units][:LISTED_PAIRS] if regions else []
    if not pairs:
        return None
    rows = tuple(
        (
            tables.text(pair.a),
            tables.text(pair.b),
            tables.integer(pair.units),
            tables.number(pair.found.recall),
            tables.number(pair.found.precision),
            tables.number(pair.found.f1),
            tables.number(pair.found.mean_overlap),
            tables.integer(pair.found.left - pair.found.found),
            tables.integer(pair.found.right - pair.found.found),
        )
        for pair in pairs
    )
    heads = ("Rater a", "Rater b", "#Tasks", "#Recall", "#Precision", "#F1", f"#{closeness(control)}")
    return Figure(
        title="Who finds whose regions",
        subtitle="Recall: share of a’s regions that b found. Precision: share of b’s regions that a has too",
        table=Table("Regions found, by pair of raters", tables.headings(*heads, "#Only a", "#Only b"), rows),
        wide=True,
    )


def by_threshold(control: ControlReport) -> Figure | None:
    """Curves of agreement over the threshold, with their areas."""
    sweep = control.sweep
    if sweep is None:
        return None
    names = ["#Threshold", "#Pairwise", "#Interval", "#Consensus", f"#{words.title(sweep.coefficient)}", "#Interval"]
    names += ["#F1", "#Matched", "#Unmatched"] if any(point.regions for point in sweep.points) else []
    rows = tuple(tuple(Cell(text, text, numeric=True) for text in row(point)) for point in sweep.points)
    label = f"Agreement on {control.control.name} by threshold. {summary(sweep)}"
    return Figure(
        title="Agreement by threshold",
        subtitle="Two answers are the same from this similarity on; area: mean height of a curve where it is defined",
        table=Table("Agreement by threshold", tables.headings(*names), rows),
        picture=picture(
            WIDTH, HEIGHT, label, curves(sweep.thresholds, curves_of(sweep), f"threshold of {sweep.metric}")
        ),
        wide=True,
    )
