"""``accord text`` from the command line: draw, answer, ingest; codes beside texts."""

import csv
import json
import random

import pytest
from typer.testing import CliRunner

from accord.cli.app import app
from accord.errors import DataError, UsageError

PARTS = (("acute", "sudden"), ("chest", "thoracic"), ("high", "raised"), ("dry", "arid"), ("left", "sinister"))
THINGS = (("cough", "tussis"), ("pain", "ache"), ("fever", "temperature"), ("rash", "eruption"))


def names():
    return {f"c{a}{b}": [f"{x} {y}" for x in PARTS[a] for y in THINGS[b]] for a in range(5) for b in range(4)}


@pytest.fixture
def answers(tmp_path):
    r = random.Random(4)
    known = names()
    path = tmp_path / "answers.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("item", "who", "finding", "code"))
        for item in range(90):
            concept = r.choice(sorted(known))
            for who in ("ann", "bob"):
                said = concept if r.random() < 0.8 else r.choice(sorted(known))
                code = "" if item == 7 and who == "bob" else said
                writer.writerow((f"item {item}", who, r.choice(known[said]), code))
    return path


def call(*arguments):
    done = CliRunner().invoke(app, ["text", *map(str, arguments)])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


COLUMNS = ("--unit", "item", "--rater", "who", "--text", "finding")


def test_from_answers_to_findings(answers, tmp_path):
    done = call("sample", answers, *COLUMNS, "--code", "code", "--measures", "jaccard,edit", "--across", 80,
                "--out", tmp_path / "pairs")  # fmt: skip
    assert "questions for experts" in done.stdout
    assert {p.name for p in (tmp_path / "pairs" / "forms").iterdir()} == {"form.html", "pairs.csv", "pairs.jsonl"}
    meaning = {name: concept for concept, some in names().items() for name in some}
    for expert in ("ana", "eva"):
        with (tmp_path / "pairs/forms/pairs.csv").open(newline="") as stream:
            rows = [
                (row["id"], "yes" if meaning[row["text_1"]] == meaning[row["text_2"]] else "no")
                for row in csv.DictReader(stream)
            ]
        filled = tmp_path / f"{expert}.csv"
        filled.write_text("id,equivalent\n" + "".join(f"{i},{w}\n" for i, w in rows))
    key = tmp_path / "pairs" / "key" / "key.json"
    done = call("ingest", tmp_path / "ana.csv", tmp_path / "eva.csv", "--key", key, "--out", tmp_path / "out", "--json")
    found = json.loads(done.stdout)
    assert found == json.loads((tmp_path / "out" / "findings.json").read_text())
    assert all(e["controls_right"] == e["controls"] and e["repeats_alike"] == e["repeats"] for e in found["experts"])
    assert found["expert_agreement"]["cohen_kappa"]["value"] == 1.0
    assert found["people"]["value"]["low"] < found["codes"]["value"] < found["people"]["value"]["high"]
    assert found["people"]["value"]["value"] == pytest.approx(found["codes"]["value"], abs=0.08)
    assert found["pairs_with_a_disagreement"] == 0
    assert {m["measure"] for m in found["measures"]} == {"jaccard", "edit"}
    assert "default-src" in (tmp_path / "out" / "index.html").read_text()


def test_codes_beside_texts(answers, tmp_path):
    done = call("validate", answers, *COLUMNS, "--code", "code", "--measures", "exact,jaccard", "--out",
                tmp_path / "out", "--json", "--role", "source")  # fmt: skip
    found = json.loads(done.stdout)
    assert found["agreement"] == "cross-source agreement"
    assert found["answers_left_out"] == 1
    rows = {row["measure"]: row for row in found["measures"]}
    assert rows["exact"]["difference"]["high"] < 0
    assert rows["exact"]["difference"]["value"] == pytest.approx(
        rows["exact"]["value"]["value"] - found["codes"]["value"]
    )
    same, other, same_all, other_all = rows["exact"]["budget"]
    assert 0 < same < 0.6
    assert other == other_all == 0.0
    assert 0 < same_all < 1
    assert "not annotators" in (tmp_path / "out" / "validation.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (("validate", *COLUMNS, "--code", "cod"), (UsageError, DataError), "cod"),
        (("validate", *COLUMNS, "--code", "code", "--measures", "jacard"), UsageError, "jaccard"),
        (("validate", *COLUMNS, "--code", "code", "--role", "bot"), UsageError, "annotator"),
        (("validate", *COLUMNS, "--code", "code", "--coefficient", "gwet_ac1"), UsageError, "cohen_kappa"),
        (("sample", *COLUMNS, "--across", "5"), UsageError, "at least"),
    ],
)
def test_wrong_calls_are_explained(answers, tmp_path, arguments, error, words):
    command, *rest = arguments
    with pytest.raises(error, match=words):
        call(command, answers, "--measures", "jaccard", "--out", tmp_path / "out", *rest)


def test_the_wrong_key_is_noticed(answers, tmp_path):
    for seed in (1, 2):
        call(
            "sample",
            answers,
            *COLUMNS,
            "--measures",
            "jaccard",
            "--across",
            60,
            "--seed",
            seed,
            "--out",
            tmp_path / str(seed),
        )
    with pytest.raises(DataError, match="nobody has filled"):
        call("ingest", tmp_path / "1/forms/pairs.csv", "--key", tmp_path / "1/key/key.json", "--out", tmp_path / "x")
    with pytest.raises(DataError, match="not asked about"):
        call("ingest", tmp_path / "1/forms/pairs.csv", "--key", tmp_path / "2/key/key.json", "--out", tmp_path / "x")
