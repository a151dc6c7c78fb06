"""A person's whole path over real sockets: join, sign in, vote, read the books, leave."""

import http.client
import json
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.live_server import Answer, LiveServer, serve
from tests.places import NewPlace, database_of
from tests.sizes import PATIENCE_SECONDS, only_full
from tests.webapi.desk import PASSWORD, registration

PROPOSAL = {
    "id": "wells",
    "title": "Clean wells",
    "summary": "Two wells.",
    "fundingGoalCents": 50000,
    "country": "Tanzania",
    "countryCode": "TZ",
    "category": "water",
    "endDate": "2999-12-31",
}


@pytest.fixture(scope="module")
def server(new_place: NewPlace, programs: Path) -> Iterator[LiveServer]:
    """A served organisation with an open vote, created only with commands."""
    folder = new_place()
    names = ("SIGN_IN_ADDRESS", "REGISTER_ADDRESS", "MAIL_NETWORK")
    limits = {f"JARA_LIMIT_{name}": "100000/h" for name in names}
    jara = [str(programs / "jara")]
    with serve(folder, jara, **limits) as running:
        (folder / "wells.json").write_text(json.dumps(PROPOSAL))
        environ = {**os.environ, "JARA_DATABASE_URL": database_of(folder)}
        for words in ("new wells.json", "open wells --yes"):
            command = [*jara, "proposals", *words.split()]
            subprocess.run(command, env=environ, cwd=folder, check=True, capture_output=True)
        yield running


def walk_the_whole_path(ask: Callable[..., Answer]) -> None:
    """Join, sign in, vote, read the books and leave, in the website's steps."""
    form = registration(email="journey@example.org")
    credentials = {"email": form["email"], "password": PASSWORD}

    def call(method: str, path: str, body: Any = None, token: str | None = None) -> Any:
        answer = ask(method, path, body, token)
        return answer.status, answer.json

    assert call("POST", "/email-exists", credentials) == (200, {"success": True})
    assert call("POST", "/register", form)[0] == 201
    status, signed_in = call("POST", "/user/login", credentials)
    token = signed_in["token"]
    assert status == 200
    assert "wells" in {shown["id"] for shown in call("GET", "/user/get-proposals")[1]}
    vote = {"id": "wells", "voteType": "upvote"}
    status, voted = call("POST", "/user/votes", vote, token)
    assert (status, voted["user_vote_status"]) == (200, "voted")
    assert call("POST", "/user/votes", vote, token)[0] == 409
    assert call("PUT", "/user/update-subscription", {"subscriptionAmount": 20}, token)[0] == 200
    profile = call("GET", "/user/get-profile", token=token)[1]["user"]
    assert (profile["subscriptionAmount"], profile["votes"]) == (20, {"wells": "voted"})
    page = call("GET", "/ledger/transactions", token=token)[1]
    assert {"subscription", "fee"} <= {row["type"] for row in page["items"]}
    bundle = ask("GET", "/proofs/bundle.tar", None, token)
    assert b"jara_verify.py" in bundle.raw
    assert call("GET", "/ledger/transactions")[0] == 401
    assert call("DELETE", "/user/delete-account", {"currentPassword": PASSWORD}, token)[0] == 200
    assert call("GET", "/user/get-profile", token=token)[0] == 401


def test_a_member_joins_votes_reads_and_leaves(server: LiveServer) -> None:
    """A person can complete the whole path over the API."""
    walk_the_whole_path(server.call)


