"""Where a server may be: what a URL may hold, and which hosts are allowed."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Collection
from urllib.parse import urlsplit

from accord.errors import UsageError, listed, shorten


def checked_url(url: str, *, hosts: Collection[str] | None = None, local: bool = True) -> str:
    """Return the URL of a server without a slash at its end.

    Parameters
    ----------
    hosts
        Hosts that are allowed, None = all.
    local
        False refuses hosts whose addresses are loopback, link-local or reserved.

    Raises
    ------
    UsageError
        If the URL is none, holds a password, or its host is not allowed or not known.

    Examples
    --------
    >>> checked_url("http://label-studio.example.org:8080/")
    'http://label-studio.example.org:8080'
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise UsageError(f"{shorten(url)} is no URL: {error}.") from None
    if parts.scheme not in ("http", "https") or not host:
        raise UsageError(f"{shorten(url)} is no URL of a server. Give one such as https://label-studio.example.org.")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError("The URL of a server holds no user, password, query or fragment: give the token apart.")
    if hosts is not None and host not in hosts:
        raise UsageError(f"Host {shorten(host)} is not allowed. Allowed: {listed(sorted(hosts))}.")
    if not local:
        _check_public(host, port)
    return url.rstrip("/")


def _check_public(host: str, port: int | None) -> None:
    try:
        found = {str(info[4][0]) for info in socket.getaddrinfo(host, port or 443, type=socket.SOCK_STREAM)}
    except OSError as error:
        raise UsageError(f"Host {shorten(host)} is not known: {error}.") from None
    for text in found:
        address = ipaddress.ip_address(text.partition("%")[0])
        if address.is_loopback or address.is_link_local or address.is_unspecified or address.is_multicast:
            raise UsageError(f"Host {shorten(host)} lies at {text}, which is not allowed from here.")
