"""A threshold sweep as a picture, a page or a table."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from importlib import resources

from markupsafe import Markup

from accord.coefficients.estimate import Interval
from accord.errors import UnknownNameError
from accord.pipeline.regions_found import together
from accord.pipeline.sweep import Point, Sweep
from accord.reporting.charts.curves import HEIGHT, WIDTH, Curve, curves
from accord.reporting.markup import element, join
from accord.reporting.policy import policy
from accord.reporting.words import bounds, number, title

FORMATS = ("svg", "html", "csv", "json")
HEAD = (
    *("threshold", "pairwise", "pairwise_low", "pairwise_high", "consensus", "coefficient", "low", "high"),
    *("undefined", "precision", "recall", "f1", "matched", "unmatched"),
)


def render_sweep(sweep: Sweep, form: str) -> str:
    """Render a sweep as ``svg``, ``html``, ``csv`` or ``json``.

    Raises
    ------
    UnknownNameError
        If there is no such format.
    """
    match form:
        case "svg":
            return f"{picture(sweep)}\n"
        case "html":
            return page(sweep)
        case "csv":
            return table(sweep)
        case "json":
            return json.dumps(sweep.to_dict(), ensure_ascii=False, allow_nan=False, indent=2) + "\n"
        case _:
            raise UnknownNameError.among("format of a sweep", form, FORMATS)


def picture(sweep: Sweep) -> Markup:
    """Return the curves as one self-contained SVG picture."""
    return _picture(sweep, element("style", Markup(_plain_style())))  # noqa: S704 - our own file


def _picture(sweep: Sweep, *before: Markup) -> Markup:
    return element(
        "svg",
        *before,
        curves(sweep.thresholds, curves_of(sweep), f"threshold of {sweep.metric}"),
        xmlns="http://www.w3.org/2000/svg",
        width=WIDTH,
        height=HEIGHT,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_label=f"Agreement on {sweep.control} by threshold. {summary(sweep)}",
    )


def curves_of(sweep: Sweep) -> list[Curve]:
    """Curves of a sweep, named with the areas under them."""
    heights, areas = sweep.curves, sweep.areas
    names = {"coefficient": title(sweep.coefficient), "pairwise": "pairwise mean", "consensus": "consensus", "f1": "F1"}
    intervals = {"coefficient": tuple(point.coefficient.interval for point in sweep.points)}
    return [
        Curve(f"{name}, area {number(areas[key].value)}", heights[key], f"c{place}", intervals.get(key, ()))
        for place, (key, name) in enumerate(names.items())
        if key in heights
    ]


def summary(sweep: Sweep) -> str:
    """Areas in one sentence, with what they leave out."""
    said = []
    for name, found in sweep.areas.items():
        label = sweep.coefficient if name == "coefficient" else name
        part = "" if found.covered > 0.9999 else f" (over the {found.covered:.0%} of thresholds where it is defined)"
        said.append(f"{label} {number(found.value, 3)}{part}")
    return f"Area under the curve: {', '.join(said)}."


def page(sweep: Sweep) -> str:
    """Return one self-contained HTML page: picture and table."""
    style = _style()
    head = join(
        element("meta", charset="utf-8"),
        Markup('<meta http-equiv="Content-Security-Policy" content="{}">').format(policy(style, "")),
        element("title", f"{sweep.control} by threshold"),
        element("style", Markup(style)),  # noqa: S704 - our own file
    )
    mean = f"Mean similarity {number(sweep.mean.value, 3)}."
    words = f"{summary(sweep)} {mean} The band is the interval of {sweep.coefficient}."
    body = join(
        element("h1", f"Agreement on {sweep.control} by threshold of {sweep.metric}"),
        element("p", words),
        _picture(sweep),
        element("div", _rows(sweep), class_="scroll"),
    )
    document = element("html", element("head", head), element("body", body), lang="en")
    return f"<!doctype html>\n{document}\n".replace("</meta>", "")


def _rows(sweep: Sweep) -> Markup:
    regions = "f1" in sweep.curves
    names = ["threshold", "pairwise", "interval", "consensus", sweep.coefficient, "interval"]
    head = element("tr", *(element("th", name) for name in names + ["F1", "matched", "unmatched"] * regions))
    return element("table", head, *(element("tr", *(element("td", cell) for cell in row(p))) for p in sweep.points))


def row(point: Point) -> list[str]:
    """One threshold in words: for tables that people read."""
    main = point.coefficient
    cells = [
        f"{point.threshold:g}",
        number(point.pairwise.value, 3),
        bounds(point.pairwise.interval),
        number(point.consensus.value, 3),
        "undefined" if main.undefined else number(main.value, 3),
        bounds(main.interval),
    ]
    if point.regions:
        found = together(point.regions)
        cells += [number(found.f1, 3), f"{found.matched:,}", f"{found.unmatched:,}"]
    return cells


def table(sweep: Sweep) -> str:
    """Return CSV: one row a threshold, numbers in full precision, blank where undefined."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(HEAD)
    writer.writerows(_cells(point) for point in sweep.points)
    return stream.getvalue()


def _cells(point: Point) -> list[str | int | float]:
    main = point.coefficient
    cells: list[float | str | int] = [
        point.threshold,
        point.pairwise.value,
        *_ends(point.pairwise.interval),
        point.consensus.value,
        main.value,
        *_ends(main.interval),
        main.undefined or "",
    ]
    if point.regions:
        found = together(point.regions)
        cells += [found.precision, found.recall, found.f1, found.matched, found.unmatched]
    else:
        cells += [""] * 5
    return ["" if isinstance(cell, float) and not math.isfinite(cell) else cell for cell in cells]


def _ends(interval: Interval | None) -> tuple[float, float]:
    return (math.nan, math.nan) if interval is None else (interval.low, interval.high)


def _plain_style() -> str:
    """Rules of the picture with their colours written out, for programs that know no variables."""
    text = _style()
    colours = dict(re.findall(r"--(\w+): (#\w+)", text[: text.index("}")]))
    rules = [rule for rule in text.splitlines() if rule.startswith(("svg", "."))]
    return re.sub(r"var\(--(\w+)\)", lambda name: colours[name[1]], "\n".join(rules))


def _style() -> str:
    return resources.files("accord.reporting").joinpath("static", "curves.css").read_text(encoding="utf-8")
