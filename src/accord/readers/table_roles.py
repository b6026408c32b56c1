"""Which column is what, by the names that annotation tools and people use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from accord.errors import DataError, UsageError, listed

Tiers = tuple[tuple[str, ...], ...]

ROLES: Final[dict[str, Tiers]] = {
    "unit": (
        ("item", "unit", "task"),
        ("document", "doc", "example", "sample", "record", "case", "subject", "instance", "target"),
        ("id", "index", "row", "no", "nr"),
    ),
    "rater": (
        ("annotator", "rater", "coder", "worker", "judge", "labeler", "labeller", "completedby"),
        ("user", "reviewer", "participant", "expert", "assessor", "evaluator", "observer"),
    ),
    "value": (
        ("label", "value", "answer", "rating", "annotation"),
        ("score", "category", "response", "judgment", "judgement", "class", "grade", "code", "choice", "tag", "vote"),
    ),
    "control": (("control", "question", "variable", "attribute", "dimension", "aspect", "criterion", "field"),),
    "created": (("createdat", "created", "timestamp", "time", "date", "datetime", "submittedat", "completedat"),),
    "updated": (("updatedat", "updated", "modifiedat"),),
    "lead": (("leadtime", "duration"),),
}
DATA: Final = frozenset(
    {"text", "comment", "comments", "note", "notes", "remark", "remarks", "description", "url", "link", "source"}
    | {"context", "prompt", "title", "sentence", "image", "audio", "video", "path", "file", "filename"}
    | {"batch", "round", "group", "split", "language"}
)
REFERENCES: Final = frozenset({"gold", "goldlabel", "goldstandard", "reference", "truth", "groundtruth"})
RATER_LIKE: Final = re.compile(
    r"^(annotator|rater|coder|worker|judge|labell?er|user|reviewer|expert|observer|human|model|r|a|j|w)"
    r"[\s_.\-#]*(\d+|[a-z])$",
    re.IGNORECASE,
)


def plain(name: str) -> str:
    """Column name for recognition: lower case, letters and digits only, without id, name, email."""
    text = re.sub(r"[^a-z0-9]+", "", name.casefold())
    return re.sub(r"(?<=.)(ids?|name|email|uid|key)$", "", text) or text


def recognised(role: str, names: Iterable[str]) -> tuple[str, ...]:
    """Columns that may have a role, best tier only; several are ambiguous."""
    known = list(names)
    for tier in ROLES[role]:
        found = tuple(name for name in known if plain(name) in tier)
        if found:
            return found
    return ()


def is_data(name: str) -> bool:
    """Whether a column holds what was annotated, or remarks, rather than answers."""
    text = plain(name)
    return text in DATA or any(text in tier for role in ("created", "updated", "lead") for tier in ROLES[role])


def is_rater_like(name: str) -> bool:
    """Whether a column name looks like a numbered rater (r1, annotator_2, coder A)."""
    return RATER_LIKE.match(name.strip()) is not None


def is_reference(name: str) -> bool:
    """Whether a column of a wide table holds the right answers rather than those of a rater."""
    return plain(name) in REFERENCES


def only(role: str, names: Iterable[str], file: str) -> str | None:
    """Return the column with a role, None if there is none; two candidates are an error that says what to give."""
    found = recognised(role, names)
    if len(found) > 1:
        raise DataError.at(
            f"several columns may hold the {role}: {', '.join(map(repr, found))}.",
            file=file,
            hint=f"Say which: --{role} {found[0]}.",
        )
    return found[0] if found else None


def given(role: str, name: str, columns: Sequence[str], file: str) -> str:
    """Check that a column the user named is there."""
    if name not in columns:
        raise UsageError(f"{file} has no column {name!r} for --{role}. Columns: {listed(columns)}.")
    return name


def several(role: str, names: str | Sequence[str], columns: Sequence[str], file: str) -> tuple[str, ...]:
    """Check one column name, a comma-separated list of names, or a sequence of them."""
    if isinstance(names, str):
        names = (names,) if names in columns or "," not in names else [part.strip() for part in names.split(",")]
    return tuple(given(role, name, columns, file) for name in names)
