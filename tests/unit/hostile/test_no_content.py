"""What people wrote and who they are never leaves with ``--no-content``, whatever the format."""

import json
import sys

import pytest

from accord.cli import main

SECRET = "Zq7secret"
MAIL = "ann.secret@example.org"
MARKUP = "<script>window.bad=1</script>]]>\u202e\x1b[31m=1+1|\n"


def item(name, kind, value, **more):
    return {"from_name": name, "to_name": "text", "type": kind, "value": value, **more}


def annotation(task, rater, email):
    odd = f"{SECRET}{task * rater % 3}"
    span = {"start": task % 4, "end": 8 + rater, "text": SECRET, "labels": ["x" if task % 2 else "y"]}
    region = {"start": task % 4, "end": 8 + rater, "text": [odd]}
    result = [
        item(f"tone{MARKUP}", "choices", {"choices": [f"{MARKUP}{task * rater % 2}"]}),
        item("summary", "textarea", {"text": [odd]}),
        item("odd", "mystery", {"mystery": {"note": odd}}),
        item("marks", "labels", span, id=f"r{task}{rater}"),
        item("why", "textarea", region, id=f"r{task}{rater}"),
    ]
    return {"id": 10 * task + rater, "completed_by": {"id": rater, "email": email}, "result": result}


@pytest.fixture
def export(tmp_path):
    tasks = [
        {
            "id": task,
            "data": {"text": f"{SECRET} by {MAIL} {MARKUP}"},
            "annotations": [annotation(task, 1, MAIL), annotation(task, 2, "ben@example.com")],
        }
        for task in range(12)
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks))
    return path


def run(monkeypatch, capsys, *args):
    monkeypatch.setattr(sys, "argv", ["accord", *map(str, args), "--no-content"])
    with pytest.raises(SystemExit) as stop:
        main()
    out, err = capsys.readouterr()
    assert (stop.value.code, err) == (0, "")
    return out


def leaks(text):
    return [word for word in (SECRET, MAIL, "ann.secret", "ben@example.com") if word in text]


@pytest.mark.parametrize("form", ["html", "md", "csv", "json"])
def test_no_report_holds_it(export, tmp_path, monkeypatch, capsys, form):
    target = tmp_path / f"r.{form}"
    out = run(monkeypatch, capsys, "report", export, "-o", target)
    assert not leaks(out)
    text = target.read_text(encoding="utf-8")
    assert not leaks(text)
    if form in ("html", "md"):
        assert "<script>window.bad" not in text


def test_no_bundle_holds_it_and_the_rest_can_be_recomputed(export, tmp_path, monkeypatch, capsys):
    out = run(monkeypatch, capsys, "score", export, "--bundle", tmp_path / "b", "--json", "--tasks")
    assert not leaks(out)
    written = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "b").iterdir()}
    assert {name: found for name, text in written.items() if (found := leaks(text))} == {}
    controls = json.loads(written["controls.json"])["controls"]
    withheld = {control["name"].split("<")[0]: control["values"] is None for control in controls}
    assert withheld == {"tone": False, "summary": True, "odd": True, "marks": True, "why": True}


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_the_import_report_does_not_quote_it(export, monkeypatch, capsys, more):
    out = run(monkeypatch, capsys, "inspect", export, *more)
    assert "text-mismatch" in out
    assert not leaks(out)
