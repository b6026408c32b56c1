"""Elements of HTML and SVG built from data: everything that is not markup already is escaped."""

from __future__ import annotations

from markupsafe import Markup, escape

from accord.reporting.words import clip, shown

Child = str | Markup


def element(name: str, /, *children: Child, **attributes: str | float | None) -> Markup:
    """Build one element; ``class_`` and ``stroke_width`` become class and stroke-width, None is left out.

    Examples
    --------
    >>> element("text", "<b>", x=1.25, class_="q")
    Markup('<text x="1.2" class="q">&lt;b&gt;</text>')
    """
    pairs = [(key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items() if value is not None]
    opening = "".join(f' {key}="{_attribute(value)}"' for key, value in pairs)
    return Markup(f"<{name}{opening}>{join(*children)}</{name}>")  # noqa: S704 - all parts are escaped


def join(*children: Child) -> Markup:
    """Concatenate, escaping plain text."""
    return Markup("").join(child if isinstance(child, Markup) else escape(shown(child)) for child in children)


def name(text: str, limit: int | None = None) -> Markup:
    """Name from the data inside a sentence, isolated so that its direction cannot leak."""
    return element("bdi", text if limit is None else clip(text, limit))


def _attribute(value: str | float) -> str:
    if isinstance(value, str):
        return str(escape(shown(value)))
    return f"{value:.1f}".removesuffix(".0")


def picture(width: float, height: float, label: str, *parts: Child) -> Markup:
    """SVG picture of fixed size in its own coordinates, named for screen readers."""
    return element(
        "svg", *parts, width=width, height=height, viewBox=f"0 0 {width:g} {height:g}", role="img", aria_label=label
    )


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    """Straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def rect(x: float, y: float, width: float, height: float, class_: str) -> Markup:
    """Rectangle; negative sizes are drawn as nothing."""
    return element("rect", x=x, y=y, width=max(width, 0.0), height=max(height, 0.0), class_=class_)


def label(x: float, y: float, text: str, class_: str = "", anchor: str | None = None) -> Markup:
    """Text at a point; ``anchor`` is middle or end."""
    return element("text", text, x=x, y=y, class_=class_ or None, text_anchor=anchor)
