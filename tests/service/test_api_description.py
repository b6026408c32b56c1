"""The API keeps to its own description: generated requests, with a token and without, never fail inside."""

from __future__ import annotations

import re
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import environments
import pytest
from live_server import Server

from accord.service.roles import Role
from accord.workspace.decisions import OUTCOMES, REASONS
from accord.workspace.settings import MODES
from accord.workspace.worker import Worker

#: Not everything that has the right form makes sense: a name that is taken, a label config that is none.
LEFT_OUT = "positive_data_acceptance"

#: What a refusal may look like: 413 too, for a text that is too long may make the whole body too large.
REFUSALS = """
[checks]
negative_data_rejection.expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429]
"""


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
def test_generated_requests(working: Server, schemathesis: str, role: Role | None, tmp_path: Path) -> None:
    refusals = tmp_path / "schemathesis.toml"
    refusals.write_text(REFUSALS, encoding="utf-8")
    command = [
        schemathesis,
        "--config-file",
        str(refusals),
        "run",
        f"{working.address}/api/openapi.json",
        "--workers",
        "1",
        "--seed",
        "1",
        "--no-color",
        "--request-timeout",
        "60",
        "--max-examples",
        "5",
        "--phases",
        "coverage,fuzzing" if role else "fuzzing",
    ]
    command += ["--exclude-checks", LEFT_OUT, "--exclude-path-regex", "/api/(tokens|users)/.*"]
    if role is not None:
        command += ["--header", f"Authorization: Bearer {working.tokens[role]}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, "\n".join(line[:300] for line in done.stdout.splitlines()[-200:])
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
