"""Does an embedding answer? One text is sent through it; the outcome is data, whatever happens."""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np

from accord.equivalence.embedding import EndpointEmbedding
from accord.equivalence.endpoint import Access, Endpoint
from accord.equivalence.local_embedding import local_embedding
from accord.equivalence.models import TOKEN
from accord.errors import AccordError, DataError
from accord.service.embedding_schemas import Health, Protocol
from accord.workspace import Workspace

#: What is embedded.
TEXT = "The quick brown fox jumps over the lazy dog."
SECONDS = 10.0


def health(workspace: Workspace, url: str | None, model: str = "", protocol: Protocol = "openai") -> Health:
    """Embed one text by the server at ``url``, whose host must be allowed, or by the model that comes with Accord."""
    started = time.perf_counter()
    try:
        vector = _embedding(workspace, url, model, protocol).vectors([TEXT])[0]
        if not np.isfinite(vector).all():
            raise DataError.at("the vector is not finite.")
    except AccordError as error:
        return Health(ok=False, dimension=None, latency=None, error=str(error))
    return Health(ok=True, dimension=len(vector), latency=time.perf_counter() - started, error=None)


def _embedding(workspace: Workspace, url: str | None, model: str, protocol: Protocol) -> Any:
    if url is None:
        return local_embedding()
    access = Access(hosts=tuple(workspace.hosts.all()), token=os.environ.get(TOKEN) or None)
    endpoint = Endpoint(workspace.hosts.checked(url), access, timeout=SECONDS, sleep=lambda _: None)
    return EndpointEmbedding(endpoint, model, protocol)
