"""``accord serve``: opens the workspace, checks who could reach it, starts workers and the web server."""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import socket
import stat
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import uvicorn
from fastapi import FastAPI

from accord.errors import UsageError, shorten
from accord.service.accounts import Accounts
from accord.service.app import create_app, guarded
from accord.service.example_project import add_example
from accord.service.logs import start_logging
from accord.service.settings import Settings
from accord.service.workers import Workers
from accord.workspace import Workspace

LOGGER = logging.getLogger("accord.service")
LARGEST_HEADER = 32 * 1024
#: Number of the setting M_ARENA_MAX in malloc.h of glibc; other C libraries ignore it.
ARENA_MAX = -8
Say = Callable[[str], None]


def serve(settings: Settings, say: Say) -> None:
    """Serve until a signal asks to stop; requests under way are finished first.

    Raises
    ------
    UsageError
        If the address is taken, or others could reach a server that has no credentials.
    DataError
        If the database cannot be opened.
    """
    start_logging()
    share_memory_among_threads()
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    workspace = Workspace.open(settings.url)
    try:
        accounts = Accounts(workspace, settings.session)
        refuse_open_door(settings, accounts)
        listener = listen(settings.host, settings.port)
        address = f"http://{_host(settings.host)}:{listener.getsockname()[1]}"
        if settings.demo and add_example(workspace):
            say("It holds the project of the example: a support inbox, answered by four people")
        introduce(settings, accounts, address, say)
        workspace.reports.forget("page")  # another version may have drawn them
        app = create_app(settings, workspace)
        with Workers(settings):
            _run(settings, app, listener)
    finally:
        workspace.close()


def share_memory_among_threads() -> None:
    """Let all threads allocate from two arenas: glibc gives each its own, and what one has freed no other takes."""
    setting = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if setting is not None:
        setting(ARENA_MAX, 2)


def _run(settings: Settings, app: FastAPI, listener: socket.socket) -> None:
    config = uvicorn.Config(
        guarded(app),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        h11_max_incomplete_event_size=LARGEST_HEADER,
        timeout_graceful_shutdown=settings.stop_seconds,
    )
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _end)  # called once more when the server has stopped
    _Server(config, app.state.stopping).run(sockets=[listener])


class _Server(uvicorn.Server):
    """Web server that tells answers without an end to end when it is asked to stop."""

    def __init__(self, config: uvicorn.Config, stopping: threading.Event) -> None:
        super().__init__(config)
        self._stopping = stopping

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Note that a signal asks to stop."""
        self._stopping.set()
        super().handle_exit(sig, frame)


def _end(number: int, frame: FrameType | None) -> None:
    """Stop in order, as asked."""
    del number, frame


def refuse_open_door(settings: Settings, accounts: Accounts) -> None:
    """Bind beyond this machine only where somebody can sign in and nobody else can.

    Raises
    ------
    UsageError
        If there is neither a user with a password nor a token.
    """
    if settings.loopback or settings.token_out is not None or accounts.any_credentials():
        return
    raise UsageError(
        f"--host {shorten(settings.host)} can be reached from other machines, and nobody has set a password yet. Start "
        "once without --host and open the printed link, or give --token-out FILE."
    )


def listen(host: str, port: int) -> socket.socket:
    """Socket bound to an address.

    Raises
    ------
    UsageError
        If the address does not exist or is taken.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        found = socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        why = error.strerror or str(error)
        raise UsageError(f"Cannot listen on {shorten(host)} port {port}: {why}. Choose another --port.") from None
    # Connections inherit it; asyncio sets it only on sockets that name their protocol, and answers then wait 40 ms.
    found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return found


def introduce(settings: Settings, accounts: Accounts, address: str, say: Say) -> None:
    """Say where the server is; on the first start print the link that makes the first admin."""
    say(f"Accord is at {address}")
    if settings.token_out is not None:
        write_secret(settings.token_out, accounts.server_token("accord serve --token-out"))
        say(f"A token for programs is in {settings.token_out}")
    secret = accounts.first_link()
    if secret is not None:
        say(f"Open this link to become the first admin; it works once:\n  {address}/welcome/{secret}")


def write_secret(path: Path, secret: str) -> None:
    """Write a secret that only its owner can read.

    Raises
    ------
    UsageError
        If the file cannot be written.
    """
    try:
        path.unlink(missing_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, stat.S_IRUSR | stat.S_IWUSR)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(f"{secret}\n")
    except OSError as error:
        raise UsageError(f"{shorten(str(path))}: cannot be written: {error.strerror or error}.") from None


def _host(host: str) -> str:
    return f"[{host}]" if ":" in host else host
