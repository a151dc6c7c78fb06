"""The database server is killed under the web servers, and their answers stay true."""

import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from jara.services.books.verification import verify_books
from tests.faults.fault_world import (
    Server,
    Voter,
    add_voters,
    found,
    put_to_vote,
    reopen,
    require_ballots,
    serving,
)
from tests.places import keep_on_server
from tests.postgres_server import PostgresServer
from tests.sizes import only_full, wait_until

KILLS = 4
VOTERS = 400
BEFORE = 20
"""The votes before the first kill; the database stays down until the servers notice."""
HANDS = 4
pytestmark = [pytest.mark.slow, only_full]


@dataclass
class Told:
    """The answers that voters got."""

    proposal: str
    answers: Counter[int] = field(default_factory=Counter)
    receipts: dict[str, Any] = field(default_factory=dict)

    def insist(self, server: Server, voter: Voter) -> None:
        """Vote until the answer is not to retry later."""
        body = {"id": self.proposal, "voteType": "upvote", "nonce": voter.nonce}
        while True:
            answer = server.live.call("POST", "/user/votes", body, voter.token)
            self.answers[answer.status] += 1
            if answer.status == 200:
                self.receipts[voter.nonce] = answer.json["receipt"]
            if answer.status != 503:
                return
            time.sleep(0.05)


@pytest.fixture
def durable(tmp_path: Path) -> Iterator[PostgresServer]:
    """A server that syncs to disk, as a test with kills needs."""
    server = PostgresServer(durable=True)
    keep_on_server(tmp_path, server.create_database())
    yield server
    server.stop()


def test_confirmed_writes_survive_a_killed_database(
    tmp_path: Path, durable: PostgresServer
) -> None:
    """Jara answers 503 while the database is down, and recovers; every retry gets the truth."""
    application = found(tmp_path)
    voters = add_voters(application, VOTERS)
    proposal = put_to_vote(application)
    application.context.store.close()
    told, ended = Told(proposal), threading.Event()

    with serving(tmp_path) as server:

        def vote(mine: list[Voter]) -> None:
            for voter in mine:
                if ended.is_set():
                    return
                told.insist(server, voter)

        hands = [threading.Thread(target=vote, args=(voters[n::HANDS],)) for n in range(HANDS)]
        for hand in hands:
            hand.start()
        chance = random.Random(7)
        wait_until(lambda: len(told.receipts) >= BEFORE)
        durable.kill()
        wait_until(lambda: told.answers[503] > 0)
        durable.start()
        for _ in range(KILLS - 1):
            time.sleep(chance.uniform(0.1, 0.4))
            durable.kill()
            durable.start()
        ended.set()
        for hand in hands:
            hand.join(timeout=60)

    assert set(told.answers) == {200, 503}
    require_truth(tmp_path, told)


def require_truth(folder: Path, told: Told) -> None:
    """Compare the voters' answers with the log."""
    context = reopen(folder).context
    require_ballots(context, told.proposal, told.receipts)
    assert verify_books(context).findings == ()
    assert context.store.integrity_findings() == []
    context.store.close()
