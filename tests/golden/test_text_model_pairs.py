"""Phrases that people would not argue about: what says the same scores above what does not."""

import pytest

pytest.importorskip("onnxruntime", reason="needs the extra text")
pytest.importorskip("tokenizers", reason="needs the extra text")

from accord.equivalence.lexical import lexical
from accord.equivalence.nli import entailment, nli

# phrase, another way to say it, something close that is not it
TRIPLES = [
    ("right lower lobe pneumonia", "pneumonia of the right lower lobe", "left lower lobe pneumonia"),
    ("fracture of the left femur", "left femoral fracture", "fracture of the right femur"),
    ("no evidence of metastasis", "metastasis is not seen", "evidence of metastasis"),
    ("fever", "patient has fever", "no fever"),
    ("enlarged liver", "hepatomegaly", "enlarged spleen"),
    ("low blood sugar", "hypoglycemia", "hyperglycemia"),
    ("hypertension", "high blood pressure", "hypotension"),
    ("kidney stones", "nephrolithiasis", "gallstones"),
    ("lung cancer", "cancer of the lung", "lung abscess"),
    ("mild hearing loss", "hearing loss, mild", "severe hearing loss"),
    ("grade 2 tumor", "tumor, grade II", "grade 3 tumor"),
    ("type 1 diabetes mellitus", "diabetes mellitus type I", "type 2 diabetes mellitus"),
    ("acute appendicitis", "appendicitis, acute", "chronic appendicitis"),
    ("pneumonia", "evidence of pneumonia", "possible pneumonia"),
    ("swollen lymph nodes", "lymphadenopathy", "swollen joints"),
]


@pytest.fixture(scope="module")
def model():
    return nli()


@pytest.mark.parametrize("triple", TRIPLES, ids=[t[0] for t in TRIPLES])
def test_what_says_the_same_scores_above_what_is_only_close(model, triple):
    phrase, same, close = triple
    alike, unlike = model.score([phrase, phrase], [same, close])
    assert alike > 0.5 > unlike


def test_wording_gets_most_of_them_wrong():
    first, same, close = (list(part) for part in zip(*TRIPLES, strict=True))
    measure = lexical("edit")
    assert (measure.score(first, same) < measure.score(first, close)).mean() > 0.5


NARROWER = [
    ("severe migraine", "migraine"),
    ("fracture of the left femur", "fracture of the femur"),
    ("stage 3 carcinoma", "carcinoma"),
    ("acute appendicitis", "appendicitis"),
    ("no pneumonia", "no bacterial pneumonia"),
]


@pytest.mark.parametrize("pair", NARROWER, ids=[a for a, _ in NARROWER])
def test_the_narrower_entails_the_broader_and_not_the_other_way(pair):
    narrow, broad = pair
    down, up = entailment().score([narrow, broad], [broad, narrow])
    assert down > 0.5 > up
