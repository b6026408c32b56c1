"""Free texts compared by a model, from the command line: what is said with the numbers, and what is refused."""

import json

import pytest

COLUMNS = ("--unit", "item", "--rater", "annotator", "--text", "finding", "--cache", "off")
ENGLISH = [
    ("heart attack", "myocardial infarction"),
    ("no fever", "fever"),
    ("pain in the left arm", "left arm pain"),
    ("dry cough", "dry cough"),
    ("broken leg", "common cold"),
]
GERMAN = [("Schmerzen in der Brust und kein Fieber", "kein Fieber und Schmerzen in der Brust")] * 5


@pytest.fixture
def table(tmp_path):
    def write(pairs):
        path = tmp_path / "answers.jsonl"
        rows = [
            {"item": k, "annotator": who, "finding": text}
            for k, pair in enumerate(pairs)
            for who, text in zip("ab", pair, strict=True)
        ]
        path.write_text("\n".join(map(json.dumps, rows)))
        return path

    return write


def alpha(ran):
    assert ran.code == 0, ran.err
    return ran.json["controls"][0]["coefficients"]["krippendorff_alpha"]


def test_the_shipped_model_compares_meaning_and_says_so(accord, table):
    pytest.importorskip("onnxruntime", reason="needs the extra text")
    path = table(ENGLISH)
    meaning = alpha(accord("score", path, *COLUMNS, "--similarity", "nli", "--json"))
    wording = alpha(accord("score", path, *COLUMNS, "--json"))
    assert meaning["value"] > wording["value"]
    assert meaning["notes"][0] == "Model-based, not yet checked by people."
    assert meaning["expected_error"] is None
    assert meaning["similarity"].startswith("nli[")


@pytest.mark.parametrize("model", ["nli", "embedding"])
def test_other_languages_are_refused_unless_forced(accord, table, model):
    pytest.importorskip("onnxruntime", reason="needs the extra text")
    path = table(GERMAN)
    refused = accord("score", path, *COLUMNS, "--similarity", model)
    assert refused.code == 2
    assert f"--set {model}.language=any" in refused.err
    assert accord("score", path, *COLUMNS, "--similarity", model, "--set", f"{model}.language=any").code == 0


def test_a_template_needs_a_checkpoint(accord, table):
    ran = accord("score", table(ENGLISH), *COLUMNS, "--similarity", "nli", "--set", "nli.template=it is {}.")
    assert ran.code == 2
    assert "--set nli.model=" in ran.err


@pytest.mark.parametrize(("measure", "value"), [("dice", (1.0 + 2 / 3 + 0.0) / 3), ("jaccard", (1.0 + 0.5 + 0.0) / 3)])
def test_sets_of_texts(accord, table, measure, value):
    path = table([("cough\nfever", "fever\ncough"), ('["rash", "itch"]', "itch"), ("headache", "[]")])
    given = (*COLUMNS, "--similarity", "exact", "--set-measure", measure)
    found = alpha(accord("score", path, *given, "--json"))
    assert found["observed"] == pytest.approx(value)
    assert found["similarity"].startswith(f"matched_{measure}(exact,empty=agree)")


def test_lists_of_a_label_studio_text_area_are_sets(accord, tmp_path):
    def answer(who, *lines):
        item = {"from_name": "finding", "to_name": "text", "type": "textarea", "value": {"text": list(lines)}}
        return {"id": hash((who, lines)) % 10**6, "completed_by": who, "result": [item]}

    tasks = [
        {"id": 1, "data": {"text": "x"}, "annotations": [answer(1, "cough", "fever"), answer(2, "fever", "cough")]},
        {"id": 2, "data": {"text": "y"}, "annotations": [answer(1, "rash", "itch"), answer(2, "itch")]},
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks))
    ran = accord("score", path, "--similarity", "exact", "--set-measure", "jaccard", "--json", "--cache", "off")
    assert alpha(ran)["observed"] == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--set-measure", "overlap"), "Allowed: dice, jaccard"),
        (("--set-measure", "dice"), "compares no sets"),
        (("--similarity", "edit", "--max-calls", "0"), "Allowed: 1 or more"),
        (("--similarity", "edit", "--precision", "2"), "above 0 and below 1"),
        (("--similarity", "judge"), "--set judge.url="),
        (("--similarity", "judge", "--set", "judge.url=http://example.org"), "--allow-remote example.org"),
        (("--similarity", "judge", "--set", "judge.url=file:///etc/passwd"), "no address of a server"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_what_to_do(accord, table, options, words):
    ran = accord("score", table(ENGLISH), *COLUMNS, *options)
    assert ran.code == 2
    assert words in ran.err
