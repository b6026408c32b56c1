"""The shipped text model: identity, determinism, texts that nobody should send, files that are not whole."""

import json
import shutil
import sys

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="needs the extra text")
pytest.importorskip("tokenizers", reason="needs the extra text")

from accord.equivalence.local_embedding import local_embedding
from accord.equivalence.nli import WEIGHTS, _load, entailment, nli
from accord.equivalence.scoring import PairScorer, scores
from accord.errors import DataError, MissingExtraError

TERMS = [
    "fever",
    "no fever",
    "myocardial infarction",
    "heart attack",
    "fracture of the left femur",
    "left femoral fracture",
    "fracture of the right femur",
    "nodule of 2 mm",
    "nodule of 2 cm",
    "shortness of breath",
    "dyspnea",
    "acute kidney injury due to dehydration in an elderly patient with diabetes",
]


@pytest.fixture(scope="module")
def model():
    return nli()


def all_pairs(n):
    return np.triu_indices(n, 1)


@pytest.mark.parametrize("text", ["Fever", " ﬁne  needle\n", "x" * 300, "🫀", "", "\x00"])
def test_equal_normal_forms_score_one(model, text):
    assert model.score([text], [f"  {text} "]).tolist() == [1.0]
    assert scores(model, [text], [text]).values.tolist() == [1.0]


def test_scores_are_symmetric_and_lie_between_0_and_1(model):
    i, j = all_pairs(len(TERMS))
    encoded = model.encode(TERMS)
    there, back = model.compare(encoded, i, j), model.compare(encoded, j, i)
    np.testing.assert_allclose(there, back, atol=1e-6)
    assert ((there > 0) & (there < 1)).all()


def test_the_mutual_score_combines_both_directions(model):
    left, right = TERMS[:-1], TERMS[1:]
    one = entailment()
    forward, back = one.score(left, right), one.score(right, left)
    np.testing.assert_allclose(model.score(left, right), np.sqrt(forward * back), atol=1e-6)
    np.testing.assert_allclose(nli("min").score(left, right), np.minimum(forward, back), atol=1e-6)
    assert not one.symmetric
    assert len({one.fingerprint, model.fingerprint, nli("min").fingerprint}) == 3


def test_two_runs_are_identical_and_neighbours_do_not_matter(model):
    i, j = all_pairs(len(TERMS))
    first, second = (model.compare(model.encode(TERMS), i, j) for _ in range(2))
    assert first.tolist() == second.tolist()
    alone = np.array([model.score([TERMS[a]], [TERMS[b]])[0] for a, b in zip(i.tolist(), j.tolist(), strict=True)])
    np.testing.assert_allclose(alone, first, atol=1e-5)


def test_a_pair_scorer_reads_each_text_once(model):
    i, j = all_pairs(len(TERMS))
    assert PairScorer(model, TERMS).scores(i, j).order_gap == 0.0


def test_long_texts_are_cut_and_flagged(model):
    long = "severe pain " * 9_000
    assert len(long) > 100_000
    value = model.score([long], ["pain"])
    assert 0 <= value[0] <= 1
    assert any("1 of 2 texts were cut" in n for n in model.notes([long, "pain"]))
    assert model.notes(["pain"]) == ()


@pytest.mark.parametrize("text", ["", "   ", "\x00\x01\x02", "🫀🫁", "‏", "ᚠᚢᚦ"])
def test_a_text_that_cannot_be_read_has_no_score(model, text):
    assert np.isnan(model.score([text, "fever"], ["fever", text])).all()
    assert "nothing the model can read" in model.notes([text])[0]


def test_two_unknown_signs_are_not_taken_for_each_other(model):
    assert np.isnan(model.score(["🫀"], ["🫁"])).all()
    assert model.score(["pain 🫀"], ["pain 🫁"])[0] < 1


@pytest.mark.parametrize(
    "text", ["\ud800 pain", "pain\x00\x1b[31m", "p" * 100_000, "PAIN! " + "?" * 5_000, "a\u0301" * 50]
)
def test_hostile_texts_are_scored_or_left_without_a_score(model, text):
    value = model.score([text, text], ["pain", text])
    assert np.isnan(value[0]) or 0 <= value[0] <= 1
    assert value[1] == 1.0


def test_no_texts_give_no_scores(model):
    assert model.score([], []).shape == (0,)


def test_vectors_have_length_one_and_give_the_cosine_measure(model):
    embedding = local_embedding()
    np.testing.assert_allclose(np.linalg.norm(embedding.vectors(TERMS), axis=1), 1.0, atol=1e-6)
    np.testing.assert_allclose(embedding.vectors(TERMS), model.encode(TERMS).read.sentence, atol=1e-6)
    i, j = all_pairs(len(TERMS))
    v = embedding.vectors(TERMS)
    np.testing.assert_allclose(
        embedding.score([TERMS[k] for k in i], [TERMS[k] for k in j]), (1 + (v[i] * v[j]).sum(1)) / 2
    )
    assert "Cosine" in embedding.notes(TERMS)[0]
    assert np.isnan(embedding.score(["🫀"], ["🫁"])).all()


@pytest.fixture
def copy(tmp_path):
    folder = tmp_path / "weights"
    shutil.copytree(WEIGHTS, folder)
    return folder


def test_damaged_weights_are_refused(copy):
    head = bytearray((copy / "head.npz").read_bytes())
    head[len(head) // 2] ^= 1
    (copy / "head.npz").write_bytes(head)
    with pytest.raises(DataError, match=r"head\.npz is not the file that was trained"):
        nli(folder=copy)


@pytest.mark.parametrize("name", ["encoder.onnx", "head.npz", "tokenizer.json", "model.json"])
def test_missing_weights_are_named(copy, name):
    (copy / name).unlink()
    with pytest.raises(DataError, match=name):
        nli(folder=copy)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"scale": "x", "shift": 0, "sha256": {}}'])
def test_a_model_file_that_is_none_is_refused(copy, content):
    (copy / "model.json").write_text(content)
    with pytest.raises(DataError, match="weights of the text model"):
        nli(folder=copy)


def test_the_calibration_is_part_of_the_fingerprint(copy):
    card = json.loads((copy / "model.json").read_text())
    (copy / "model.json").write_text(json.dumps(card | {"shift": card["shift"] + 0.1}))
    assert nli(folder=copy).fingerprint != nli().fingerprint


def test_files_that_are_no_model_are_refused(tmp_path):
    (tmp_path / "encoder.onnx").write_bytes(b"no graph")
    shutil.copy(WEIGHTS / "tokenizer.json", tmp_path)
    with pytest.raises(DataError, match="cannot be read"):
        local_embedding(tmp_path / "encoder.onnx")


def test_without_the_extra_the_install_line_is_told(monkeypatch):
    _load.cache_clear()
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingExtraError, match=r"accord\[text\]"):
        nli()
    _load.cache_clear()
