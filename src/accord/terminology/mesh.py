"""MeSH descriptors in XML: terms of the preferred concept, and the tree."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from accord.errors import DataError
from accord.terminology.concepts import Concept, Terminology, distinct


def read_mesh(path: Path) -> Terminology:
    """Read a file of MeSH descriptors (``desc2026.xml`` or the same as ``.gz``).

    A descriptor holds several concepts; only the terms of the preferred one mean the descriptor, the others are
    narrower or related. Permuted terms ("Neoplasms, Lung") are left out.

    Raises
    ------
    DataError
        If the file is no MeSH, or declares entities.
    """
    names: dict[str, list[str]] = {}
    trees: dict[str, list[str]] = {}
    for record in _records(path):
        identifier = record.findtext("DescriptorUI") or ""
        names[identifier] = [record.findtext("DescriptorName/String") or "", *_terms(record)]
        trees[identifier] = [node.text or "" for node in record.iterfind("TreeNumberList/TreeNumber")]
    if not names:
        raise DataError.at("this file holds no DescriptorRecord.", file=str(path))
    at = {tree: identifier for identifier, some in trees.items() for tree in some}
    concepts = {}
    for identifier, some in trees.items():
        above = {at[t.rpartition(".")[0]] for t in some if t.rpartition(".")[0] in at}
        concepts[identifier] = Concept(distinct(names[identifier]), sorted(above))
    return Terminology("MeSH", concepts)


def _terms(record: Any) -> Iterator[str]:
    for concept in record.iterfind("ConceptList/Concept"):
        if concept.get("PreferredConceptYN") == "Y":
            for term in concept.iterfind("TermList/Term"):
                if term.get("IsPermutedTermYN") != "Y":
                    yield term.findtext("String") or ""


def _records(path: Path) -> Iterator[Any]:
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            root = None
            for event, element in iterparse(stream, events=("start", "end")):
                root = element if root is None else root
                if event == "end" and element.tag == "DescriptorRecord":
                    yield element
                    root.clear()
    except ParseError as problem:
        raise DataError.at(
            f"the file is not well-formed XML: {problem}.", file=str(path), line=problem.position[0]
        ) from None
    except DefusedXmlException as problem:
        raise DataError.at(f"the file declares entities ({type(problem).__name__}).", file=str(path)) from None
    except (OSError, EOFError) as problem:
        raise DataError.at(f"cannot read: {problem}.", file=str(path)) from None
