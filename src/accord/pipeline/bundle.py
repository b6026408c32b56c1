"""A folder that reproduces every number of a report: the coded table, the plan, what was left out, scripts."""

from __future__ import annotations

import csv
import json
import math
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from accord.dataset import Column, Dataset
from accord.errors import DataError, UsageError
from accord.pipeline.bundle_reading import read_controls
from accord.pipeline.contract import to_dict
from accord.pipeline.custom import with_custom
from accord.pipeline.grras import bibtex, checklist
from accord.pipeline.measure import measure
from accord.pipeline.plan import Plan, load_json_object
from accord.pipeline.privacy import without_addresses
from accord.pipeline.region_answers import question_for
from accord.pipeline.report import Report
from accord.pipeline.value_json import encode
from accord.study import Study
from accord.values import Kind, Raw, Region, Value

TOLERANCE = 1e-12
WITHHELD = frozenset({Kind.TEXT, Kind.OTHER, Kind.ANNOTATION})
NUMBERS = ("value", "observed", "expected", "se")


@dataclass(frozen=True, slots=True)
class Compared:
    """One number in the bundle beside the recomputed one."""

    control: str
    number: str
    written: str
    again: str
    same: bool

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"control": self.control, "number": self.number, "same": self.same}


def write_bundle(folder: Path, dataset: Dataset, plan: Plan, report: Report) -> None:
    """Write the bundle of a report; the folder appears whole or not at all.

    Raises
    ------
    UsageError
        If the folder exists and is not empty.
    DataError
        If it cannot be written; nothing is left then.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} exists and is not an empty folder. Give --bundle a new name.")
    folder = folder.absolute()
    temporary = folder.with_name(f".{folder.name[:100]}.{secrets.token_hex(4)}.part")
    try:
        temporary.mkdir(parents=True)
        _write_files(temporary, dataset, plan, report)
        if folder.exists():
            folder.rmdir()
        temporary.rename(folder)
    except OSError as error:
        raise DataError.at(f"cannot write: {error.strerror or error}.", file=str(folder)) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _write_files(temporary: Path, dataset: Dataset, plan: Plan, report: Report) -> None:
    dataset = with_custom(dataset, plan)
    dataset = dataset if report.content else without_addresses(dataset)
    controls = []
    for i, control in enumerate(report.controls, 1):
        question = question_for(dataset, control.control.name, plan)
        controls.append(_write_control(temporary, f"control-{i}", question.column, question.study, report.content))
    kept = replace(
        plan,
        answers="all",
        first=None,
        only=(),
        join=None,
        unite={},
        missing=(),
        cluster="cluster" if plan.cluster else None,
    )
    _write_json(temporary / "controls.json", {"controls": controls})
    _write_json(temporary / "plan.json", kept.to_dict())
    _write_json(temporary / "report.json", to_dict(report, tasks=True))
    _write_tsv(temporary / "controls.tsv", ("name", "file", "numbers"), map(_r_control, controls))
    _write_tsv(temporary / "index.tsv", ("control", "number", "value"), _r_numbers(report))
    notices = [{"code": n.code, "count": n.count, "meaning": n.meaning} for n in dataset.report.notices]
    _write_json(
        temporary / "left-out.json",
        {"sources": list(dataset.report.sources), "notices": notices, "plan": plan.to_dict()},
    )
    (temporary / "grras.md").write_text(checklist(report), encoding="utf-8")
    (temporary / "accord.bib").write_text(bibtex(report), encoding="utf-8")
    for name in ("reproduce.py", "reproduce.R", "README.md"):
        text = resources.files("accord.pipeline").joinpath("bundle_files", name).read_text(encoding="utf-8")
        (temporary / name).write_text(text, encoding="utf-8")


def _write_control(folder: Path, stem: str, column: Column, study: Study, content: bool) -> dict[str, Any]:
    cluster = np.arange(study.U) if study.cluster is None else study.cluster
    with (folder / f"{stem}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("unit", "rater", "code", "cluster"))
        writer.writerows(
            zip(
                study.unit.tolist(),
                study.rater.tolist(),
                study.code.tolist(),
                cluster[study.unit].tolist(),
                strict=True,
            )
        )
    withheld = not content and (study.kind in WITHHELD or any(map(_holds_text, study.values)))
    control = column.control
    return {
        "file": f"{stem}.csv",
        "name": control.name,
        "tag": control.tag,
        "kind": str(study.kind),
        "level": str(study.level),
        "domain": study.domain,
        "declared": control.domain is not None,
        "clustered": study.cluster is not None,
        "slots": study.slots,
        "units": [str(name) for name in study.unit_names],
        "raters": [str(name) for name in study.rater_names],
        "values": None if withheld else [encode(value) for value in study.values],
    }


def _holds_text(value: Value) -> bool:
    """Whether a region of an answer holds what somebody wrote, or might."""
    if not isinstance(value, tuple):
        return False
    regions = (part for part in value if isinstance(part, Region))
    return any(part.text is not None or part.attributes or isinstance(part.geometry, Raw) for part in regions)


def _r_control(entry: Mapping[str, Any]) -> tuple[str, ...]:
    values = entry["values"] or []
    numeric = values and all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)
    return entry["name"], entry["file"], " ".join(map(repr, values)) if numeric else ""


def _r_numbers(report: Report) -> Iterator[tuple[str, ...]]:
    for control in report.controls:
        for key, estimate in control.coefficients.items():
            value = "NA" if estimate.undefined else repr(estimate.value)
            yield control.control.name, f"{key}:{estimate.similarity}", value
            yield control.control.name, key, value


def reproduce_bundle(folder: Path) -> list[Compared]:
    """Recompute every number of a bundle from its coded tables.

    Raises
    ------
    DataError
        If a file is missing or was changed so that it cannot be read, or no answers are in the bundle.
    """
    controls = list(read_controls(folder))
    plan = Plan.load(folder / "plan.json")
    written = load_json_object(folder / "report.json")
    rows: list[Compared] = []
    for name, clustered, dataset in controls:
        mine = replace(plan, cluster="cluster" if clustered else "unit", controls=_only(plan, name))
        again = to_dict(measure(dataset, mine), tasks=False)["controls"][0]
        try:
            before = next(c for c in written["controls"] if c["name"] == name)
            rows += [_compare(name, number, a, b) for number, a, b in _pairs(before, again)]
        except (AttributeError, KeyError, StopIteration, TypeError):
            raise DataError.at(
                "holds no readable numbers.", file=str(folder / "report.json"), control=name, hint="Write it again."
            ) from None
    return rows


def _only(plan: Plan, name: str) -> Mapping[str, Any]:
    return {name: plan.controls[name]} if name in plan.controls else {}


def _pairs(before: Mapping[str, Any], again: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    for name in ("pairwise", "consensus"):
        yield name, before[name]["value"], again[name]["value"]
    for key, estimate in before["coefficients"].items():
        other = again["coefficients"].get(key, {})
        for number in NUMBERS:
            yield f"{key} {number}", estimate[number], other.get(number)
        for side in ("low", "high"):
            yield f"{key} {side}", (estimate["interval"] or {}).get(side), (other.get("interval") or {}).get(side)


def _compare(control: str, number: str, a: float | None, b: float | None) -> Compared:
    same = a is b is None or (
        a is not None and b is not None and math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    )
    return Compared(control, number, _text(a), _text(b), same)


def _text(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.12g}"


def _write_tsv(path: Path, header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    """Write fields without tabs or line breaks, for readers that know no quoting."""
    lines = ["\t".join(" ".join(cell.split()) for cell in row) for row in (header, *rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _write_json(path: Path, data: Any) -> None:
    path.write_text(json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1) + "\n", encoding="utf-8")
