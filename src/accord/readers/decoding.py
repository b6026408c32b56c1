"""Decoders of other libraries over bytes from outside: whatever they raise becomes an error that names the file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from accord.errors import AccordError, DataError, shorten


@contextmanager
def decoding(path: Path, what: str) -> Iterator[None]:
    """Run a library's decoder; ``what`` says what is wrong with the file if it fails.

    Decoders raise more than they document (ends of dictionaries, numbers too large, characters cut in half), and
    those written in Rust panic. Only calls of the library belong in here, so that no mistake of ours is hidden.

    Raises
    ------
    DataError
        The decoder failed.
    """
    try:
        yield
    except AccordError:
        raise
    except MemoryError:
        raise DataError.at(f"{what}: it asks for more memory than there is.", file=str(path)) from None
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        reason = shorten(f"{error}".strip() or type(error).__name__, 300).rstrip(".")
        raise DataError.at(f"{what}: {reason}.", file=str(path)) from None
