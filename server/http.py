"""Plain HTTP on the same port: the browser client, health, and who may open a WebSocket.

Small files only, from a fixed table: the library answers one request a connection (no keep-alive), and no path is ever
joined to a folder. A page names its files below ``/v/VERSION``, where they never change: browsers keep them.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from http import HTTPStatus

import segno
from prometheus_client import CONTENT_TYPE_LATEST
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from protocol.messages import CODE_LENGTH, CODE_SIGNS
from protocol.schema import document
from server.assets import CONTENT_TYPES, POLICY, Asset, BrowserClient

CODE = f"[{CODE_SIGNS}{CODE_SIGNS.lower()}]{{{CODE_LENGTH}}}"
PAGE = re.compile(rf"/|/new|/t/{CODE}|/r/[0-9a-f]{{16}}")
QR = re.compile(rf"/t/({CODE})/qr\.svg")
SOCKET = re.compile(r"/ws(/[^/]*)?")
VERSIONED = re.compile(r"(/v/[0-9a-f]{16})(/.+)")
FOR_GOOD = "public, max-age=31536000, immutable"

MAX_HOST = 100
"""Characters of the host in an invite link: a code for a longer link takes the server too long to draw."""
MASK = 3
"""Of QR codes: one that follows no rows or columns."""

SECURITY = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


@cache
def _schema() -> Asset:
    """The protocol, for who writes a client."""
    return Asset.of(CONTENT_TYPES[".json"], json.dumps(document()).encode())


@dataclass(frozen=True, slots=True)
class Status:
    """What the server says of itself."""

    is_ready: Callable[[], Awaitable[bool]]
    """Whether the store answers and nothing drains."""
    metrics: Callable[[], bytes]
    """The text for Prometheus."""
    may_read: Callable[[str, Sequence[str]], bool]
    """Who may read that: called with the peer and the values of `X-Forwarded-For`."""


class HttpRoutes:
    """Answers everything that is no WebSocket. ``levels``: of bots, those that can be seated here."""

    def __init__(self, assets: Mapping[str, Asset], status: Status, levels: Sequence[str]) -> None:
        self._client = BrowserClient.of(assets, levels)
        self._status = status

    async def answer(self, request: Request, peer: str = "") -> Response | None:
        """The response to ``request`` of ``peer``, an IP address; None lets the WebSocket handshake go on."""
        path = request.path.partition("?")[0]
        if len(request.headers.get_all("Host")) > 1:
            return _text(HTTPStatus.BAD_REQUEST, "a request names one host\n")
        if SOCKET.fullmatch(path):
            return None
        if request.method not in ("GET", "HEAD"):
            return _text(HTTPStatus.METHOD_NOT_ALLOWED, "only GET and HEAD are answered here\n")
        response = await self._get(path, request, peer)
        if request.method == "HEAD":
            response.body = b""
        return response

    async def _get(self, path: str, request: Request, peer: str) -> Response:
        if path == "/healthz":
            return _text(HTTPStatus.OK, "ok\n")
        if path == "/readyz":
            if await self._status.is_ready():
                return _text(HTTPStatus.OK, "ready\n")
            return _text(HTTPStatus.SERVICE_UNAVAILABLE, "not ready\n")
        if path == "/metrics":
            return self._answer_metrics(request, peer)
        if path == "/asyncapi.json":
            return _asset(_schema(), request)
        qr = QR.fullmatch(path)
        if qr is not None:
            return _invitation(qr[1].upper(), request)
        if PAGE.fullmatch(path):
            return self._answer_page(request)
        return self._file(path, request)

    def _answer_metrics(self, request: Request, peer: str) -> Response:
        if not self._status.may_read(peer, request.headers.get_all("X-Forwarded-For")):
            return _text(HTTPStatus.FORBIDDEN, "the metrics are not for you: see --monitor\n")
        return _response(HTTPStatus.OK, CONTENT_TYPE_LATEST, self._status.metrics(), {"Cache-Control": "no-store"})

    def _file(self, path: str, request: Request) -> Response:
        """A file of the client. A page of another version gets none: modules of two versions do not go together."""
        versioned = VERSIONED.fullmatch(path)
        place, name = versioned.groups() if versioned else ("", path)
        asset = self._client.assets.get(name)
        if asset is None or place not in ("", self._client.place):
            return self._answer_nothing(request)
        return _asset(asset, request, caching=FOR_GOOD if place else "no-cache")

    def _answer_nothing(self, request: Request) -> Response:
        """That there is no such page: to who would look at one, the client says so in words of theirs."""
        if "text/html" in _header(request, "Accept"):
            return self._answer_page(request, HTTPStatus.NOT_FOUND)
        return _text(HTTPStatus.NOT_FOUND, "there is no such page\n")

    def _answer_page(self, request: Request, status: HTTPStatus = HTTPStatus.OK) -> Response:
        response = _asset(self._client.page, request, status=status)
        del response.headers["Content-Security-Policy"]
        response.headers["Content-Security-Policy"] = self._client.policy
        return response


def _asset(
    asset: Asset,
    request: Request,
    *,
    caching: str = "no-cache",
    status: HTTPStatus = HTTPStatus.OK,
) -> Response:
    headers = {"ETag": asset.etag, "Cache-Control": caching, "Vary": "Accept-Encoding"}
    if status == HTTPStatus.OK and _header(request, "If-None-Match") == asset.etag:
        return _response(HTTPStatus.NOT_MODIFIED, asset.content_type, b"", headers)
    if "gzip" in _header(request, "Accept-Encoding"):
        return _response(status, asset.content_type, asset.zipped, {**headers, "Content-Encoding": "gzip"})
    return _response(status, asset.content_type, asset.body, headers)


def _invitation(code: str, request: Request) -> Response:
    """The invite link as a picture."""
    host = _header(request, "Host") or "localhost"
    if len(host) > MAX_HOST:
        return _text(HTTPStatus.BAD_REQUEST, f"a host has at most {MAX_HOST} characters\n")
    scheme = "https" if _header(request, "X-Forwarded-Proto") == "https" else "http"
    return _response(HTTPStatus.OK, "image/svg+xml", _qr(f"{scheme}://{host}/t/{code}"), {"Cache-Control": "no-cache"})


@lru_cache(maxsize=1024)
def _qr(link: str) -> bytes:
    """``link`` as a QR code: dark on white with a quiet zone of four modules. Takes milliseconds, hence the cache.

    To try all masks for the evenest pattern would take four times as long, on the loop of all tables.
    """
    picture = io.BytesIO()
    segno.make(link, micro=False, mask=MASK).save(
        picture, kind="svg", border=4, scale=4, dark="#000", light="#fff", xmldecl=False
    )
    return picture.getvalue()


def _header(request: Request, name: str) -> str:
    """What ``request`` says under ``name``, however often it does; empty if it does not."""
    return ", ".join(request.headers.get_all(name))


def _text(status: HTTPStatus, text: str) -> Response:
    return _response(status, "text/plain; charset=utf-8", text.encode(), {"Cache-Control": "no-store"})


def _response(status: HTTPStatus, content_type: str, body: bytes, more: Mapping[str, str]) -> Response:
    headers = Headers(SECURITY)
    headers["Content-Type"] = content_type
    headers["Content-Length"] = str(len(body))
    headers["Connection"] = "close"
    for name, value in more.items():
        headers[name] = value
    return Response(status.value, status.phrase, headers, body)


def is_own_origin(request: Request, admitted: tuple[str, ...]) -> bool:
    """Whether a browser's page comes from the host that it connects to, or from an ``admitted`` origin.

    Programs that are no browser send no ``Origin`` and are admitted.
    """
    origins = request.headers.get_all("Origin")
    if not origins:
        return True
    if len(origins) > 1:
        return False
    scheme, _, host = origins[0].lower().partition("://")
    is_page = scheme in ("http", "https") and bool(host)  # which of them, only a proxy before the server knows
    return origins[0] in admitted or (is_page and host == _header(request, "Host").lower())
