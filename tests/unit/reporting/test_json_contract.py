"""The JSON of ``accord score --json``: exactly the contract, valid under its schema."""

import json
import math
from typing import Any

import jsonschema
import pytest
import sample_report

from accord.pipeline.contract import schema, to_dict, to_full_dict

CONTROL = {
    *("name", "tag", "kind", "level", "metric", "headline", "units", "raters", "pairs", "pairwise", "consensus"),
    *("coefficients", "rater_pairs", "labels"),
}
ESTIMATE = {
    *("value", "observed", "expected", "disagreement", "se", "interval", "similarity", "units", "raters", "pairs"),
    *("skipped", "undefined", "notes", "signature"),
}


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    return to_dict(sample_report.report(), tasks=True)


def test_valid_under_the_schema(found: dict[str, Any]) -> None:
    validator = jsonschema.Draft202012Validator(schema())
    validator.check_schema(schema())
    for document in (found, to_dict(sample_report.report()), to_full_dict(sample_report.report())):
        again = json.loads(json.dumps(document, allow_nan=False))
        assert [error.message for error in validator.iter_errors(again)] == []


def test_the_schema_refuses_a_value_that_is_both_undefined_and_a_number(found: dict[str, Any]) -> None:
    broken = json.loads(json.dumps(found))
    broken["controls"][8]["coefficients"]["krippendorff_alpha"]["value"] = 0.0
    assert list(jsonschema.Draft202012Validator(schema()).iter_errors(broken))


def test_names_of_the_contract(found: dict[str, Any]) -> None:
    assert set(found) == {"accord", "dataset", "controls", "overall"}
    assert set(found["dataset"]) == {"fingerprint", "units", "raters", "answers", "import"}
    assert found["dataset"]["import"] == {"codes": {"duplicate-answer": 2, "edited-by-other": 6}}
    control = found["controls"][0]
    assert set(control) == CONTROL | {"tasks"}
    assert set(control["coefficients"]["krippendorff_alpha"]) >= ESTIMATE
    assert set(control["rater_pairs"][0]) == {"a", "b", "units", "value", "cohen_kappa"}
    assert set(control["labels"][0]) == {"label", "count", "specific", "agreement"}
    assert set(control["tasks"][0]) == {"unit", "value"}
    assert set(control["coefficients"]["krippendorff_alpha"]["interval"]) == {"low", "high", "level", "method"}
    mean = found["overall"]["coefficients"]["krippendorff_alpha"]
    assert mean["left_out"] == [{"control": "never met", "reason": "no_overlap"}]
    assert (mean["controls"], mean["of"]) == (9, 10)


def test_tasks_only_on_request() -> None:
    assert all("tasks" not in control for control in to_dict(sample_report.report())["controls"])


def test_undefined_is_null_with_its_reason(found: dict[str, Any]) -> None:
    estimate = found["controls"][8]["coefficients"]["krippendorff_alpha"]
    assert (estimate["value"], estimate["undefined"]) == (None, "no_overlap")
    assert estimate["reason"] == "no unit has two answers"


def test_numbers_keep_their_precision() -> None:
    third = sample_report.estimate("krippendorff_alpha", 1 / 3, 0.1, 0.5, se=math.nan)
    assert json.loads(json.dumps(third.to_dict()))["value"] == 1 / 3
    assert third.to_dict()["se"] is None
