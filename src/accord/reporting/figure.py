"""One figure of a control: a title that says no more than the data support, a picture, and the table behind it."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from accord.pipeline.report import ControlReport, Finding
from accord.reporting.tables import Table


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure; without a picture the table is the figure."""

    title: str
    subtitle: str
    table: Table
    picture: Markup | None = None
    wide: bool = False
    note: str | Markup = ""


def supported(control: ControlReport, kind: str) -> Finding | None:
    """First finding of one kind that the data support."""
    return next((f for f in control.findings if f.kind == kind), None)
