"""Cells for CSV files that a spreadsheet may open."""

from __future__ import annotations

_STARTS = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def safe_cell(text: str) -> str:
    """Keep a spreadsheet from running text as a formula: a leading quote where it would.

    Examples
    --------
    >>> safe_cell("=1+1"), safe_cell("plain")
    ("'=1+1", 'plain')
    """
    return f"'{text}" if text.startswith(_STARTS) else text
