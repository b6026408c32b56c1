"""The API keeps to its own description: generated requests, with a token and without, never fail inside."""

from __future__ import annotations

import re
import subprocess
import threading
from collections.abc import Iterator

import environments
import pytest
from live_server import Server

from accord.service.roles import Role
from accord.workspace.decisions import OUTCOMES, REASONS
from accord.workspace.settings import MODES
from accord.workspace.worker import Worker

#: Not everything that has the right form makes sense: a name that is taken, a label config that is none.
LEFT_OUT = "positive_data_acceptance"


@pytest.fixture(scope="module")
def schemathesis() -> str:
    try:
        return str(environments.environment("schema").parent / "schemathesis")
    except environments.UnavailableError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def working(server: Server) -> Iterator[Server]:
    server.example("Support")
    worker = Worker(server.workspace)
    thread = threading.Thread(target=worker.run)
    thread.start()
    yield server
    worker.stop.set()
    thread.join()


@pytest.mark.peers
@pytest.mark.parametrize("role", [Role.ADMIN, None], ids=["admin", "nobody"])
def test_generated_requests(working: Server, schemathesis: str, role: Role | None) -> None:
    command = [
        schemathesis,
        "run",
        f"{working.address}/api/openapi.json",
        "--workers",
        "1",
        "--seed",
        "2",
        "--no-color",
    ]
    command += [
        "--no-color",
        "--request-timeout",
        "60",
        "--max-examples",
        "20",
        "--phases",
        "coverage,fuzzing" if role else "fuzzing",
    ]
    command += ["--exclude-checks", LEFT_OUT, "--exclude-path-regex", "/api/(tokens|users)/.*"]
    if role is not None:
        command += ["--header", f"Authorization: Bearer {working.tokens[role]}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout[-6000:]
    assert int(re.search(r"(\d+) generated", done.stdout)[1]) > 100


def test_every_failure_is_described_in_one_shape(server: Server) -> None:
    schema = server.client().get("/api/openapi.json").json()
    for path in schema["paths"].values():
        for operation in path.values():
            for status, response in operation["responses"].items():
                if status >= "400":
                    reference = response["content"]["application/json"]["schema"]["$ref"]
                    assert reference == "#/components/schemas/ProblemBody"


def test_words_of_decisions_are_those_of_the_workspace(server: Server) -> None:
    fields = server.client().get("/api/openapi.json").json()["components"]["schemas"]["NewDecision"]["properties"]
    assert fields["outcome"]["enum"] == list(OUTCOMES)
    assert fields["reason"]["enum"] == list(REASONS)
    assert fields["mode"]["anyOf"][0]["enum"] == list(MODES)

