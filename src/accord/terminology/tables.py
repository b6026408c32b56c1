"""Terminologies as plain tables: three CSV files of one's own, ICD-11's tabulation, MedDRA's distribution."""

from __future__ import annotations

from pathlib import Path

from accord.errors import DataError
from accord.terminology.concepts import Concept, Terminology, distinct
from accord.terminology.files import lines, records

CONCEPTS, SYNONYMS, HIERARCHY = "concepts.csv", "synonyms.csv", "hierarchy.csv"


def read_csv(folder: Path) -> Terminology:
    """Read a folder of tables.

    concepts.csv has the columns concept_id and preferred; synonyms.csv concept_id and term; hierarchy.csv child and
    parent. The last two may be absent.

    Raises
    ------
    DataError
        If a column is missing, an identifier occurs twice, or a row names a concept that is not in concepts.csv.
    """
    concepts: dict[str, Concept] = {}
    for line, row in records(folder / CONCEPTS, ("concept_id", "preferred")):
        if row["concept_id"] in concepts:
            raise DataError.at(
                "this concept_id occurs twice.", file=str(folder / CONCEPTS), line=line, found=row["concept_id"]
            )
        concepts[row["concept_id"]] = Concept([row["preferred"]])
    if not concepts:
        raise DataError.at("this table holds no concept.", file=str(folder / CONCEPTS))
    add_synonyms(concepts, folder / SYNONYMS)
    path = folder / HIERARCHY
    if path.exists():
        for line, row in records(path, ("child", "parent")):
            _known(concepts, row["child"], path, line).parents.append(row["parent"])
            _known(concepts, row["parent"], path, line)
    return _finished(folder.name, concepts)


def add_synonyms(concepts: dict[str, Concept], path: Path) -> None:
    """Add the names of synonyms.csv, if there is one."""
    if path.exists():
        for line, row in records(path, ("concept_id", "term")):
            _known(concepts, row["concept_id"], path, line).names.append(row["term"])


def _known(concepts: dict[str, Concept], identifier: str, path: Path, line: int) -> Concept:
    if identifier not in concepts:
        raise DataError.at("this concept is not among the concepts.", file=str(path), line=line, found=identifier)
    return concepts[identifier]


def _finished(name: str, concepts: dict[str, Concept]) -> Terminology:
    return Terminology(name, {c: Concept(distinct(v.names), v.parents) for c, v in concepts.items()})


def read_icd11(path: Path) -> Terminology:
    """Read WHO's tabulation of ICD-11 (tab-separated; columns Code, Title, and leading dashes for the depth).

    The tabulation has no synonyms: put them into a file synonyms.csv (concept_id = Code, term) beside it.

    Raises
    ------
    DataError
        If a column is missing, or nothing has a code.
    """
    concepts: dict[str, Concept] = {}
    above: list[tuple[int, str]] = []
    for _, row in records(path, ("Code", "Title"), "\t"):
        title = row["Title"].strip('"')
        name = title.lstrip("- ")
        depth = title[: len(title) - len(name)].count("-")
        while above and above[-1][0] >= depth:
            above.pop()
        identifier = row["Code"] or row.get("BlockId") or f"{len(concepts)}:{name}"
        concepts[identifier] = Concept([name], [above[-1][1]] if above else [])
        above.append((depth, identifier))
    if not concepts:
        raise DataError.at("this table holds no entity.", file=str(path))
    add_synonyms(concepts, path.with_name(SYNONYMS))
    return _finished("ICD-11", concepts)


def read_meddra(folder: Path) -> Terminology:
    """Read MedDRA's ASCII files: preferred terms, their current lowest-level terms as synonyms, and the hierarchy.

    Raises
    ------
    DataError
        If pt.asc or llt.asc is missing or damaged.
    """
    concepts: dict[str, Concept] = {}
    for name in ("soc", "hlgt", "hlt", "pt"):
        path = folder / f"{name}.asc"
        if path.exists() or name == "pt":
            concepts |= {f[0]: Concept([f[1]]) for _, f in _dollars(path, 2)}
    path = folder / "llt.asc"
    for line, f in _dollars(path, 3):
        # The tenth field says whether the term is still used.
        if len(f) < 10 or f[9] != "N":
            _known(concepts, f[2], path, line).names.append(f[1])
    for name in ("soc_hlgt", "hlgt_hlt", "hlt_pt"):
        path = folder / f"{name}.asc"
        if path.exists():
            for line, f in _dollars(path, 2):
                _known(concepts, f[1], path, line).parents.append(f[0])
                _known(concepts, f[0], path, line)
    return _finished("MedDRA", concepts)


def _dollars(path: Path, least: int) -> list[tuple[int, list[str]]]:
    """Lines of fields that end with a dollar sign."""
    rows = []
    for number, line in lines(path):
        fields = line.split("$")
        if len(fields) < least or not fields[0]:
            raise DataError.at("this is no line of a MedDRA file.", file=str(path), line=number, found=line)
        rows.append((number, fields))
    return rows
