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


def test_v01_cohen_1960_p37_largest_agreement_the_margins_allow():
    """The paper prints max p_o = .90 and kappa_max = .85."""
    study = from_contingency([[25, 12, 3], [13, 2, 15], [12, 16, 2]], categories=[1, 2, 3])
    found = estimate(COEFFICIENTS.catalog()["cohen_kappa"], study, Identity(study.V), ci=None)
    close(".85", found.details["kappa_max"])
    close(".90", found.details["kappa_max"] * (1 - found.expected) + found.expected)


def test_v16_low_variance_in_dkpro_weighted_agreement_test():
    """11 x (1, 1), (1, 2), (1, 3): alpha has D_o .153 and D_e .150, weighted kappa is 0."""
    study = from_matrix([[1, 1]] * 11 + [[1, 2], [1, 3]], domain=[1, 2, 3])
    alpha = estimate(COEFFICIENTS.catalog()["krippendorff_alpha"], study, for_study(study, level="nominal"), ci=None)
    for printed, distance in zip((".153", ".150"), alpha.disagreement, strict=True):
        close(printed, distance)
    kappa = estimate(COEFFICIENTS.catalog()["weighted_kappa"], study, for_study(study, weights="quadratic"), ci=None)
    assert kappa.value == pytest.approx(0.0, abs=1e-12)


def test_v16_krippendorff_1980_ordinal_distances():
    """DKPro Krippendorff1980Test: values 1, 2, 3, 3, 4, 4, 4, 4, 5, 10 lie 2, 5, 11, 16, 18 apart from the first.

    The test there counts every value twice: differences of ranks with ties halved, before they are squared.
    """
    values = [1, 2, 3, 3, 4, 4, 4, 4, 5, 10]
    study = from_matrix([[value, value] for value in values])
    metric = for_study(study, level="ordinal")
    first = np.zeros(study.V, dtype=np.int64)
    apart = np.sqrt((1.0 - metric.at(first, np.arange(study.V))) * metric.scale)
    assert study.values == (1, 2, 3, 4, 5, 10)
    assert apart.tolist() == pytest.approx([0, 2, 5, 11, 16, 18], abs=1e-9)


def test_v32_nltk_none_as_a_label():
    """[1, 1, 2], [1, 1, None], [None, 1, 2] in NLTK: .3333 if None counts as a label, 1.0 if it is missing."""
    rows = [[1, 1, 0], [1, 1, 1], [2, 0, 2]]
    study = from_matrix(rows)
    found = estimate(COEFFICIENTS.catalog()["krippendorff_alpha"], study, Identity(study.V), ci=None)
    close(".3333", found.value)
