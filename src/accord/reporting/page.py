"""The page as data: what each section shows, made from the report before any HTML is written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePath

from markupsafe import Markup

from accord.dataset import ImportReport
from accord.pipeline.report import Report
from accord.reporting import closing, words
from accord.reporting.cards import Card, cards
from accord.reporting.drawings.images import Images
from accord.reporting.fixes import Fix, fixes
from accord.reporting.markup import element, join, name
from accord.reporting.section import Section, section
from accord.reporting.tables import Table
from accord.reporting.tasks import group, quotas

#: Tasks whose regions are drawn, over all controls.
DRAWN = 72


@dataclass(frozen=True, slots=True)
class Page:
    """Everything the template needs."""

    report: Report
    created: str
    size: str
    answer: Markup
    cards: tuple[Card, ...]
    banded: bool
    judged: bool
    fixes: tuple[Fix, ...]
    cannot_tell: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
    raters: Table | None
    readiness: Table | None
    readiness_value: str
    overall: Table | None
    overall_pairwise: str
    limits: Table | None
    recipes: Table
    notices: Table
    counts: Table
    imported: ImportReport
    sources: tuple[str, ...]
    images: Markup


def build(report: Report, images: Images | None = None) -> Page:
    """Make the page of a report, with the pictures of its tasks where they are at hand."""
    shown = quotas([len(control.disagreed) for control in report.controls])
    drawn = quotas([sum(row.drawing is not None for row in c.disagreed) for c in report.controls], DRAWN)
    groups = [
        group(control, words.anchor(i), quota, content=report.content, drawn=pictures, images=images)
        for i, (control, quota, pictures) in enumerate(zip(report.controls, shown, drawn, strict=True))
    ]
    sections = tuple(section(report, i, groups[i]) for i in range(len(groups)))
    return Page(
        report=report,
        created=_date(report.created),
        size=size_words(report),
        answer=_answer(report),
        cards=cards(report),
        banded=any(control.bands for control in report.controls),
        judged=any(control.criterion is not None or control.verdict for control in report.controls),
        fixes=fixes(report, groups),
        cannot_tell=_cannot_tell(report),
        sections=sections,
        raters=closing.raters(report, groups),
        readiness=closing.readiness(report),
        readiness_value=words.number(report.readiness.value) if report.readiness else "",
        overall=closing.overall(report),
        overall_pairwise=closing.overall_words(report),
        limits=closing.limits(report),
        recipes=closing.recipes(report),
        notices=closing.notices_table(report),
        counts=closing.counts_table(report),
        imported=report.dataset.report,
        sources=_sources(report.dataset.report),
        images=Markup("") if images is None else images.symbols,
    )


def _date(stamp: str) -> str:
    """Write an ISO time stamp as people do; anything else stays as it is."""
    try:
        when = datetime.fromisoformat(stamp)
    except ValueError:
        return stamp
    when = when.astimezone(UTC) if when.tzinfo else when
    return f"{when.day} {when:%B %Y, %H:%M}{' UTC' if when.tzinfo else ''}"


def size_words(report: Report) -> str:
    """Write the size of the data."""
    data = report.dataset
    parts = [
        words.plural(data.units, "task"),
        words.plural(data.raters, "rater"),
        words.plural(data.answers, "answer"),
        words.plural(len(report.controls), "control"),
    ]
    return " · ".join(parts)


def _answer(report: Report) -> Markup:
    """Set the names of controls in the opening paragraph in bold."""
    names = sorted({control.control.name for control in report.controls if control.control.name}, key=len, reverse=True)
    if not names:
        return join(report.answer)
    pattern = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, names))})(?!\w)")
    parts = pattern.split(report.answer)
    return join(*(element("b", name(part)) if i % 2 else part for i, part in enumerate(parts)))


def _sources(imported: ImportReport) -> tuple[str, ...]:
    """Names of the files, without the folders they lie in."""
    names = [PurePath(source).name for source in imported.sources]
    return tuple(names[:3]) + ((f"{len(names) - 3:,} more files",) if len(names) > 3 else ())


def _cannot_tell(report: Report) -> tuple[tuple[str, str], ...]:
    """Comparisons that did not stand out, by control."""
    return tuple(
        (control.control.name, " ".join(control.cannot_tell)) for control in report.controls if control.cannot_tell
    )
