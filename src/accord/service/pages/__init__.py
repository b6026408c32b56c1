"""The pages; one file each, every page with a ``.json`` twin of the same data."""

from __future__ import annotations

from fastapi import FastAPI

from accord.service.pages import (
    custom,
    files,
    insights,
    overview,
    people,
    projects,
    raters,
    review,
    settings,
    sign_in,
    tasks,
)


def mount(app: FastAPI) -> None:
    """Add all pages."""
    for part in (files, sign_in, projects, overview, tasks, review, raters, insights, custom, settings, people):
        app.include_router(part.router, include_in_schema=False)
