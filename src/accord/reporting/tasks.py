"""The disagreed tasks of one control as cards, most telling first."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from markupsafe import Markup

from accord.pipeline.contract import NO_PROSE
from accord.pipeline.report import Answer, ControlReport, TaskRow
from accord.reporting import answers, tables
from accord.reporting.drawings.images import Images
from accord.reporting.drawings.regions import DrawnTask, colours, drawn_task
from accord.reporting.markup import element, join
from accord.reporting.tables import Cell, Table
from accord.reporting.words import clip, number
from accord.values import Kind

EMBEDDED = 1000
FIRST = 3
ON_PICTURE = frozenset({Kind.BOXES, Kind.ELLIPSES, Kind.POLYGONS, Kind.MASKS, Kind.KEYPOINTS, Kind.VECTORS})
#: Most raters listed with their answers to a task.
LISTED = 40
SINGLE = frozenset({Kind.LABEL, Kind.RATING, Kind.NUMBER, Kind.DATETIME, Kind.SIDE})


@dataclass(frozen=True, slots=True)
class TaskCard:
    """One task: where it is on the page, what was said, what differs."""

    anchor: str
    number: int
    unit: str
    score: str
    summary: str
    text: Markup | None
    lanes: int
    table: Table | None
    drawn: DrawnTask | None = None


@dataclass(frozen=True, slots=True)
class TaskGroup:
    """The embedded tasks of one control, and which of them show what."""

    anchor: str
    cards: tuple[TaskCard, ...]
    total: int
    by_unit: Mapping[str, int]
    by_rater: Mapping[str, frozenset[int]]
    by_answer: Mapping[str, frozenset[int]]
    colours: Mapping[str, int] = field(default_factory=dict)

    @property
    def drawn(self) -> bool:
        """Whether any card has a picture."""
        return any(card.drawn is not None for card in self.cards)

    @property
    def first(self) -> tuple[TaskCard, ...]:
        """Cards that are open at once."""
        return self.cards[:FIRST]

    @property
    def rest(self) -> tuple[TaskCard, ...]:
        """Cards behind the fold."""
        return self.cards[FIRST:]

    def numbers(self, units: Iterable[str]) -> list[int]:
        """Numbers of the embedded cards of these units."""
        return [self.by_unit[unit] for unit in units if unit in self.by_unit]

    def link(self, numbers: Iterable[int], words: str) -> Markup:
        """Link that shows only these cards; plain words where there is none."""
        chosen = sorted(numbers)
        if not chosen:
            return join("")
        return element("a", words, href=f"#{self.anchor}", data_show=" ".join(map(str, chosen)))

    def cell(self, numbers: Collection[int]) -> Cell:
        """Table cell with a link to these cards."""
        return Cell(self.link(numbers, f"Show {len(numbers)}") or "–", len(numbers), numeric=True)


def quotas(sizes: Sequence[int], limit: int = EMBEDDED) -> list[int]:
    """How many tasks of each control fit on the page: the same cap for all, as high as the limit allows."""
    low, high = 0, max([0, *sizes])
    while low < high:
        middle = (low + high + 1) // 2
        if sum(min(size, middle) for size in sizes) <= limit:
            low = middle
        else:
            high = middle - 1
    return [min(size, low) for size in sizes]


def group(
    control: ControlReport, anchor: str, quota: int, *, content: bool, drawn: int = 0, images: Images | None = None
) -> TaskGroup:
    """Build the cards of one control; regions of the first ``drawn`` tasks are drawn, on their pictures if at hand."""
    rows = control.disagreed[:quota]
    kind = control.control.kind
    colour = colours(rows)
    pictures = [
        None if _on_text(row, content) else drawn_task(row, control.control, colour, images) for row in rows[:drawn]
    ]
    pictures += [None] * (len(rows) - len(pictures))
    cards = tuple(
        _card(row, i, anchor, kind, picture, content=content)
        for i, (row, picture) in enumerate(zip(rows, pictures, strict=True))
    )
    raters: dict[str, set[int]] = defaultdict(set)
    said: dict[str, set[int]] = defaultdict(set)
    for i, row in enumerate(rows):
        for answer in row.answers:
            raters[answer.rater].add(i)
            for part in answer.parts or (answer.text,):
                said[part].add(i)
    return TaskGroup(
        anchor=f"{anchor}-tasks",
        cards=cards,
        total=max(control.disagreed_total, len(control.disagreed)),
        by_unit={row.unit: i for i, row in enumerate(rows)},
        by_rater={rater: frozenset(found) for rater, found in raters.items()},
        by_answer={part: frozenset(found) for part, found in said.items()} if kind in NO_PROSE else {},
        colours=colour,
    )


def _on_text(row: TaskRow, content: bool) -> bool:
    """Whether spans are drawn on the text they lie on; a recording of which only the name is known is no such text."""
    ends = [end for answer in row.answers for _, end, _ in answer.spans]
    return content and row.context is not None and bool(ends) and max(ends) <= len(row.context)


def _card(row: TaskRow, i: int, anchor: str, kind: Kind, drawn: DrawnTask | None, *, content: bool) -> TaskCard:
    visible = content or kind in NO_PROSE
    lanes = [answer.spans for answer in row.answers] if _on_text(row, content) else []
    picture = kind in ON_PICTURE and row.context
    text = passage(row, lanes) if content and row.context and not picture else None
    return TaskCard(
        anchor=f"{anchor}-t{i}",
        number=i,
        unit=row.unit,
        score=number(row.value),
        summary=_summary(row.answers) if kind in SINGLE else _file(row) if picture and content else "",
        text=text,
        lanes=min(len(lanes), answers.LANES),
        table=_table(row, kind) if visible and row.answers and drawn is None else None,
        drawn=drawn,
    )


def passage(row: TaskRow, lanes: Sequence[Sequence[tuple[int, int, str]]]) -> Markup:
    """Text that was annotated, with the spans of each rater in a lane of their own."""
    context = row.context or ""
    if lanes:
        return answers.on_text(context, lanes)
    return join(context if len(context) <= answers.TEXT_LIMIT else f"{context[: answers.TEXT_LIMIT]} …")


def _summary(given: Sequence[Answer]) -> str:
    distinct = list(dict.fromkeys(clip(answer.text, 40) for answer in given))
    return " against ".join(distinct) if 1 < len(distinct) <= 3 else ""


def _file(row: TaskRow) -> str:
    """Name of the picture that was annotated."""
    return clip(re.split(r"[/\\]", row.context or "")[-1], 60)


def _table(row: TaskRow, kind: Kind) -> Table:
    if len(row.answers) > LISTED and kind in SINGLE:
        return _by_answer(row.answers)
    more = len(row.answers) - LISTED
    row = replace(row, answers=row.answers[:LISTED])
    given = row.answers
    texts = marked_texts(row, kind)
    if kind is not Kind.SPANS and _fit_side_by_side(given):
        heads = tuple(tables.Heading(answer.rater) for answer in given)
        return Table("", heads, (tuple(tables.text(text) for text in texts),))
    rows = tuple(
        (_rater(i, answer), tables.text(text)) for i, (answer, text) in enumerate(zip(given, texts, strict=True))
    )
    if more > 0:
        rows = (*rows, (tables.text(f"and {more:,} more raters"), tables.text("–")))
    return Table("", tables.headings("Rater", "Answer"), rows)


def _by_answer(given: Sequence[Answer]) -> Table:
    """How many gave each answer, most first, where raters are too many to list."""
    said = Counter(answer.text for answer in given).most_common()
    rows = [(tables.text(text), tables.integer(count)) for text, count in said[:LISTED]]
    if len(said) > LISTED:
        rest = sum(count for _, count in said[LISTED:])
        rows.append((tables.text(f"{len(said) - LISTED:,} other answers"), tables.integer(rest)))
    return Table("", tables.headings("Answer", "#Raters"), tuple(rows))


def _fit_side_by_side(given: Sequence[Answer]) -> bool:
    """Whether a column for each rater is wide enough for names and answers."""
    room = {2: (20, 10_000), 3: (12, 18)}.get(len(given))
    return room is not None and all(len(a.rater) <= room[0] and len(a.text) <= room[1] for a in given)


def _rater(i: int, answer: Answer) -> tables.Cell:
    lane = f"u u{i}" if answer.spans and i < answers.LANES else None
    return tables.text(element("span", answer.rater, class_=lane))


def marked_texts(row: TaskRow, kind: Kind) -> list[Markup]:
    """Answers to a task in words, one a rater; what not everybody said is marked."""
    given = row.answers
    if any(answer.spans for answer in given):
        shared = frozenset.intersection(*(frozenset(answer.spans) for answer in given))
        return [answers.span_list(row.context, answer.spans, shared) for answer in given]
    if kind in SINGLE:
        return answers.whole([answer.text for answer in given])
    if all(answer.parts is not None for answer in given):
        return _parts([answer.parts or () for answer in given])
    return answers.differences([answer.text for answer in given])


def _parts(sets: Sequence[tuple[str, ...]]) -> list[Markup]:
    common = frozenset.intersection(*map(frozenset, sets))
    nothing = element("mark", "nothing chosen")
    return [
        join(*_separated([part if part in common else element("mark", part) for part in parts])) if parts else nothing
        for parts in sets
    ]


def _separated(parts: Sequence[str | Markup]) -> list[str | Markup]:
    return [piece for part in parts for piece in (", ", part)][1:]
