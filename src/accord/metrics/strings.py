"""Edit distances on characters, by rapidfuzz."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from accord.errors import DataError
from accord.metrics.spec import Codes, metric
from accord.metrics.texts import NORMALIZE, REFERENCE, UNIT, normal_text, units_text
from accord.values import FloatArray, Kind

#: Largest product of two lengths: half a minute for one pair, by 64 characters at a time or one by one.
MOST_CELLS: Final = 1e12
MOST_PLAIN_CELLS: Final = 1e10
#: Length from which texts are first taken to be at most so many edits apart.
LONG: Final = 20_000
ALIKE: Final = 1000
TEXT_OPTIONS = {"normalize": NORMALIZE, "unit": UNIT}


def coded(texts: Sequence[Sequence[str]]) -> list[str]:
    """Write sequences of words or graphemes as strings with one character per distinct item."""
    index: dict[str, int] = {}
    return ["".join(chr(index.setdefault(item, len(index))) for item in text) for text in texts]


def lengths(texts: Sequence[Any]) -> FloatArray:
    """Number of items of each text, (V,)."""
    return np.fromiter(map(len, texts), dtype=np.float64, count=len(texts))


def distances(
    texts: Sequence[str], i: Codes, j: Codes, scorer: Callable[..., float] | None = None, *, most: float = MOST_CELLS
) -> FloatArray:
    """Edit distances of pairs, (n,); ``most`` is the largest product of two lengths.

    Raises
    ------
    DataError
        Two texts are too long.
    """
    from rapidfuzz import process
    from rapidfuzz.distance import Levenshtein

    size = lengths(texts)
    _check_lengths(size[i], size[j], most)
    hint = _expected(size) if scorer is None else None
    left, right = [texts[k] for k in i.tolist()], [texts[k] for k in j.tolist()]
    return process.cpdist(left, right, scorer=scorer or Levenshtein.distance, score_hint=hint, dtype=np.float64)


def _expected(size: FloatArray) -> int | None:
    """Distance to try first, where texts are long: it is quicker if they are alike, and never changes the result."""
    return ALIKE if size.max(initial=0.0) >= LONG else None


def _check_lengths(left: FloatArray, right: FloatArray, most: float) -> None:
    """Refuse pairs of texts (n,) that would take minutes each."""
    cells = left * right
    if not len(cells) or cells.max() <= most:
        return
    worst = int(cells.argmax())
    raise DataError.at(
        "two texts are too long for an edit distance.",
        found=f"lengths {int(left[worst]):,} and {int(right[worst]):,}",
        allowed=f"lengths whose product is at most {most:.0e}, as twice {int(most**0.5):,}",
        hint="Compare words, as with --metric CONTROL=wer, or shorter texts.",
    )


def cross_scores(left: Sequence[str], right: Sequence[str], scorer: str) -> FloatArray:
    """One of rapidfuzz's Levenshtein scores of all texts on the left with all on the right, (n, m)."""
    from rapidfuzz import process
    from rapidfuzz.distance import Levenshtein

    a, b = lengths(left), lengths(right)
    _check_lengths(a.max(initial=0.0, keepdims=True), b.max(initial=0.0, keepdims=True), MOST_CELLS)
    longest = float(max(a.max(initial=0.0), b.max(initial=0.0)))
    hint: float | None = _expected(np.array([longest]))
    if hint is not None and scorer == "normalized_similarity":
        hint = 1.0 - hint / longest
    return process.cdist(left, right, scorer=getattr(Levenshtein, scorer), score_hint=hint, dtype=np.float64)


def edit_cost(texts: Sequence[Any]) -> float:
    """Cost of one pair in units of 100 ns: constant for short texts, then growing with the square of the length."""
    return max(1.0, float(np.mean(lengths(texts) ** 2)) / 2500.0) if texts else 1.0


