"""A language model as judge of equivalence, over any server that speaks OpenAI's chat protocol.

Prompts are files beside this module, and part of the fingerprint. Texts are put into them as JSON strings inside a
marked block, so that nothing an annotator wrote can leave it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import resources
from math import exp
from typing import Any, Final, Literal

import numpy as np

from accord.equivalence.cached import key_of
from accord.equivalence.endpoint import Endpoint, NoAnswerError, at
from accord.errors import DataError
from accord.values import BoolArray, FloatArray

Form = Literal["logprob", "verbal"]
Question = Literal["equivalent", "entails"]

#: Version of the prompt files.
VERSION: Final = "1"
#: Alternatives asked for at the one token that is the answer.
ALTERNATIVES: Final = 20
#: Pairs in a row that may get no answer before the judge counts as gone.
GONE: Final = 4
#: How the answer is asked for, and more strictly if the first one is not of that form.
ASKED: Final[dict[Form, tuple[str, str]]] = {
    "logprob": ("Answer Yes or No.", "Answer with exactly one word, Yes or No, and nothing before or after it."),
    "verbal": (
        "Answer with the probability that the answer is yes, as a whole number from 0 to 100, and nothing else.",
        "Answer with one whole number from 0 to 100. No words, no signs, nothing else.",
    ),
}
_NUMBER = re.compile(r"\s*(\d{1,3})\s*%?\s*\.?\s*")


@dataclass(frozen=True, kw_only=True)
class JudgeOptions:
    """How a judge is asked.

    Parameters
    ----------
    form
        ``logprob``: P(yes) / (P(yes) + P(no)) from the probabilities of the first token; ``verbal``: a number from 0
        to 100 in words, heaped and overconfident as such numbers are.
    field
        What the texts are about, said in the prompt.
    mass
        Probability that yes and no must have together; below it the answer is off format.
    parallel
        Requests under way at a time.
    """

    model: str = ""
    form: Form = "logprob"
    field: str = ""
    mass: float = 0.5
    parallel: int = 4


class Judge:
    """P(yes) to one question about two texts, in the order given.

    Attributes
    ----------
    outcomes
        Answers by kind: ``answered``, ``off_format``, ``no_answer``.
    """

    symmetric = False
    chunk = 16

    def __init__(
        self, endpoint: Endpoint, question: Question = "equivalent", options: JudgeOptions | None = None
    ) -> None:
        self._endpoint, self._options = endpoint, options or JudgeOptions()
        self._prompt, self._wordings = prompt_text(question), ASKED[self._options.form]
        self.name = f"judge({self._options.model or 'default model'}, {question}, {self._options.form})"
        self.fingerprint = key_of("judge", endpoint.url, self._recipe(), self._prompt, *self._wordings).hex()
        self.outcomes: Counter[str] = Counter()
        self.seconds = 2.0
        self._missed = 0

    def _recipe(self) -> str:
        chosen = self._options
        return f"{chosen.model!r} {chosen.form} {chosen.field!r} {chosen.mass:g}"

    @property
    def remote(self) -> str | None:
        """Other machine that texts are sent to."""
        return self._endpoint.remote

    def tokens(self, texts: Sequence[str]) -> float:
        """Tokens of one question about two such texts, at about four characters each."""
        mean = float(np.mean([len(text) for text in texts])) if len(texts) else 0.0
        return (len(self._prompt) + 2.0 * mean) / 4.0

    def score(self, left: Sequence[str], right: Sequence[str], /) -> FloatArray:
        """P(yes) of pairs, (n,); NaN where the judge gave no usable answer."""
        return self.attempt(left, right)[0]

    def attempt(self, left: Sequence[str], right: Sequence[str], /) -> tuple[FloatArray, BoolArray]:
        """P(yes), and which pairs were answered, if only with something off format.

        Raises
        ------
        DataError
            If the judge has stopped answering, refuses, or cannot give probabilities.
        """
        if self._missed >= GONE:
            raise DataError.at(
                f"the judge has stopped answering after {self.outcomes['answered']} answers.",
                file=self._endpoint.url,
                hint="Answers already given are in the cache; start the server and run the same command again.",
            )
        with ThreadPoolExecutor(max(1, self._options.parallel)) as pool:
            found = list(pool.map(self._one, left, right))
        values = np.array([np.nan if value is None else value for value, _ in found], dtype=np.float64)
        return values, np.array([answered for _, answered in found], dtype=np.bool_)

    def _one(self, first: str, second: str) -> tuple[float | None, bool]:
        if self._missed >= GONE:
            return None, False
        try:
            value = self._asked(first, second, self._wordings[0])
            if value is None:
                value = self._asked(first, second, self._wordings[1])
        except NoAnswerError:
            self.outcomes["no_answer"] += 1
            self._missed += 1
            return None, False
        self._missed = 0
        self.outcomes["off_format" if value is None else "answered"] += 1
        return value, True

    def _asked(self, first: str, second: str, wording: str) -> float | None:
        body: dict[str, Any] = {
            "model": self._options.model,
            "messages": [{"role": "user", "content": self.prompt(first, second, wording)}],
            "temperature": 0,
            "seed": 0,
            "max_tokens": 1 if self._options.form == "logprob" else 8,
        }
        if self._options.form == "logprob":
            body |= {"logprobs": True, "top_logprobs": ALTERNATIVES}
        answer = self._endpoint.post("/v1/chat/completions", body)
        choice = at(answer, "choices", 0)
        if not isinstance(choice, dict):
            raise DataError.at(
                "sent no answer of a chat model.", file=self._endpoint.url, found=json.dumps(answer)[:200]
            )
        return (
            self._probability(choice) if self._options.form == "logprob" else verbal(at(choice, "message", "content"))
        )

    def prompt(self, first: str, second: str, wording: str) -> str:
        """What the judge is sent about two texts."""
        mark = key_of(first, second).hex()[:12]
        field = f" in the field of {self._options.field}" if self._options.field else ""
        given = {
            "field": field,
            "mark": mark,
            "first": json.dumps(first),
            "second": json.dumps(second),
            "answer": wording,
        }
        return self._prompt.format(**given)

    def _probability(self, choice: dict[str, Any]) -> float | None:
        top = at(choice, "logprobs", "content", 0, "top_logprobs")
        if not isinstance(top, list):
            raise DataError.at(
                "the judge returns no log-probabilities.",
                file=self._endpoint.url,
                hint="Use a server that does, or ask for a number in words: --set judge.form=verbal",
            )
        return share_of_yes(top, self._options.mass)


def share_of_yes(top: Sequence[Any], mass: float) -> float | None:
    """P(yes) / (P(yes) + P(no)) from the likeliest tokens, whatever their case and spaces; None if they are too rare.

    Examples
    --------
    >>> round(share_of_yes([{"token": " Yes", "logprob": -0.5}, {"token": "no", "logprob": -1.0}], 0.5), 3)
    0.622
    """
    found = {"yes": 0.0, "no": 0.0}
    for item in top:
        token, logprob = at(item, "token"), at(item, "logprob")
        if isinstance(token, str) and isinstance(logprob, int | float) and logprob <= 0:
            word = token.strip().strip('".').casefold()
            if word in found:
                found[word] += exp(logprob)
    both = found["yes"] + found["no"]
    return found["yes"] / both if both >= mass and both > 0 else None


def verbal(content: Any) -> float | None:
    """Number from 0 to 100 as a probability; None for anything else.

    Examples
    --------
    >>> verbal("85"), verbal("about 85"), verbal("850")
    (0.85, None, None)
    """
    match = _NUMBER.fullmatch(content) if isinstance(content, str) else None
    number = int(match[1]) if match else 101
    return number / 100 if number <= 100 else None


def prompt_text(question: Question) -> str:
    """Prompt of a question, as it lies in its file."""
    name = f"{question}-{VERSION}.txt"
    return resources.files("accord.equivalence").joinpath("prompts", name).read_text(encoding="utf-8")
