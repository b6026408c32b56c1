"""Krippendorff's alpha against krippendorff and nltk; sets with Jaccard and MASI distances against nltk."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from peer_tables import labels

from accord import measures

LEVELS = ("nominal", "ordinal", "interval", "ratio")


@pytest.mark.peers
@settings(max_examples=40)
@given(labels(raters=(2, 6)))
def test_alpha_at_four_levels_equals_krippendorff(general, table):
    rows, q = table
    for level in LEVELS:
        found = measures.krippendorff_alpha(rows, level=level, domain=list(range(1, q + 1)), ci=None)
        assume(found.undefined is None)
        other = general("alpha", table=rows, level=level, domain=list(range(1, q + 1)))
        assert found.value == pytest.approx(other, abs=1e-9), level


def triples(rows):
    """(rater, unit, answer) as nltk wants them."""
    return [
        [f"r{r}", f"u{u}", sorted(x) if isinstance(x, frozenset) else x]
        for u, row in enumerate(rows)
        for r, x in enumerate(row)
        if x is not None
    ]


@pytest.mark.peers
@settings(max_examples=30)
@given(labels(raters=(2, 5)))
def test_nominal_alpha_equals_nltk(general, table):
    rows, _ = table
    found = measures.krippendorff_alpha(rows, level="nominal", ci=None)
    assume(found.undefined is None)
    assert found.value == pytest.approx(
        general("nltk_coefficient", triples=triples(rows), name="alpha", distance="binary"), abs=1e-9
    )


@pytest.mark.peers
@settings(max_examples=30)
@given(labels(raters=(2, 2), missing=False))
def test_two_rater_kappa_pi_and_s_equal_nltk(general, table):
    """nltk's S counts the labels that occur as categories, so the domain here is what occurs."""
    rows, _ = table
    seen = sorted({x for row in rows for x in row})
    for measure, name in (
        (measures.cohen_kappa, "kappa"),
        (measures.scott_pi, "pi"),
        (measures.bennett_s, "S"),
    ):
        found = measure(rows, domain=seen, ci=None)
        assume(found.undefined is None)
        other = general("nltk_coefficient", triples=triples(rows), name=name, distance="binary")
        assert found.value == pytest.approx(other, abs=1e-9), name


SETS = st.lists(
    st.lists(st.frozensets(st.sampled_from("abcd"), min_size=1), min_size=3, max_size=3), min_size=4, max_size=15
)


@pytest.mark.peers
@pytest.mark.parametrize(("similarity", "distance"), [("jaccard", "jaccard"), ("masi", "masi")])
@settings(max_examples=30)
@given(rows=SETS)
def test_set_alpha_equals_nltk(general, similarity, distance, rows):
    """MASI as nltk has it: 1 - Jaccard times 1, 2/3, 1/3 or 0."""
    found = measures.krippendorff_alpha(rows, similarity=similarity, ci=None)
    assume(found.undefined is None)
    other = general("nltk_coefficient", triples=triples(rows), name="alpha", distance=distance)
    assert found.value == pytest.approx(other, abs=1e-9)
