"""Reports for people: one HTML file, Markdown, CSV, JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from accord.pipeline.report import Report

__all__ = ["render_report", "write_report"]


def render_report(report: Report, form: str, *, images: str | Path | None = None) -> str:
    """Render a report as ``html``, ``md``, ``csv`` (the headline table) or ``json`` (everything).

    Parameters
    ----------
    images
        Folder with the pictures of the tasks, by name, to show behind drawn regions; for ``html`` only.

    Raises
    ------
    UnknownNameError
        If there is no such format.
    UsageError
        For a folder that does not exist, and for pictures in another format.
    """
    from accord.errors import UnknownNameError, UsageError

    if images is not None and form != "html":
        raise UsageError(f"Pictures are embedded in HTML only, and this is {form}.")
    match form:
        case "html":
            from accord.reporting.drawings.images import Images
            from accord.reporting.html import render as render_html

            return render_html(report, None if images is None else Images(images))
        case "md":
            from accord.reporting.markdown import render
        case "csv":
            from accord.reporting.csv_tables import render
        case "json":
            from accord.reporting.json_twin import render
        case _:
            raise UnknownNameError.among("report format", form, ("html", "md", "csv", "json"))
    return render(report)


def write_report(report: Report, path: str | Path, form: str, *, images: str | Path | None = None) -> None:
    """Write a report to ``path`` whole or not at all.

    ``images`` as for ``render_report``. As ``csv`` a path that ends in ``.zip`` gets every table in one archive, and a
    folder one file a table.

    Raises
    ------
    UnknownNameError
        If there is no such format.
    UsageError, DataError
        If the file cannot be written.
    """
    from accord.reporting.writing import write_bytes, write_text

    if form == "csv" and images is None and Path(path).is_dir():
        from accord.reporting.csv_tables import write

        write(report, path)
    elif form == "csv" and images is None and Path(path).suffix.lower() == ".zip":
        from accord.reporting.csv_tables import archive

        write_bytes(path, archive(report))
    else:
        write_text(path, render_report(report, form, images=images))
