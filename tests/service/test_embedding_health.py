"""An embedding is tried on one text: the shipped one, and servers on allowed hosts only."""

from __future__ import annotations

import http.server
import json
import re
import threading
from collections.abc import Iterator

import pytest
from live_server import Server

from accord.service.roles import Role


@pytest.fixture(scope="module")
def embedding() -> Iterator[str]:
    """A server that answers as an OpenAI-compatible one does."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            rows = [{"index": i, "embedding": [1.0, 2.0, 2.0]} for i in range(len(asked["input"]))]
            body = json.dumps({"data": rows} if asked["model"] == "good" else {"data": [[]]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture
def project(server: Server) -> int:
    return server.client(Role.MANAGER).post("/api/projects", json={"name": "Texts"}).json()["id"]


def tried(server: Server, project: int, **body: object) -> dict:
    answer = server.client(Role.MANAGER).post(f"/api/projects/{project}/quality/embedding-health", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_shipped_embedding_answers(server: Server, project: int) -> None:
    pytest.importorskip("onnxruntime", reason="the extra text is not installed")
    found = tried(server, project)
    assert (found["ok"], found["error"]) == (True, None)
    assert found["dimension"] > 50
    assert found["latency"] > 0
    manager = server.person(Role.MANAGER, f"tries {project}")
    page = manager.get(f"/projects/{project}/settings").text
    token = re.search(r'name="csrf" value="([\w-]+)"', page)[1]
    done = manager.post(f"/projects/{project}/settings/embedding", data={"csrf": token})
    assert "The embedding answers" in done.text


def test_a_server_is_asked_only_where_it_is_allowed(server: Server, project: int, embedding: str) -> None:
    admin = server.client(Role.ADMIN)
    admin.put("/api/hosts", json={"hosts": {}})
    refused = tried(server, project, url=embedding, model="good")
    assert (refused["ok"], "not allowed" in refused["error"]) == (False, True)
    admin.put("/api/hosts", json={"hosts": {"127.0.0.1": True}})
    found = tried(server, project, url=embedding, model="good")
    assert (found["ok"], found["dimension"]) == (True, 3)
    assert "vector" in tried(server, project, url=embedding, model="bad")["error"]
    gone = tried(server, project, url="http://127.0.0.1:9")
    assert (gone["ok"], gone["dimension"], "no answer" in gone["error"]) == (False, None, True)
    assert not tried(server, project, url="file:///etc/passwd")["ok"]
