"""Measure exported weights against every aim, on held-out concepts and a held-out terminology."""

from __future__ import annotations

import csv
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from accord.equivalence.nli import FILES, TextModel, entailment, nli
from accord.terminology.concepts import Terminology
from training import rivals
from training.calibrate import balanced
from training.exam import HARD, NEGATIVES, Pair, Study, questions, statements, studies
from training.kept import kept
from training.measure import Bin, Figure, auc, kappa_mae, reliability
from training.nearest import Strings
from training.sources import HERE

Floats = npt.NDArray[np.float64]
Scorer = Callable[[list[Pair]], Floats]
LISTS = ("abbreviations", "lay")
STATEMENTS = ("negation", "side", "severity", "number")


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    what: str
    aim: str
    reached: str
    cosine: str
    met: bool | None  # None = reported without an aim


@dataclass
class Terms:
    """Questions on one held-out terminology and the answers of each measure."""

    name: str
    asked: dict[str, list[Pair]]
    studies: list[Study]
    scores: dict[str, dict[Pair, float]] = field(default_factory=dict)

    @classmethod
    def ask(cls, name: str, table: Terminology) -> Terms:
        """Draw the questions."""
        strings = Strings(table)
        return cls(name, questions(strings), studies(strings))

    def answer(self, measures: dict[str, Scorer]) -> None:
        """Score every pair once by every measure."""
        wanted = {p for pairs in self.asked.values() for p in pairs}
        wanted |= set().union(*(s.pairs() for s in self.studies))
        pairs = sorted(wanted)
        for name, measure in measures.items():
            self.scores[name] = dict(zip(pairs, measure(pairs).tolist(), strict=True))

    def of(self, measure: str, *kinds: str) -> Floats:
        """Scores of the questions of some kinds."""
        return np.array([self.scores[measure][p] for k in kinds for p in self.asked[k]])

    def auc(self, measure: str, *kinds: str) -> Figure:
        """Synonyms against negatives of some kinds."""
        return auc(self.of(measure, "synonym"), self.of(measure, *kinds))

    def mae(self, measure: str) -> tuple[Figure, dict[str, float]]:
        """Error of soft kappa."""
        return kappa_mae(self.studies, self.scores[measure])


def model_scores(model: TextModel) -> Scorer:
    """The model as a function of pairs."""
    return lambda pairs: model.score([a for a, _ in pairs], [b for _, b in pairs])


def _against(what: str, aim: float, ours: Figure, cosine: Figure, *, at_least: float = 0.0) -> Row:
    """A row that must reach an aim and beat cosine by `at_least`; both have to hold."""
    wanted = max(aim, cosine.value + at_least)
    return Row(what, f"≥ {wanted:.2f}", str(ours), str(cosine), ours.value >= wanted and ours.value > cosine.value)


def terminology_rows(terms: Terms, hard: float, above: float, mae: float) -> list[Row]:
    """AUC and MAE rows of one terminology."""
    pair = {k: (terms.auc("model", *k), terms.auc("cosine", *k)) for k in (HARD, *((n,) for n in NEGATIVES))}
    rows = [_against(f"{terms.name}: hard negatives, AUC", hard, *pair[HARD], at_least=above)]
    for kind in HARD:
        ours, cosine = pair[(kind,)]
        rows.append(Row(f"{terms.name}: {kind}, AUC", "> cosine", str(ours), str(cosine), ours.value > cosine.value))
    ours, cosine = pair[("random",)]
    rows.append(Row(f"{terms.name}: random, AUC", "≥ cosine", str(ours), str(cosine), ours.value >= cosine.value))
    (ours, _), (cosine, _) = terms.mae("model"), terms.mae("cosine")
    wanted = min(mae, cosine.value)
    rows.append(Row(f"{terms.name}: soft κ, MAE", f"≤ {wanted:.3f}", str(ours), str(cosine), ours.value <= wanted))
    return rows


def direction_row(terms: Terms, folder: Path) -> Row:
    """Child ⇒ parent against parent ⇒ child."""
    one = model_scores(entailment(folder=folder))
    up = terms.asked["general"]
    figure = auc(one(up), one([(b, a) for a, b in up]))
    return Row(f"{terms.name}: child ⇒ parent against parent ⇒ child, AUC", "reported", str(figure), ".5", None)


def statement_rows(table: Terminology, model: Scorer) -> list[Row]:
    """Negation, side, severity and numbers on unseen concepts."""
    strings = Strings(table)
    rows = []
    for kind in STATEMENTS:
        same, other = statements(strings, kind)
        ours, cosine = (auc(m(same), m(other)) for m in (model, rivals.cosine))
        rows.append(_against(f"statements on unseen concepts: {kind}, AUC", 0.97, ours, cosine))
    return rows


def list_rows(tables: dict[str, Terminology], model: Scorer) -> list[Row]:
    """Abbreviations and everyday words kept out of training: the two names of one meaning against those of others."""
    rows = []
    for name in LISTS:
        concepts = list(tables[name].concepts.values())
        same = [(v.names[0], n) for v in concepts for n in v.names[1:]]
        other = [(a.names[0], b.names[-1]) for k, a in enumerate(concepts) for b in concepts[k + 1 :]]
        ours, cosine = (auc(m(same), m(other)) for m in (model, rivals.cosine))
        what = f"{tables[name].name} not trained on ({len(same)} pairs), AUC; mean score {model(same).mean():.2f}"
        rows.append(Row(what, "reported", str(ours), str(cosine), None))
    return rows


