"""``accord text``: check soft agreement with people, and beside codes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from accord.cli.benchmarking import options_by_measure
from accord.cli.printing import print_json, print_table
from accord.cli.progress import bar
from accord.errors import UnknownNameError
from accord.reporting.words import number
from accord.study import Study

MEASURES = "nli,embedding,jaccard,edit"


def _option(help_text: str, *names: str, **settings: Any) -> Any:
    return typer.Option(*names, help=help_text, **settings)


Sources = Annotated[list[str], typer.Argument(help="Tables with a row an answer.", show_default=False)]
Unit = Annotated[str | None, _option("Column of the unit.")]
Rater = Annotated[str | None, _option("Column of the rater.")]
Text = Annotated[str, _option("Column of the free text.")]
Measures = Annotated[str, _option("Measures by name, separated by commas; the first one guides the draw.")]
Set = Annotated[list[str] | None, _option("MEASURE.OPTION=VALUE: option of a measure.")]
Coefficient = Annotated[
    str | None,
    _option("cohen_kappa, fleiss_kappa or krippendorff_alpha. Default: the first for two raters, else the last."),
]
Seed = Annotated[int, _option("Seed of everything random.")]
Remote = Annotated[list[str] | None, _option("Host that texts may be sent to (repeatable).")]
Cache = Annotated[str | None, _option("File that keeps the scores of costly models, or off.")]
Out = Annotated[Path, _option("Folder to write to.")]

app = typer.Typer(
    name="text",
    help="Check soft agreement on free text: with people, and beside codes.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("sample")
def sample(
    sources: Sources,
    text: Text,
    out: Out,
    unit: Unit = None,
    rater: Rater = None,
    code: Annotated[str | None, _option("Column of a code beside the text, kept from the experts.")] = None,
    measures: Measures = MEASURES,
    set: Set = None,  # noqa: A002
    within: Annotated[int, _option("Most pairs of answers to one unit.")] = 400,
    across: Annotated[int, _option("Pairs of answers to different units.")] = 400,
    repeats: Annotated[float, _option("Share of pairs asked twice.")] = 0.1,
    controls: Annotated[int, _option("Pairs with a known answer, of each kind.")] = 10,
    coefficient: Coefficient = None,
    seed: Seed = 0,
    allow_remote: Remote = None,
    cache: Cache = None,
) -> None:
    """Draw pairs of answers for experts to judge: blinded forms, and apart from them the key.

    Every pair's chance of being drawn is known. Forms show neither scores, codes, units nor raters, in random order,
    with sides swapped at random: pairs.csv, pairs.jsonl, and form.html, which needs no network. Keep the folder
    with the key from the experts; accord text ingest needs it.
    """
    import numpy as np

    from accord.validation.forms import write_forms
    from accord.validation.frame import frame_of
    from accord.validation.key import Key, write_key
    from accord.validation.questions import questions
    from accord.validation.sampling import draw

    data = _material(sources, (unit, rater, text, code), measures, set, coefficient, (allow_remote, cache))
    frame = frame_of(data.study, data.coefficient)
    scores = np.stack([frame.of(table) for table in data.scores.values()])
    chosen = draw(frame, scores, within, across, seed)
    asked = questions(data, frame, chosen, scores, repeats=repeats, controls=controls, seed=seed)
    forms, secret = out / "forms", out / "key"
    for folder in (forms, secret):
        folder.mkdir(parents=True, exist_ok=True)
    write_key(Key(data, chosen, asked, seed), secret)
    write_forms(asked, forms)
    rows = [
        (name, f"{pairs:,}", f"{taken:,}")
        for name, pairs, taken in zip(chosen.names, chosen.pairs.tolist(), chosen.taken.tolist(), strict=True)
    ]
    print_table("", ("pairs", "there are", "drawn"), rows, numeric=(1, 2))
    typer.echo(f"{len(asked):,} questions for experts: {forms}\nThe key, not for experts: {secret}")


@app.command("ingest")
def ingest(
    ratings: Annotated[list[Path], typer.Argument(help="One filled form an expert: .csv, .jsonl or .json.")],
    key: Annotated[Path, _option("key.json of the sample.")],
    out: Out,
    adjudicated: Annotated[
        Path | None, _option("Filled form with settled answers, which replace the experts' mean.")
    ] = None,
    json: Annotated[bool, _option("Print the findings as JSON.", "--json")] = False,
) -> None:
    """Make numbers of experts' answers: their own agreement, the coefficient by their judgement, measures against it.

    Calibrates every measure on pairs within and across units, compares the order of measures by people with that by
    codes, and lists where people and codes differ. Writes findings.json, index.html, findings.md and pictures.
    """
    from accord.validation.findings import findings
    from accord.validation.key import read_key
    from accord.validation.people_page import people_page
    from accord.validation.ratings import read_ratings

    known = read_key(key)
    said = read_ratings(ratings, known.questions)
    settled = None if adjudicated is None else read_ratings([adjudicated], known.questions)
    found = findings(known, said, settled)
    _write(out, "findings", people_page(found, known.data.coefficient), found.to_dict())
    if json:
        print_json(found.to_dict())
        return
    rows = [
        (row.measure, *_figure(row.value), *_figure(row.difference))
        for row in sorted(found.anchored.rows, key=lambda r: abs(r.difference.value))
    ]
    rows.insert(0, ("people", *_figure(found.anchored.value), "", ""))
    columns = ("measure", known.data.coefficient, "95 %", "minus people's", "95 %")
    print_table("", columns, rows, numeric=(1, 3))
    if found.anchored.ranks is not None:
        ranks = found.anchored.ranks
        typer.echo(f"Nearest first, by people: {', '.join(ranks.by_people)}; by codes: {', '.join(ranks.by_codes)}")
    typer.echo(f"Findings: {out}")


@app.command("validate")
def validate(
    sources: Sources,
    text: Text,
    code: Annotated[str, _option("Column of the code beside the text.")],
    out: Out,
    unit: Unit = None,
    rater: Rater = None,
    measures: Measures = MEASURES,
    set: Set = None,  # noqa: A002
    coefficient: Coefficient = None,
    role: Annotated[str, _option("annotator, or source for texts of different origin.")] = "annotator",
    seed: Seed = 0,
    allow_remote: Remote = None,
    cache: Cache = None,
    json: Annotated[bool, _option("Print the numbers as JSON.", "--json")] = False,
) -> None:
    """Compare soft agreement on free texts with the agreement of the codes beside them, on real data.

    Intervals are by drawing units anew. Codes are not the truth: people's judgement of a sample is stronger evidence.
    """
    from accord.validation.side_by_side import ROLES, beside
    from accord.validation.side_page import side_page

    if role not in ROLES:
        raise UnknownNameError.among("role", role, ROLES)
    data = _material(sources, (unit, rater, text, code), measures, set, coefficient, (allow_remote, cache))
    found = beside(data, role=role, seed=seed)
    _write(out, "validation", side_page(found), found.to_dict())
    if json:
        print_json(found.to_dict())
        return
    rows = [(row.measure, *_figure(row.value), *_figure(row.difference)) for row in found.rows]
    rows.insert(0, ("codes", number(found.codes.value, 3), "", "", ""))
    columns = ("measure", found.coefficient, "95 %", "minus the codes'", "95 %")
    print_table(ROLES[role], columns, rows, numeric=(1, 3))
    typer.echo(f"Table and picture: {out}")


def _figure(figure: Any) -> tuple[str, str]:
    return number(figure.value, 3), f"[{number(figure.low, 3)}, {number(figure.high, 3)}]"


def _material(
    sources: list[str],
    columns: tuple[str | None, str | None, str, str | None],
    measures: str,
    set_: list[str] | None,
    coefficient: str | None,
    setup: tuple[list[str] | None, str | None],
) -> Any:
    """Texts, codes and scores."""
    from accord.equivalence.models import MODELS, Setup
    from accord.validation.material import material

    unit, rater, text, code = columns
    known, options = MODELS.catalog(), options_by_measure(set_ or ())
    names = [known[name.strip()].key for name in measures.split(",") if name.strip()]
    allowed = Setup(hosts=tuple(setup[0] or ()), cache=setup[1])
    models = {name: known[name].made(options.get(name, {}), allowed) for name in dict.fromkeys(names)}
    texts = _read(sources, unit, rater, text, None)
    codes = None if code is None else _read(sources, unit, rater, None, code)
    with bar("scoring pairs of texts") as progress:
        return material(texts, codes, models, coefficient, progress.amount)


def _read(sources: list[str], unit: str | None, rater: str | None, text: str | None, value: str | None) -> Study:
    from accord.readers import read
    from accord.study.choose import study_of

    dataset = read(*sources, unit=unit, rater=rater, text=text, value=value)
    return study_of(dataset, next(iter(dataset.columns)))


def _write(out: Path, name: str, page: Any, data: dict[str, Any]) -> None:
    import json

    from accord.reporting.document import to_html, to_markdown
    from accord.reporting.writing import write_text

    out.mkdir(parents=True, exist_ok=True)
    for picture in page.pictures:
        write_text(out / picture.name, f"{picture.svg}\n")
    write_text(out / "index.html", to_html(page))
    write_text(out / f"{name}.md", to_markdown(page))
    write_text(out / f"{name}.json", json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n")
