"""The report as one HTML file: no network, no inline handlers, a content security policy made of hashes."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from accord.pipeline.report import Report
from accord.reporting import page, words
from accord.reporting.drawings.images import Images
from accord.reporting.policy import policy
from accord.reporting.privacy import without_addresses

_PERCENT = re.compile(r"(?<=\d) %")


def render(report: Report, images: Images | None = None) -> str:
    """Render a report as one self-contained HTML page.

    The page needs no network and no other file, and runs under a policy that allows its own script and style
    only. With ``report.content`` False it holds no answer text, no picture and no e-mail address.

    Examples
    --------
    >>> from accord.dataset import ImportReport
    >>> from accord.pipeline.report import DatasetSummary, Report, Score
    >>> data = DatasetSummary("Notes", "0" * 16, 0, 0, 0, ImportReport())
    >>> empty = Report(version="0.1.0", created="", dataset=data, plan={}, controls=(), overall_pairwise=Score())
    >>> render(empty).splitlines()[0]
    '<!doctype html>'
    """
    style, script = _static("report.css"), _static("report.js")
    text = (
        environment()
        .get_template("report.html.j2")
        .render(
            page=page.build(report, images if report.content else None),
            style=Markup(style),  # noqa: S704 - our own file
            script=Markup(script),  # noqa: S704
            policy=policy(style, script),
        )
    )
    return text if report.content else without_addresses(text)


@cache
def _static(name: str) -> str:
    return resources.files("accord.reporting").joinpath("static", name).read_text(encoding="utf-8")


@cache
def environment() -> Environment:
    """Templates of the report, with the filters that write numbers and names."""
    templates = Environment(
        loader=PackageLoader("accord.reporting"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    templates.filters["prose"] = _prose
    templates.filters["count"] = words.count
    templates.filters["sentence"] = words.sentence
    return templates


def _finalize(value: object) -> object:
    """Everything the template prints passes here: control characters become visible."""
    return words.shown(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _prose(text: str | Markup) -> str | Markup:
    """Keep a number and its percent sign on one line."""
    if isinstance(text, Markup):
        return text
    return _PERCENT.sub(f"{words.NARROW}%", text)
