"""Accord's reader of Hugging Face checkpoints, on tiny checkpoints that are made here. One JSON line a call."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))

import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import BertConfig, BertForSequenceClassification, BertModel, PreTrainedTokenizerFast

from accord.equivalence.hugging_face import Entailment, SentenceEmbedding
from accord.equivalence.mutual import mutual
from accord.errors import AccordError

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
LETTERS = "abcdefghijklmnopqrstuvwxyz ."


def tokenizer():
    vocabulary = {token: k for k, token in enumerate([*SPECIAL, *LETTERS])}
    plain = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    plain.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    plain.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=plain, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]",
        model_max_length=64,
    )  # fmt: skip


def config(**more):
    return BertConfig(
        vocab_size=len(SPECIAL) + len(LETTERS), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, max_position_embeddings=64, **more,
    )  # fmt: skip


def checkpoint(folder, labels, winner):
    """Save a classifier with these label names whose class ``winner`` wins on most pairs."""
    torch.manual_seed(0)
    model = BertForSequenceClassification(config(num_labels=len(labels), id2label=dict(enumerate(labels))))
    with torch.no_grad():
        model.classifier.bias[winner] += 0.7
    model.save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    return folder


def encoder(folder):
    """Save an encoder."""
    torch.manual_seed(1)
    BertModel(config()).save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    return folder


def entailment(folder, left, right, index=None, template="{}"):
    """Index, fingerprint, one-way and mutual scores, and notes; or what was refused."""
    try:
        model = Entailment(folder, template, index)
    except AccordError as problem:
        return {"error": str(problem)}
    return {
        "index": model.index,
        "name": model.name,
        "fingerprint": model.fingerprint,
        "one_way": model.score(left, right).tolist(),
        "back": model.score(right, left).tolist(),
        "mutual": mutual(model).score(left, right).tolist(),
        "notes": list(model.notes(left)),
    }


def embedding(folder, texts):
    """Vectors of texts, and of the same texts one by one."""
    model = SentenceEmbedding(folder)
    return {"together": model.vectors(texts).tolist(), "alone": [model.vectors([text])[0].tolist() for text in texts]}


def main():
    calls = {function.__name__: function for function in (checkpoint, encoder, entailment, embedding)}
    for line in sys.stdin:
        given = json.loads(line)
        try:
            answer = {"result": calls[given.pop("call")](**given)}
        except Exception as problem:  # noqa: BLE001
            answer = {"error": f"{type(problem).__name__}: {problem}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
