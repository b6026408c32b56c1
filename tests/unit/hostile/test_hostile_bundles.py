"""Bundles that somebody changed: an error that names the file, or numbers that differ; never a crash, never "same"."""

import json

import pytest

import accord
from accord.errors import AccordError, DataError, UsageError
from accord.pipeline.bundle import reproduce_bundle, write_bundle
from accord.pipeline.measure import measure
from accord.pipeline.plan import Plan

ROWS = [(str(i), rater, "xyz"[(i * k) % 3]) for i in range(12) for k, rater in enumerate("ab", 1)]


@pytest.fixture
def bundle(tmp_path):
    table = {name: [row[i] for row in ROWS] for i, name in enumerate(("item", "rater", "label"))}
    dataset = accord.read(table)
    plan = Plan()
    write_bundle(tmp_path / "bundle", dataset, plan, measure(dataset, plan))
    return tmp_path / "bundle"


def test_a_bundle_as_written_agrees(bundle):
    assert all(row.same for row in reproduce_bundle(bundle))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("file", "../../etc/passwd"),
        ("file", "none.csv"),
        ("file", 1),
        ("kind", "zzz"),
        ("level", "zzz"),
        ("units", []),
        ("units", 5),
        ("units", [1]),
        ("raters", None),
        ("raters", ["a"]),
        ("values", []),
        ("values", 5),
        ("values", None),
        ("values", [{"type": "zzz"}] * 3),
        ("domain", 99),
        ("domain", "x"),
        ("clustered", "x"),
        ("name", "other"),
    ],
)
def test_a_changed_list_of_controls_is_refused(bundle, field, value):
    path = bundle / "controls.json"
    data = json.loads(path.read_text())
    data["controls"][0][field] = value
    path.write_text(json.dumps(data))
    with pytest.raises(DataError):
        reproduce_bundle(bundle)


@pytest.mark.parametrize("text", ["{}", '{"controls": []}', '{"controls": null}', '{"controls": [1]}', "[]", "", "{"])
@pytest.mark.parametrize("name", ["controls.json", "report.json"])
def test_a_file_without_content_is_refused(bundle, name, text):
    (bundle / name).write_text(text)
    with pytest.raises(DataError, match=name):
        reproduce_bundle(bundle)


@pytest.mark.parametrize(
    "row",
    ["x,y,z,1", "-5,0,0,0", "99999,0,0,0", "0,0,99,0", "99999999999999999999,0,0,0", "0,0,0", "0,0,0,0\n0,0,1,0"],
)
def test_a_changed_table_is_refused(bundle, row):
    path = bundle / "control-1.csv"
    header, *rows = path.read_text().splitlines()
    path.write_text("\n".join([header, row, *rows]))
    with pytest.raises(DataError, match=r"control-1\.csv"):
        reproduce_bundle(bundle)


def test_a_changed_number_differs(bundle):
    path = bundle / "report.json"
    data = json.loads(path.read_text())
    data["controls"][0]["pairwise"]["value"] += 1e-9
    path.write_text(json.dumps(data))
    assert [row.number for row in reproduce_bundle(bundle) if not row.same] == ["pairwise"]


def test_a_bundle_that_cannot_be_written_leaves_nothing(bundle, tmp_path, monkeypatch):
    dataset = accord.read({name: [row[i] for row in ROWS] for i, name in enumerate(("item", "rater", "label"))})
    report = measure(dataset, Plan())
    monkeypatch.setattr("pathlib.Path.rename", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(DataError, match="No space left"):
        write_bundle(tmp_path / "new", dataset, Plan(), report)
    assert [path.name for path in tmp_path.iterdir()] == ["bundle"]
    with pytest.raises(UsageError, match="not an empty folder"):
        write_bundle(bundle, dataset, Plan(), report)


def test_a_folder_that_is_no_bundle_is_refused(tmp_path):
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(AccordError, match=r"controls\.json"):
            reproduce_bundle(folder)
