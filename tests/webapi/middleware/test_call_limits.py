"""Rate limits work across restarts and processes, and per member."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from jara.security.passwords import ArgonHasher
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


@pytest.mark.parametrize("spread", [False, True])
def test_at_most_the_budget_reaches_the_hash(
    place: Path, monkeypatch: pytest.MonkeyPatch, *, spread: bool
) -> None:
    """Login attempts over the limit of an account or an address do not hash a password."""
    desk = open_desk(place, limit_sign_in_address="60/h")
    hashed: list[str] = []
    verify = ArgonHasher.verify

    def counting(self: ArgonHasher, password_hash: str, password: str) -> bool:
        hashed.append(password)
        return verify(self, password_hash, password)

    monkeypatch.setattr(ArgonHasher, "verify", counting)
    for number in range(100):
        email = f"member{number if spread else 0}@example.org"
        desk.post("/user/login", {"email": email, "password": "wrong-one"})

    assert len(hashed) == (60 if spread else 10)


def test_a_hundred_sign_ins_at_once_lose_nothing(place: Path) -> None:
    """Every parallel sign-in is answered, correct ones succeed, and reads continue."""
    desk, form = open_desk(place), registration()
    desk.post("/register", form)
    credentials = {"email": form["email"], "password": PASSWORD}
    statuses: list[int] = []

    def enter() -> None:
        statuses.append(desk.post("/user/login", credentials).status_code)
        statuses.append(desk.get("/user/all-users").status_code)
        desk.application.context.store.close()

    threads = [threading.Thread(target=enter) for _ in range(100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(statuses) == 200
    assert set(statuses) <= {200, 429, 503}


def test_votes_are_limited_per_member(place: Path) -> None:
    """A member may send ten votes a minute; other members are not affected."""
    desk = open_desk(place)
    one, other = desk.join(), desk.join()
    body = {"id": "prop_none", "voteType": "upvote"}
    statuses = [desk.post("/user/votes", body, token=one).status_code for _ in range(11)]

    assert statuses == [404] * 10 + [429]
    assert desk.post("/user/votes", body, token=other).status_code == 404


def test_only_trusted_proxies_set_the_client_address(place: Path) -> None:
    """A client that is not a trusted proxy cannot choose the address it is counted under."""
    desk = open_desk(
        place,
        limit_email_exists_address="1/min",
        trusted_proxies="10.0.0.0/8, ::1",
    )

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
