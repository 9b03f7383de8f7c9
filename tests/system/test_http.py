from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import re
from base64 import b64encode
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, RemoteDisconnected
from importlib.resources import files

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request

from protocol.schema import document
from server.assets import Asset
from server.http import HttpRoutes, Status
from server.store.base import StoreError
from server.store.memory import MemoryStore
from tests.system.client import PATIENCE
from tests.system.servers import Server, serving

WEB = files("server") / "web"
SECURITY = {"Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy"}
NO_PAGES = [
    "/x", "/index", "/t/", "/t/ABC", "/t/ABC2341", "/t/ABC23O", "/t/ABC234/x", "/r/", "/x.js", "//", "/.", "/web",
    "/r/0123456789ABCDEF", "/r/0123456789abcde",
    "/v/0123456789abcdef", "/v/0123456789abcdef/", "/v/0123456789abcdef/x.js", "/v/0123456789abcde/main.js",
    "/v/0123456789abcdef/../app.py", "/v/0123456789abcdef/v/0123456789abcdef/main.js",
    "/../pyproject.toml", "/../../etc/passwd", "/%2e%2e/pyproject.toml", "/..%2fapp.py", "/i18n/../../app.py",
    "/\\..\\app.py", "/__init__.py", "/%00", "/index.html%00.js", "/t/../index.html", "/t/%3Cscript%3E",
]  # fmt: skip


@dataclass(frozen=True)
class Answer:
    """A response, with the body as it came."""

    status: int
    headers: dict[str, str]
    body: bytes


