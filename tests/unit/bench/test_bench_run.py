"""``accord bench`` from the command line: files, going on after a stop, refusals."""

import json
import re
import xml.etree.ElementTree as ET

import pytest
from typer.testing import CliRunner

from accord.cli.app import app
from accord.errors import DataError, UsageError

NAMES = ("renal", "hepatic", "gastric", "dermal", "ocular", "dental", "spinal", "nasal")
SIZES = ("small", "large", "round", "flat", "early", "late", "mild", "grave")


@pytest.fixture
def terminology(tmp_path):
    folder = tmp_path / "findings"
    folder.mkdir()
    concepts, synonyms, hierarchy = ["concept_id,preferred"], ["concept_id,term"], ["child,parent"]
    for organ in NAMES:
        concepts.append(f"{organ},{organ} lesion")
        for k, size in enumerate(SIZES):
            concepts.append(f"{organ}{k},{size} {organ} lesion")
            synonyms.append(f"{organ}{k},{organ} spot of the {size} kind")
            hierarchy.append(f"{organ}{k},{organ}")
    for name, rows in (("concepts", concepts), ("synonyms", synonyms), ("hierarchy", hierarchy)):
        (folder / f"{name}.csv").write_text("\n".join(rows) + "\n")
    return folder


def bench(terminology, out, *more):
    command = ["bench", "--terminology", str(terminology), "--out", str(out), "--items", "15", "--replicates", "4"]
    command += ["--levels", "0,.5,1", "--measures", "jaccard,edit", "--cache", "off", *more]
    done = CliRunner().invoke(app, command)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def without_seconds(path):
    return sorted(re.sub(r'"seconds": [^,]*', "", line) for line in path.read_text().splitlines())


def test_every_file_is_written_and_says_the_same(terminology, tmp_path):
    out = tmp_path / "out"
    done = bench(terminology, out, "--sets", "--set-size", "2", "--json")
    data = json.loads(done.stdout)
    assert data == json.loads((out / "results.json").read_text())
    rows = {(r["form"], r["measure"]): r for r in data["rows"] if r["negative"] is None and r["rate"] is None}
    assert {m for _, m in rows} == {"oracle", "exact", "jaccard", "edit"}
    assert all(rows[form, "oracle"]["mae"]["value"] <= 1e-12 for form in ("single", "sets"))
    assert data["manifest"]["terminologies"]["findings"]["concepts"] == 72
    table = (out / "table.csv").read_text().splitlines()
    assert len(table) == 1 + len(data["rows"])
    text = (out / "table.md").read_text()
    assert ".005 to .065" in text
    assert "cannot be compared" in text
    pictures = re.findall(r"\]\(([^)]+\.svg)\)", text)
    assert len(pictures) == 4
    for name in pictures:
        assert ET.parse(out / name).getroot().tag.endswith("svg")
    page = (out / "index.html").read_text()
    assert "default-src &#39;none&#39;" in page
    assert not re.findall(r"""(?:src|href)=["']?https?:""", page)


def test_a_run_that_was_killed_goes_on_and_ends_the_same(terminology, tmp_path):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    bench(terminology, whole)
    bench(terminology, cut)
    lines = (cut / "runs.jsonl").read_bytes().splitlines(keepends=True)
    (cut / "runs.jsonl").write_bytes(b"".join(lines[:21]) + lines[21][:40])
    bench(terminology, cut)
    assert without_seconds(cut / "runs.jsonl") == without_seconds(whole / "runs.jsonl")
    assert (cut / "table.csv").read_text() == (whole / "table.csv").read_text()


def test_another_benchmark_in_the_folder_is_refused(terminology, tmp_path):
    bench(terminology, tmp_path / "out")
    with pytest.raises(UsageError, match="other settings"):
        bench(terminology, tmp_path / "out", "--seed", "9")
    with pytest.raises(UsageError, match="other measures"):
        bench(terminology, tmp_path / "out", "--measures", "jaro")


@pytest.mark.parametrize("line", ['{"terminology": 1}', "[]", "nonsense"])
def test_a_damaged_log_is_named(terminology, tmp_path, line):
    bench(terminology, tmp_path / "out")
    with (tmp_path / "out" / "runs.jsonl").open("a") as stream:
        stream.write(line + "\n")
    with pytest.raises(DataError, match=r"runs\.jsonl, line 65"):
        bench(terminology, tmp_path / "out")


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--measures", "jacard"), "Did you mean jaccard"),
        (("--levels", "a,b"), "no list of numbers"),
        (("--below", "nothing"), "--below nothing"),
        (("--set", "nli.combine=min"), "nli has options but is not among"),
        (("--measures", "judge", "--set", "judge.url=http://127.0.0.1:9"), r"up to [\d,]+ pairs.*--max-calls"),
    ],
)
def test_wrong_calls_are_explained(terminology, tmp_path, more, words):
    with pytest.raises(UsageError, match=words):
        bench(terminology, tmp_path / "out", *more)
    assert not (tmp_path / "out").exists()


def test_below_keeps_a_part(terminology, tmp_path):
    done = bench(terminology, tmp_path / "out", *(f"--below={organ}" for organ in NAMES[:4]), "--json")
    assert [d["concepts"] for d in json.loads(done.stdout)["manifest"]["terminologies"].values()] == [36]
