"""The HTTP API; one file a group of routes."""

from __future__ import annotations

from fastapi import FastAPI

from accord.service.api import (
    connections,
    exports,
    health,
    hooks,
    jobs,
    people,
    persons,
    projects,
    quality,
    raters,
    reviews,
    signoffs,
    tasks,
)

PARTS = (
    health,
    people,
    projects,
    quality,
    signoffs,
    tasks,
    reviews,
    raters,
    exports,
    persons,
    connections,
    hooks,
    jobs,
)


def mount(app: FastAPI) -> None:
    """Add all routes of the API."""
    for part in PARTS:
        app.include_router(part.router)
