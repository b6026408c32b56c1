"""Markdown, CSV and JSON: the same facts, safe where they are opened."""

import csv
import io
import json
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
import sample_report

from accord.errors import UnknownNameError
from accord.reporting import csv_tables, render_report, write_report
from accord.reporting.markdown import escape, render
from accord.writers.tables import safe_cell


@pytest.mark.parametrize("form", ["html", "md", "csv", "json"])
def test_without_content_no_format_tells_answers_or_addresses(form: str) -> None:
    text = render_report(sample_report.report(content=False), form)
    assert sample_report.SECRET not in text
    assert sample_report.ADDRESS not in text


@pytest.mark.parametrize("form", ["html", "md", "csv", "json"])
def test_every_format_is_utf8_and_names_every_control(form: str) -> None:
    text = render_report(sample_report.report(), form)
    text.encode()
    for name in ("sentiment", "severity", "never met"):
        assert name in text


def test_unknown_format_suggests() -> None:
    with pytest.raises(UnknownNameError, match="html"):
        render_report(sample_report.report(), "htlm")


def test_markdown_tables_have_as_many_cells_as_headings() -> None:
    width = 0
    for line in render(sample_report.report()).splitlines():
        cells = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
        assert width in (0, cells) or cells == 0, line
        width = cells


def test_markdown_says_values_intervals_and_reasons() -> None:
    text = render(sample_report.report())
    assert "| sentiment | α nominal | 0.52 | 0.43 to 0.60 | 231 | 4 | 303 | Below the criterion |" in text
    assert "undefined: no unit has two answers" in text
    assert "1. **Neutral against Positive** (sentiment): 50\u202f% of the loss; 47 of 94" in text


def test_markdown_escapes_data() -> None:
    assert escape("<b>|`*x*`|\n# y") == "&lt;b&gt;\\|\\`\\*x\\*\\`\\|\\ \\# y".replace("\\ \\#", " \\#")
    text = render(sample_report.report())
    assert "<script" not in text
    assert "<img" not in text


def _rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_csv_holds_full_precision_and_blanks() -> None:
    rows = _rows(csv_tables.render(sample_report.report()))
    assert rows[0]["value"] == "0.52"
    assert rows[0]["low"] == "0.43"
    assert (rows[8]["value"], rows[8]["undefined"]) == ("", "no_overlap")
    assert len(rows) == 10


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_cells_cannot_run_as_formulas(start: str) -> None:
    assert safe_cell(f"{start}SUM(A1)") == f"'{start}SUM(A1)"
    control = sample_report.choice(f"{start}SUM(A1)")
    text = csv_tables.render(replace(sample_report.report(), controls=(control,)))
    for cell in _rows(text)[0].values():
        assert not cell.startswith(("=", "+", "@", "-", "\t", "\r"))


def test_csv_tables_are_one_file_a_table(tmp_path: Path) -> None:
    written = csv_tables.write(sample_report.report(), tmp_path / "tables")
    assert {path.name for path in written} == {
        f"{name}.csv"
        for name in (
            *("headline", "coefficients", "labels", "raters", "rater_pairs"),
            *("gold", "confused", "tasks", "findings", "import"),
        )
    }
    labels = _rows((tmp_path / "tables" / "labels.csv").read_text(encoding="utf-8"))
    assert labels[0]["label"] == "Negative"
    assert float(labels[0]["value"]) == 0.69
    tasks = _rows((tmp_path / "tables" / "tasks.csv").read_text(encoding="utf-8"))
    assert {"control": "sentiment", "unit": "101", "agreement": "0.0"} in tasks


def test_csv_tables_fit_into_one_archive_or_a_folder(tmp_path: Path) -> None:
    for name in ("a.zip", "b.zip"):
        write_report(sample_report.report(), tmp_path / name, "csv")
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert archive.testzip() is None
        names = set(archive.namelist())
        text = archive.read("tasks.csv").decode()
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    (tmp_path / "folder").mkdir()
    write_report(sample_report.report(), tmp_path / "folder", "csv")
    assert {path.name for path in (tmp_path / "folder").iterdir()} == names
    assert (tmp_path / "folder" / "tasks.csv").read_bytes().decode() == text


def test_json_twin_holds_what_the_page_shows(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    write_report(sample_report.report(), path, "json")
    found = json.loads(path.read_text(encoding="utf-8"))
    behind = found["report"]["controls"]["sentiment"]
    assert behind["verdict"] == "Below the criterion"
    assert behind["confused"][0]["share"] == 0.5
    assert behind["disagreed"][1]["answers"][0] == {"rater": "R1", "answer": "Neutral"}
    assert found["report"]["readiness"]["parts"][2][2] is None
    assert found["controls"][8]["coefficients"]["krippendorff_alpha"]["value"] is None
