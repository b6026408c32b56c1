"""Checklist for reporting agreement studies, filled in as far as the data know.

References
----------
Kottner and others 2011, Guidelines for Reporting Reliability and Agreement Studies (GRRAS), Journal of Clinical
Epidemiology 64, 96-106.
"""

from __future__ import annotations

from accord.pipeline.report import Report
from accord.pipeline.words import listed, plural

OPEN = "(to be written by you)"


def checklist(report: Report) -> str:
    """Return the fifteen items as Markdown, answered where the report can."""
    sizes = [f"{c.control.name}: {plural(c.units, 'unit')}, {plural(c.raters, 'rater')}" for c in report.controls]
    methods = " ".join(control.methods for control in report.controls)
    items = (
        ("Title or abstract says that agreement or reliability was studied", OPEN),
        ("The thing that is measured, named and described", listed([c.control.name for c in report.controls])),
        ("Subjects: who or what was rated", OPEN),
        ("Raters: who they are and what they know", f"{plural(report.dataset.raters, 'rater')}; {OPEN}"),
        ("What is already known, and why this study", OPEN),
        ("How the sample size was chosen", OPEN),
        ("How units and raters were sampled", OPEN),
        ("How rating was done: time between ratings, what raters could see", OPEN),
        ("Whether ratings were independent", _independence(report)),
        ("Statistical analysis", methods),
        ("Numbers of raters and units that were included", "; ".join(sizes)),
        ("Characteristics of raters and units", OPEN),
        ("Estimates with their uncertainty", "; ".join(f"{c.control.name}: {c.main!r}" for c in report.controls)),
        ("Practical meaning of the results", OPEN),
        ("Detailed results, for example as an appendix", "report.json in this folder"),
    )
    lines = [f"{i}. **{name}.** {answer}" for i, (name, answer) in enumerate(items, 1)]
    return "# Reporting checklist (GRRAS, Kottner and others 2011)\n\n" + "\n".join(lines) + "\n"


def _independence(report: Report) -> str:
    known = report.dataset.report.codes
    found = [f"{known[code]} {code}" for code in ("edited-by-other", "copied", "prediction-started") if code in known]
    return f"Counted on reading: {listed(found)}." if found else "No answers edited by others, copied or pre-filled."


def bibtex(report: Report) -> str:
    """Return a BibTeX entry for this version of the software."""
    return (
        "@software{accord,\n"
        "  title = {Accord: inter-annotator agreement with intervals and recipes},\n"
        "  author = {{The Accord authors}},\n"
        f"  version = {{{report.version}}},\n"
        f"  year = {{{report.created[:4]}}}\n"
        "}\n"
    )
