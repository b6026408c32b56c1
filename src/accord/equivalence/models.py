"""Models of equivalence by name, with their options: the catalogue behind ``--similarity``."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from accord.equivalence.cached import VectorStore, cache_file, cached
from accord.equivalence.endpoint import Access, Endpoint
from accord.equivalence.lexical import LEXICAL, Lexical
from accord.equivalence.protocol import Equivalence
from accord.errors import UnknownNameError, UsageError
from accord.registry import Option, Registry

#: Environment variable with the token for servers.
TOKEN = "ACCORD_TOKEN"  # noqa: S105 - a name, no token
#: Options that name a server or files: to be set by whoever runs the program, by nobody else.
REACHING = frozenset({"url", "model"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a model needs beside its options: hosts it may reach, and where scores are kept (None = default)."""

    hosts: tuple[str, ...] = ()
    cache: str | None = None

    @property
    def access(self) -> Access:
        """Hosts and token."""
        return Access(hosts=self.hosts, token=os.environ.get(TOKEN) or None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpec:
    """Everything the rest of Accord knows about a model of equivalence.

    Attributes
    ----------
    build
        (options, setup) -> Equivalence.
    paid
        Whether a call may cost money or minutes, so that people must be told before.
    threshold
        Score from which two texts count as the same, where a yes or no is wanted.
    """

    key: str
    summary: str
    reference: str
    build: Callable[[Mapping[str, Any], Setup], Equivalence]
    options: Mapping[str, Option] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    paid: bool = False
    threshold: float = 0.85

    def made(self, given: Mapping[str, Any], setup: Setup | None = None) -> Equivalence:
        """Build the model.

        Raises
        ------
        UsageError
            For an unknown option or value, or a host that was not allowed.
        MissingExtraError
            If packages are missing; nothing is used in its place.
        """
        for name in given:
            if name not in self.options:
                raise UnknownNameError.among(f"option of {self.key}", name, self.options)
        options = {name: given.get(name, option.default) for name, option in self.options.items()}
        for name, value in options.items():
            allowed = self.options[name].allowed
            if allowed and value not in allowed:
                words = ", ".join(map(str, allowed))
                raise UsageError(f"{self.key}.{name}={value!r} is not known. Allowed: {words}.")
        return self.build(options, setup or Setup())


MODELS: Registry[ModelSpec] = Registry("model of equivalence", ("accord.equivalence.models",))

_URL = Option(None, (), "address of the server, as http://127.0.0.1:8080")
_LANGUAGE = Option("en", ("en", "any"), "any: also texts in languages the shipped model does not read")
_TIMEOUT = Option(60.0, (), "seconds to wait for an answer")


def _lexical(measure: Lexical) -> ModelSpec:
    return ModelSpec(
        key=measure.name,
        summary=measure.summary,
        reference="likeness of wording; case does not count" if measure.name != "exact" else "exact match",
        build=lambda _options, _setup: measure,
        aliases={"jaro": ("jw",), "edit": ("lev",)}.get(measure.name, ()),
    )


for _measure in LEXICAL.values():
    MODELS.add(_lexical(_measure))


def _endpoint(key: str, options: Mapping[str, Any], setup: Setup) -> Endpoint:
    if not options["url"]:
        raise UsageError(f"{key} needs a server: --set {key}.url=http://127.0.0.1:8080")
    return Endpoint(str(options["url"]), setup.access, timeout=float(options["timeout"]))


def _embedding(options: Mapping[str, Any], setup: Setup) -> Equivalence:
    from accord.equivalence.embedding import EndpointEmbedding, cosine

    if options["url"]:
        place = cache_file(setup.cache)
        store = None if place is None else VectorStore(place)
        endpoint = _endpoint("embedding", options, setup)
        source: Any = EndpointEmbedding(endpoint, str(options["model"] or ""), options["protocol"], store)
    elif options["model"]:
        from accord.equivalence.hugging_face import SentenceEmbedding

        source = SentenceEmbedding(str(options["model"]))
    else:
        from accord.equivalence.local_embedding import local_embedding

        source = local_embedding()
    return cosine(source, options["mapping"])


def _judge(options: Mapping[str, Any], setup: Setup) -> Equivalence:
    from accord.equivalence.judge import Judge, JudgeOptions
    from accord.equivalence.mutual import mutual

    chosen = JudgeOptions(
        model=str(options["model"]),
        form=options["form"],
        field=str(options["field"]),
        mass=float(options["mass"]),
        parallel=int(options["parallel"]),
    )
    two = options["directions"] == "two"
    judge = Judge(_endpoint("judge", options, setup), "entails" if two else "equivalent", chosen)
    kept = cached(judge, setup.cache)
    return mutual(kept) if two else kept


def _nli(options: Mapping[str, Any], setup: Setup) -> Equivalence:
    if not options["model"]:
        return _shipped(options)
    from accord.equivalence.hugging_face import Entailment
    from accord.equivalence.mutual import mutual

    index = options["entailment"]
    entailment = Entailment(str(options["model"]), options["template"], None if index is None else int(index))
    return mutual(cached(entailment, setup.cache), options["combine"])


def _shipped(options: Mapping[str, Any]) -> Equivalence:
    from accord.equivalence.nli import nli

    if options["template"] != "{}" or options["entailment"] is not None:
        raise UsageError(
            "nli.template and nli.entailment are for a checkpoint: give it with --set nli.model=NAME or a folder."
        )
    return nli(options["combine"])


MODELS.add(
    ModelSpec(
        key="embedding",
        summary="Cosine of embedding vectors, by the shipped model, a sentence model or a server.",
        reference="Reimers and Gurevych 2019, Sentence-BERT",
        build=_embedding,
        aliases=("semantic_similarity", "emb"),
        options={
            "url": _URL,
            "model": Option(None, (), "name the server knows, or a sentence model by name or folder; absent: ours"),
            "protocol": Option("openai", ("openai", "texts"), "/v1/embeddings, or the address itself with {texts}"),
            "mapping": Option("rescale", ("rescale", "clip", "raw"), "(1 + cosine) / 2, or negative cosines cut off"),
            "timeout": _TIMEOUT,
            "language": _LANGUAGE,
        },
    )
)
MODELS.add(
    ModelSpec(
        key="nli",
        summary="Mutual entailment: how far each text follows from the other, by the shipped model or any.",
        reference="Nighojkar and Licato 2021, Improving paraphrase detection with the adversarial paraphrasing task",
        build=_nli,
        aliases=("nli_equivalence", "entailment"),
        threshold=0.5,
        options={
            "model": Option(None, (), "checkpoint for entailment, by name or folder; absent: ours"),
            "template": Option("{}", (), "sentence around bare terms, as 'The finding is {}.'"),
            "combine": Option("sqrt", ("sqrt", "min", "product"), "how both directions become one number"),
            "entailment": Option(None, (), "number of the entailment class, if the labels do not say"),
            "language": _LANGUAGE,
        },
    )
)
MODELS.add(
    ModelSpec(
        key="judge",
        summary="A language model asked whether two texts are equivalent, over any OpenAI-compatible server.",
        reference="Kadavath et al. 2022, Language models (mostly) know what they know",
        build=_judge,
        aliases=("llm_judge", "llm"),
        paid=True,
        threshold=0.5,
        options={
            "url": _URL,
            "model": Option("", (), "name of the model at the server"),
            "form": Option("logprob", ("logprob", "verbal"), "probabilities of yes and no, or a number in words"),
            "directions": Option("direct", ("direct", "two"), "one question on equivalence, or entailment both ways"),
            "field": Option("", (), "what the texts are about, said in the prompt"),
            "mass": Option(0.5, (), "least probability of yes and no together"),
            "parallel": Option(4, (), "requests under way at a time"),
            "timeout": _TIMEOUT,
        },
    )
)
