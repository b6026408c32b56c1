"""Decisions in words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from accord.workspace.decisions import REASONS

OUTCOMES: Mapping[str, str] = {
    "accept": "one answer accepted",
    "several": "several answers valid",
    "compose": "an answer composed",
    "none": "no single truth",
}


def words_of_decisions() -> dict[str, Any]:
    """What a template needs to write decisions in words."""
    return {"outcomes": OUTCOMES, "reasons": REASONS, "moment": moment}


def moment(seconds: float) -> str:
    """Date and time (UTC)."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
