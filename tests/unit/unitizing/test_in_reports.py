"""The coefficients of stretches on the spans of an export, from file to report."""

import json

import accord
from accord.measures import alpha_u
from accord.pipeline.methods import methods_sentence, reading


def annotation(rater, *spans):
    return {
        "id": rater,
        "completed_by": rater,
        "result": [
            {
                "id": f"{rater}{start}",
                "from_name": "ner",
                "to_name": "text",
                "type": "labels",
                "value": {"start": start, "end": end, "labels": [label]},
            }
            for start, end, label in spans
        ],
    }


def export(tmp_path):
    tasks = [
        (1, [(0, 5, "PER"), (17, 22, "LOC")], [(0, 5, "PER"), (14, 22, "LOC")]),
        (2, [(20, 26, "LOC")], []),
        (3, [(0, 4, "PER")], [(0, 4, "PER"), (23, 27, "LOC")]),
    ]
    path = tmp_path / "export.json"
    path.write_text(
        json.dumps(
            [
                {
                    "id": number,
                    "data": {"text": "x" * 60},
                    "annotations": [
                        {**annotation(rater, *spans), "id": 10 * number + rater}
                        for rater, spans in ((1, first), (2, second))
                    ],
                }
                for number, first, second in tasks
            ]
        )
    )
    return path


def test_alpha_u_and_gamma_of_an_export(tmp_path):
    plan = accord.Plan(coefficients=("alpha_u", "gamma"), settings={"alpha_u.length": 60, "gamma.samples": 100})
    control = accord.measure(accord.read(export(tmp_path)), plan)["ner"]
    rows = [
        ("1", 0, 5, "PER", "1"),
        ("1", 17, 22, "LOC", "1"),
        ("2", 0, 5, "PER", "1"),
        ("2", 14, 22, "LOC", "1"),
        ("1", 20, 26, "LOC", "2"),
        ("2", None, None, None, "2"),
        ("1", 0, 4, "PER", "3"),
        ("2", 0, 4, "PER", "3"),
        ("2", 23, 27, "LOC", "3"),
    ]
    assert control.coefficients["alpha_u"].value == alpha_u(rows, length=60).value
    assert 0 < control.coefficients["gamma"].value < 1
    assert control.coefficients["gamma"].expected_error > 0


def test_a_coefficient_without_a_scale_of_agreement_says_so_in_words(tmp_path):
    plan = accord.Plan(coefficients=("alpha_u",), settings={"alpha_u.length": 60})
    found = accord.measure(accord.read(export(tmp_path)), plan)["ner"].coefficients["alpha_u"]
    assert reading(found, "alpha_u").startswith("Krippendorff's unitizing alpha says that")
    assert "p. 254): α_U = " in methods_sentence("ner", found, "alpha_u", plan, None)
