"""Static files, under addresses that change with their content."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from accord.service.failures import not_found
from accord.service.render import STATIC, static, static_file

router = APIRouter()
YEAR = "public, max-age=31536000, immutable"


@router.get("/static/{version}/{name:path}")
def static_content(version: str, name: str) -> Response:
    """Send one of the files a page may load."""
    if name not in STATIC or static(name) != f"/static/{version}/{name}":
        raise not_found("such file")
    kind = STATIC[name][1]
    return Response(static_file(name), media_type=kind, headers={"Cache-Control": YEAR})
