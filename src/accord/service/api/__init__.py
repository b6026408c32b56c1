"""The HTTP API; one file a group of routes."""

from __future__ import annotations

from fastapi import FastAPI

from accord.service.api import exports, health, jobs, people, persons, projects, quality, raters, reviews, tasks


def mount(app: FastAPI) -> None:
    """Add all routes of the API."""
    for part in (health, people, projects, quality, tasks, reviews, raters, exports, persons, jobs):
        app.include_router(part.router)
