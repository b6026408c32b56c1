"""What all tables share: metadata with named constraints, text that may hold anything, and kinds of columns."""

from __future__ import annotations

import re
from typing import Any, Final

from sqlalchemy import Column, Double, ForeignKey, Integer, MetaData, Text
from sqlalchemy.types import TypeDecorator

METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

#: What PostgreSQL cannot keep in a text, and the sign that marks it.
_UNKEPT: Final = re.compile("[\x00\\\\\ud800-\udfff]")
_MARKED: Final = re.compile(r"\\([0-9a-f]{4})")


class AnyText(TypeDecorator[str]):
    r"""Text as it came, NUL and half characters included; equal texts stay equal and different ones different.

    Examples
    --------
    >>> AnyText().process_bind_param("a\x00b", None), AnyText().process_result_value("a\\0000b", None)
    ('a\\0000b', 'a\x00b')
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Any) -> str | None:
        """Mark what cannot be kept by its code."""
        del dialect
        return None if value is None else _UNKEPT.sub(lambda found: f"\\{ord(found.group()):04x}", value)

    def process_result_value(self, value: str | None, dialect: Any) -> str | None:
        """Undo the marks."""
        del dialect
        return kept_text(value)


def kept_text(value: str | None) -> str | None:
    """Text as it came, from the form in which it is kept."""
    if value is None or "\\" not in value:
        return value
    return _MARKED.sub(lambda found: chr(int(found.group(1), 16)), value)


def number() -> Column[int]:
    """Primary key that is never used again."""
    return Column("id", Integer, primary_key=True)


def belongs_to(table: str, *, optional: bool = False, key: bool = False) -> Column[int]:
    """Reference to a row of another table; what belongs to it goes with it."""
    name = f"{table[:-1]}_id"
    target = ForeignKey(f"{table}.id", ondelete="CASCADE")
    return Column(name, Integer, target, nullable=optional, primary_key=key)


def moment(name: str, *, optional: bool = False) -> Column[float]:
    """Point in time, seconds since 1970 UTC."""
    return Column(name, Double, nullable=optional)
