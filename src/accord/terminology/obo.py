"""OBO files: names, EXACT synonyms and is_a of the terms that are not obsolete."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from pathlib import Path

from accord.errors import DataError
from accord.terminology.concepts import Concept, Terminology, distinct
from accord.terminology.files import lines

_SYNONYM = re.compile(r'"((?:[^"\\]|\\.)*)" EXACT ?(\S*)')
#: Types of synonyms that are none: names that were given up.
OBSOLETE = frozenset({"obsolete_synonym"})


def read_obo(path: Path, *, name: str = "", skip: Container[str] = OBSOLETE) -> Terminology:
    """Read an ontology in OBO form.

    Parameters
    ----------
    skip
        Types of synonyms to leave out.

    Raises
    ------
    DataError
        If the file cannot be read or holds no term.
    """
    concepts: dict[str, Concept] = {}
    for fields in _terms(path):
        if ("is_obsolete", "true") in fields:
            continue
        values = dict(reversed(fields))
        names = [value for tag, value in fields if tag == "name"]
        found = filter(None, (_SYNONYM.match(value) for tag, value in fields if tag == "synonym"))
        names += [m[1].replace('\\"', '"') for m in found if m[2] not in skip]
        parents = [value.split(" ")[0] for tag, value in fields if tag == "is_a"]
        if "id" in values:
            concepts[values["id"]] = Concept(distinct(names), parents)
    if not concepts:
        raise DataError.at("this file holds no term.", file=str(path), allowed="stanzas [Term] with id, name and is_a")
    return Terminology(name or path.stem, concepts)


def _terms(path: Path) -> Iterator[list[tuple[str, str]]]:
    """Fields of every stanza [Term], in order."""
    fields: list[tuple[str, str]] | None = None
    for _, line in lines(path):
        if line.startswith("["):
            if fields is not None:
                yield fields
            fields = [] if line.strip() == "[Term]" else None
        elif fields is not None and line:
            fields.append(line.partition(": ")[::2])
    if fields is not None:
        yield fields
