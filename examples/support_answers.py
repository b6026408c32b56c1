"""How the four raters of the example answer."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import support_texts as texts

SUMMARY_FROM = 212  # the summary was added to the form when most of the work was done

Json = dict[str, Any]


@dataclass(frozen=True)
class Rater:
    """How one person answers. ``slips`` is the share of careless answers, ``harsh`` of neutral read as negative."""

    id: int
    first: str
    last: str
    slips: float
    harsh: float = 0.0
    urgency: int = 0
    minutes: float = 1.0
    wide: float = 0.05
    style: int = 0

    @property
    def card(self) -> Json:
        return {
            "id": self.id,
            "email": f"{self.first.lower()}@example.org",
            "first_name": self.first,
            "last_name": self.last,
        }


RATERS = (
    Rater(11, "Amina", "Bello", slips=0.04, style=0),
    Rater(12, "Ben", "Fischer", slips=0.06, style=1),
    Rater(13, "Chidi", "Okoro", slips=0.06, style=2),
    # Dana reads complaints into neutral messages, rates everything one step more urgent and marks wider spans.
    Rater(14, "Dana", "Novak", slips=0.08, harsh=0.45, urgency=1, minutes=1.35, wide=0.6, style=1),
)


@dataclass
class Truth:
    """What a message is about; raters see it through their habits."""

    text: str
    spans: list[tuple[int, int, str]]
    sentiment: str
    topics: list[str]
    product: tuple[str, str]
    urgency: int
    minutes: int
    refund: str
    wish: str = ""


def items(number: int, truth: Truth, rater: Rater, random_: random.Random, prefix: str) -> Iterator[Json]:
    """Everything one rater says about one message, as result items."""

    def item(name: str, kind: str, value: Json, suffix: str = "") -> Json:
        identity = f"{prefix}{name[:3]}{suffix}"
        base = {"id": identity, "from_name": name, "to_name": "message", "type": kind, "origin": "manual"}
        return {**base, "value": value}

    yield item("sentiment", "choices", {"choices": [sentiment(truth, rater, random_)]})
    rating = truth.urgency + rater.urgency * (random_.random() < 0.7) + random_.choices((-1, 0, 1), (12, 76, 12))[0]
    yield item("urgency", "rating", {"rating": min(5, max(1, rating))})
    topics = chosen_topics(truth, rater, random_)
    if topics:
        yield item("topics", "choices", {"choices": topics})
    if "billing" in topics:
        refund = truth.refund if random_.random() > 2.5 * rater.slips else random_.choice(("full", "partial", "none"))
        yield item("refund", "choices", {"choices": [refund]})
    if random_.random() > 0.08:
        minutes = 5 * max(1, round(truth.minutes * rater.minutes * random_.lognormvariate(0, 0.18) / 5))
        yield item("minutes", "number", {"number": min(120, minutes)})
    path = list(truth.product) if random_.random() > 2 * rater.slips else [truth.product[0]]
    yield item("product", "taxonomy", {"taxonomy": [path]})
    for index, (start, end, label) in enumerate(marked(truth, rater, random_)):
        value = {"start": start, "end": end, "text": truth.text[start:end], "labels": [label]}
        yield item("entities", "labels", value, str(index))
    if number >= SUMMARY_FROM and random_.random() < 0.75:
        yield item("summary", "textarea", {"text": [summary(truth, rater, random_)]})


def sentiment(truth: Truth, rater: Rater, random_: random.Random) -> str:
    """Mixed and neutral are hard to tell apart for everybody; Dana turns neutral into negative."""
    if random_.random() < rater.slips:
        return random_.choice(texts.SENTIMENTS)
    if truth.sentiment == "mixed" and random_.random() < 0.4:
        return "neutral"
    if truth.sentiment == "neutral":
        if random_.random() < rater.harsh:
            return "negative"
        if random_.random() < 0.14:
            return "mixed"
    return truth.sentiment


def chosen_topics(truth: Truth, rater: Rater, random_: random.Random) -> list[str]:
    """Topics are easy; now and then one is forgotten or added."""
    topics = [topic for topic in truth.topics if random_.random() > 1.5 * rater.slips]
    if random_.random() < rater.slips:
        topics.append(random_.choice([topic for topic in texts.TOPICS if topic not in topics]))
    return topics


def marked(truth: Truth, rater: Rater, random_: random.Random) -> Iterator[tuple[int, int, str]]:
    """Spans with missed ones, and with the word before taken in by those who mark wide."""
    for start, end, label in truth.spans:
        if random_.random() < 1.2 * rater.slips:
            continue
        if start and random_.random() < rater.wide:
            start = truth.text.rfind(" ", 0, start - 1) + 1
        yield start, end, label


def summary(truth: Truth, rater: Rater, random_: random.Random) -> str:
    """The same content in the words of the rater."""
    topic = random_.choice(truth.topics)
    return texts.SUMMARIES[rater.style].format(
        product=truth.product[1].lower(), topic=texts.TOPIC_NOUNS[topic], wish=texts.WISH_NOUNS[truth.wish]
    )
