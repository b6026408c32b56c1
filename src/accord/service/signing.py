"""Secrets: how they are made, kept as hashes only, and how a form proves that it came from one of our pages."""

from __future__ import annotations

import hashlib
import hmac
import secrets

PREFIX = "acc_"


def new_secret() -> str:
    """Make a secret of 256 random bits that is recognised as ours where it leaks."""
    return PREFIX + secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    """Return what is stored of a secret; enough for one with 256 random bits.

    Examples
    --------
    >>> len(digest("acc_example"))
    64
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def form_token(session: str) -> str:
    """Token a page puts in its forms; follows from the session's secret, which scripts cannot read."""
    return hmac.new(session.encode(), b"accord form", hashlib.sha256).hexdigest()


def form_token_fits(session: str, given: str) -> bool:
    """Whether a form token belongs to a session; takes the same time whatever is wrong."""
    return hmac.compare_digest(form_token(session).encode(), given.encode("utf-8", "surrogatepass"))
