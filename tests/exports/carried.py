"""One set of annotations of each kind, made up once, that every format which can carry it is asked to write down."""

import random

RATERS = ("ada", "ben", "cy")
LABELS = ("person", "place", "thing")
WIDTH, HEIGHT = 200, 100
FRAMES = 12
WORDS = ("Ada", "met", "Bob", "in", "Rome", "and", "they", "saw", "😀", "the", "old", "bridge", "of", "stone", "at")
KINDS = {
    "choice": "one label",
    "choices": "several labels",
    "rating": "rating",
    "text": "free text",
    "spans": "spans of text",
    "relations": "relations",
    "boxes": "boxes",
    "polygons": "outlines",
    "masks": "masks",
    "keypoints": "key points",
    "tracks": "tracks on video",
    "stretches": "stretches of audio",
}


def _sentences(rng):
    return {f"t{n}": [rng.choice(WORDS) for _ in range(rng.randint(6, 10))] for n in range(1, 9)}


def _mostly(rng, truth):
    """Answer of every rater to every unit: the truth, or another one made in the same way."""
    first = truth()
    return lambda: first if rng.random() < 0.7 else truth()


def _answers(rng, units, truth):
    """Answers by rater and unit that agree more often than not."""
    found = {rater: {} for rater in RATERS}
    for unit in units:
        answer = _mostly(rng, lambda unit=unit: truth(unit))
        for rater in RATERS:
            found[rater][unit] = answer()
    return found


def _spans(rng, tokens):
    """Spans of one or two tokens that do not touch: first token, last token, label."""
    found, at = [], 0
    while at < len(tokens):
        last = min(at + rng.randint(0, 1), len(tokens) - 1)
        if rng.random() < 0.4:
            found.append((at, last, rng.choice(LABELS)))
        at = last + 2
    return found


def _box(rng):
    x, y = rng.randrange(0, WIDTH - 60), rng.randrange(0, HEIGHT - 50)
    return x, y, rng.randrange(10, 60), rng.randrange(10, 50), rng.choice(LABELS)


def _polygon(rng):
    x, y, width, height, label = _box(rng)
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + rng.randrange(5, height))], label


def _stretches(rng):
    found, at = [], 0
    for _ in range(rng.randint(1, 4)):
        at += rng.randrange(1, 8)
        length = rng.randrange(1, 8)
        found.append((at / 4, (at + length) / 4, rng.choice(LABELS)))
        at += length
    return found


def _track(rng):
    """Box on each frame from a first to a last one, moving by whole pixels, and a label."""
    x, y, width, height, label = _box(rng)
    first = rng.randint(1, 5)
    last = rng.randint(first + 1, FRAMES - 1)
    step = rng.choice((-1, 0, 1))
    return {frame: (x + 10 + step * (frame - first), y, width, height) for frame in range(first, last + 1)}, label


def carried():
    """Texts by name, and answers by kind, rater and unit."""
    rng = random.Random(11)
    texts = _sentences(rng)
    units, images = list(texts), [f"i{n}.png" for n in range(1, 9)]
    some = lambda make, low=0, high=3: [make(rng) for _ in range(rng.randint(low, high))]  # noqa: E731
    return texts, {
        "choice": _answers(rng, units, lambda _: rng.choice(LABELS)),
        "choices": _answers(rng, units, lambda _: sorted(rng.sample(LABELS, rng.randint(0, 2)))),
        "rating": _answers(rng, units, lambda _: rng.randint(1, 5)),
        "text": _answers(rng, units, lambda _: " ".join(rng.sample(WORDS, 3))),
        "spans": _answers(rng, units, lambda unit: _spans(rng, texts[unit])),
        "boxes": _answers(rng, images, lambda _: some(_box)),
        "polygons": _answers(rng, images, lambda _: some(_polygon)),
        "masks": _answers(rng, images, lambda _: some(_box)),
        "keypoints": _answers(rng, images, lambda _: [(*_box(rng)[:2], label) for label in LABELS]),
        "tracks": _answers(rng, ["v1", "v2", "v3"], lambda _: some(_track, 1, 2)),
        "stretches": _answers(rng, ["r1", "r2", "r3", "r4"], lambda _: _stretches(rng)),
    }


TEXTS, ANSWERS = carried()


def text_of(unit):
    return " ".join(TEXTS[unit])


def in_characters(unit, first, last):
    """Begin and end of some tokens in the text."""
    tokens = TEXTS[unit]
    begin = sum(len(token) + 1 for token in tokens[:first])
    return begin, begin + len(" ".join(tokens[first : last + 1]))


def in_units(unit, first, last):
    """The same in UTF-16 units."""
    text = text_of(unit)
    return tuple(len(text[:at].encode("utf-16-le")) // 2 for at in in_characters(unit, first, last))


def linked(spans):
    """Relations of an answer: every span but the first comes after the one before it."""
    return [(number - 1, number) for number in range(1, len(spans))]
