"""Vectors from a server: both protocols, paid once, and every kind of nonsense refused."""

import numpy as np
import pytest
from scripted_server import Reply, serving

from accord import measures
from accord.equivalence.cached import VectorStore
from accord.equivalence.embedding import BATCH, WARNING, EndpointEmbedding, cosine
from accord.equivalence.endpoint import Access, Endpoint
from accord.errors import DataError
from accord.readers.arrays import from_matrix
from accord.similarity.equivalent import from_model


def vector(text):
    return np.random.default_rng([ord(c) for c in text]).normal(size=4).tolist()


def openai(_path, body, _number):
    rows = [{"index": k, "embedding": vector(text)} for k, text in enumerate(body["input"])]
    return Reply({"data": rows[::-1]})


def simple(_path, body, _number):
    return Reply({"embeddings": [vector(text) for text in body["texts"]]})


def embedding(url, protocol="openai", store=None):
    return EndpointEmbedding(Endpoint(url, Access(), sleep=lambda _: None), "small", protocol, store)


@pytest.mark.parametrize(("protocol", "answer", "path"), [("openai", openai, "/v1/embeddings"), ("texts", simple, "")])
def test_vectors_come_in_order_with_length_one(protocol, answer, path):
    texts = [f"text {k}" for k in range(BATCH + 3)]
    with serving(answer) as (url, received):
        found = embedding(url, protocol).vectors(texts)
    expected = np.array([vector(text) for text in texts])
    assert found == pytest.approx(expected / np.linalg.norm(expected, axis=1, keepdims=True))
    assert [len(body.get("input") or body.get("texts")) for _, _, body in received] == [BATCH, 3]
    assert {p.rstrip("/") for p, _, _ in received} == {path}


def test_each_text_is_paid_once(tmp_path):
    with serving(openai) as (url, received):
        first = embedding(url, store=VectorStore(tmp_path / "cache")).vectors(["a", "b"])
        again = embedding(url, store=VectorStore(tmp_path / "cache")).vectors(["b", "c", "a"])
    assert [body["input"] for _, _, body in received] == [["a", "b"], ["c"]]
    assert again[2] == pytest.approx(first[0])


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([[1.0, 2.0]], "sent 1 vectors for 2 texts"),
        (None, "sent no vectors for 2 texts"),
        ([[1.0, 2.0], [1.0]], "different lengths: 1, 2"),
        ([[1.0, 2.0], [0.0, 0.0]], "zero or not finite"),
        ([[1.0, 2.0], [1.0, None]], "not finite"),
        ([[1.0, 2.0], [1e308, 1e308]], "not finite"),
        ([[1.0, 2.0], "abc"], "does not hold numbers"),
        ([[1.0, 2.0], []], "of shape"),
        ([[1.0, 2.0], [[1.0]]], "of shape"),
    ],
)
def test_nonsense_is_refused(rows, why):
    with serving(lambda *_: Reply({"embeddings": rows})) as (url, _), pytest.raises(DataError, match=why):
        embedding(url, "texts").vectors(["a", "b"])


def test_nan_in_json_is_refused():
    with serving(lambda *_: Reply(b'{"embeddings": [[NaN, 1]]}')) as (url, _), pytest.raises(DataError, match="finite"):
        embedding(url, "texts").vectors(["a"])


def test_mappings_and_the_standing_warning():
    rows = [["a cough", "cough"], ["fever", "high fever"], ["leg", "broken leg"], ["cough", "fever"]]
    study = from_matrix(rows)
    with serving(openai) as (url, _):
        found = {name: from_model(study, cosine(embedding(url), name)) for name in ("rescale", "raw", "clip")}
        dense = {name: similarity.dense() for name, similarity in found.items()}
        kappas = {name: measures.cohen_kappa(study, similarity=similarity) for name, similarity in found.items()}
        notes = cosine(embedding(url)).notes([])
    raw = 2.0 * dense["rescale"] - 1.0
    assert dense["raw"] == pytest.approx(dense["rescale"])
    assert dense["clip"] == pytest.approx(np.maximum(raw, 0.0), abs=1e-12)
    assert kappas["raw"].value == kappas["rescale"].value != kappas["clip"].value
    assert "closed form" in kappas["rescale"].signature
    assert notes == (WARNING,)
