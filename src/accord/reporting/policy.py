"""Content security policy of a page that carries its own script and style."""

from __future__ import annotations

import base64
import hashlib


def policy(style: str, script: str) -> str:
    """Content security policy that allows exactly this style and this script."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_hash(script)}'",
            f"style-src '{_hash(style)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
