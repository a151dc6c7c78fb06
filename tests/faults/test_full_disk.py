"""The disk of a running server is full for some time; PostgreSQL: test_full_tablespace."""

import resource
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from jara.services.ballots.counting import count_open
from jara.services.books.verification import verify_books
from tests.faults.fault_world import (
    Server,
    Voter,
    add_voters,
    found,
    put_to_vote,
    reopen,
    serving,
)
from tests.sizes import size, wait_until
from tests.webapi.desk import PASSWORD, registration

BYTES_LEFT = 64 * 1024
"""The size limit of the server's files: a few shared commits fill the write-ahead log."""

VOTERS = size(20, 60)
JOINERS = size(8, 20)
READS = 20
REFUSALS_TO_SEE = 12
SECONDS_MAX = 60.0
PATIENT = {
    f"JARA_LIMIT_{name}": "1000/h" for name in ("REGISTER_ADDRESS", "MAIL_NETWORK", "MAIL_ALL")
}
"""On a slow machine, retries exceed the limit per address."""
pytestmark = pytest.mark.slow


@dataclass
class Crowd:
    """Writers that repeat their call until the answer is not to retry later."""

    server: Server
    statuses: Counter[int] = field(default_factory=Counter)
    refusals: list[dict[str, str]] = field(default_factory=list)
    threads: list[threading.Thread] = field(default_factory=list)

    def send(self, act: Callable[[], Any]) -> None:
        """Start a writer that does not give up."""

        def insist() -> None:
            end = time.monotonic() + SECONDS_MAX
            while time.monotonic() < end:
                answer = act()
                self.statuses[answer.status] += 1
                if answer.status != 503:
                    return
                self.refusals.append({**answer.headers, "code": answer.json["code"]})
                time.sleep(0.25)

        thread = threading.Thread(target=insist)
        self.threads.append(thread)
        thread.start()

    def wait(self) -> None:
        """Wait until every writer has an answer."""
        for thread in self.threads:
            thread.join(timeout=SECONDS_MAX)


def limit_files(server: Server, size: int | None) -> None:
    """Limit the size of the server's files, as a full disk does; None removes the limit."""
    for pid in server.processes():
        _, most = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (most if size is None else size, most))


@contextmanager
def no_room(server: Server) -> Iterator[None]:
    """Simulate a full disk of the database for a ``with`` block."""
    limit_files(server, BYTES_LEFT)
    yield
    limit_files(server, None)


def vote(server: Server, proposal: str, voter: Voter) -> Any:
    """Vote with a nonce, so that the server recognises retries."""
    body = {"id": proposal, "voteType": "upvote", "nonce": voter.nonce}
    return server.live.call("POST", "/user/votes", body, voter.token)


def test_a_full_disk_loses_and_doubles_nothing(tmp_path: Path) -> None:
    """Writers get 503 and reads continue; after the fault, each call counts once."""
    application = found(tmp_path)
    voters = add_voters(application, VOTERS)
    proposal = put_to_vote(application)
    application.context.store.close()
    forms = [registration(email=f"joiner{number}@example.org") for number in range(JOINERS)]
    with serving(tmp_path, **PATIENT) as server:
        with no_room(server):
            crowd = Crowd(server)
            for number, voter in enumerate(voters):
                crowd.send(partial(vote, server, proposal, voter))
                if number < JOINERS:
                    crowd.send(partial(server.live.call, "POST", "/register", forms[number]))
            wait_until(lambda: crowd.statuses[503] >= REFUSALS_TO_SEE)
            reads = [server.live.call("GET", "/user/get-proposals").status for _ in range(READS)]
        crowd.wait()
        signed_in = [
            server.live.call(
                "POST", "/user/login", {"email": form["email"], "password": PASSWORD}
            ).status
            for form in forms
        ]

    assert reads == [200] * READS
    # A registration that was stored despite a 503 is answered with "email has an account".
    assert set(crowd.statuses) <= {200, 201, 409, 503}
    assert crowd.statuses[200] == VOTERS
    assert crowd.statuses[201] + crowd.statuses[409] == JOINERS
    # Those who join at once take turns, so some were told that others are served.
    assert {refusal["code"] for refusal in crowd.refusals} - {"busy"} == {"unavailable"}
    assert all("retry-after" in {*map(str.lower, one)} for one in crowd.refusals)
    assert signed_in == [200] * JOINERS
    require_whole(tmp_path, proposal, [form["email"] for form in forms])


def require_whole(folder: Path, proposal: str, emails: list[str]) -> None:
    """Assert that every vote and payment exists once and the books are correct."""
    context = reopen(folder).context
    with context.store.read() as work:
        assert count_open(context, work, proposal) == (VOTERS, 0)
        for email in emails:
            member = work.members.by_email(email)
            assert member is not None
            paid = [row.cents for row in work.payments.of_member(member.key)]
            assert paid == [1000], email
    assert verify_books(context).findings == ()
    assert context.store.integrity_findings() == []
