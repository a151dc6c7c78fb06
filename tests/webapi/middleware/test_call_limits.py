"""Rate limits work across restarts and processes, and per member."""

from pathlib import Path

import falcon
import pytest
from falcon import testing

from jara_webapi.calls.requests import Request
from jara_webapi.middleware.authentication import ClientAddresses
from tests.webapi.desk import PASSWORD, later, open_desk, registration, reopen_desk


def test_limits_survive_a_restart(place: Path) -> None:
    """A new process continues the counts of the old one."""
    desk, form = open_desk(place), registration()
    desk.post("/register", form)
    wrong = {"email": form["email"], "password": "wrong-one"}
    for _ in range(10):
        assert desk.post("/user/login", wrong).status_code == 401
    desk.application.context.store.close()
    again = reopen_desk(place)

    answer = again.post("/user/login", {"email": form["email"], "password": PASSWORD})
    assert answer.status_code == 429
    later(again, hours=1)
    assert again.post("/user/login", {**wrong, "password": PASSWORD}).status_code == 200


def test_only_trusted_proxies_set_the_client_address(place: Path) -> None:
    """A client that is not a trusted proxy cannot choose the address it is counted under."""
    desk = open_desk(place, limit_email_exists_address="1/min", trusted_proxies="10.0.0.0/8, ::1")

    def ask(peer: str, forwarded: str) -> int:
        answer = desk.post(
            "/email-exists",
            {"email": "a@example.org", "password": PASSWORD},
            headers={"X-Forwarded-For": forwarded},
            remote_addr=peer,
        )
        return answer.status_code

    assert [ask("192.0.2.1", f"203.0.113.{n}") for n in (1, 2)] == [200, 429]
    assert [ask("10.0.0.1", f"203.0.113.{n}") for n in (3, 4)] == [200, 200]
    assert [ask("10.0.0.1", f"{n}, 203.0.113.9, 10.0.0.2") for n in (1, 2)] == [200, 429]
    assert [ask("::1", f"{n}, 2001:db8::1") for n in (1, 2)] == [200, 429]
    assert [ask("10.0.0.3", "nonsense") for _ in (1, 2)] == [200, 429]
    assert [ask("10.0.0.4", "10.0.0.5") for _ in (1, 2)] == [200, 429]


def address(peer: str, forwarded: str, trusted: str = "10.0.0.0/8") -> str:
    """Return the address that a request is counted under."""
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    environ = testing.create_environ("/", headers=headers, remote_addr=peer)
    return ClientAddresses([trusted]).of(Request(environ, falcon.RequestOptions()))


@pytest.mark.parametrize(
    ("peer", "forwarded", "counted"),
    [
        ("10.0.0.1", "198.51.100.6, 203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "198.51.100.6, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
        ("10.0.0.1", "10.9.9.9, 203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("192.0.2.1", "198.51.100.6, 203.0.113.9", "192.0.2.1"),
        ("10.0.0.1", "198.51.100.6, 10.0.0.2, nonsense", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
    ],
)
def test_only_the_hop_seen_by_a_trusted_proxy_counts(
    peer: str, forwarded: str, counted: str
) -> None:
    """Hops before the trusted proxy are ignored, because the client can write anything there."""
    assert address(peer, forwarded) == counted
