"""A document of headings, paragraphs, tables and pictures, written as Markdown or as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from markupsafe import Markup, escape

from accord.reporting.markup import element, join
from accord.reporting.policy import policy
from accord.reporting.words import shown


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading below the title; ``depth`` 2 or 3."""

    text: str
    depth: int = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Plain sentences."""

    text: str


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; the first column names the rows, the others are aligned to the right where ``numeric``."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: bool = True


@dataclass(frozen=True, slots=True)
class Picture:
    """An SVG picture with its file name and what it shows."""

    name: str
    label: str
    svg: Markup


Block = Heading | Paragraph | Grid | Picture


@dataclass(frozen=True, slots=True)
class Document:
    """Title and blocks."""

    title: str
    blocks: tuple[Block, ...]

    @property
    def pictures(self) -> list[Picture]:
        """All pictures."""
        return [block for block in self.blocks if isinstance(block, Picture)]


def to_markdown(document: Document, folder: str = "") -> str:
    r"""Markdown; pictures are files of their names in ``folder``.

    Examples
    --------
    >>> print(to_markdown(Document("Report", (Grid("", ("a", "b"), (("x", "1|2"),)),))))
    # Report
    <BLANKLINE>
    | a | b |
    |---|---:|
    | x | 1\|2 |
    <BLANKLINE>
    """
    return "\n".join((f"# {_line(document.title)}\n", *(_markdown(block, folder) for block in document.blocks)))


def _markdown(block: Block, folder: str) -> str:
    match block:
        case Heading():
            return f"{'#' * block.depth} {_line(block.text)}\n"
        case Paragraph():
            return f"{_line(block.text)}\n"
        case Picture():
            return f"![{_line(block.label)}]({folder}{block.name})\n"
        case Grid():
            rule = "|" + "".join("---:|" if block.numeric and k else "---|" for k in range(len(block.head)))
            rows = (_row(block.head), rule, *map(_row, block.rows))
            return "\n".join((*((f"{_line(block.caption)}\n",) if block.caption else ()), *rows, ""))


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_line(cell).replace("|", "\\|") for cell in cells) + " |"


def _line(text: str) -> str:
    """Text on one line that Markdown and HTML take as text."""
    flat = " ".join(shown(text).split())
    for sign in ("\\", "`", "<"):
        flat = flat.replace(sign, f"\\{sign}")
    return flat.replace("](", "]\\(")


def to_html(document: Document) -> str:
    """One page that needs no network, no script and no other file."""
    style = _style()
    body = join(element("h1", document.title), *map(_html, document.blocks))
    head = (
        f'<meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy(style, ""))}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
        f"<title>{escape(shown(document.title))}</title><style>{style}</style>"
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body><main>{body}</main></body></html>\n'


def _html(block: Block) -> Markup:
    match block:
        case Heading():
            return element(f"h{block.depth}", block.text)
        case Paragraph():
            return element("p", block.text)
        case Picture():
            return element("figure", block.svg, element("figcaption", block.label))
        case Grid():
            return _html_grid(block)


def _html_grid(block: Grid) -> Markup:
    class_ = "n" if block.numeric else None
    head = element("thead", element("tr", *(element("th", title, scope="col") for title in block.head)))
    body = element(
        "tbody",
        *(
            element("tr", element("th", row[0], scope="row"), *(element("td", cell) for cell in row[1:]))
            for row in block.rows
        ),
    )
    caption = (element("caption", block.caption),) if block.caption else ()
    table = element("table", *caption, head, body, class_=class_)
    return element("div", table, class_="wide", tabindex="0", role="region", aria_label=block.caption or "Table")


@cache
def _style() -> str:
    return resources.files("accord.reporting").joinpath("static", "document.css").read_text(encoding="utf-8")
