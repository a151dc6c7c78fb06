"""Many parallel requests, large bodies and password guesses at a real server."""

import http.client
import json
import re
import socket
import statistics
import threading
import time
from collections import Counter
from functools import partial
from pathlib import Path
from uuid import uuid4

import pytest

from tests.faults.fault_world import Server, at_once, found, serving
from tests.sizes import only_full, saw
from tests.webapi.desk import PASSWORD, registration

CLIENT = Path(__file__).parents[2] / "webui/src/lib/api/api-client.ts"
IN_A_ROOM = 16
MIB = 1024 * 1024
HASHES_AT_ONCE = 2
"""One hash for each server process, of 19 MiB each."""

SECONDS_TO_READ = 2.0
pytestmark = [pytest.mark.slow, only_full]


class Watch:
    """Monitors a loaded server: its memory and the time of a read."""

    def __init__(self, server: Server) -> None:
        """Start monitoring."""
        self._server = server
        self._ended = threading.Event()
        self.before_bytes = self.most_bytes = server.memory_bytes()
        self.seconds: list[float] = []
        self.statuses: Counter[int] = Counter()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()

    @property
    def grown_bytes(self) -> int:
        """Return the largest growth of the memory."""
        return self.most_bytes - self.before_bytes

    def end(self) -> None:
        """Stop monitoring."""
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._ended.is_set():
            begin = time.monotonic()
            self.statuses[self._server.live.call("GET", "/user/all-users").status] += 1
            self.seconds.append(time.monotonic() - begin)
            self.most_bytes = max(self.most_bytes, self._server.memory_bytes())
            time.sleep(0.02)


def test_a_hundred_sign_ins_at_once_harm_no_reader(place: Path) -> None:
    """Memory grows at most by the parallel hashes, and reads stay fast."""
    found(place)
    with serving(place, JARA_LIMIT_SIGN_IN_ACCOUNT="100000/h") as server:
        form = registration()
        assert server.live.call("POST", "/register", form).status == 201
        credentials = {"email": form["email"], "password": PASSWORD}

        def sign_in() -> int:
            return server.live.call("POST", "/user/login", credentials).status

        assert sign_in() == 200
        watch = Watch(server)
        answers = Counter(at_once([sign_in] * 100))
        watch.end()

    assert answers.total() == 100
    assert set(answers) <= {200, 503}
    assert answers[200] > 0
    assert set(watch.statuses) == {200}
    assert statistics.median(watch.seconds) < SECONDS_TO_READ
    assert watch.grown_bytes < (HASHES_AT_ONCE * 19 + 30) * MIB


def test_a_room_full_of_people_joins_together(place: Path) -> None:
    """Who is told to wait asks again with the same key, as often as the site does: all are in.

    All who wait ask in the same instant again, which is worse than the site's drawn times.
    """
    found(place)
    tries = int(re.findall(r"TRIES_MAX = (\d+)", CLIENT.read_text("utf-8"))[0])
    limits = {f"JARA_LIMIT_{name}": "20/h" for name in ("REGISTER_ADDRESS", "MAIL_NETWORK")}
    with serving(place, **limits) as server:
        waiting = [(uuid4().hex, json.dumps(registration()).encode()) for _ in range(IN_A_ROOM)]
        joined: list[int] = []
        for _ in range(tries):
            asked, waiting = waiting, []

            def join(key: str, body: bytes, left: list[tuple[str, bytes]] = waiting) -> int:
                headers = {"Content-Type": "application/json", "Idempotency-Key": key}
                answer = server.live.send("POST", "/register", body, headers)
                if answer.status == 503 and answer.json["code"] == "busy":
                    left.append((key, body))
                return answer.status

            answers = Counter(at_once([partial(join, *one) for one in asked]))
            assert set(answers) <= {201, 503}
            joined.append(answers[201])
            if not waiting:
                break
        members = server.live.call("GET", "/user/all-users").json["total"]

    saw(row="a room full of people joins", joined=joined)
    assert (waiting, sum(joined), members) == ([], IN_A_ROOM, IN_A_ROOM)


def test_oversized_bodies_cost_no_memory(place: Path) -> None:
    """Bodies with a length or without end are refused, and reads stay fast."""
    found(place)
    with serving(place) as server:
        crowds = [[partial(flood, server, chunked=chunked)] * 20 for chunked in (False, True)]
        for crowd in crowds:
            at_once(crowd)  # by now, every thread has what it needs for its first request
        watch = Watch(server)
        answers = Counter(at_once(crowds[0]) + at_once(crowds[1]))
        watch.end()

    assert answers == {413: 40}
    assert set(watch.statuses) == {200}
    assert statistics.median(watch.seconds) < SECONDS_TO_READ
    assert watch.grown_bytes < 30 * MIB


def flood(server: Server, *, chunked: bool) -> int:
    """Send up to eight MiB of one body; return the status."""
    how = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {10**10}"
    head = f"POST /api/user/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{how}"
    piece = b" " * 65536
    if chunked:
        piece = b"10000\r\n" + piece + b"\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as sock:
        try:
            sock.sendall(head.encode() + b"\r\n\r\n")
            for _ in range(128):
                sock.sendall(piece)
        except ConnectionError:
            pass  # the server has stopped reading; its answer may still be in the socket
        try:
            answer = http.client.HTTPResponse(sock)
            answer.begin()
        except ConnectionError:
            return 413  # the reset came before the answer
        return answer.status


def test_guesses_in_many_processes_share_one_budget(place: Path) -> None:
    """Of forty parallel guesses at two processes, ten are checked at most, also after a kill."""
    found(place)
    server = Server(place)
    server.start()
    try:
        form = registration()
        assert server.live.call("POST", "/register", form).status == 201

        def sign_in(password: str) -> int:
            body = {"email": form["email"], "password": password}
            while (status := server.live.call("POST", "/user/login", body).status) == 503:
                pass  # others sign in
            return status

        answers = Counter(at_once([lambda: sign_in("wrong-one")] * 40))
        server.kill()
        server.start()
        afterwards = sign_in(PASSWORD)
    finally:
        server.stop()

    assert 0 < answers[401] <= 10
    assert answers[401] + answers[429] == 40
    assert afterwards == 429
