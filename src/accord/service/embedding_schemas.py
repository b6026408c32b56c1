"""What the API says of embeddings."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import StringConstraints

from accord.service.schemas import Answer, Body

Protocol = Literal["openai", "texts"]


class EmbeddingAsked(Body):
    """An embedding to try: the server at ``url``, or the model that comes with Accord where it is absent."""

    url: Annotated[str, StringConstraints(min_length=1, max_length=2000)] | None = None
    model: Annotated[str, StringConstraints(max_length=500)] = ""
    protocol: Protocol = "openai"


class Health(Answer):
    """Whether an embedding answers: length of its vectors, seconds for one text, or what went wrong."""

    ok: bool
    dimension: int | None
    latency: float | None
    error: str | None
