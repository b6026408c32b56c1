"""The options every measuring command shares, declared once.

``@measuring`` gives a command all fields of Request as options; the command itself receives one Request.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from accord.cli.request import Request

_READING = "Reading"
_MEASURING = "Measuring"
_TEXTS = "Free text"
_OUTPUT = "Output"


def _option(help_text: str, panel: str = _MEASURING, **settings: Any) -> Any:
    return typer.Option(help=help_text, rich_help_panel=panel, show_default=False, **settings)


def _flag(name: str, help_text: str, panel: str = _OUTPUT) -> Any:
    """Option without a value; one name, so that there is no ``--no-`` form of it."""
    return typer.Option(name, help=help_text, rich_help_panel=panel, show_default=False)


def declared(  # noqa: D103 - a signature, never called
    sources: Annotated[list[str], typer.Argument(help="Exports or tables to read.", show_default=False)],
    config: Annotated[Path | None, _option("Label config (XML), for categories and scales.", _READING)] = None,
    plan: Annotated[Path | None, _option("Plan file (JSON); options override it.")] = None,
    control: Annotated[list[str] | None, _option("Measure only this control (repeatable).")] = None,
    metric: Annotated[
        list[str] | None,
        _option("CONTROL=KEY: metric that scores pairs of answers; custom:FILE.py for your own."),
    ] = None,
    similarity: Annotated[
        list[str] | None, _option("[CONTROL=]KEY: metric or text model, for pairs and coefficients alike.")
    ] = None,
    level: Annotated[
        list[str] | None, _option("[CONTROL=]nominal, ordinal, interval, ratio or circular, for alpha.")
    ] = None,
    weights: Annotated[
        list[str] | None,
        _option("[CONTROL=]linear, quadratic, radical, ordinal, bipolar, circular, ratio or identity."),
    ] = None,
    set: Annotated[list[str] | None, _option("KEY.OPTION=VALUE: option of a metric or coefficient.")] = None,  # noqa: A002
    coefficient: Annotated[
        list[str] | None, _option("Coefficient (repeatable); the first one is the headline.")
    ] = None,
    matching: Annotated[str | None, _option("How regions are matched: optimal, greedy or last.")] = None,
    compat: Annotated[str | None, _option("Follow another tool's rules: platform.")] = None,
    ci: Annotated[str | None, _option("Level of the intervals, or none. Default 0.95.")] = None,
    interval: Annotated[
        str | None, _option("score, analytic, bootstrap, bca or jackknife. Default by coefficient.")
    ] = None,
    bootstrap: Annotated[int | None, _option("Percentile bootstrap with this many resamples.")] = None,
    seed: Annotated[int | None, _option("Seed of everything random. Default 0.")] = None,
    cluster: Annotated[str | None, _option("Units that belong together: a data field, task or file.")] = None,
    generalise: Annotated[str | None, _option("units (these raters) or units+raters (raters like these).")] = None,
    first: Annotated[int | None, _option("Only the first K answers of each unit, by time.")] = None,
    answers: Annotated[str | None, _option("all, or independent: not edited by others, copied or pre-filled.")] = None,
    unanswered: Annotated[str | None, _option("auto, or empty: an unanswered control is the answer 'nothing'.")] = None,
    missing: Annotated[list[str] | None, _option("Value that means 'no answer' (repeatable).", _READING)] = None,
    join: Annotated[str | None, _option("Same unit across files: data.FIELD, inner_id or data.", _READING)] = None,
    unite: Annotated[
        list[str] | None, _option("NAME=CONTROL,CONTROL: one question for shapes drawn with several tools.", _READING)
    ] = None,
    strict: Annotated[
        bool, _flag("--strict", "Irregularities are errors that name file and line or task.", _READING)
    ] = False,
    unit: Annotated[str | None, _option("Column of the unit in a table.", _READING)] = None,
    rater: Annotated[
        str | None, _option("Column of the rater in a table; tier or file in recordings.", _READING)
    ] = None,
    value: Annotated[str | None, _option("Column of the answer in a table.", _READING)] = None,
    text: Annotated[str | None, _option("Column of a free-text answer in a table.", _READING)] = None,
    read_as: Annotated[str | None, _option("Force the input format: table, labelstudio, coco, …", _READING)] = None,
    json: Annotated[bool, _flag("--json", "Print one JSON object.")] = False,
    tasks: Annotated[bool, _flag("--tasks", "Include the agreement of every task.")] = False,
    set_measure: Annotated[
        str | None, _option("Answers are sets of texts, a line each, compared by matched dice or jaccard.", _TEXTS)
    ] = None,
    max_calls: Annotated[int | None, _option("Most pairs a model of equivalence may be asked for.", _TEXTS)] = None,
    precision: Annotated[
        float | None, _option("What sampled chance agreement may add to kappa, as 0.005; draws stop there.", _TEXTS)
    ] = None,
    cache: Annotated[str | None, _option("File of kept scores, or off.", _TEXTS)] = None,
    allow_remote: Annotated[
        list[str] | None, _option("Machine that texts may be sent to (repeatable).", _TEXTS)
    ] = None,
    bundle: Annotated[Path | None, _option("Folder for a bundle that reproduces the numbers.", _OUTPUT)] = None,
    fail_under: Annotated[float | None, _option("Exit 1 if a headline is below this, or undefined.", _OUTPUT)] = None,
    fail_on: Annotated[str, _option("Compare the value, or the lower limit of the interval.", _OUTPUT)] = "value",
    no_content: Annotated[bool, _flag("--no-content", "Leave out texts that people wrote or read.")] = False,
    pseudonyms: Annotated[
        bool, _flag("--pseudonyms", "Replace rater names; accord-pseudonyms.json in this folder keeps the key.")
    ] = False,
) -> None: ...


def measuring(command: Callable[..., None]) -> Callable[..., None]:
    """Give ``command(request, ...)`` the shared options in place of its first parameter."""
    shared = inspect.signature(declared, eval_str=True).parameters
    own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]
    names = {field.name for field in fields(Request)}

    @wraps(command)
    def wrapper(**given: Any) -> None:
        chosen = {name: _plain(given.pop(name)) for name in list(given) if name in names}
        command(Request(**{name: value for name, value in chosen.items() if value is not None}), **given)

    parameters = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in (*shared.values(), *own)]
    wrapper.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    wrapper.__annotations__ = {p.name: p.annotation for p in parameters} | {"return": None}
    return wrapper


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
