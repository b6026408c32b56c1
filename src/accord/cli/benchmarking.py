"""``accord bench``: how well measures of equivalence recover agreement that is known."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from accord.bench.settings import FORMS, NEGATIVES, Settings
from accord.cli.printing import print_json, print_table
from accord.cli.progress import bar
from accord.errors import UsageError
from accord.pipeline.settings import check_setting
from accord.reporting.words import number


def _option(help_text: str, *names: str) -> Any:
    return typer.Option(*names, help=help_text, show_default=True)


def bench(
    terminology: Annotated[
        list[str],
        _option(
            "hpo, icd10cm, wordnet (from packages), or a file or folder: .obo, MeSH .xml, ICD-11 .txt, MedDRA's or "
            "your own tables (repeatable)."
        ),
    ],
    out: Annotated[Path, _option("Folder for tables, pictures and results; a run that was stopped goes on there.")],
    below: Annotated[list[str] | None, _option("Keep only what is below this concept (repeatable).")] = None,
    measures: Annotated[
        str, _option("Measures by name, separated by commas; exact match and the oracle are always there.")
    ] = "jaccard,dice,ngrams,edit,jaro,embedding,nli",
    set: Annotated[list[str] | None, _option("MEASURE.OPTION=VALUE: option of a measure.")] = None,  # noqa: A002
    negatives: Annotated[str, _option("Kinds of disagreement, or all.")] = ",".join(NEGATIVES),
    sets: Annotated[bool, _option("Also answers that are sets of concepts.", "--sets")] = False,
    set_size: Annotated[int, _option("Largest set.")] = 3,
    set_measure: Annotated[str, _option("dice or jaccard, for estimate and truth alike.")] = "dice",
    levels: Annotated[str, _option("Levels of true agreement.")] = "0,.1,.2,.3,.4,.5,.6,.7,.8,.9,1",
    rates: Annotated[str, _option("Synonym rates.")] = "0,.5,1",
    items: Annotated[int, _option("Items of a study.")] = 100,
    replicates: Annotated[int, _option("Studies of every condition.")] = 20,
    coefficient: Annotated[str, _option("cohen_kappa, scott_pi, fleiss_kappa or krippendorff_alpha.")] = "cohen_kappa",
    chance: Annotated[str, _option("classical or unbiased.")] = "classical",
    seed: Annotated[int, _option("Seed of everything random.")] = 0,
    max_calls: Annotated[int | None, _option("Most pairs a paid model may be asked for.")] = None,
    allow_remote: Annotated[list[str] | None, _option("Host that texts may be sent to (repeatable).")] = None,
    cache: Annotated[str | None, _option("File that keeps the scores of costly models, or off.")] = None,
    json: Annotated[bool, _option("Print results as JSON.", "--json")] = False,
) -> None:
    """Compare measures of equivalence on simulated annotators over a terminology, where the true agreement is known.

    All measures see the same studies under the same settings, and manifest.json proves it. Every result is kept at
    once: the same command goes on where it was stopped.
    """
    from accord.bench.chosen import chosen
    from accord.bench.experiment import Benchmark
    from accord.bench.measures import measures as build
    from accord.bench.outputs import to_dict, write
    from accord.bench.summary import summarise
    from accord.equivalence.models import Setup

    settings = Settings(
        negatives=NEGATIVES if negatives == "all" else _names(negatives),
        forms=FORMS if sets else FORMS[:1],
        levels=_numbers("--levels", levels),
        rates=_numbers("--rates", rates),
        items=items,
        replicates=replicates,
        set_size=set_size,
        set_measure=set_measure,
        coefficient=coefficient,
        chance=chance,
        seed=seed,
    )
    made = build(_names(measures), options_by_measure(set or ()), Setup(hosts=tuple(allow_remote or ()), cache=cache))
    benchmark = Benchmark(tuple(chosen(terminology, below or ())), tuple(made), settings)
    benchmark.check_calls(max_calls)
    with bar("benchmark") as progress:
        log = benchmark.run(out, progress.step)
    summary, manifest = summarise(log.entries.values(), settings), benchmark.manifest()
    write(log, summary, settings, manifest)
    if json:
        print_json(to_dict(summary, manifest))
    else:
        _print(summary)
        typer.echo(f"Tables and pictures: {out}")


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _numbers(option: str, text: str) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in _names(text))
    except ValueError:
        raise UsageError(f"{option} {text!r} is no list of numbers. Allowed: for example 0,.5,1.") from None


def options_by_measure(given: list[str] | tuple[str, ...]) -> Mapping[str, Mapping[str, Any]]:
    """Options by measure."""
    found: dict[str, dict[str, Any]] = {}
    for text in given:
        name, value = check_setting(text)
        measure, _, option = name.partition(".")
        found.setdefault(measure, {})[option] = value
    return found


def _print(summary: Any) -> None:
    rows = [
        (
            row.terminology,
            row.form,
            row.measure,
            number(row.mae.value, 3),
            f"[{number(row.mae.low, 3)}, {number(row.mae.high, 3)}]",
            number(row.bias.value, 3),
            row.verdict,
        )
        for row in summary.rows
        if row.negative is None and row.rate is None
    ]
    columns = ("terminology", "answers", "measure", "MAE", "95 %", "bias", "against the best")
    print_table("", columns, rows, numeric=(3, 5))
