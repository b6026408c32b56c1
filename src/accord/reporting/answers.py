"""Answers side by side: what differs is marked, spans are drawn on the text they lie on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from markupsafe import Markup

from accord.reporting.markup import element, join
from accord.reporting.words import shown

TEXT_LIMIT = 1200
WINDOW = 110
LANES = 6

SpanTuple = tuple[int, int, str]

_TOKEN = re.compile(r"[\u0e00-\u0e7f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\w+|\s+|.", re.DOTALL)


def differences(texts: Sequence[str]) -> list[Markup]:
    """Mark, in each text, the words that at least one other text lacks at that place."""
    cut = [text if len(text) <= TEXT_LIMIT else f"{text[:TEXT_LIMIT]}…" for text in texts]
    distinct = list(dict.fromkeys(cut))
    tokens = {text: _TOKEN.findall(text) for text in distinct}
    drawn = {text: _draw(tokens[text], _lacking(tokens[text], [tokens[t] for t in distinct])) for text in distinct}
    return [drawn[text] for text in cut]


def whole(texts: Sequence[str]) -> list[Markup]:
    """Mark every answer as a whole unless all are the same."""
    differ = len(set(texts)) > 1
    return [element("mark", text) if differ else join(text) for text in texts]


def _lacking(own: list[str], others: Sequence[list[str]]) -> set[int]:
    from rapidfuzz.distance import Indel

    lacking: set[int] = set()
    for other in others:
        if other is not own:
            for step in Indel.opcodes(own, other):
                if step.tag == "delete":
                    lacking.update(range(step.src_start, step.src_end))
    return {i for i in lacking if not own[i].isspace()}


def _draw(tokens: list[str], marked: set[int]) -> Markup:
    """Join tokens; marked ones that only white space parts become one mark."""
    parts: list[Markup] = []
    run: list[str] = []
    for i, token in enumerate(tokens):
        between = bool(run) and token.isspace() and i + 1 in marked
        if i in marked or between:
            run.append(token)
            continue
        if run:
            parts.append(element("mark", "".join(run)))
            run = []
        parts.append(join(token))
    return join(*parts, element("mark", "".join(run)) if run else "")


def on_text(context: str, lanes: Sequence[Sequence[SpanTuple]]) -> Markup:
    """Draw spans as stacked underlines, one lane a rater; long texts are cut to where raters differ."""
    lanes = [[(max(s, 0), min(e, len(context)), name) for s, e, name in lane] for lane in lanes[:LANES]]
    cuts = {0, len(context)} | {point for lane in lanes for s, e, _ in lane if s < e for point in (s, e)}
    pieces = [(a, b, _cover(lanes, a)) for a, b in pairwise(sorted(cuts))]
    if len(context) <= TEXT_LIMIT:
        return join(*(_piece(context[a:b], cover) for a, b, cover in pieces))
    windows = _windows(pieces, len(context))
    return join(*_within(context, pieces, windows))


Cover = tuple[frozenset[str], ...]


def _cover(lanes: Sequence[Sequence[SpanTuple]], at: int) -> Cover:
    return tuple(frozenset(name for s, e, name in lane if s <= at < e) for lane in lanes)


def _piece(text: str, cover: Cover) -> Markup:
    drawn = join(text)
    for lane, names in enumerate(cover):
        if names:
            drawn = element("span", drawn, class_=f"u u{lane}", title=", ".join(sorted(names)) or None)
    return drawn


def _windows(pieces: Sequence[tuple[int, int, Cover]], length: int) -> list[tuple[int, int]]:
    """Stretches around the places where raters differ, at most TEXT_LIMIT characters together."""
    found: list[tuple[int, int]] = []
    room = TEXT_LIMIT
    for a, b, cover in pieces:
        if len(set(cover)) < 2 or room <= 0:
            continue
        low, high = max(0, a - WINDOW), min(length, b + WINDOW, a + room)
        if found and low <= found[-1][1]:
            low, found[-1] = found[-1][1], (found[-1][0], max(high, found[-1][1]))
        else:
            found.append((low, high))
        room -= max(high - low, 0)
    return found or [(0, min(length, TEXT_LIMIT))]


def _within(
    context: str, pieces: Sequence[tuple[int, int, Cover]], windows: Sequence[tuple[int, int]]
) -> Iterator[Markup]:
    for low, high in windows:
        yield join(" … " if low else "")
        for a, b, cover in pieces:
            if a < high and b > low:
                yield _piece(context[max(a, low) : min(b, high)], cover)
    yield join(" …" if windows[-1][1] < len(context) else "")


def span_list(context: str | None, spans: Sequence[SpanTuple], shared: frozenset[SpanTuple]) -> Markup:
    """One rater's spans in words; those that not everybody has are marked."""
    if not spans:
        return element("span", "nothing marked", class_="soft")
    parts: list[Markup] = []
    for span in sorted(spans)[:40]:
        start, end, name = span
        quoted = shown(context[start:end]) if context else f"{start} to {end}"
        quoted = quoted if len(quoted) <= 80 else f"{quoted[:60]} … {quoted[-18:]}"
        words = join(element("bdi", quoted), " · ", element("span", name, class_="soft"))
        parts.append(element("li", words if span in shared else element("mark", words)))
    if len(spans) > 40:
        parts.append(element("li", f"and {len(spans) - 40:,} more"))
    return element("ul", *parts, class_="spans")
