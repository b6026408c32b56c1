"""Write the generated pages of docs from the code. ``--check`` compares instead, and says what is stale."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import typer

from accord.cli.app import app
from accord.coefficients.estimate import UNDEFINED
from accord.coefficients.spec import COEFFICIENTS
from accord.equivalence.models import MODELS
from accord.metrics.spec import METRICS
from accord.readers.codes import FACTS, IRREGULAR
from accord.readers.exports.catalog import EXPORTS
from accord.similarity.alias import ENTRIES

DOCS = Path(__file__).parent
NOTE = "<!-- Written by docs/generate.py (make docs); changes here are lost. -->\n"

PLATFORM = """## Platform entries

The metrics of a widely used annotation platform by their printed names, and what they are here. `--compat platform`
adds that platform's other rules.

"""
ENTRY = ("printed name", "key", "metric", "threshold", "options", "tags")
IMPORT = """## Import codes

What readers count, with the first places where it happened.

"""
FORMATS = """
# Formats of other tools

What `accord score`, `report`, `inspect` and `accord.read` take beside Label Studio's exports and tables
([reading data](reading-data.md)). The same annotations give the same numbers in whichever of these formats they come:
offsets are brought to characters, pixels to percent of the image, frames to frames counted from 1. A zip archive of
such files is read like the folder it holds.

"""
CARRIED = """
## What each carries

One set of annotations of each kind, written in every format that can carry it, read, and measured: the numbers are
those of the same annotations as a Label Studio export (masks: of COCO). `tests/exports` writes them.

"""
EXIT_CODES = """Exit codes: 0 fine, 1 below `--fail-under` or a failed gate, 2 wrong call, 3 data that cannot be read or
measured.
"""


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table; bars and line breaks in cells are made harmless."""
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "".join(
        "| " + " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in row) + " |\n" for row in lines
    )


def code(names: Iterable[str]) -> str:
    """Names as code, separated by commas."""
    return ", ".join(f"`{name}`" for name in names)


def options(spec: Any) -> str:
    """Options with their default and what they allow."""
    return "; ".join(
        f"`{name}` = {one.default}" + (f" ({', '.join(map(str, one.allowed))})" if one.allowed else "")
        for name, one in spec.options.items()
    )


def sections(title: str, specs: Iterable[Any], row: Callable[[Any], str]) -> str:
    """One heading, and one paragraph a spec in the order of their keys."""
    return f"## {title}\n\n" + "\n".join(row(spec) for spec in sorted(specs, key=lambda spec: spec.key))


def coefficient(spec: Any) -> str:
    """One coefficient."""
    facts = [
        ("aliases", code(spec.aliases)),
        ("needs", spec.needs),
        ("raters", spec.raters),
        ("default weights", spec.default_weights or ""),
        ("default interval", default_interval(spec)),
        ("options", options(spec)),
        ("reference", spec.reference),
    ]
    return f"### `{spec.key}`\n\n{spec.symbol}, {spec.title}. {spec.summary}\n\n" + bullets(facts)


def default_interval(spec: Any) -> str:
    """Name of the interval method used where nothing is asked for."""
    if spec.form:
        return "score"
    fallback = "BCa" if spec.rows == "additive" else "jackknife"
    return fallback if spec.interval is None else f"exact where the data allow it, else {fallback}"


def metric(spec: Any) -> str:
    """One metric."""
    facts = [
        ("aliases", code(spec.aliases)),
        ("for", code(sorted(map(str, spec.kinds))) or "all kinds"),
        ("symmetric", "yes" if spec.symmetric else "no: both directions are averaged before any coefficient"),
        ("options", options(spec)),
        ("reference", spec.reference),
    ]
    return f"### `{spec.key}`\n\n{spec.summary}\n\n" + bullets(facts)


def model(spec: Any) -> str:
    """One model of equivalence."""
    facts = [("aliases", code(spec.aliases)), ("options", options(spec)), ("reference", spec.reference)]
    return f"### `{spec.key}` (text model)\n\n{spec.summary}\n\n" + bullets(facts)


def bullets(facts: Iterable[tuple[str, str]]) -> str:
    """Facts that are known."""
    return "".join(f"- {name}: {value}\n" for name, value in facts if value)


