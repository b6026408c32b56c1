"""``accord catalog`` and ``accord selftest``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from accord.cli.printing import print_json, print_table
from accord.coefficients.spec import COEFFICIENTS
from accord.equivalence.models import MODELS
from accord.errors import UnknownNameError
from accord.metrics.spec import METRICS


def catalog(
    key: Annotated[str | None, typer.Argument(help="One metric or coefficient.", show_default=False)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List metrics, coefficients and text models, or show one with its options and its source."""
    coefficients, metrics, models = COEFFICIENTS.catalog(), METRICS.catalog(), MODELS.catalog()
    if key is not None:
        _one(key, as_json)
        return
    entries = [_entry("coefficient", spec) for spec in coefficients] + [_entry("metric", spec) for spec in metrics]
    entries += [_entry("model", spec) for spec in models]
    if as_json:
        kinds = (("coefficients", "coefficient"), ("metrics", "metric"), ("models", "model"))
        print_json({name: [entry for entry in entries if entry["type"] == what] for name, what in kinds})
        return
    for what in ("coefficient", "metric", "model"):
        rows = [(e["key"], e["summary"], ", ".join(e["aliases"])) for e in entries if e["type"] == what]
        print_table(f"{what.title()}s", ("key", "what it is", "also known as"), rows)


def _one(key: str, as_json: bool) -> None:
    coefficients, metrics, models = COEFFICIENTS.catalog(), METRICS.catalog(), MODELS.catalog()
    found: list[tuple[str, Any]] = [("coefficient", coefficients[key])] if key in coefficients else []
    found += [("metric", metrics[key])] if key in metrics else []
    found += [("model", models[key])] if key in models else []
    if not found:
        known = [spec.key for spec in coefficients] + [spec.key for spec in metrics] + [spec.key for spec in models]
        raise UnknownNameError.among("metric, coefficient or model", key, known)
    entries = [_entry(what, spec) for what, spec in found]
    if as_json:
        print_json(entries[0] if len(entries) == 1 else entries)
        return
    for entry in entries:
        rows = [(name, str(value)) for name, value in entry.items() if name != "options"]
        rows += [(f"option {name}", text) for name, text in entry["options"].items()]
        print_table("", ("", ""), rows)


def _entry(what: str, spec: Any) -> dict[str, Any]:
    entry = {
        "type": what,
        "key": spec.key,
        "summary": spec.summary,
        "aliases": list(spec.aliases),
        "reference": spec.reference,
    }
    if what == "metric":
        entry["kinds"] = [str(kind) for kind in spec.kinds] if spec.kinds else ["any"]
    if what == "coefficient":
        entry |= {"symbol": spec.symbol, "family": spec.family}
    options = {name: _option(option) for name, option in spec.options.items()}
    return entry | {"options": options}


def _option(option: Any) -> str:
    allowed = f"; allowed: {', '.join(map(str, option.allowed))}" if option.allowed else ""
    return f"{option.help} (default {option.default}{allowed})".strip()


def selftest(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Recompute published values with this installation and compare; exit 1 if one differs."""
    from accord.pipeline.selftest import run

    rows = run()
    passed = all(row.passed for row in rows)
    if as_json:
        print_json({"passed": passed, "checks": [asdict(row) for row in rows]})
    else:
        shown = [
            (r.table, r.measure, r.source, f"{r.published:g}", f"{r.computed:.6g}", "ok" if r.passed else "DIFFERS")
            for r in rows
        ]
        print_table("", ("table", "measure", "source", "published", "computed", ""), shown, numeric=(3, 4))
        typer.echo(f"{len(rows)} published values, {sum(not row.passed for row in rows)} differ")
    if not passed:
        raise typer.Exit(1)