def share_kept(distance: FloatArray, longer: FloatArray) -> FloatArray:
    """1 - distance / length; NaN where both texts are empty."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(longer > 0, np.maximum(1.0 - distance / longer, 0.0), np.nan)


def _plain(texts: Sequence[Any]) -> Sequence[str]:
    return coded(texts) if texts and not isinstance(texts[0], str) else texts


def edit_similarity(pool: Sequence[Any], i: Codes, j: Codes, reference: str = "both") -> FloatArray:
    """1 - Levenshtein distance / length of the longer text (or of the left one)."""
    texts, size = _plain(pool), lengths(pool)
    if reference == "both":
        return share_kept(distances(texts, i, j), np.maximum(size[i], size[j]))
    return np.where(size[i] + size[j] > 0, _one_sided(distances(texts, i, j), size[i]), np.nan)


def _one_sided(errors: FloatArray, reference: FloatArray) -> FloatArray:
    """1 - errors / reference length, not below 0; 0 for an empty reference."""
    return np.where(reference > 0, np.maximum(1.0 - errors / np.maximum(reference, 1.0), 0.0), 0.0)


def edit_block(left: Sequence[Any], right: Sequence[Any], *, reference: str = "both") -> FloatArray:
    """Edit similarities of all texts on the left with all on the right, (n, m)."""
    texts = _plain([*left, *right])
    first, second = texts[: len(left)], texts[len(left) :]
    a, b = lengths(left), lengths(right)
    if reference == "both":
        scores = cross_scores(first, second, "normalized_similarity")
    else:
        scores = _one_sided(cross_scores(first, second, "distance"), a[:, None])
    scores[np.ix_(a == 0, b == 0)] = np.nan
    return scores


@metric(
    "text_similarity",
    kinds=(Kind.TEXT,),
    reference="Levenshtein 1966, Soviet Physics Doklady 10:707",
    prepare=units_text,
    shape="batch",
    block=edit_block,
    cost=edit_cost,
    options=TEXT_OPTIONS,
    threshold=0.85,
    aliases=("levenshtein", "edit_similarity"),
)
def text_similarity(pool: Sequence[Any], i: Codes, j: Codes, /) -> FloatArray:
    """1 - edit distance / length of the longer text; two empty texts are not comparable."""
    return edit_similarity(pool, i, j)


@metric(
    "cer",
    kinds=(Kind.TEXT,),
    reference="Morris, Maier and Green 2004, Interspeech (error rates); denominator: the longer text",
    prepare=units_text,
    shape="batch",
    block=edit_block,
    cost=edit_cost,
    directed=(("reference", "left"),),
    options={**TEXT_OPTIONS, "reference": REFERENCE},
    threshold=0.85,
    aliases=("character_error_rate",),
    title="CER agreement",
)
def cer(pool: Sequence[Any], i: Codes, j: Codes, /, *, reference: str) -> FloatArray:
    """1 - character errors / length of the longer text, or of the left one."""
    return edit_similarity(pool, i, j, reference)


@metric(
    "damerau_levenshtein",
    kinds=(Kind.TEXT,),
    reference="Damerau 1964, CACM 7:171; unrestricted form",
    prepare=units_text,
    shape="batch",
    options=TEXT_OPTIONS,
    threshold=0.85,
    title="Damerau-Levenshtein",
)
def damerau_levenshtein(pool: Sequence[Any], i: Codes, j: Codes, /) -> FloatArray:
    """Edit similarity in which swapping two neighbours is one edit."""
    from rapidfuzz.distance import DamerauLevenshtein

    size = lengths(pool)
    apart = distances(_plain(pool), i, j, DamerauLevenshtein.distance, most=MOST_PLAIN_CELLS)
    return share_kept(apart, np.maximum(size[i], size[j]))


@metric(
    "jaro_winkler",
    kinds=(Kind.TEXT,),
    reference="Winkler 1990, ASA Survey Research Methods; prefix weight 0.1",
    prepare=normal_text,
    shape="batch",
    options={"normalize": NORMALIZE},
    threshold=0.85,
    title="Jaro-Winkler",
)
def jaro_winkler(pool: Sequence[str], i: Codes, j: Codes, /) -> FloatArray:
    """Jaro similarity with a bonus for a common beginning; made for names."""
    from rapidfuzz.distance import JaroWinkler

    size = lengths(pool)
    return np.where(size[i] + size[j] > 0, distances(pool, i, j, JaroWinkler.similarity), np.nan)
