"""Fine-tune the encoder and the head on labelled groups; checkpoints make a stopped run resumable."""

from __future__ import annotations

import json
import math
import random
import time
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from sklearn.metrics import roc_auc_score
from torch import Tensor
from torch.nn import functional

from training.batches import Batch, Sampler
from training.model import LONGEST, EntailmentNet, encode_sorted, score, tokenizer

SHARES = {"HPO": 0.45, "MeSH": 0.27, "WordNet medical": 0.06, "WordNet": 0.12, "lists": 0.10}
ENCODER_RATE, HEAD_RATE, WARM_UP = 1.2e-4, 1.2e-3, 60
TEMPERATURE = 0.05


def contrast(sentence: Tensor, classes: Tensor) -> Tensor:
    """Cross-entropy that pulls names of one concept together among all texts of a batch."""
    use = classes >= 0
    u, c = sentence[use], classes[use]
    same = (c[:, None] == c[None, :]).fill_diagonal_(False)
    has = same.any(1)
    if not has.any():
        return sentence.new_zeros(())
    logits = (u @ u.T / TEMPERATURE).fill_diagonal_(-torch.inf)
    log_p = logits - logits.logsumexp(1, keepdim=True)
    return -(log_p.masked_fill(~same, 0.0).sum(1) / same.sum(1).clamp(min=1))[has].mean()


def loss(net: EntailmentNet, tok: Any, batch: Batch, contrast_weight: float) -> Tensor:
    """Weighted cross-entropy of the labelled pairs plus the contrast of the sentence vectors."""
    rows = tok(batch.texts, truncation=True, max_length=LONGEST)["input_ids"]
    i, j, y, w = (torch.tensor(x) for x in zip(*batch.pairs, strict=True))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        state = encode_sorted(net, rows, parts=4)
        z = net.pairs(state.take(i), state.take(j)).float()
    pairs = (functional.binary_cross_entropy_with_logits(z, y, reduction="none") * w).sum() / w.sum()
    return pairs + contrast_weight * contrast(state.sentence, torch.tensor(batch.classes))


def optimiser(net: EntailmentNet) -> torch.optim.AdamW:
    """AdamW with a small rate for the encoder and a large one for the head; the word embeddings stay as they are."""
    net.bert.embeddings.word_embeddings.weight.requires_grad_(False)
    old = [p for n, p in net.named_parameters() if p.requires_grad and n.startswith("bert.")]
    new = [p for n, p in net.named_parameters() if p.requires_grad and not n.startswith("bert.")]
    groups = [
        {"params": old, "lr": ENCODER_RATE, "top": ENCODER_RATE},
        {"params": new, "lr": HEAD_RATE, "top": HEAD_RATE},
    ]
    return torch.optim.AdamW(groups, weight_decay=0.01)


def _average(net: EntailmentNet) -> None:
    """Set the weights of all workers to their mean."""
    with torch.no_grad():
        for p in net.parameters():
            if p.requires_grad:
                dist.all_reduce(p)
                p /= dist.get_world_size()


def _largest(value: float) -> float:
    """The largest value among the workers, so that all of them stop at the same step."""
    shared = torch.tensor(value)
    dist.all_reduce(shared, op=dist.ReduceOp.MAX)
    return float(shared)


@dataclass(frozen=True)
class Plan:
    """One run. Workers draw different batches and average their weights every `apart` steps (local SGD).

    `watched` are labelled pairs of the concepts kept for choosing settings; their AUC goes into the log beside `path`.
    A run resumes from `path` where it exists and begins at `start`, or at the backbone, where it does not. It ends
    after `steps` steps or `minutes` minutes, whichever comes first; the learning rate falls to zero by then. A run cut
    short at step `until` can go on under other settings.
    """

    samplers: dict[str, Sampler]
    watched: list[tuple[str, str, int]]
    path: Path
    steps: int
    minutes: float = math.inf
    seed: int = 0
    rate: float = 1.0
    groups: int = 12
    templates: float = 0.2
    contrast: float = 0.2
    until: float = math.inf
    start: Path | None = None
    workers: int = 2
    apart: int = 8
    every: int = 100
    shares: dict[str, float] = field(default_factory=lambda: dict(SHARES))


