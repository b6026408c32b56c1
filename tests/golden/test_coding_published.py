"""Published values of agreement coefficients for coded answers, each with its source.

Values are printed figures: they must be met to the last printed digit. Standard errors made by contingency-table
functions divide by n^2 where Accord divides by n (n - 1); the marker ``n2`` compares them after that factor.
"""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from accord.coefficients.indices import kappa_max
from accord.coefficients.spec import COEFFICIENTS
from accord.coefficients.within import within
from accord.inference.estimate import estimate
from accord.readers.arrays import from_contingency, from_counts, from_matrix
from accord.similarity.core import Identity
from accord.similarity.levels import for_study

BLOCKS = json.loads((Path(__file__).parent / "coding_published.json").read_text(encoding="utf-8"))


def study_of(block):
    data, values = block["data"], block.get("values")
    if block["shape"] == "contingency":
        return from_contingency(data, categories=list(range(1, len(data) + 1)))
    if block["shape"] == "counts":
        return from_counts(data)
    return from_matrix(data, domain=values)


def against_rest(study, code):
    """The same answers as one label against all others."""
    return replace(study, code=(study.code == code).astype(np.int32), values=("rest", "label"), domain=2, matrix=None)


def close(printed, found):
    digits = len(printed.partition(".")[2])
    assert found == pytest.approx(float(printed), abs=1.0001 * 10.0**-digits)


def cases():
    for block in BLOCKS:
        for check in block["checks"]:
            name = "-".join(
                str(check[key])
                for key in ("coefficient", "level", "weights", "label", "value", "se", "low")
                if key in check
            )
            yield pytest.param(block, check, id=f"{block['id']}-{block['name']}-{name}")


@pytest.mark.parametrize("block, check", list(cases()))
def test_published(block, check):
    study = study_of(block)
    if check["coefficient"] == "kappa_max":
        close(check["value"], kappa_max(study))
        return
    if "label" in check:
        study = against_rest(study, check["label"])
    level = check.get("level", "nominal" if "weights" not in check else None)
    similarity = for_study(study, level=level, weights=check.get("weights"))
    spec = COEFFICIENTS.catalog()[check["coefficient"]]
    found = estimate(spec, study, similarity, interval="analytic")
    bare = estimate(spec, study, similarity, ci=None)
    assert found.undefined is None
    assert bare.value == pytest.approx(found.value, abs=1e-12)
    for key in ("value", "observed", "expected"):
        if key in check:
            close(check[key], getattr(found, key))
    for printed, distance in zip(check.get("disagreement", ()), found.disagreement, strict=False):
        close(printed, distance)
    assert found.value == pytest.approx((found.observed - found.expected) / (1.0 - found.expected), abs=1e-12) or (
        check["coefficient"] == "light_kappa"
    )
    factor = np.sqrt((found.units - 1) / found.units) if check.get("divisor") == "n2" else 1.0
    if "se" in check:
        close(check["se"], found.se * factor)
    for side in ("low", "high"):
        if side in check:
            limit = found.value + (getattr(found.interval, side) - found.value) * factor
            close(check[side], min(limit, 1.0))


@pytest.mark.parametrize("block", [block for block in BLOCKS if "per_unit" in block], ids=lambda block: block["name"])
def test_agreement_per_unit(block):
    study = study_of(block)
    for printed, found in zip(block["per_unit"], within(study, Identity(study.V)).agreement, strict=True):
        close(printed, found)
    if "totals" in block:
        assert study.counts.tolist() == block["totals"]