def test_members_at_once_are_all_counted(server: LiveServer) -> None:
    """Sixteen people join and vote in two processes at once, and all are counted."""

    def count_yes() -> int:
        return int(server.call("GET", "/user/get-proposals").json[0]["tally"]["yes"])

    statuses: list[tuple[int, int]] = []
    before = count_yes()

    def journey(number: int) -> None:
        form = registration(email=f"crowd{number}@example.org")
        joined = server.call("POST", "/register", form)
        token = joined.json.get("token")
        voted = server.call("POST", "/user/votes", {"id": "wells", "voteType": "upvote"}, token)
        statuses.append((joined.status, voted.status))

    threads = [threading.Thread(target=journey, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # Some may be told to retry later; everybody who joined is counted.
    done = [pair for pair in statuses if pair == (201, 200)]

    assert len(statuses) == 16
    assert {status for pair in statuses for status in pair} <= {200, 201, 401, 503}
    assert count_yes() == before + len(done)


def test_slow_clients_stop_nobody(server: LiveServer) -> None:
    """Other clients are served while sixty connections are half open and slow."""
    slow = [server.connect() for _ in range(60)]
    for number, sock in enumerate(slow):
        head = b"POST /api/user/login HTTP/1.1\r\nHost: x\r\n"
        sock.sendall(head + (b"Content-Length: 9\r\n\r\n" if number % 2 else b"X-A: "))
    for _ in range(5):
        for sock in slow:
            sock.send(b"a")
        assert server.call("GET", "/user/all-users").status == 200
    for sock in slow:
        sock.close()


@only_full
def test_a_request_must_arrive_in_time(server: LiveServer) -> None:
    """A request whose head or body is not complete after ten seconds is cut off."""
    sockets = [server.connect() for _ in range(2)]
    for sock, head in zip(sockets, (b"GET / HTTP/1.1\r\nX: ", _HALF_BODY), strict=True):
        sock.sendall(head)
    begin = time.monotonic()
    ended: list[float] = []
    while len(ended) < len(sockets) and time.monotonic() - begin < 60:
        for sock in list(sockets):
            if sock.fileno() < 0:
                continue
            try:
                sock.send(b"a")
                sock.settimeout(0.2)
                cut = sock.recv(100) == b""
            except TimeoutError:
                cut = False
            except OSError:
                cut = True
            if cut:
                ended.append(time.monotonic() - begin)
                sock.close()

    assert len(ended) == 2
    assert min(ended) >= 9


HEADERS_OF_4_KIB = b"X-Much: " + b"a" * 4096 + b"\r\n"


def test_a_head_of_8_kib_is_served(server: LiveServer) -> None:
    """A head of 8 KiB is accepted, and one byte more is not."""
    for size, status in ((8192 - 33, b"200"), (8192 - 32, b"431")):
        with server.connect() as sock:
            fields = b"Host: x\r\nConnection: close\r\nX: " + b"a" * size
            sock.sendall(b"GET /api/user/all-users HTTP/1.1\r\n" + fields + b"\r\n\r\n")
            answer = b"".join(iter(lambda: sock.recv(65536), b""))

        assert status in answer.split(b"\r\n")[0], size


_HALF_BODY = (
    b"POST /api/user/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    b"Content-Length: 60000\r\n\r\n{"
)


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"GET /api/config HTTP/1.1\r\nHost: x\r\nX-Long: " + b"a" * 9000 + b"\r\n\r\n", b"431"),
        (b"GET /api/config HTTP/1.1\r\nHost: x\r\n" + HEADERS_OF_4_KIB * 2 + b"\r\n", b"431"),
        (b"GET /api/config HTTP/1.1\r\nHost: x\r\n" + HEADERS_OF_4_KIB * 40 + b"\r\n", b"431"),
        (b"GET /" + b"a" * 5000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", b"414"),
        (b"GET /api/config HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 120 + b"\r\n", b"431"),
        (b"hello\r\n\r\n", b"400"),
        (b"GET /api/config HTTP/9.9\r\nHost: x\r\n\r\n", b"400"),
        (b"GET /api/config HTTP/1.1\r\nBad Name: x\r\n\r\n", b"400"),
    ],
)
def test_oversized_and_malformed_heads_are_refused(
    server: LiveServer, head: bytes, status: bytes
) -> None:
    """The server refuses them before the application, in the standard error form."""
    with server.connect() as sock:
        sock.sendall(head)
        answer = b"".join(iter(lambda: sock.recv(65536), b""))

    told, _, body = answer.partition(b"\r\n\r\n")
    assert status in told.split(b"\r\n")[0]
    document = json.loads(body)
    assert document["success"] is False
    assert document["message"] == document["error"]
    assert re.fullmatch("[a-z][a-z_]*", document["code"])
    request_id = re.search(rb"X-Request-Id: ([0-9a-f]{32})", told)
    assert request_id is not None
    assert request_id[1].decode() in server.log.read_text()


def test_one_connection_takes_many_requests(server: LiveServer) -> None:
    """With keep-alive and pipelining, requests are answered in order."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_SECONDS)
    for _ in range(5):
        connection.request("GET", "/api/config")
        response = connection.getresponse()
        assert (response.status, bool(response.read())) == (200, True)
    connection.close()
    one = b"GET /api/user/all-users HTTP/1.1\r\nHost: x\r\n\r\n"
    last = one.replace(b"Host: x", b"Host: x\r\nConnection: close")
    with server.connect() as sock:
        sock.sendall(one + one + last)
        text = b""
        while piece := sock.recv(65536):
            text += piece

    assert text.count(b"HTTP/1.1 200 OK") == 3


def test_a_chunked_body_is_read(server: LiveServer) -> None:
    """A body without a known length is accepted."""
    body = json.dumps({"email": "a@example.org", "password": "wrong-one"}).encode()
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_SECONDS)
    headers = {"Content-Type": "application/json"}
    connection.request(
        "POST",
        "/api/user/login",
        body=iter([body[:9], body[9:]]),
        headers=headers,
        encode_chunked=True,
    )

    status = connection.getresponse().status
    connection.close()

    assert status == 401


@pytest.mark.parametrize("path", ["/api/user/login", "/api/config", "/api/nothing"])
@pytest.mark.parametrize(
    "chunks",
    [
        *(b"zz\r\nabc\r\n", b"-1\r\nabc\r\n", b"+3\r\nabc\r\n", b"0x3\r\nabc\r\n"),
        *(b"1_0\r\nabc\r\n", b"3 \r\nabc\r\n", b"\r\n\r\n", b"3\nabc\n", b"3\r\nabcXX"),
    ],
)
def test_malformed_chunks_are_refused_and_end_the_connection(
    server: LiveServer, path: str, chunks: bytes
) -> None:
    """The answer is not 500, and the bytes after it are not read as a request."""
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n".encode()
    smuggled = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    with server.connect() as sock:
        sock.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\n\r\n")
        sock.sendall(smuggled)
        text = b""
        with suppress(ConnectionResetError):
            while piece := sock.recv(65536):
                text += piece

    wanted = b"HTTP/1.1 400 Bad Request" if path.endswith("login") else b"HTTP/1.1 40"
    assert text.startswith(wanted)
    assert b'{"ok": true}' not in text


def test_a_signal_ends_the_server_after_its_requests(place: Path, programs: Path) -> None:
    """TERM stops it with status 0; queued mail was sent or stays queued."""
    with serve(place, [str(programs / "jara")]) as server:
        assert server.call("POST", "/register", registration()).status == 201
        server.process.send_signal(signal.SIGTERM)

        assert server.process.wait(timeout=PATIENCE_SECONDS) == 0
    assert "Traceback" not in server.log.read_text()
