"""Measures of wording against hand-made values, rapidfuzz and brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.equivalence.as_metric import as_metric
from accord.equivalence.lexical import LEXICAL, lexical
from accord.errors import UnknownNameError
from accord.similarity.metric import from_metric

ANY_TEXT = st.text(max_size=30)


@pytest.mark.parametrize(
    ("name", "left", "right", "value"),
    [
        ("jaccard", "Chest pain, severe", "severe chest-pain", 1.0),
        ("jaccard", "left arm pain", "right arm pain", 0.5),
        ("dice", "left arm pain", "right arm pain", 2 / 3),
        ("ngrams", "abc", "abd", 1 / 5),  # " ab" shared of " ab", "abc", "bc ", "abd", "bd "
        ("edit", "kitten", "sitting", 1 - 3 / 7),
        ("jaro", "MARTHA", "marhta", 0.9611111111),
        ("jaro", "abcdefgh", "abzzzzzz", 0.5),  # Jaro .5 is too low for the bonus of a common beginning
        ("token_sort", "pain in chest", "chest pain in", 1.0),
    ],
)
def test_values(name, left, right, value):
    assert lexical(name).score([left], [right]) == pytest.approx([value])


@pytest.mark.parametrize("name", LEXICAL)
def test_empty_texts_and_signs(name):
    measure = lexical(name)
    assert measure.score(["", "", "?!"], ["", "cough", "😀"]).tolist() == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("name", LEXICAL)
@given(texts=st.lists(ANY_TEXT, min_size=2, max_size=5))
def test_laws(name, texts):
    measure = lexical(name)
    encoded = measure.encode(texts)
    i, j = (side.ravel() for side in np.indices((len(texts), len(texts))))
    found = measure.compare(encoded, i, j)
    assert ((found >= 0) & (found <= 1)).all()
    assert found == pytest.approx(measure.compare(encoded, j, i), abs=1e-12)
    assert found[i == j] == pytest.approx(1.0)
    every = slice(0, len(texts))
    assert measure.block(encoded, every, every).ravel() == pytest.approx(found, abs=1e-12)


def test_unknown_names_are_refused():
    with pytest.raises(UnknownNameError, match="Did you mean jaccard"):
        lexical("jacard")


def test_as_metric_scores_values_of_a_study():
    values = ["severe cough", ("severe", "cough"), "fever"]
    similarity = from_metric(values, as_metric(lexical("jaccard")))
    assert similarity.dense().tolist() == [[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
