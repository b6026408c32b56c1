"""What an earlier run of this program made and left in its work folder."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def kept(path: Path, make: Callable[[], T]) -> T:
    """Read a file of this program, or make its content and keep it. Delete the file after a change of the program."""
    if path.exists():
        return pickle.loads(path.read_bytes())
    value = make()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pickle.dumps(value))
    return value
