import csv
import xml.etree.ElementTree as ET

import pytest


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.csv"
    rows = [("cat", "cats"), ("dog", "dog"), ("a bird", "bird"), ("<b>", "fish")]
    path.write_text(
        "unit,rater,note\n"
        + "".join(f"{u},{r},{v}\n" for u, row in enumerate(rows) for r, v in zip("12", row, strict=True))
    )
    return path


def test_sweep_prints_a_table_and_the_areas(accord, texts):
    ran = accord("sweep", texts, "--text", "note", "--steps", 5)
    assert ran.code == 0, ran.err
    assert "Area under the curve: pairwise 0." in ran.out
    assert len(ran.out.strip().splitlines()) == 8
    assert "undefined" in ran.out


def test_json_holds_every_point(accord, texts):
    ran = accord(
        "sweep", texts, "--text", "note", "--metric", "cer", "--from", 0.2, "--to", 0.8, "--steps", 4, "--json"
    )
    assert ran.code == 0, ran.err
    data = ran.json
    assert data["metric"] == "cer"
    assert [point["threshold"] for point in data["points"]] == [0.2, 0.4, 0.6, 0.8]
    heights = [point["pairwise"]["value"] for point in data["points"]]
    assert heights == sorted(heights, reverse=True)
    assert set(data["area"]) == {"pairwise", "consensus", "coefficient"}
    assert data["points"][0]["pairwise"]["interval"]["level"] == 0.95


@pytest.mark.parametrize("name", ["curve.svg", "curve.html", "curve.csv", "curve.json"])
def test_every_format_is_written(accord, texts, tmp_path, name):
    ran = accord("sweep", texts, "--text", "note", "--steps", 5, "-o", name)
    assert ran.code == 0, ran.err
    text = (tmp_path / name).read_text()
    if name.endswith("svg"):
        root = ET.fromstring(text)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert "var(" not in text
        assert len(root.findall(".//{*}polyline")) == 3
    if name.endswith("html"):
        assert "Content-Security-Policy" in text
        assert "http" not in text.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
        assert text.count("<tr>") == 6
    if name.endswith("csv"):
        rows = list(csv.DictReader(text.splitlines()))
        assert [row["threshold"] for row in rows] == ["0.0", "0.25", "0.5", "0.75", "1.0"]
        assert rows[0]["undefined"] == "no_variation"
        assert rows[0]["coefficient"] == ""


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("-o", "curve.png"), ".svg, .html"),
        (("--steps", "1"), "2 to 1001"),
        (("--from", "-1"), "0 to 1"),
        (("--fail-under", "0.5"), "--fail-under"),
        (("--metric", "cre"), "cer"),
        (("--control", "nothing"), "note"),
        (("--control", "note", "--control", "note"), "one control"),
    ],
)
def test_wrong_calls_say_what_is_allowed(accord, texts, options, words):
    ran = accord("sweep", texts, "--text", "note", *options)
    assert ran.code == 2
    assert words in ran.err
