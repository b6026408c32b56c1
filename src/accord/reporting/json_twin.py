"""The report as JSON: the contract, and everything the page shows."""

from __future__ import annotations

import json

from accord.pipeline.contract import to_full_dict
from accord.pipeline.report import Report
from accord.reporting.privacy import without_addresses


def render(report: Report) -> str:
    """Render the full JSON, indented, with null for what does not exist."""
    text = json.dumps(to_full_dict(report), ensure_ascii=False, allow_nan=False, indent=1, default=str)
    text = text.encode("utf-8", "replace").decode("utf-8")
    return (text if report.content else without_addresses(text)) + "\n"
