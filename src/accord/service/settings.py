"""What an administrator may set when the service starts."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from accord.errors import UsageError

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """Settings of one server.

    ``upload_bytes`` limits an import as it is sent, ``expanded_bytes`` what compressed parts of it may grow to,
    ``body_bytes`` every other request. ``workers`` counts worker processes started beside the server; with
    ``demo`` a server without a project begins with the example.
    """

    data: Path
    database: str | None = None
    host: str = "127.0.0.1"
    port: int = 8080
    token_out: Path | None = None
    workers: int = 1
    demo: bool = False
    upload_bytes: int = 256 * MEBIBYTE
    expanded_bytes: int = 1024 * MEBIBYTE
    body_bytes: int = 2 * MEBIBYTE
    session: timedelta = timedelta(hours=12)
    attempts: int = 10
    attempts_window: timedelta = timedelta(minutes=5)
    stop_seconds: int = 10

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise UsageError(f"Port {self.port} does not exist. Allowed: 0 to 65535; 0 takes a free one.")
        if not 0 <= self.workers <= 64:
            raise UsageError(f"{self.workers} workers cannot be started. Allowed: 0 to 64.")

    @property
    def url(self) -> str:
        """Address of the database: the one given, else a SQLite file in the data folder."""
        return self.database or f"sqlite:///{(self.data / 'accord.db').resolve()}"

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        if self.host.lower() == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False
