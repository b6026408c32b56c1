"""The pages; one file each, every page with a ``.json`` twin of the same data."""

from __future__ import annotations

from fastapi import FastAPI

from accord.service.pages import (
    connections,
    custom,
    exports,
    files,
    hosts,
    insights,
    overview,
    people,
    persons,
    projects,
    raters,
    review,
    settings,
    sign_in,
    signoff,
    tasks,
)

#: Addresses with a word where others have a number come before those.
OF_PROJECTS = (overview, tasks, review, raters, insights, custom, connections, settings, exports, signoff)
PARTS = (files, sign_in, projects, *OF_PROJECTS, persons, hosts, people)


def mount(app: FastAPI) -> None:
    """Add all pages."""
    for part in PARTS:
        app.include_router(part.router, include_in_schema=False)
