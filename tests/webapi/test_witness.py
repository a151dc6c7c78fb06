"""The witness over HTTP: the answers of C2SP tlog-witness, and the limits."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from falcon import testing

from jara.domain.publiclog.notes import parse_checkpoint, parse_signatures
from jara.domain.publiclog.witnessing import cosigned_at
from jara.services.ports.outside import WitnessAnswer
from jara.witness.cosigner import REQUEST_BYTES_MAX, Cosigner
from jara.witness.network import HttpWitnesses
from jara_webapi.witness import create_witness_app
from tests.domain.publiclog.test_cosignatures import SIGSUM_REQUESTS, verifies
from tests.fakes.clock import FakeClock
from tests.fakes.witness_servers import served
from tests.fakes.witnesses import make_cosigner
from tests.harness import NOON
from tests.witness.witnessed_log import WitnessedLog

LOG = WitnessedLog([b"a", b"b", b"c", b"d", b"e"])


@pytest.fixture
def cosigner(tmp_path: Path) -> Cosigner:
    """A witness that follows the log."""
    return make_cosigner(tmp_path, "w.example/1", FakeClock(NOON), LOG.key)


@pytest.fixture
def client(cosigner: Cosigner) -> testing.TestClient:
    """Its HTTP interface."""
    return testing.TestClient(create_witness_app(cosigner))


def post(client: testing.TestClient, body: bytes | str) -> testing.Result:
    """Send a request."""
    return client.simulate_post("/add-checkpoint", body=body)


def test_a_checkpoint_is_cosigned(client: testing.TestClient, cosigner: Cosigner) -> None:
    """A valid request is answered with 200 and one signature line."""
    answer = post(client, LOG.request(0, 2))

    text, lines = parse_checkpoint(LOG.note(2)).text(), parse_signatures(answer.text)
    assert answer.status_code == 200
    assert int(NOON.timestamp()) == cosigned_at(text, lines, key=cosigner.key, verifies=verifies)
    assert post(client, LOG.request(2)).status_code == 200
    assert post(client, LOG.request(5)).status_code == 200


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"\xff", 400),
        (b"old 2\n\nno note\n", 400),
        (LOG.request(3, 2), 400),
        (LOG.request(2, 3).replace(b"\xe2\x80\x94 jara.example/log ", b"\xe2\x80\x94 other "), 403),
        (SIGSUM_REQUESTS[0], 404),
        (LOG.request(0), 409),
        (WitnessedLog([b"x", b"y"]).request(2), 422),
        (WitnessedLog([b"x", b"y", b"z"]).request(2), 422),
        (b"x" * (REQUEST_BYTES_MAX + 1), 413),
    ],
)
def test_other_requests_get_the_status_of_the_document(
    client: testing.TestClient, body: bytes, status: int
) -> None:
    """Invalid requests are 400, 403, 404, 409 with the size, 422, or 413 if too long."""
    post(client, LOG.request(0, 2))

    answer = post(client, body)

    assert answer.status_code == status
    if status == 409:
        assert (answer.text, answer.headers["content-type"]) == ("2\n", "text/x.tlog.size")


def test_only_the_calls_that_exist_are_answered(client: testing.TestClient) -> None:
    """Other calls are refused, and the key can be read."""
    assert client.simulate_get("/add-checkpoint").status_code == 405
    assert client.simulate_get("/").status_code == 404
    assert client.simulate_get("/key").text.startswith("w.example/1+")


def test_a_busy_state_signs_nothing(client: testing.TestClient, cosigner: Cosigner) -> None:
    """A busy state is 503, so the log asks again later."""
    (cosigner.folder.folder / "witness.db").write_bytes(b"damaged" * 1000)

    assert post(client, LOG.request(0)).status_code == 503


def test_requests_at_the_same_time_never_roll_back(
    client: testing.TestClient, cosigner: Cosigner
) -> None:
    """Of two sizes that extend the same one, at most one is signed and stored."""
    for _ in range(10):
        with ThreadPoolExecutor(4) as pool:
            sizes = [2, 3, 4, 5]
            said = list(pool.map(lambda size: post(client, LOG.request(0, size)), sizes))
        signed = [
            size for size, answer in zip(sizes, said, strict=True) if answer.status_code == 200
        ]
        with cosigner.folder.transaction() as state:
            (log,) = state.logs()
        assert len(signed) <= 1
        assert signed in ([], [log.seen.size])


@pytest.fixture
def url(cosigner: Cosigner) -> Iterator[str]:
    """The URL of a witness on this machine."""
    with served(create_witness_app(cosigner)) as address:
        yield address


def offer(urls: dict[str, str], *, seconds: float = 2.0) -> dict[str, WitnessAnswer]:
    """Offer the log's two leaves over HTTP; return each witness's answer."""
    heard: dict[str, WitnessAnswer] = {}

    def record(name: str, answer: WitnessAnswer) -> bytes | None:
        again = answer.status == 409 and name not in heard
        heard[name] = answer
        return LOG.request(int(answer.body)) if again else None

    bodies = dict.fromkeys(urls, LOG.request(0))
    HttpWitnesses(seconds=seconds).offer(urls, bodies, record)
    return heard


def test_a_witness_is_asked_by_http_and_again_where_it_needs_a_proof(
    url: str, cosigner: Cosigner
) -> None:
    """Witnesses that are unreachable or at a forbidden address are reported."""
    cosigner.add_checkpoint(LOG.request(0, 2))
    urls = {"good": url, "wrong": f"{url}/nowhere", "forbidden": "http://192.0.2.1", "off":
            "http://127.0.0.1:1"}  # fmt: skip

    heard = offer(urls)

    assert {name: answer.status for name, answer in heard.items()} == {
        "good": 200,
        "wrong": 404,
        "forbidden": 0,
        "off": 0,
    }
    assert "http:// on this machine only" in heard["forbidden"].body
    assert "cannot be reached" in heard["off"].body


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"


@contextmanager
def listening(answer: Callable[[socket.socket], None]) -> Iterator[str]:
    """Listen on a port and handle each connection with a function."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()

        def accept() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    with connection, suppress(OSError):
                        connection.recv(65536)
                        answer(connection)

        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def silent(_: socket.socket) -> None:
    """Send nothing for longer than the timeout."""
    time.sleep(3)


