"""The files of the browser client, and the page that names them, read when the server starts."""

from __future__ import annotations

import gzip
import hashlib
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import chain, repeat

CONTENT_TYPES: Mapping[str, str] = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""Files of other kinds are not served."""

POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; "
    "form-action 'self'"
)
"""What anything that is served may load."""

NAMED = re.compile(rb'(?<=")/[^"]+(?=")')
"""A path in an attribute of a page."""
SHEET = re.compile(rb' *<link rel="stylesheet" href="(/[^"]+)">\n')
"""The line of a page that names a style sheet of which nothing more is said: it is for all, and in its turn."""
JOINED = "/page.css"
OFFERED = re.compile(rb'(?<=<meta name="levels" content=")[^"]*')
"""The levels of bots that a page offers."""
INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Asset:
    """One file of the browser client, compressed once."""

    content_type: str
    body: bytes
    zipped: bytes
    etag: str

    @classmethod
    def of(cls, content_type: str, body: bytes) -> Asset:
        """The file with this content."""
        return cls(content_type, body, gzip.compress(body, mtime=0), f'"{_digest(body)}"')


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:16]


@cache
def load_assets() -> Mapping[str, Asset]:
    """The files of the browser client by their path on the server, ``/index.html`` included."""
    assets: dict[str, Asset] = {}
    _collect(files("server") / "web", "", assets)
    return assets


def _collect(folder: Traversable, prefix: str, assets: dict[str, Asset]) -> None:
    for entry in folder.iterdir():
        path = f"{prefix}/{entry.name}"
        if entry.is_dir():
            _collect(entry, path, assets)
            continue
        content_type = CONTENT_TYPES.get("." + entry.name.rpartition(".")[2])
        if content_type is not None:
            assets[path] = Asset.of(content_type, entry.read_bytes())


@dataclass(frozen=True, slots=True)
class BrowserClient:
    """The client as it is served."""

    assets: Mapping[str, Asset]
    """Its files by path."""
    place: str
    """Below which path they are those of this version: another one as soon as any of them is another."""
    page: Asset
    """The page, which names its files below ``place``."""
    policy: str
    """`POLICY`, and of all scripts within a page only those that ``page`` has: no other text has their digest."""

    @classmethod
    def of(cls, files_read: Mapping[str, Asset], levels: Sequence[str]) -> BrowserClient:
        """The client made of these files, which offers bots of these ``levels``."""
        assets = _joined(files_read)
        versions = "".join(f"{path} {assets[path].etag}\n" for path in sorted(assets))
        place = f"/v/{_digest(versions.encode())}"
        page = _page(assets, place, levels)
        return cls(assets, place, page, _policy(page))


def _joined(assets: Mapping[str, Asset]) -> Mapping[str, Asset]:
    """``assets`` with one style sheet in place of those of the page: each file costs a connection."""
    page = assets["/index.html"]
    sheets = [assets[name.decode()] for name in SHEET.findall(page.body)]
    if not sheets:
        return assets
    links = chain([f'    <link rel="stylesheet" href="{JOINED}">\n'.encode()], repeat(b""))
    named_once = Asset.of(page.content_type, SHEET.sub(lambda _: next(links), page.body))
    return {**assets, "/index.html": named_once, JOINED: _one_after_another(sheets)}


def _one_after_another(sheets: Sequence[Asset]) -> Asset:
    return Asset.of(CONTENT_TYPES[".css"], b"\n".join(sheet.body for sheet in sheets))


def _page(assets: Mapping[str, Asset], place: str, levels: Sequence[str]) -> Asset:
    page = assets["/index.html"]

    def moved(name: re.Match[bytes]) -> bytes:
        return place.encode() + name[0] if name[0].decode() in assets else name[0]

    return Asset.of(page.content_type, OFFERED.sub(" ".join(levels).encode(), NAMED.sub(moved, page.body)))


def _policy(page: Asset) -> str:
    digests = (hashlib.sha256(script).digest() for script in INLINE.findall(page.body))
    return f"{POLICY}; script-src 'self'" + "".join(f" 'sha256-{b64encode(digest).decode()}'" for digest in digests)