async def fetch(server: Server, path: str, method: str = "GET", body: str | None = None, **headers: str) -> Answer:
    """Ask the server as a browser would."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return await asyncio.to_thread(_fetch, server.port, path, method, body, named)


def _fetch(port: int, path: str, method: str, body: str | None, headers: dict[str, str]) -> Answer:
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        return Answer(response.status, dict(response.getheaders()), response.read())
    finally:
        connection.close()


@pytest.mark.parametrize(
    "path", ["/", "/new", "/t/ABC234", "/t/abc234", "/r/0123456789abcdef", "/?from=qr", "/t/ABC234?x=1"]
)
async def test_a_page_is_the_client_whether_there_is_such_a_table_or_not(server: Server, path: str) -> None:
    answer = await fetch(server, path)

    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    served = re.sub(r"/v/[0-9a-f]{16}", "", answer.body.decode())
    assert without_sheets(served) == without_sheets((WEB / "index.html").read_text())


SHEET = r' *<link rel="stylesheet" href="(/[^"]+)">\n'


def without_sheets(page: str) -> str:
    """The page but for the style sheets of which it says nothing more."""
    return re.sub(SHEET, "", page)


async def test_the_style_sheets_of_a_page_are_served_as_one_in_their_order(server: Server) -> None:
    page = await fetch(server, "/")
    written = re.findall(SHEET, (WEB / "index.html").read_text())

    [named] = re.findall(SHEET, page.body.decode())
    sheet = await fetch(server, named)

    assert (sheet.status, sheet.headers["Content-Type"]) == (200, "text/css; charset=utf-8")
    assert len(written) > 5
    assert sheet.body == b"\n".join((WEB / name[1:]).read_bytes() for name in written)


async def test_a_page_names_the_words_of_every_language(server: Server) -> None:
    answer = await fetch(server, "/")

    named = re.findall(r'(\w+): "/v/[0-9a-f]{16}/i18n/(\w+)\.json"', answer.body.decode())
    languages = sorted(entry.name.split(".")[0] for entry in (WEB / "i18n").iterdir() if entry.is_file())
    assert named == [(code, code) for code in languages]


async def test_a_page_names_the_levels_of_bots_that_can_be_seated() -> None:
    page = Asset.of("text/html; charset=utf-8", b'<meta name="levels" content="novice club master">')
    routes = HttpRoutes({"/index.html": page}, STATUS, ("novice", "club"))

    answer = await routes.answer(Request("/new", Headers()))

    assert answer is not None
    assert answer.body == b'<meta name="levels" content="novice club">'


async def always_ready() -> bool:
    return True


STATUS = Status(always_ready, metrics=lambda: b"", may_read=lambda _peer, _forwarded: False)


def place_of(page: Answer) -> str:
    """Below which path a page names its files."""
    named = re.search(r'src="(/v/[0-9a-f]{16})/main\.js"', page.body.decode())
    assert named is not None
    return named[1]


async def test_a_page_is_asked_for_each_time_and_its_files_are_kept_for_good(server: Server) -> None:
    page = await fetch(server, "/")
    named = re.findall(r'(?:src|href)="(/[^"]*)"', page.body.decode())

    files = [await fetch(server, path) for path in (*named, f"{place_of(page)}/i18n/en.json")]

    assert page.headers["Cache-Control"] == "no-cache"
    assert {path.startswith(f"{place_of(page)}/") for path in named} == {True}
    assert {file.headers["Cache-Control"] for file in files} == {"public, max-age=31536000, immutable"}


async def test_a_page_of_another_version_gets_no_file_of_this_one(server: Server) -> None:
    answer = await fetch(server, "/v/0123456789abcdef/main.js")

    assert (answer.status, answer.headers["Cache-Control"]) == (404, "no-store")


async def test_another_file_makes_another_version() -> None:
    places = set()
    for script in (b"1", b"2"):
        page = Asset.of("text/html; charset=utf-8", b'<script src="/main.js"></script>')
        routes = HttpRoutes({"/index.html": page, "/main.js": Asset.of("text/javascript", script)}, STATUS, ())
        answer = await routes.answer(Request("/", Headers()))
        assert answer is not None
        places.add(place_of(Answer(200, {}, bytes(answer.body))))

    assert len(places) == 2


async def test_everything_that_the_page_names_is_there(server: Server) -> None:
    page = (await fetch(server, "/")).body.decode()
    named = re.findall(r'(?:src|href)="(/[^"]*)"', page)

    answers = [await fetch(server, path) for path in named]

    assert {answer.status for answer in answers} == {200}


@pytest.mark.parametrize(
    ("path", "content_type"),
    [
        ("/main.js", "text/javascript; charset=utf-8"),
        ("/style.css", "text/css; charset=utf-8"),
        ("/i18n/en.json", "application/json"),
    ],
)
async def test_a_file_of_the_client_is_served_as_what_it_is(server: Server, path: str, content_type: str) -> None:
    answer = await fetch(server, path)

    assert (answer.status, answer.headers["Content-Type"]) == (200, content_type)
    assert answer.body == WEB.joinpath(*path.split("/")).read_bytes()


async def test_a_file_is_compressed_for_who_understands_that(server: Server) -> None:
    plain = await fetch(server, "/style.css")

    zipped = await fetch(server, "/style.css", Accept_Encoding="br, gzip")

    assert zipped.headers["Content-Encoding"] == "gzip"
    assert zipped.headers["Vary"] == "Accept-Encoding"
    assert len(zipped.body) < len(plain.body)
    assert gzip.decompress(zipped.body) == plain.body


async def test_a_file_that_has_not_changed_is_not_sent_again(server: Server) -> None:
    first = await fetch(server, "/style.css")

    second = await fetch(server, "/style.css", If_None_Match=first.headers["ETag"])
    other = await fetch(server, "/style.css", If_None_Match='"other"')

    assert (second.status, second.body) == (304, b"")
    assert other.status == 200


@pytest.mark.parametrize("path", ["/", "/style.css", "/healthz", "/t/ABC234/qr.svg", "/nothing"])
async def test_head_is_get_without_the_body(server: Server, path: str) -> None:
    get = await fetch(server, path)

    head = await fetch(server, path, "HEAD")

    assert (head.status, head.body) == (get.status, b"")
    assert head.headers["Content-Length"] == str(len(get.body))


@pytest.mark.parametrize("path", NO_PAGES)
async def test_what_is_no_page_is_not_found_and_shows_nothing(server: Server, path: str) -> None:
    answer = await fetch(server, path)

    assert answer.status == 404
    assert answer.body == b"there is no such page\n"


@pytest.mark.parametrize("path", ["/t/ABC", "/r/0", "/nonsense"])
async def test_to_a_browser_the_client_says_itself_that_there_is_no_such_page(server: Server, path: str) -> None:
    page = await fetch(server, "/", Accept="text/html")

    answer = await fetch(server, path, Accept="text/html, */*;q=0.8", If_None_Match=page.headers["ETag"])

    assert (answer.status, answer.body) == (404, page.body)
    assert answer.headers["Content-Security-Policy"] == page.headers["Content-Security-Policy"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
async def test_other_methods_are_refused(server: Server, method: str) -> None:
    assert (await fetch(server, "/", method)).status == 405


async def test_a_body_that_nobody_asked_for_does_no_harm(server: Server) -> None:
    ann = await server.client("Ann")

    # The library reads no bodies: it may hang up without an answer.
    with suppress(RemoteDisconnected):
        await fetch(server, "/", "POST", body="x" * 1000)

    assert (await ann.say("ping"))["type"] == "pong"
    assert (await fetch(server, "/")).status == 200


async def test_the_invite_link_comes_as_a_picture(server: Server) -> None:
    answer = await fetch(server, "/t/abc234/qr.svg")

    assert (answer.status, answer.headers["Content-Type"]) == (200, "image/svg+xml")
    assert answer.body.startswith(b"<svg")
    assert answer.body == (await fetch(server, "/t/ABC234/qr.svg")).body
    assert answer.body != (await fetch(server, "/t/ABC235/qr.svg")).body


@pytest.mark.parametrize("path", ["/", "/main.js", "/t/ABC234/qr.svg", "/healthz", "/nothing"])
async def test_every_answer_tells_the_browser_what_it_may_do(server: Server, path: str) -> None:
    answer = await fetch(server, path)

    assert answer.headers.keys() >= SECURITY | {"Cache-Control"}
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert "Server" not in answer.headers


async def test_of_scripts_within_a_page_those_that_it_has_may_run_and_no_other(server: Server) -> None:
    page = await fetch(server, "/")
    scripts = re.findall(r"<script>(.*?)</script>", page.body.decode(), re.DOTALL)
    sources = re.findall(r"script-src ([^;]+)", page.headers["Content-Security-Policy"])

    digests = [b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]

    assert sources == [" ".join(["'self'", *(f"'sha256-{digest}'" for digest in digests)])]
    assert len(digests) == 2


async def test_a_server_that_runs_is_healthy_and_ready(server: Server) -> None:
    answers = [await fetch(server, path) for path in ("/healthz", "/readyz")]

    assert [answer.status for answer in answers] == [200, 200]


class LosableStore(MemoryStore):
    """A store that can be out of reach."""

    is_lost = False

    async def ping(self) -> None:
        if self.is_lost:
            raise StoreError("out of reach")


async def test_without_its_store_the_process_is_up_but_not_ready() -> None:
    store = LosableStore()
    async with serving(store) as server:
        store.is_lost = True

        answers = [await fetch(server, path) for path in ("/healthz", "/readyz")]

    assert [answer.status for answer in answers] == [200, 503]


class HangingStore(MemoryStore):
    """A store that takes its time to say that it is there."""

    def __init__(self) -> None:
        super().__init__()
        self.is_asked, self.gate = asyncio.Event(), asyncio.Event()
        self.gate.set()
        self.pings = 0

    async def ping(self) -> None:
        self.pings += 1
        self.is_asked.set()
        await self.gate.wait()


async def test_however_many_ask_whether_a_server_is_ready_its_store_is_asked_once() -> None:
    store = HangingStore()
    async with serving(store) as server:
        store.pings = 0
        store.is_asked.clear()
        store.gate.clear()
        asking = [asyncio.create_task(server.app._is_ready()) for _ in range(5)]
        await store.is_asked.wait()
        asking.pop().cancel()
        store.gate.set()

        assert await asyncio.gather(*asking) == [True] * 4

    assert store.pings == 1


@pytest.mark.parametrize(("length", "status"), [(100, 200), (101, 400), (2900, 400)])
async def test_an_invitation_to_a_host_with_a_long_name_is_not_drawn(server: Server, length: int, status: int) -> None:
    answer = await fetch(server, "/t/ABC234/qr.svg", Host="a" * length)

    assert answer.status == status


async def answers_to(server: Server, sent: bytes) -> bytes:
    """All that comes back for ``sent``."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(sent)
    async with asyncio.timeout(PATIENCE):
        answer = await reader.read()
    writer.close()
    return answer