def drip(connection: socket.socket) -> None:
    """Send single bytes slowly."""
    connection.sendall(HEAD + b"\r\n")
    for _ in range(30):
        connection.sendall(b"x")
        time.sleep(0.1)


def flood(connection: socket.socket) -> None:
    """Send without end."""
    connection.sendall(HEAD + b"\r\n")
    for _ in range(1000):
        connection.sendall(b"x" * 65536)


def redirect(connection: socket.socket) -> None:
    """Send a redirect."""
    connection.sendall(
        b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
    )


def babble(connection: socket.socket) -> None:
    """Send something that is not HTTP."""
    connection.sendall(b"hello\r\n\r\n")


@pytest.mark.parametrize(
    ("answer", "status", "words"),
    [
        (silent, 0, "did not answer"),
        (drip, 0, "did not answer"),
        (flood, 0, "answered with too much"),
        (redirect, 302, ""),
        (babble, 0, "cannot be reached"),
    ],
)
def test_a_strange_witness_is_heard_in_time(
    answer: Callable[[socket.socket], None], status: int, words: str
) -> None:
    """The timeout is half a second here and five in production; redirects are not followed."""
    heard: list[WitnessAnswer] = []
    with listening(answer) as url:
        begin = time.monotonic()
        HttpWitnesses(seconds=0.5).offer(
            {"w": url}, {"w": b"x"}, lambda _name, said: heard.append(said)
        )
        took = time.monotonic() - begin

    (said,) = heard
    assert said.status == status
    assert words in said.body
    assert took < 1.5
