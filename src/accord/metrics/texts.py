"""From an answer to comparable text: normal form, units of comparison, words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from accord.registry import Option
from accord.values import Value

Normal = Literal["nfc", "nfkc", "none"]

NORMALIZE = Option("nfc", ("nfc", "nfkc", "none"), "Unicode normal form; none compares the text as stored")
REFERENCE = Option("both", ("both", "left"), "left: the left text is the reference, as in speech evaluation")
UNIT = Option("code_point", ("code_point", "grapheme"), "what counts as one character")

_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_MARK_SHARE = 0.2


def joined(value: Value) -> str | None:
    """Text of an answer; several lines are joined by one space."""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple) and all(isinstance(line, str) for line in value):
        return " ".join(value)
    return None


def normal_text(value: Value, *, normalize: Normal = "nfc") -> str | None:
    """Text in the normal form asked for; nothing else is changed."""
    text = joined(value)
    if text is None or normalize == "none":
        return text
    return unicodedata.normalize(normalize.upper(), text)  # type: ignore[arg-type]


def units_text(value: Value, *, normalize: Normal = "nfc", unit: str = "code_point") -> Any:
    """Sequence that edit distances run over: code points or grapheme clusters."""
    text = normal_text(value, normalize=normalize)
    return text if text is None or unit == "code_point" else graphemes(text)


def graphemes(text: str) -> tuple[str, ...]:
    """User-perceived characters (extended grapheme clusters of UAX 29)."""
    import regex

    return tuple(regex.findall(r"\X", text))


def words(value: Value, *, normalize: Normal = "nfc") -> tuple[str, ...] | None:
    """Words between white space; punctuation stays."""
    text = normal_text(value, normalize=normalize)
    return None if text is None else tuple(text.split())


def is_unspaced(text: str) -> bool:
    """Whether a text is written in a script without spaces between words (Thai, Khmer, Chinese, Japanese ...)."""
    letters = sum(character.isalpha() for character in text)
    return letters > 0 and len(_UNSPACED.findall(text)) > _MARK_SHARE * letters


def refuse_unspaced(values: Sequence[Value], _options: Mapping[str, Any]) -> str | None:
    """Sentence if more than one text in twenty has no spaces between words."""
    texts = [text for text in map(joined, values) if text]
    unspaced = sum(map(is_unspaced, texts))
    if unspaced == 0 or unspaced <= 0.05 * len(texts):
        return None
    return (
        f"{unspaced} of {len(texts)} texts are in a script that does not put spaces between words, so words cannot "
        "be counted by white space. Use cer or chrf, which work on characters."
    )