def catalogue() -> str:
    """Everything with a key."""
    parts = [
        NOTE + "\n# Catalogue\n\n`accord catalog` prints this on a terminal, `accord catalog KEY` one entry. "
        "Names are case-insensitive; aliases work wherever keys do.\n",
        sections("Coefficients", COEFFICIENTS.catalog(), coefficient),
        sections("Metrics", METRICS.catalog(), metric),
        sections("Models of equivalence", MODELS.catalog(), model),
        PLATFORM
        + table(("printed name", "key", "metric", "threshold", "options", "tags"), map(entry, ENTRIES.values())),
        "## Undefined values\n\nIn the order in which they are tested.\n\n"
        + table(("reason", "meaning"), ((f"`{key}`", text) for key, text in UNDEFINED.items())),
        IMPORT + table(("code", "meaning", "with `--strict`"), sorted(codes())),
    ]
    return "\n".join(parts)


def entry(row: Any) -> tuple[str, ...]:
    """One row of the alias table."""
    threshold = "" if row.threshold is None else f"{row.threshold:g}"
    chosen = ", ".join(f"{name}={value}" for name, value in row.options.items())
    return row.label, f"`{row.key}`", f"`{row.metric}`", threshold, chosen, ", ".join(row.tags).replace("*", "all")


def codes() -> Iterable[tuple[str, ...]]:
    """Everything readers count, and what strict mode makes of it."""
    for meanings, strict in ((FACTS, "counted"), (IRREGULAR, "error")):
        for key, text in meanings.items():
            yield f"`{key}`", text, strict


def formats() -> str:
    """Every format of other tools."""
    rows = ((f"`{one.key}`", one.title, code(one.endings), one.unit, one.raters, one.note) for one in EXPORTS.values())
    listed = table(("`--read-as`", "what it is", "endings", "unit", "raters", "note"), rows)
    return NOTE + FORMATS + listed + CARRIED + table(*carried())


def carried() -> tuple[list[str], Iterable[list[str]]]:
    """Kinds of annotation and the formats that are tested to carry them with the same numbers."""
    sys.path.insert(0, str(DOCS.parent / "tests" / "exports"))
    from carried import KINDS
    from carriers import CARRIERS

    rows = [[f"`{key}`", *("yes" if key in CARRIERS[kind] else "" for kind in KINDS)] for key in EXPORTS]
    return ["", *KINDS.values()], rows


def command_line() -> str:
    """Every command with its arguments and options."""
    group = typer.main.get_command(app)
    parts = [
        NOTE + "\n# Command line\n",
        EXIT_CODES,
    ]
    return "\n".join([*parts, *(command(name, one) for name, one in commands(group))])


def commands(group: Any, before: str = "") -> Iterable[tuple[str, Any]]:
    """Every command by its whole name; those of a group follow one another."""
    for name, one in sorted(group.commands.items()):
        if hasattr(one, "commands"):
            yield from commands(one, f"{before}{name} ")
        else:
            yield f"{before}{name}", one


def command(name: str, one: Any) -> str:
    """One command."""
    arguments = [parameter for parameter in one.params if parameter.param_type_name == "argument"]
    usage = " ".join(["accord", name, *map(metavar, arguments)])
    rows = ((code(names(parameter)), parameter.help or "") for parameter in one.params if parameter not in arguments)
    return f"## accord {name}\n\n{one.help or ''}\n\n```text\n{usage} [OPTIONS]\n```\n\n" + table(
        ("option", "meaning"), rows
    )


def metavar(argument: Any) -> str:
    """Name of an argument in the usage line."""
    text = argument.name.upper() + ("…" if argument.nargs == -1 else "")
    return text if argument.required else f"[{text}]"


def names(parameter: Any) -> list[str]:
    """Spellings of an option; VALUE where it takes one."""
    return [spelling + ("" if parameter.is_flag else " VALUE") for spelling in parameter.opts]


def pages() -> Mapping[str, str]:
    """File name and text of every generated page."""
    return {"catalogue.md": catalogue(), "cli.md": command_line(), "other-tools.md": formats()}


def main() -> None:
    """Write the pages, or compare them."""
    stale = []
    for name, text in pages().items():
        path = DOCS / name
        if "--check" in sys.argv[1:]:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                stale.append(name)
        else:
            path.write_text(text, encoding="utf-8")
    if stale:
        sys.exit(f"stale, run make docs: {', '.join(stale)}")


if __name__ == "__main__":
    main()
