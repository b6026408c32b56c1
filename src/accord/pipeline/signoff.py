"""One page that records a decision: criteria, result, what was left out, data, recipe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from accord.dataset import Dataset
from accord.pipeline.gate import Decision
from accord.pipeline.report import Report
from accord.pipeline.words import number


def sign_off(dataset: Dataset, report: Report, decision: Decision) -> dict[str, Any]:
    """Return the decision as data (the JSON twin of the page)."""
    return signed(facts_of(dataset), report, decision)


def facts_of(dataset: Dataset) -> dict[str, Any]:
    """What a sign-off says of the data: their fingerprint, counts, and what was left out or repaired."""
    return {
        "data": {
            "fingerprint": dataset.fingerprint,
            "sources": list(dataset.report.sources),
            "units": len(dataset.units),
            "raters": len(dataset.raters),
            "answers": dataset.answers,
        },
        "exclusions": {n.code: {"count": n.count, "meaning": n.meaning} for n in dataset.report.notices},
    }


def signed(facts: Mapping[str, Any], report: Report, decision: Decision) -> dict[str, Any]:
    """Return the decision as data, with what is known of the data."""
    signatures = {c.control.name: {k: e.signature for k, e in c.coefficients.items()} for c in report.controls}
    return {
        "accord": report.version,
        "created": report.created,
        "passed": decision.passed,
        "checks": [asdict(check) for check in decision.checks],
        **facts,
        "recipe": signatures,
        "plan": report.plan,
    }


def sign_off_page(data: dict[str, Any]) -> str:
    """Return the page as Markdown."""
    lines = [
        f"# Agreement sign-off: {'passed' if data['passed'] else 'failed'}",
        "",
        _origin(data),
        "",
        "| control | criterion | found | result | why |",
        "|---|---|---|---|---|",
    ]
    for check in data["checks"]:
        found = "–" if check["found"] is None else number(check["found"], 3)
        result = "pass" if check["passed"] else "fail"
        lines.append(
            f"| {_cell(check['control'])} | {_cell(check['criterion'])} | {found} | {result} | {_cell(check['why'])} |"
        )
    lines += ["", "## Left out or repaired on reading", ""]
    lines += [f"- {code}: {item['count']} ({_cell(item['meaning'])})" for code, item in data["exclusions"].items()] or [
        "- nothing"
    ]
    lines += ["", "## Recipe", ""]
    for control, signatures in data["recipe"].items():
        lines += [f"- {_cell(control)}: `{signature.replace('`', '')}`" for signature in signatures.values()]
    return "\n".join(lines) + "\n"


def _origin(data: dict[str, Any]) -> str:
    read = data["data"]
    counts = f"{read['units']:,} units, {read['raters']} raters, {read['answers']:,} answers"
    return f"{data['created']}, Accord {data['accord']}, data {read['fingerprint']} ({counts})."


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")
