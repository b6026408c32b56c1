"""Which concepts train the model, which choose its settings, and which only test it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from accord.terminology import packaged
from accord.terminology.concepts import Concept, Terminology, key
from training import sources

TEST_ROOTS = ("HP:0000478", "HP:0002086", "HP:0001871")  # eye, respiratory system, blood
SETTING_ROOTS = ("HP:0000598", "HP:0002664")  # ear, neoplasm
TEST_SHARE = 0.3  # of each hand-written list


@dataclass(frozen=True)
class Tables:
    """Terminologies by use. No string of `test` or `setting` occurs in `train`, and none of `test` in `setting`."""

    train: dict[str, Terminology]
    setting: Terminology
    test: dict[str, Terminology]

    def check(self) -> None:
        """Raise if a held-out string is among those trained on."""
        trained = set().union(*(t.keys() for t in self.train.values()))
        held = set().union(self.setting.keys(), *(t.keys() for t in self.test.values()))
        if leaked := trained & held:
            raise AssertionError(f"{len(leaked)} held-out strings would be trained on, for example {min(leaked)!r}")


def _held(concept: str) -> bool:
    """Draw the tested share of a list by the concept's own name, so that lists can grow without reshuffling."""
    return hashlib.sha256(concept.encode()).digest()[0] < TEST_SHARE * 256


def _merged(name: str, *parts: Terminology) -> Terminology:
    concepts: dict[str, Concept] = {}
    for part in parts:
        concepts |= {f"{part.name}:{c}": v for c, v in part.concepts.items()}
    return Terminology(name, concepts).unambiguous()


def build(wordnet: Path) -> Tables:
    """Read all sources and split them; `wordnet` is the file data.noun."""
    hpo, icd, mesh = packaged.hpo().unambiguous(), packaged.icd10cm(), sources.mesh_diseases()
    words, medical = sources.wordnet(wordnet)
    tested = hpo.below(TEST_ROOTS)
    setting = hpo.below(SETTING_ROOTS) - tested
    lists = {name: sources.word_list(name) for name in ("abbreviations", "lay")}
    test = {
        "HPO": hpo.select("HPO (eye, respiratory, blood)", lambda c: c in tested),
        "ICD-10-CM": icd,
        "abbreviations": lists["abbreviations"].select("abbreviations", _held),
        "lay": lists["lay"].select("lay and technical", _held),
    }
    train = {
        "HPO": hpo.select("HPO", lambda c: c not in tested and c not in setting),
        "MeSH": mesh,
        "WordNet medical": words.select("WordNet medical", lambda c: c in medical),
        "WordNet": words.select("WordNet", lambda c: c not in medical),
        "lists": _merged(
            "lists",
            sources.packaged_abbreviations(),
            *(t.select(n, lambda c: not _held(c)) for n, t in lists.items()),
        ),
    }
    keys = {k: t.keys() for k, t in test.items()}
    held = set().union(*keys.values())
    choose = hpo.select("HPO (ear, neoplasm)", lambda c: c in setting).without(held)
    held |= choose.keys()
    tables = Tables({k: t.without(held) for k, t in train.items()}, choose, test)
    tables.check()
    return tables


def unseen(table: Terminology, train: dict[str, Terminology], wordnet: Path) -> Terminology:
    """Concepts of a tested terminology of which no name is known to a training source, before any string is removed."""
    words, _ = sources.wordnet(wordnet)
    hpo = packaged.hpo()
    known = sources.mesh_diseases().keys() | words.keys() | set().union(*(t.keys() for t in train.values()))
    known |= hpo.select("HPO", lambda c: c not in hpo.below(TEST_ROOTS)).keys()
    return table.select(table.name, lambda c: not any(key(n) in known for n in table.concepts[c].names))
