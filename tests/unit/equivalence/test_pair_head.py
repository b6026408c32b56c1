"""The fast head against the formula written out pair by pair, with random weights."""

import numpy as np
import pytest

from accord.equivalence.pair_head import SPREAD, PairHead

D, H, C, S, W = 8, 10, 6, 5, 12


def random_weights(rng):
    shapes = {
        "token": (W, D),
        "token_bias": (D,),
        "premise": (W, S),
        "premise_bias": (S,),
        "hypothesis": (W, S),
        "hypothesis_bias": (S,),
        "out_first": (4 * C + 2 * S + 1, H),
        "out_first_bias": (H,),
        "out_second": (H, 1),
        "out_second_bias": (1,),
        "sharpness": (),
        "same": (),
    }
    for side in ("premise", "hypothesis"):
        shapes |= {f"{side}_first": (4 * D + 2, H), f"{side}_first_bias": (H,)}
        shapes |= {f"{side}_second": (H, C), f"{side}_second_bias": (C,)}
    return {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


def read_texts(head, ids, rng):
    read = head.blank(np.array([len(row) for row in ids]))
    read.tokens[:] = head.features(rng.normal(size=(len(read.tokens), W)).astype(np.float32))
    read.ids[:] = np.concatenate(ids)
    read.sentence[:] = rng.normal(size=read.sentence.shape)
    read.premise[:], read.hypothesis[:] = head.projections(read.sentence)
    return read


def softmax(z):
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def relu(x):
    return np.maximum(x, 0)


def side(w, name, own, other, nearest, equal):
    rows = []
    for t in range(len(own)):
        x = np.concatenate((own[t], other[t], np.abs(own[t] - other[t]), own[t] * other[t], [nearest[t], equal[t]]))
        hidden = relu(x @ w[f"{name}_first"] + w[f"{name}_first_bias"])
        rows.append(relu(hidden @ w[f"{name}_second"] + w[f"{name}_second_bias"]))
    return np.concatenate((np.sum(rows, axis=0) / 4, np.max(rows, axis=0)))


def written_out(w, read, a, b):
    """Logit of a ⇒ b."""
    ta, tb = (read.tokens[read.start[k] : read.start[k] + read.length[k]].astype(float) for k in (a, b))
    ia, ib = (read.ids[read.start[k] : read.start[k] + read.length[k]] for k in (a, b))
    na, nb = (t / np.linalg.norm(t, axis=1, keepdims=True) for t in (ta, tb))
    likeness, equal = na @ nb.T, ia[:, None] == ib[None, :]
    weight = likeness * w["sharpness"] + equal * w["same"]
    hypothesis = side(w, "hypothesis", tb, softmax(weight.T) @ ta, likeness.max(0), equal.any(0))
    premise = side(w, "premise", ta, softmax(weight) @ tb, likeness.max(1), equal.any(1))
    p = SPREAD * read.sentence[a].astype(float) @ w["premise"] + w["premise_bias"]
    h = SPREAD * read.sentence[b].astype(float) @ w["hypothesis"] + w["hypothesis_bias"]
    cosine = read.sentence[a].astype(float) @ read.sentence[b]
    seen = np.concatenate((hypothesis, premise, np.abs(p - h), p * h, [cosine]))
    return (relu(seen @ w["out_first"] + w["out_first_bias"]) @ w["out_second"] + w["out_second_bias"])[0]


@pytest.mark.parametrize("seed", range(3))
def test_both_directions_equal_the_formula_pair_by_pair(seed):
    rng = np.random.default_rng(seed)
    weights = random_weights(rng)
    head = PairHead(weights)
    ids = [rng.integers(0, 6, size=n) for n in (1, 4, 2, 4, 7, 1)]
    read = read_texts(head, ids, rng)
    i, j = (x.ravel() for x in np.meshgrid(np.arange(6), np.arange(6), indexing="ij"))
    expected = [[written_out(weights, read, a, b), written_out(weights, read, b, a)] for a, b in zip(i, j, strict=True)]
    np.testing.assert_allclose(head.logits(read, i, j), expected, rtol=2e-4, atol=2e-3)


def test_a_pair_scores_the_same_alone_and_among_many(monkeypatch):
    rng = np.random.default_rng(9)
    head = PairHead(random_weights(rng))
    read = read_texts(head, [rng.integers(0, 6, size=n) for n in rng.integers(1, 9, size=40)], rng)
    i, j = np.triu_indices(40, 1)
    together = head.logits(read, i, j)
    monkeypatch.setattr("accord.equivalence.pair_head.CHUNK", 7)
    monkeypatch.setattr("accord.equivalence.pair_head.PIECES", 5)
    apart = head.logits(read, i, j)
    np.testing.assert_allclose(apart, together, rtol=1e-4, atol=1e-3)
    assert head.logits(read, i[:0], j[:0]).shape == (0, 2)
