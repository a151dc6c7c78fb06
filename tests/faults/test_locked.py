"""Another process holds the database lock for longer than a writer waits."""

import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from jara.services.ballots.counting import count_open
from jara.services.books.verification import verify_books
from tests.faults.fault_world import Voter, add_voters, found, put_to_vote, reopen, serving
from tests.sizes import only_full

SECONDS_LOCKED = 10.0
"""Longer than the five seconds that a writer waits before it gives up."""

WRITERS = 6
READS = 20
pytestmark = [pytest.mark.slow, only_full]


def test_a_locked_database_loses_and_doubles_nothing(place: Path, programs: Path) -> None:
    """Writers get 503 and reads continue; then every vote counts once."""
    application = found(place)
    voters = add_voters(application, WRITERS)
    proposal = put_to_vote(application)
    statuses: Counter[int] = Counter()
    with serving(place, programs) as server:

        def vote(voter: Voter) -> None:
            body = {"id": proposal, "voteType": "upvote", "nonce": voter.nonce}
            status = 0
            while status != 200 and sum(statuses.values()) < 1000:
                status = server.live.call("POST", "/user/votes", body, voter.token).status
                statuses[status] += 1

        crowd = [threading.Thread(target=vote, args=(voter,)) for voter in voters]
        with application.context.store.write():
            begin = time.monotonic()
            for thread in crowd:
                thread.start()
            reads = [server.live.call("GET", "/user/get-proposals").status for _ in range(READS)]
            time.sleep(SECONDS_LOCKED - (time.monotonic() - begin))
        for thread in crowd:
            thread.join(timeout=60)

    context = reopen(place).context
    with context.store.read() as work:
        counted = count_open(context, work, proposal)
    assert reads == [200] * READS
    assert set(statuses) == {200, 503}
    assert statuses[200] == WRITERS
    assert counted == (WRITERS, 0)
    assert verify_books(context).findings == ()