def _resume(plan: Plan, rank: int, net: EntailmentNet, opt: torch.optim.AdamW, r: random.Random) -> int:
    own = plan.path.with_suffix(f".{rank}.pt")
    if own.exists():
        state = torch.load(own, weights_only=False)
        net.load_state_dict(state["net"])
        opt.load_state_dict(state["opt"])
        r.setstate(state["random"])
        return state["step"]
    if plan.start is not None:
        net.load_state_dict(torch.load(plan.start, weights_only=True))
    return 0


def _keep(plan: Plan, rank: int, net: EntailmentNet, opt: torch.optim.AdamW, r: random.Random, step: int) -> None:
    state = {"net": net.state_dict(), "step": step, "opt": opt.state_dict(), "random": r.getstate()}
    own = plan.path.with_suffix(f".{rank}.pt")
    torch.save(state, own.with_suffix(".part"))
    own.with_suffix(".part").replace(own)
    if rank == 0:
        torch.save(net.state_dict(), plan.path)


def _report(plan: Plan, net: EntailmentNet, tok: Any, step: int, recent: list[float], began: float) -> None:
    ahead, back = [(a, b) for a, b, _ in plan.watched], [(b, a) for a, b, _ in plan.watched]
    z = (functional.logsigmoid(score(net, tok, ahead)) + functional.logsigmoid(score(net, tok, back))).numpy()
    line = {
        "step": step,
        "of": plan.steps,
        "seconds": round(time.monotonic() - began),
        "loss": round(float(np.mean(recent)), 4),
        "watched_auc": round(float(roc_auc_score([y for *_, y in plan.watched], z)), 4),
    }
    with plan.path.with_suffix(".log").open("a") as log:
        print(json.dumps(line), file=log, flush=True)


def _work(rank: int, plan: Plan) -> None:
    rendezvous = f"file://{plan.path.with_suffix('.meet').absolute()}"
    dist.init_process_group(
        "gloo", init_method=rendezvous, rank=rank, world_size=plan.workers, timeout=timedelta(hours=6)
    )
    torch.set_num_threads(1)
    torch.manual_seed(plan.seed)
    r, net, tok = random.Random(plan.seed * 1000 + rank), EntailmentNet(), tokenizer()
    opt = optimiser(net)
    step = _resume(plan, rank, net, opt, r)
    before = done = step / plan.steps
    names, weights = zip(*plan.shares.items(), strict=True)
    began, recent = time.monotonic(), []
    while done < 1.0 and step < plan.until:
        for g in opt.param_groups:
            g["lr"] = plan.rate * g["top"] * min(1.0, (step + 1) / WARM_UP) * (1 - done)
        name = r.choices(names, weights)[0]
        batch = plan.samplers[name].draw(plan.groups, 0.0 if name == "lists" else plan.templates, 12 * plan.groups, r)
        net.train()
        value = loss(net, tok, batch, plan.contrast)
        value.backward()
        torch.nn.utils.clip_grad_norm_([p for p in net.parameters() if p.requires_grad], 1.0)
        opt.step()
        opt.zero_grad(set_to_none=True)
        step += 1
        recent.append(value.item())
        if step % plan.apart == 0 or step == plan.steps:
            _average(net)
            used = (time.monotonic() - began) / 60 / plan.minutes
            done = _largest(max(step / plan.steps, before + (1 - before) * used))
        if step % plan.every == 0 or done >= 1.0 or step == plan.until:
            _keep(plan, rank, net, opt, r, step)
            if rank == 0:
                _report(plan, net, tok, step, recent, began)
            recent.clear()


def train(plan: Plan) -> None:
    """Run a plan; `plan.path` then holds the weights."""
    plan.path.with_suffix(".meet").unlink(missing_ok=True)
    mp.spawn(_work, args=(plan,), nprocs=plan.workers)
