"""python -m training tables|train|…: see README.md."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from training.batches import Sampler
from training.exam import HARD, questions
from training.kept import kept
from training.nearest import Strings
from training.tables import Tables, build

SHIPPED = Path(__file__).parents[1] / "src" / "accord" / "equivalence" / "weights"


def _tables(args: argparse.Namespace) -> Tables:
    return kept(args.work / "tables.pickle", lambda: build(args.wordnet))


def _show(args: argparse.Namespace) -> None:
    tables = _tables(args)
    for use, group in (("train", tables.train), ("setting", {"": tables.setting}), ("test", tables.test)):
        for table in group.values():
            print(f"{use:8} {table}")


def watched(tables: Tables) -> list[tuple[str, str, int]]:
    """Labelled pairs of the concepts kept for choosing settings."""
    asked = questions(Strings(tables.setting), 60)
    return [(a, b, int(kind == "synonym")) for kind in ("synonym", *HARD) for a, b in asked[kind]]


def _train(args: argparse.Namespace) -> None:
    from training.train import Plan, train

    tables = _tables(args)
    samplers = kept(args.work / "samplers.pickle", lambda: {k: Sampler(Strings(t)) for k, t in tables.train.items()})
    path = args.work / f"{args.name}.pt"
    train(Plan(samplers, watched(tables), path, steps=args.steps, seed=args.seed, rate=args.rate, start=args.start,
               templates=args.templates, workers=args.workers, minutes=args.minutes,
               contrast=args.contrast, until=args.until))  # fmt: skip


def _export(args: argparse.Namespace) -> None:
    from training.calibrate import calibrate
    from training.export import export

    export(args.work / f"{args.name}.pt", args.folder)
    print("scale and shift:", *calibrate(args.folder, _tables(args).setting))


def _evaluate(args: argparse.Namespace) -> None:
    from training.evaluate import evaluate, markdown
    from training.measure import diagram

    rows, measures, bins = evaluate(_tables(args).test, args.folder, args.work)
    print(markdown(rows), measures, sep="\n")
    if args.card:
        put(args.card, "aims", markdown(rows))
        put(args.card, "measures", measures)
        picture = args.card.with_name("model-reliability.svg")
        picture.write_text(diagram(bins, "Held-out HPO concepts"), encoding="utf-8")


def put(page: Path, name: str, text: str) -> None:
    """Replace what stands between the marks of a page."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, _, rest = page.read_text(encoding="utf-8").partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        raise SystemExit(f"{page} has no place for {name}")
    page.write_text(f"{before}{begin}\n\n{text}\n{end}{after}", encoding="utf-8")


def main() -> None:
    """Read the command line and run one step."""
    parser = argparse.ArgumentParser(prog="python -m training")
    parser.add_argument("--work", type=Path, default=Path("build/training"), help="folder of intermediate files")
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet/data.noun"))
    commands = parser.add_subparsers(required=True)
    show = commands.add_parser("tables", help="read the terminologies and print their sizes")
    show.set_defaults(run=_show)
    fit = commands.add_parser("train", help="train; resumes a run of the same name")
    fit.add_argument("--name", default="model")
    fit.add_argument("--steps", type=int, default=2600)
    fit.add_argument("--minutes", type=float, default=math.inf, help="end by then at the latest")
    fit.add_argument("--seed", type=int, default=0)
    fit.add_argument("--rate", type=float, default=1.0, help="factor on both learning rates")
    fit.add_argument("--templates", type=float, default=0.2, help="share of groups that are statements")
    fit.add_argument("--contrast", type=float, default=0.2, help="weight of the contrast of sentence vectors")
    fit.add_argument("--until", type=float, default=math.inf, help="step at which to stop and keep all for later")
    fit.add_argument("--start", type=Path, help="checkpoint to begin from")
    fit.add_argument("--workers", type=int, default=2)
    fit.set_defaults(run=_train)
    out = commands.add_parser("export", help="write the files of a checkpoint and calibrate them")
    out.add_argument("--name", default="model")
    out.add_argument("--folder", type=Path, default=SHIPPED)
    out.set_defaults(run=_export)
    judge = commands.add_parser("evaluate", help="measure exported files against every aim")
    judge.add_argument("--folder", type=Path, default=SHIPPED)
    judge.add_argument("--card", type=Path, help="page whose tables are to be replaced")
    judge.set_defaults(run=_evaluate)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
