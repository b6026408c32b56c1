"""Hugging Face checkpoints by path: real ones, tiny, made here with every order of labels."""

from itertools import permutations

import numpy as np
import pytest

LABELS = ("contradiction", "neutral", "entailment")
TEXTS = ["a cough.", "a dry cough.", "the left arm hurts after a fall from the stairs."]


@pytest.mark.peers
@pytest.mark.parametrize("labels", list(permutations(LABELS)), ids=lambda labels: "-".join(x[0] for x in labels))
def test_the_entailment_class_is_found_by_name_in_any_order(entailment, tmp_path, labels):
    place = labels.index("entailment")
    folder = entailment("checkpoint", folder=str(tmp_path), labels=labels, winner=place)
    found = entailment("entailment", folder=folder, left=TEXTS, right=TEXTS[::-1])
    assert found["index"] == place
    one_way, back = np.array(found["one_way"]), np.array(found["back"])
    assert (one_way > 1 / 3).all()
    assert found["mutual"] == pytest.approx(np.sqrt(one_way * back))


@pytest.mark.peers
def test_names_in_the_wrong_order_fail_the_probe(entailment, tmp_path):
    folder = entailment("checkpoint", folder=str(tmp_path), labels=LABELS, winner=0)
    found = entailment("entailment", folder=folder, left=TEXTS, right=TEXTS)
    assert "does not say that 'A dog sleeps.' entails" in found["error"]
    assert entailment("entailment", folder=folder, left=TEXTS, right=TEXTS, index=0)["index"] == 0


@pytest.mark.peers
def test_labels_that_say_nothing_must_be_named(entailment, tmp_path):
    folder = entailment("checkpoint", folder=str(tmp_path), labels=["LABEL_0", "LABEL_1"], winner=1)
    assert "nli.entailment=NUMBER" in entailment("entailment", folder=folder, left=TEXTS, right=TEXTS)["error"]
    assert entailment("entailment", folder=folder, left=TEXTS, right=TEXTS, index=1)["index"] == 1


@pytest.mark.peers
def test_batches_do_not_change_scores_and_long_texts_are_told(entailment, tmp_path):
    folder = entailment("checkpoint", folder=str(tmp_path), labels=LABELS, winner=2)
    many = [f"{text} {'x' * k}" for k in range(20) for text in TEXTS] + ["cough " * 100]
    found = entailment("entailment", folder=folder, left=many, right=many[::-1])
    alone = [
        entailment("entailment", folder=folder, left=[a], right=[b])["one_way"][0]
        for a, b in list(zip(many, many[::-1], strict=True))[::10]
    ]
    assert found["one_way"][::10] == pytest.approx(alone, abs=1e-4)
    assert found["notes"] == ["21 texts are longer than the model reads and were cut."]


@pytest.mark.peers
def test_weights_and_template_are_part_of_the_fingerprint(entailment, tmp_path):
    prints = set()
    for name, winner in (("one", 2), ("two", 2), ("three", 1)):
        labels = LABELS if winner == 2 else ("contradiction", "entailment", "neutral")
        folder = entailment("checkpoint", folder=str(tmp_path / name), labels=labels, winner=winner)
        prints.add(entailment("entailment", folder=folder, left=TEXTS, right=TEXTS)["fingerprint"])
    prints.add(entailment("entailment", folder=folder, left=TEXTS, right=TEXTS, template="it is {}.")["fingerprint"])
    assert len(prints) == 3


@pytest.mark.peers
def test_a_folder_without_a_checkpoint_is_refused(entailment, tmp_path):
    found = entailment("entailment", folder=str(tmp_path), left=TEXTS, right=TEXTS)
    assert "is no checkpoint that can be loaded" in found["error"]


@pytest.mark.peers
def test_sentence_vectors_have_length_one_in_any_batch(entailment, tmp_path):
    found = entailment("embedding", folder=entailment("encoder", folder=str(tmp_path)), texts=TEXTS)
    assert np.linalg.norm(found["together"], axis=1) == pytest.approx(np.ones(3))
    assert np.array(found["together"]) == pytest.approx(np.array(found["alone"]), abs=1e-5)
