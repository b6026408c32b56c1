"""How JSON, names and keys are kept: as ASCII, with digests where a text may be too long for an index."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

from accord.errors import DataError

#: Bytes of a key that an index takes on every database.
LONGEST_KEY: Final = 400


def json_text(data: Any) -> str:
    """JSON in ASCII, so that any database keeps it.

    Raises
    ------
    DataError
        It nests too deeply, or holds something that is no JSON.
    """
    try:
        return json.dumps(data, separators=(",", ":"))
    except RecursionError:
        raise DataError.at("the JSON nests too deeply.") from None
    except (TypeError, ValueError) as error:
        raise DataError.at(f"this is no JSON: {error}.") from None


def digest_of(data: Any) -> str:
    """Hash of JSON data, whatever the order of its keys."""
    try:
        return text_digest(json.dumps(data, sort_keys=True, separators=(",", ":")))
    except (RecursionError, TypeError, ValueError):
        return text_digest(json_text(data))


def text_digest(text: str) -> str:
    """128 bits of a text, as hexadecimal digits."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def index_key(text: str) -> str:
    """Text itself where it is short, else its beginning and its hash: different texts give different keys."""
    size = len(text.encode("utf-8", "surrogatepass"))
    return text if size <= LONGEST_KEY else f"{text[:80]}#{text_digest(text)}"
