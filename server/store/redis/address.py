"""The address of a Redis server: what may be said in one, and what may be shown of it."""

from __future__ import annotations

import re
from ipaddress import ip_address
from urllib.parse import SplitResult, parse_qs, urlsplit

_NEEDED = "redis://HOST:PORT, rediss://HOST:PORT or unix:///PATH is needed"
_CERTIFICATES = frozenset(
    {
        "ssl_ca_certs",
        "ssl_ca_data",
        "ssl_ca_path",
        "ssl_cert_reqs",
        "ssl_certfile",
        "ssl_check_hostname",
        "ssl_ciphers",
        "ssl_keyfile",
        "ssl_password",
    }
)
"""What TLS can be told."""


def check_url(url: str) -> None:
    """Take only what `client.py` does not decide: where the server is, who we are there, and its certificates.

    Raises:
        ValueError: it is no such address. The text repeats nothing in which a part of a password may stand.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        raise ValueError(_NEEDED) from None
    _check_password_has_ended(parts)
    match parts.scheme:
        case "redis" | "rediss":
            _check_host(parts)
        case "unix" if not parts.netloc.rpartition("@")[2] and len(parts.path) > 1:
            pass
        case _:
            raise ValueError(_NEEDED)
    for name, values in parse_qs(parts.query, keep_blank_values=True).items():
        if name == "db":
            _check_database("".join(values) if all(values) else "none")
        elif parts.scheme != "rediss" or name not in _CERTIFICATES:
            raise ValueError(f"{name} cannot be set in the address of a Redis server")


def _check_password_has_ended(parts: SplitResult) -> None:
    """Else its beginning would be taken for a host or a port, and the rest for something else."""
    behind = parts.query + parts.fragment + ("" if parts.scheme == "unix" else parts.path)
    if "@" in behind or parts.fragment:
        raise ValueError("in the name or the password of a user / ? # and @ are written as %2F %3F %23 and %40")


def _check_host(parts: SplitResult) -> None:
    if not parts.hostname:
        raise ValueError(_NEEDED)
    try:
        port = parts.port
    except ValueError:
        port = 0
    if port == 0:
        raise ValueError("the port is a number from 1 to 65535")
    _check_database(parts.path.removeprefix("/"))


def _check_database(name: str) -> None:
    if not re.fullmatch("[0-9]*", name):
        raise ValueError("a database of Redis is a number")


def shown(url: str) -> str:
    """A good address without its user, passwords and certificates."""
    parts = urlsplit(url)
    databases = parse_qs(parts.query).get("db", ())
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}" + "".join(f"?db={db}" for db in databases)


def is_remote(url: str) -> bool:
    """Whether a good address is that of another machine, as far as it can be seen from it."""
    host = urlsplit(url).hostname
    try:
        return host is not None and not ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"