@pytest.mark.parametrize("path", ["/", "/ws", "/t/ABC234/qr.svg", "/healthz"])
async def test_a_request_that_names_two_hosts_is_refused(server: Server, path: str) -> None:
    answer = await answers_to(server, f"GET {path} HTTP/1.1\r\nHost: one\r\nHost: two\r\n\r\n".encode())

    assert answer.startswith(b"HTTP/1.1 400 ")


async def test_what_a_header_says_in_two_lines_counts_as_if_it_stood_in_one(server: Server) -> None:
    names = ("Accept", "Accept-Encoding", "If-None-Match", "X-Forwarded-Proto")
    twice = "".join(f"{name}: gzip\r\n" * 2 for name in names)

    for path in ("/", "/t/ABC234/qr.svg", "/nothing", "/main.js"):
        answer = await answers_to(server, f"GET {path} HTTP/1.1\r\nHost: here\r\n{twice}\r\n".encode())

        assert answer.split()[1] in (b"200", b"404")


async def test_of_requests_in_one_packet_the_first_is_answered_and_nothing_breaks(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    request = b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n"

    answer = await answers_to(server, request * 3)

    assert answer.startswith(b"HTTP/1.1 200 ")
    assert answer.count(b"HTTP/1.1") == 1
    assert "internal error" not in caplog.text


@pytest.mark.parametrize("path", ["//[x", "/[", "/t/[::1"])
async def test_a_path_that_is_no_address_is_not_found(server: Server, path: str) -> None:
    assert (await fetch(server, path)).status == 404


async def test_an_origin_that_is_no_address_is_not_admitted(server: Server) -> None:
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec_WebSocket_Version": "13",
        "Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }

    assert (await fetch(server, "/ws", Origin="http://[", **upgrade)).status == 403


async def test_who_writes_a_client_finds_the_protocol_there(server: Server) -> None:
    answer = await fetch(server, "/asyncapi.json")

    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/json")
    assert json.loads(answer.body) == document()
