"""Long texts: exact and quick where they are alike, an error where a pair would take minutes."""

import random

import numpy as np
import pytest
from rapidfuzz.distance import Levenshtein

import accord
from accord.errors import DataError
from accord.metrics.strings import LONG, MOST_PLAIN_CELLS, cross_scores, distances
from accord.similarity.metric import from_metric


def texts(seed, length, edits):
    chance = random.Random(seed)
    one = "".join(chance.choices("abcdef ", k=length))
    other = list(one)
    for _ in range(edits):
        other[chance.randrange(length)] = chance.choice("xyz")
    return one, "".join(other[: length - edits])


@pytest.mark.parametrize("edits", [0, 1, 900, 5000])
def test_the_distance_of_long_texts_is_exact(edits):
    one, other = texts(edits, LONG + 500, edits)
    both = [one, other, one[:40], ""]
    i, j = np.array([0, 0, 1, 2, 0]), np.array([1, 2, 3, 3, 0])
    expected = [Levenshtein.distance(both[a], both[b]) for a, b in zip(i, j, strict=True)]
    assert distances(both, i, j).tolist() == expected
    block = cross_scores(both[:2], both, "distance")
    assert block.tolist() == [[Levenshtein.distance(a, b) for b in both] for a in both[:2]]
    block = cross_scores(both[:2], both, "normalized_similarity")
    assert block == pytest.approx(np.array([[Levenshtein.normalized_similarity(a, b) for b in both] for a in both[:2]]))


def test_two_texts_of_a_megabyte_that_are_alike():
    one, other = texts(7, 1_000_000, 500)
    found = accord.similarity("text_similarity", one, other)
    assert 1 - 1500 / 1_000_000 < found < 1 - 500 / 1_000_000
    assert accord.similarity("cer", one, other) == found


def test_a_pair_that_would_take_minutes_is_refused():
    long = "ab " * 400_000
    with pytest.raises(DataError, match=r"too long for an edit distance. Found: lengths 1,200,000 and 1,200,001"):
        accord.similarity("text_similarity", long, long + "c")
    side = int(MOST_PLAIN_CELLS**0.5) + 1
    with pytest.raises(DataError, match=r"--metric CONTROL=wer"):
        accord.similarity("damerau_levenshtein", "a" * side, "b" * side)
    assert accord.similarity("text_similarity", long, "ab ") == pytest.approx(3 / len(long))
    pool = [long, long + "c", "short"]
    with pytest.raises(DataError, match="too long"):
        from_metric(pool, "text_similarity").dense()
