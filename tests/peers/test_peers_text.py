"""Word and character error rates, chrF and BLEU against jiwer and sacreBLEU."""

import random

import pytest

from accord.similarity.metric import similarity

pytestmark = pytest.mark.peers

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "dog", "rug.", "blue"]


def sentences(count, shortest=1):
    rng = random.Random(20261130)

    def sentence():
        return " ".join(rng.choices(WORDS, k=rng.randint(shortest, 9)))

    return [(sentence(), sentence()) for _ in range(count)]


def test_error_rates_with_a_reference_are_jiwers(text):
    for reference, other in sentences(60):
        for metric in ("wer", "cer"):
            expected = max(0.0, 1.0 - text(metric, reference=reference, hypothesis=other))
            assert similarity(metric, reference, other, reference="left") == pytest.approx(expected, abs=1e-9)


def test_chrf_is_sacrebleus_with_and_without_spaces(text):
    for reference, other in sentences(60):
        for convention, whitespace in (("accord", True), ("sacrebleu", False)):
            expected = text("chrf", hypothesis=other, reference=reference, whitespace=whitespace)
            score = similarity("chrf", reference, other, reference="left", convention=convention)
            assert score == pytest.approx(expected, abs=1e-9)


def test_bleu_of_longer_texts_is_sacrebleus_with_add_one_on_higher_orders(text):
    """Below four words sacreBLEU and this definition leave out different orders, so the texts have at least four."""
    for reference, other in sentences(60, shortest=4):
        expected = text("bleu", hypothesis=other, reference=reference)
        assert similarity("bleu", reference, other, reference="left") == pytest.approx(expected, abs=1e-9)
