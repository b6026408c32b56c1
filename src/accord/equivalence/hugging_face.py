"""Entailment and embeddings by any checkpoint that the transformers package loads, by name or from a folder."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from accord.equivalence.cached import key_of
from accord.errors import MissingExtraError, UsageError
from accord.values import FloatArray

#: A premise and something that follows from it: whatever a model calls entailment, it must say so here.
PROBE: Final = ("A dog sleeps.", "An animal sleeps.")
BATCH: Final = 32
#: Beginnings of labels that say the opposite.
NEGATED: Final = ("not", "non", "no_")
#: Files of a checkpoint that change what it says.
WEIGHTS: Final = ("*.safetensors", "*.bin", "config.json", "tokenizer*", "vocab*", "*.model", "merges.txt")


class Entailment:
    """P(left entails right) by a sequence-classification checkpoint; use it through ``mutual``.

    Parameters
    ----------
    model
        Folder, or name on the hub.
    template
        Sentence around each text, for bare terms: "The finding is {}."
    index
        Number of the entailment class, for checkpoints whose labels do not say.

    Raises
    ------
    MissingExtraError
        Without the packages torch and transformers.
    UsageError
        If the checkpoint cannot be loaded, has no entailment label, or fails the probe.
    """

    symmetric = False
    chunk = 256
    seconds = 0.02

    def __init__(self, model: str, template: str = "{}", index: int | None = None) -> None:
        torch, transformers = _packages()
        self._torch, self._template = torch, template
        if template.count("{}") != 1:
            raise UsageError(f"template={template!r} must hold {{}} once, where the text goes.")
        self._tokenizer, self._model = _loaded(transformers, "AutoModelForSequenceClassification", model)
        self._longest = _longest(self._tokenizer, self._model)
        labels = {int(k): str(v) for k, v in self._model.config.id2label.items()}
        self.index = entailment_index(labels) if index is None else index
        if self.index not in labels:
            raise UsageError(f"The checkpoint has no class {self.index}. Its classes: {_listed(labels)}.")
        self.name = f"nli({Path(model).name})"
        self.fingerprint = key_of("entailment", weights_of(model, self._model), template, str(self.index)).hex()
        self._probe(labels)

    def score(self, left: Sequence[str], right: Sequence[str], /) -> FloatArray:
        """P(left entails right), (n,)."""
        return self._probabilities(left, right)[:, self.index]

    def notes(self, texts: Sequence[str]) -> tuple[str, ...]:
        """How many texts are too long to be read whole."""
        half = self._longest // 2
        cut = sum(len(self._tokenizer(text)["input_ids"]) > half for text in texts if len(text) > half)
        return (f"{cut} texts are longer than the model reads and were cut.",) if cut else ()

    def _probabilities(self, left: Sequence[str], right: Sequence[str]) -> FloatArray:
        parts = []
        for start in range(0, len(left), BATCH):
            some = slice(start, start + BATCH)
            pairs = ([self._template.replace("{}", text) for text in side[some]] for side in (left, right))
            given = self._tokenizer(
                *pairs, truncation=True, max_length=self._longest, padding=True, return_tensors="pt"
            )
            with self._torch.inference_mode():
                parts.append(self._model(**given).logits.double().softmax(dim=-1).numpy())
        classes = self._model.config.num_labels
        return np.concatenate(parts) if parts else np.empty((0, classes))

    def _probe(self, labels: dict[int, str]) -> None:
        found = self._probabilities([PROBE[0]], [PROBE[1]])[0]
        if int(found.argmax()) != self.index:
            said = ", ".join(f"{labels[k]} {p:.2f}" for k, p in enumerate(found.tolist()))
            raise UsageError(
                f"The checkpoint does not say that {PROBE[0]!r} entails {PROBE[1]!r}: {said}. Its labels may be in "
                "another order than it says; name the class with --set nli.entailment=NUMBER."
            )


class SentenceEmbedding:
    """Mean of the token vectors of an encoder checkpoint, as sentence-transformers pool them."""

    def __init__(self, model: str) -> None:
        self._torch, transformers = _packages()
        self._tokenizer, self._model = _loaded(transformers, "AutoModel", model)
        self._longest = _longest(self._tokenizer, self._model)
        self.name = f"embedding({Path(model).name})"
        self.fingerprint = key_of("mean-pooling", weights_of(model, self._model)).hex()

    def vectors(self, texts: Sequence[str], /) -> FloatArray:
        """Unit vectors of texts, (V, d)."""
        order = np.argsort([len(text) for text in texts], kind="stable")
        found: list[FloatArray] = []
        for start in range(0, len(texts), BATCH):
            some = [texts[k] for k in order[start : start + BATCH].tolist()]
            given = self._tokenizer(some, truncation=True, max_length=self._longest, padding=True, return_tensors="pt")
            with self._torch.inference_mode():
                states = self._model(**given).last_hidden_state.double()
            mask = given["attention_mask"].unsqueeze(-1).double()
            found.append(((states * mask).sum(dim=1) / mask.sum(dim=1)).numpy())
        if not found:
            return np.empty((0, 1))
        rows = np.concatenate(found)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        out = np.empty_like(rows)
        out[order] = rows
        return out


def entailment_index(labels: dict[int, str]) -> int:
    """Number of the class that is called entailment, wherever it stands.

    Raises
    ------
    UsageError
        If none or several could be meant.

    Examples
    --------
    >>> entailment_index({0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"})
    2
    >>> entailment_index({0: "entailment", 1: "not_entailment"})
    0
    """
    found = [k for k, name in labels.items() if "entail" in name.lower() and not name.lower().startswith(NEGATED)]
    if len(found) != 1:
        raise UsageError(
            f"No single label of the checkpoint says entailment: {_listed(labels)}. Name its number with "
            "--set nli.entailment=NUMBER."
        )
    return found[0]


def weights_of(path: str, model: Any) -> str:
    """Hash of the files of a checkpoint, or its name and revision on the hub."""
    folder = Path(path)
    if not folder.is_dir():
        return f"{path}@{getattr(model.config, '_commit_hash', None)}"
    digest = hashlib.sha256()
    for file in sorted({file for pattern in WEIGHTS for file in folder.glob(pattern)}):
        digest.update(file.name.encode())
        with file.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()


def _packages() -> tuple[Any, Any]:
    try:
        import torch
        import transformers
    except ImportError:
        raise MissingExtraError.install("A Hugging Face checkpoint", "transformers") from None
    return torch, transformers


def _loaded(transformers: Any, kind: str, model: str) -> tuple[Any, Any]:
    local = Path(model).is_dir()
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(model, local_files_only=local)
        loaded = getattr(transformers, kind).from_pretrained(model, local_files_only=local)
    except (OSError, ValueError, KeyError) as problem:
        raise UsageError(f"{model} is no checkpoint that can be loaded: {str(problem).splitlines()[0]}") from None
    return tokenizer, loaded.eval()


def _longest(tokenizer: Any, model: Any) -> int:
    """Tokens that fit into the model."""
    places = getattr(model.config, "max_position_embeddings", None) or 512
    return int(min(tokenizer.model_max_length, places, 4096))


def _listed(labels: dict[int, str]) -> str:
    return ", ".join(f"{k} {name}" for k, name in sorted(labels.items()))
