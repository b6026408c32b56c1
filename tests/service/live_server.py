"""A real server on loopback, with a client for every role."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import httpx
import uvicorn
from fastapi import FastAPI

from accord.service.accounts import Accounts
from accord.service.app import create_app, guarded
from accord.service.roles import Role
from accord.service.run import listen
from accord.service.settings import Settings
from accord.workspace import Workspace
from accord.workspace.worker import Worker

EXAMPLES = Path(__file__).parents[2] / "examples"
PASSWORD = "correct horse battery"


@dataclass
class Server:
    """A running server and everything a test needs of it."""

    settings: Settings
    workspace: Workspace
    app: FastAPI
    address: str
    tokens: dict[Role, str] = field(default_factory=dict)
    clients: list[httpx.Client] = field(default_factory=list)

    def client(self, role: Role | None = None) -> httpx.Client:
        """A program with a token of a role, or with none."""
        return self.opened({} if role is None else {"Authorization": f"Bearer {self.tokens[role]}"})

    def browser(self) -> httpx.Client:
        """Somebody who has not signed in."""
        return self.opened({"Accept": "text/html"})

    def example(self, name: str) -> int:
        """Number of a project that holds the shipped example, scored."""
        config = (EXAMPLES / "support-config.xml").read_text(encoding="utf-8")
        manager = self.client(Role.MANAGER)
        made = manager.post("/api/projects", json={"name": name, "label_config": config})
        assert made.status_code == 201, made.text
        number = made.json()["id"]
        with (EXAMPLES / "support-export.json").open("rb") as file:
            done = manager.post(f"/api/projects/{number}/import", files={"file": file})
        assert done.status_code == 200, done.text
        self.work()
        return number

    def work(self) -> None:
        """Do what jobs wait."""
        Worker(self.workspace).run_all()

    def opened(self, headers: dict[str, str]) -> httpx.Client:
        """A client that is closed with the server."""
        self.clients.append(httpx.Client(base_url=self.address, headers=headers, timeout=30))
        return self.clients[-1]

    def person(self, role: Role, name: str = "") -> httpx.Client:
        """A browser of somebody who has signed in by a one-time link; sends no form token by itself."""
        called = name or f"{role.word} person"
        _, secret = self.accounts.invite(called, role, actor="tests")
        browser = self.browser()
        answer = browser.post("/welcome", data={"secret": secret, "password": PASSWORD})
        assert answer.status_code == 303, answer.text
        return browser

    @property
    def accounts(self) -> Accounts:
        return self.app.state.accounts


def start(settings: Settings) -> Iterator[Server]:
    settings = replace(settings, workers=0)
    workspace = Workspace.open(settings.url)
    app = create_app(settings, workspace)
    listener = listen("127.0.0.1", 0)
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    running = uvicorn.Server(uvicorn.Config(guarded(app), log_config=None, lifespan="off", timeout_graceful_shutdown=2))
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]})
    thread.start()
    server = Server(settings, workspace, app, address)
    for role in Role:
        _, server.tokens[role] = server.accounts.new_token(f"tests as {role.word}", role, None, actor="tests")
    try:
        yield server
    finally:
        for client in server.clients:
            client.close()
        running.should_exit = True
        thread.join()
        listener.close()
        workspace.close()