def phrase_rows(model: Scorer) -> list[Row]:
    """Hand-written phrases; their words may occur in training."""
    with (HERE / "lists" / "phrases.tsv").open(encoding="utf-8", newline="") as file:
        lines = [r for r in csv.reader(file, delimiter="\t") if r and not r[0].startswith("#")]
    same = [(a, b) for kind, a, b in lines if kind == "same"]
    kinds = list(dict.fromkeys(kind for kind, *_ in lines if kind != "same"))
    rows = []
    for kind in ("all", *kinds):
        other = [(a, b) for k, a, b in lines if k == kind or (kind == "all" and k != "same")]
        ours, cosine = (auc(m(same), m(other)) for m in (model, rivals.cosine))
        rows.append(Row(f"hand-written phrases: {kind} ({len(other)}), AUC", "reported", str(ours), str(cosine), None))
    return rows


def calibration(table: Terminology, model: Scorer) -> tuple[Row, list[Bin]]:
    """Expected calibration error on held-out subtrees, synonyms and negatives weighted alike."""
    pairs, label, weight = balanced(questions(Strings(table)))
    error, bins = reliability(model(pairs), label, weight)
    row = Row("held-out HPO: expected calibration error", "≤ 0.05", f"{error:.3f}", "", error <= 0.05)
    return row, bins


def speed_rows(table: Terminology, folder: Path) -> list[Row]:
    """Size and speed of the shipped files on one core (set OPENBLAS_NUM_THREADS=1)."""
    size = sum((folder / f).stat().st_size for f in FILES) / 1e6
    model = nli(folder=folder)
    texts = list(dict.fromkeys(n for v in table.concepts.values() for n in v.names))[:1000]
    model.encode(texts[:64])
    began = time.perf_counter()
    read = model.encode(texts)
    encoded = time.perf_counter() - began
    i, j = np.triu_indices(len(texts), 1)
    began = time.perf_counter()
    model.compare(read, i, j)
    compared = time.perf_counter() - began
    per_text, per_pair, whole = len(texts) / encoded, 2 * len(i) / compared, encoded + compared
    return [
        Row("size of the files, MB", "≤ 30", f"{size:.1f}", "", size <= 30),
        Row("texts read a second, one core", "≥ 1,500", f"{per_text:,.0f}", "", per_text >= 1500),
        Row("ordered pairs scored a second, one core", "≥ 20,000", f"{per_pair:,.0f}", "", per_pair >= 20_000),
        Row("all pairs of 1,000 texts, seconds", "≤ 60", f"{whole:.1f}", "", whole <= 60),
    ]


def markdown(rows: list[Row]) -> str:
    """The table as Markdown."""
    lines = ["| what | aim | reached | cosine of the backbone | |", "|---|---|---|---|---|"]
    sign = {True: "met", False: "**missed**", None: ""}
    lines += [f"| {r.what} | {r.aim} | {r.reached} | {r.cosine} | {sign[r.met]} |" for r in rows]
    return "\n".join(lines) + "\n"


def measures_table(all_terms: list[Terms]) -> str:
    """Every measure side by side: AUC on hard negatives and MAE of soft κ."""
    head = " | ".join(f"{t.name}: hard AUC | {t.name}: MAE" for t in all_terms)
    lines = [f"| measure | {head} |", "|---" * (1 + 2 * len(all_terms)) + "|"]
    for name in all_terms[0].scores:
        cells = " | ".join(f"{t.auc(name, *HARD)} | {t.mae(name)[0]}" for t in all_terms)
        lines.append(f"| {name} | {cells} |")
    return "\n".join(lines) + "\n"


RIVALS: dict[str, Scorer] = {
    "cosine": rivals.cosine,
    "token Jaccard": lambda p: rivals.wording("jaccard", p),
    "edit": lambda p: rivals.wording("edit", p),
    "exact": rivals.exact,
}


def examined(tables: dict[str, Terminology]) -> list[Terms]:
    """Questions on both held-out terminologies, answered by the other measures."""
    both = [Terms.ask("held-out HPO", tables["HPO"]), Terms.ask("ICD-10-CM", tables["ICD-10-CM"])]
    for terms in both:
        terms.answer(RIVALS)
    return both


def evaluate(tables: dict[str, Terminology], folder: Path, work: Path) -> tuple[list[Row], str, list[Bin]]:
    """All rows, the table of measures, and the bins of the reliability diagram."""
    ours = model_scores(nli(folder=folder))
    hpo, icd = kept(work / "exam.pickle", lambda: examined(tables))
    for terms in (hpo, icd):
        terms.answer({"model": ours})
    rows = terminology_rows(hpo, 0.89, 0.0, 0.065) + terminology_rows(icd, 0.0, 0.12, 0.10)
    rows.append(direction_row(hpo, folder))
    rows += statement_rows(tables["HPO"], ours) + list_rows(tables, ours) + phrase_rows(ours)
    row, bins = calibration(tables["HPO"], ours)
    rows += [row, *speed_rows(tables["HPO"], folder)]
    return rows, measures_table([hpo, icd]), bins
