"""Guard for models that read English only: how many texts are not English."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

#: Share of texts in another language from which an English model is refused.
MOST_FOREIGN: Final = 0.05
#: Words of a text that must be known before anything is said about its language.
FEWEST_KNOWN: Final = 2
_WORD = re.compile(r"[^\W\d_]+")
#: Words that hold sentences together; each list is free of words that are common in English.
_FUNCTION: Final = {
    "en": "the of and to in is was with for on that by are be not this from at which or has have no were it without",
    "de": "der die das und ist mit von den dem ein eine einer zu im für auf nicht kein bei nach aus ohne sich wird",
    "fr": "le la les des et est une du pour dans avec sur pas au aux par qui ne sans ou ce cette sont chez plus",
    "es": "el la los las y es una del con por para en no se sin que al lo su como más pero hay o",
    "it": "il la gli e è una del della con per di che non si nel nella senza da al sono come più alla ma",
    "pt": "o a os as e é uma do da com por para em não se sem que ao no na como mais dos das foi",
    "nl": "de het een en is van met voor op niet geen bij dat in zijn aan er uit zonder ook naar door wordt te",
}
_ENGLISH: Final = frozenset(_FUNCTION["en"].split())
_OTHERS: Final = {name: frozenset(words.split()) - _ENGLISH for name, words in _FUNCTION.items() if name != "en"}


def is_foreign(text: str) -> bool:
    """Whether a text is in another script than Latin, or its small words are those of another language.

    Short terms without small words count as English: nothing in them says otherwise.

    Examples
    --------
    >>> is_foreign("Schmerzen in der Brust und kein Fieber"), is_foreign("chest pain"), is_foreign("боль в груди")
    (True, False, True)
    """
    letters = [character for character in text if character.isalpha()]
    if not letters:
        return False
    latin = sum(unicodedata.name(character, "").startswith("LATIN") for character in letters)
    greek = sum(unicodedata.name(character, "").startswith("GREEK") for character in letters)
    # Single Greek letters are part of English technical terms.
    if latin + min(greek, latin) < 0.5 * len(letters):
        return True
    words = [word.casefold() for word in _WORD.findall(text)]
    english = sum(word in _ENGLISH for word in words)
    other = max(sum(word in known for word in words) for known in _OTHERS.values())
    return other >= FEWEST_KNOWN and other > english


def foreign_share(texts: Sequence[str]) -> float:
    """Share of texts that are not English."""
    return sum(map(is_foreign, texts)) / len(texts) if texts else 0.0


def refusal(texts: Sequence[str]) -> str | None:
    """Sentence why an English model is refused on these texts, or None."""
    share = foreign_share(texts)
    if share <= MOST_FOREIGN:
        return None
    return (
        f"{share:.0%} of the texts are in another language or script, and the model reads English; "
        f"more than {MOST_FOREIGN:.0%} are refused."
    )
