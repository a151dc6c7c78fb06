"""The server is killed while it writes; what it said stays true (trust §5, row 1)."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from jara.domain.publiclog import canonical
from jara.domain.publiclog.ballots import nonce_hash
from jara.services.importing import collect_movements
from jara.services.verification import verify_books
from tests.faults.fault_world import Server, Voter, add_voters, found, put_to_vote, reopen
from tests.webapi.desk import PASSWORD, registration

KILLS = 10
WRITERS = 4
SECONDS_TO_RESTART = 5.0
PATIENT = {f"JARA_LIMIT_{name}": "1000/h" for name in ("SIGN_IN_ACCOUNT", "DECLINED_EMAIL")}
"""A try that was cut off stays counted, and the same person is cut off again and again."""

pytestmark = pytest.mark.slow


@dataclass
class Ledger:
    """What clients were told."""

    server: Server
    ended: threading.Event = field(default_factory=threading.Event)
    receipts: dict[str, dict[str, Any]] = field(default_factory=dict)
    joined: list[str] = field(default_factory=list)
    retried: Counter[str] = field(default_factory=Counter)
    surprises: list[str] = field(default_factory=list)

    def insist(self, what: str, act: Callable[[], tuple[int, Any]]) -> tuple[int, Any]:
        """Repeat a call until it is answered, as a client that lost the answer does."""
        while True:
            try:
                status, document = act()
            except (OSError, http.client.HTTPException):
                self.retried[what] += 1
                time.sleep(0.02)
                continue
            if status != 503:
                return status, document
            time.sleep(0.05)


def cast_votes(told: Ledger, proposal: str, voters: list[Voter]) -> None:
    """Let voters vote, one after the other, each until the answer is here."""
    for voter in voters:
        if told.ended.is_set():
            return
        body = {"id": proposal, "voteType": "upvote", "nonce": voter.nonce}

        def act(body: Any = body, token: str = voter.token) -> tuple[int, Any]:
            answer = told.server.live.call("POST", "/user/votes", body, token)
            return answer.status, answer.json

        status, document = told.insist("vote", act)
        if status == 200:
            told.receipts[voter.nonce] = document["receipt"]
        else:
            told.surprises.append(f"vote: {status} {document}")


def join(told: Ledger) -> None:
    """Let people join and pay, one after the other, each with a key against paying twice."""
    number = 0
    while not told.ended.is_set():
        number += 1
        form = registration(email=f"joiner{number}@example.org")
        status, document = told.insist("join", partial(register, told, form, f"joining-{number}"))
        if (status, document.get("code")) == (409, "request_running"):
            # Cut off by the kill. Nobody waits two minutes; the form is sent anew.
            status, document = told.insist("join", partial(register, told, form, None))
        if (status, document.get("code")) == (409, "email_taken"):
            # It had been done before the kill, so the password opens the account.
            credentials = {"email": form["email"], "password": PASSWORD}
            status, document = told.insist("sign in", partial(sign_in, told, credentials))
        if status in {200, 201}:
            told.joined.append(form["email"])
        else:
            told.surprises.append(f"join: {status} {document}")


def register(told: Ledger, form: dict[str, Any], key: str | None) -> tuple[int, Any]:
    """Send the form of somebody who joins."""
    headers = {"Content-Type": "application/json"}
    if key is not None:
        headers["Idempotency-Key"] = key
    connection = http.client.HTTPConnection("127.0.0.1", told.server.port, timeout=20)
    try:
        connection.request("POST", "/api/register", json.dumps(form), headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def sign_in(told: Ledger, credentials: dict[str, Any]) -> tuple[int, Any]:
    """Sign in."""
    answer = told.server.live.call("POST", "/user/login", credentials)
    return answer.status, answer.json


def test_nothing_that_was_acknowledged_is_lost_in_a_kill(tmp_path: Path) -> None:
    """Ten kills under four writers: every receipt holds, every retry tells the truth."""
    application = found(tmp_path)
    voters = add_voters(application, 1000)
    proposal = put_to_vote(application)
    application.context.store.close()
    server, chance = Server(tmp_path, PATIENT), random.Random(7)
    told = Ledger(server)
    starts = [server.start()]
    writers = [
        threading.Thread(target=cast_votes, args=(told, proposal, voters[hand :: WRITERS - 1]))
        for hand in range(WRITERS - 1)
    ]
    writers.append(threading.Thread(target=join, args=(told,)))
    for writer in writers:
        writer.start()
    for _ in range(KILLS):
        time.sleep(chance.uniform(0.1, 0.6))
        server.kill()
        starts.append(server.start())
    told.ended.set()
    for writer in writers:
        writer.join(timeout=60)
    server.kill()

    assert [] == told.surprises
    assert told.retried["vote"] > 0
    assert told.receipts
    assert told.joined
    # What a restart costs beyond the start of a new database, for machines are busy.
    assert max(starts[1:]) - starts[0] < SECONDS_TO_RESTART, starts
    require_truth(tmp_path, told, proposal)


def require_truth(folder: Path, told: Ledger, proposal: str) -> None:
    """Compare what clients were told with the books."""
    context = reopen(folder).context
    collect_movements(context)  # as the daily run does: a charge may have been cut off
    with context.store.read() as work:
        counted = work.ballots.counts(proposal)
        for nonce, receipt in told.receipts.items():
            leaf: Any = canonical.decode(work.log.leaf(receipt["index"]).body)
            assert nonce_hash(proposal, bytes.fromhex(nonce)) == leaf["nonce_hash"]
        for email in told.joined:
            member = work.members.by_email(email)
            assert member is not None, email
            paid = [row for row in work.payments.of_member(member.key) if row.kind == "pledge"]
            assert [1000] == [row.cents for row in paid], email
    assert (len(told.receipts), 0, 0) == counted
    assert () == verify_books(context).findings
    assert [] == context.store.integrity_findings()
