"""The description of the API, and what methods an address has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute

from accord.service.failures import ProblemBody

PROBLEM = {"application/json": {"schema": {"$ref": f"#/components/schemas/{ProblemBody.__name__}"}}}


def describe(app: FastAPI) -> None:
    """Let the description say that every failure is JSON of one shape, whatever a success looks like."""
    made = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = made()
            for operation in _operations(schema):
                for status, response in operation.get("responses", {}).items():
                    if status >= "400":
                        response["content"] = PROBLEM
        return app.openapi_schema or schema

    app.openapi = openapi  # type: ignore[method-assign]


def _operations(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in schema["paths"].values():
        yield from (operation for operation in path.values() if isinstance(operation, dict))


def routes(app: FastAPI) -> Iterator[APIRoute]:
    """Every route of an application; routers that were included hold theirs."""
    for route in app.routes:
        router = getattr(route, "original_router", None)
        for inner in router.routes if router is not None else ():
            if isinstance(inner, APIRoute):
                yield inner


def methods_at(app: FastAPI, path: str) -> str:
    """Methods that an address answers, for the header ``Allow``."""
    found = {method for route in routes(app) if route.path_regex.fullmatch(path) for method in route.methods or ()}
    return ", ".join(sorted(found))
