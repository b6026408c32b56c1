"""The report as Markdown: headline table, what to fix first, one section a control, methods, import report."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from markupsafe import Markup

from accord.pipeline.report import ControlReport, Report
from accord.reporting import closing, page, section, words
from accord.reporting.privacy import without_addresses
from accord.reporting.rater_figures import gold_table
from accord.reporting.tables import Table

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~!])")


def render(report: Report) -> str:
    """Render a report as Markdown that stays a text: whatever comes from the data is escaped."""
    lines = [f"# {escape(report.dataset.title)}", "", page.size_words(report), ""]
    lines += [text for paragraph in (report.answer, report.criteria) if paragraph for text in (escape(paragraph), "")]
    lines += ["## Agreement by control", "", *_headline(report), ""]
    lines += ["## What to fix first", "", *_findings(report), ""]
    for control in report.controls:
        lines += _control(control)
    lines += ["## How it was computed", ""]
    for control in report.controls:
        if control.methods:
            lines += [escape(control.methods), "", f"`{control.main.signature.replace('`', '')}`", ""]
    lines += ["## What was read, and what was left out", "", escape(report.dataset.report.shape), ""]
    lines += [*_table(closing.counts_table(report)), "", *_table(closing.notices_table(report)), ""]
    lines += [f"Accord {report.version}, data {report.dataset.fingerprint}", ""]
    text = "\n".join(lines)
    return text if report.content else without_addresses(text)


def escape(text: str) -> str:
    """Make text from the data safe and literal in Markdown."""
    flat = re.sub(r"\s+", " ", words.shown(text)).strip()
    return _SPECIAL.sub(r"\\\1", flat).replace("\\<", "&lt;").replace("\\>", "&gt;")


def _rows(heads: Iterable[str], numeric: Iterable[bool], rows: Iterable[Iterable[str]]) -> list[str]:
    marks = ["---:" if right else "---" for right in numeric]
    lines = [heads, marks, *rows]
    return [f"| {' | '.join(line)} |" for line in lines]


def _headline(report: Report) -> list[str]:
    judged = any(control.verdict for control in report.controls)
    heads = [
        "Control",
        "Coefficient",
        "Value",
        "Interval",
        "Tasks",
        "Raters",
        "Pairs",
        *(["Verdict"] if judged else []),
    ]
    rows = []
    for control in report.controls:
        main = control.main
        value = words.value_of(main) if not main.undefined else f"undefined: {escape(words.reason(main))}"
        counts = [words.count(n) for n in (main.units, main.raters, main.pairs)]
        row = [
            escape(control.control.name),
            escape(words.similarity(main)),
            value,
            words.bounds(main.interval),
            *counts,
        ]
        rows.append([*row, *([escape(control.verdict or "no criterion")] if judged else [])])
    return _rows(heads, [False, False, True, True, True, True, True, *([False] if judged else [])], rows)


def _findings(report: Report) -> list[str]:
    if not report.findings:
        return ["Nothing stands out."]
    return [
        f"{i}. **{escape(f.title)}** ({escape(f.control)}): {_loss(f.share)}{escape(f.detail)}. {escape(f.action)}"
        for i, f in enumerate(report.findings, start=1)
    ]


def _loss(share: float) -> str:
    return f"{words.percent(share)} of the loss; " if math.isfinite(share) else ""


def _control(control: ControlReport) -> list[str]:
    lines = [f"## {escape(control.control.name)}", "", escape(control.reading), ""]
    lines += [*_table(section.beside(control)), ""]
    if control.labels:
        heads = ["Label", "Answers", "Value", "Interval", "Specific"]
        rows = [
            [escape(row.label), words.count(row.count), words.value_of(row.agreement),
             words.bounds(row.agreement.interval), words.number(row.specific)]
            for row in control.labels
        ]  # fmt: skip
        lines += ["### Labels", "", *_rows(heads, [False, True, True, True, True], rows), ""]
    if control.gold_rows:
        lines += ["### Against ground truth", "", *_table(gold_table(control)), ""]
    if control.diagnostics:
        lines += ["### Can this number be trusted?", ""]
        lines += [
            f"- **{escape(d.title)}** ({section.STATUS_WORDS[d.status]}): {escape(d.text)}" for d in control.diagnostics
        ]
        lines.append("")
    return lines


def _table(table: Table) -> list[str]:
    """Table of the page as Markdown."""
    rows = ([_plain(cell.shown) for cell in row] for row in table.rows)
    heads = [escape(heading.title) for heading in table.headings]
    return _rows(heads, [heading.numeric for heading in table.headings], rows) if table.rows else []


def _plain(text: str | Markup) -> str:
    return escape(text.striptags() if isinstance(text, Markup) else text)
