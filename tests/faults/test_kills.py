"""The server is killed while it writes, and its answers stay true."""

import random
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from jara.bootstrap import SystemClock
from jara.domain.organisation import PaymentMode
from jara.payments.stripe.account import StripeAccount
from jara.payments.stripe.client import StripeAccess, StripeConnection
from jara.payments.stripe.gateway import StripeGateway
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.organisation import PAYMENT_MODE
from jara.services.payments.importing import collect_movements
from jara.store.unit_of_work import UnitOfWork
from tests.fakes.clock import FakeClock
from tests.faults.fault_world import Server, add_voters, found, put_to_vote, reopen, require_ballots
from tests.faults.kill_writers import Poster, Told, cast_votes, join, tell_of_events
from tests.places import so_many
from tests.sizes import SEED, only_full, saw, size
from tests.stripe_double.double import WEBHOOK_SECRET, StripeDouble

KILLS = size(3, 200, full=25)
VOTERS = size(500, 12_000, full=5000)
HANDS = 3
"""The number of parallel voters; others register, post entries and send events."""

SECONDS_TO_RESTART = 5.0
SECONDS_TO_COME = 30.0
PATIENT = {
    f"JARA_LIMIT_{name}": "1000/h" for name in ("SIGN_IN_ACCOUNT", "DECLINED_EMAIL", "MAIL_ADDRESS")
}
"""An interrupted attempt still counts, and one person is interrupted repeatedly."""

pytestmark = [pytest.mark.slow, only_full]


def test_confirmed_writes_survive_kill_9(place: Path) -> None:
    """With six writers and repeated kills, all answers are true, also of retries."""
    with StripeDouble(FakeClock(SystemClock().now())) as double:
        application = found(place)
        StripeAccount(
            connection_to(double),
            application.context.clock,
            site_url="https://jara.example",
            webhook_secret=WEBHOOK_SECRET,
        ).set_up()
        voters = add_voters(application, VOTERS)
        proposal = put_to_vote(application)
        with application.context.store.write() as work:
            work.meta.put(PAYMENT_MODE, PaymentMode.TEST)
        application.context.store.close()
        told = Told(serve_with_keys(place, double), double)
        starts = [told.server.start()]
        poster = Poster(told, place)
        writers = [
            threading.Thread(target=cast_votes, args=(told, proposal, voters[hand::HANDS]))
            for hand in range(HANDS)
        ]
        writers += [threading.Thread(target=act, args=(told,)) for act in (join, tell_of_events)]
        for writer in writers:
            writer.start()
        starts += kill_again_and_again(told, poster, so_many(KILLS, place))
        told.ended.set()
        for writer in writers:
            writer.join(timeout=60)
        poster.kill()
        told.server.kill()
        saw(
            kills=len(starts) - 1,
            votes=len(told.receipts),
            joined=len(told.joined),
            webhooks=len(told.heard),
            entries=len(told.posted),
            asked_again=told.retried.total(),
            slowest_restart_seconds=round(max(starts[1:]), 1),
        )

        assert told.surprises == []
        assert told.retried.total() > 0
        # Compared with the start of a new database, because machines are loaded.
        assert max(starts[1:]) < SECONDS_TO_RESTART * max(1.0, starts[0]), starts
        require_truth(place, told, proposal)


def kill_again_and_again(told: Told, poster: Poster, kills: int) -> list[float]:
    """Kill server and poster at random times; return the seconds of each restart."""
    chance, starts = random.Random(SEED), []
    for _ in range(kills):
        wait_until(partial(has_posted_more, told, len(told.posted)))
        time.sleep(chance.uniform(0.1, 0.6))
        told.server.kill()
        poster.kill()
        starts.append(told.server.start())
        poster.start()
    wait_until(lambda: bool(told.joined and told.heard))
    return starts


def has_posted_more(told: Told, before: int) -> bool:
    """Return whether more entries were posted."""
    return len(told.posted) > before


def wait_until(has_come: Callable[[], bool]) -> None:
    """Wait for a condition that soon becomes true, or later on a loaded machine."""
    end = time.monotonic() + SECONDS_TO_COME
    while not has_come() and time.monotonic() < end:
        time.sleep(0.02)


def serve_with_keys(folder: Path, double: StripeDouble) -> Server:
    """Return a server with Stripe payments on the double."""
    settings = {
        **PATIENT,
        "JARA_STRIPE_API": double.url,
        "JARA_SITE_URL": "https://jara.example",
        "JARA_STRIPE_SECRET_KEY": double.secret_key,
        "JARA_STRIPE_PUBLISHABLE_KEY": "pk_test_double",
        "JARA_STRIPE_WEBHOOK_SECRET": WEBHOOK_SECRET,
    }
    return Server(folder, settings)


def connection_to(double: StripeDouble) -> StripeConnection:
    """Return a connection to the double."""
    return StripeConnection(StripeAccess(double.secret_key, api_base=double.url))


def require_truth(folder: Path, told: Told, proposal: str) -> None:
    """Compare the clients' answers with the books."""
    context = reopen(folder).context
    gateway = StripeGateway(connection_to(told.double), context.clock)
    context = replace(context, gateway=gateway)
    told.double.advance(minutes=5)
    collect_movements(context)  # book the interrupted payments, as the daily run does
    require_ballots(context, proposal, told.receipts)
    with context.store.read() as work:
        require_payments(work, told)
        names = [f"bank-{number}" for number in told.posted]
        assert set(names) == set(work.journal.known_external_ids(names))
        rows = [str(row.txn_id) for row in told.double.expected_rows()]
        assert set(rows) == set(work.journal.known_external_ids(rows))
    assert told.heard
    assert told.heard <= kept_events(context)
    assert verify_books(context).findings == ()
    assert context.store.integrity_findings() == []


def require_payments(work: UnitOfWork, told: Told) -> None:
    """Assert that everyone who was told that they joined is charged exactly once."""
    assert told.joined
    kept: dict[str, int] = {}
    for charge in told.double.account.all("charge"):
        cents = charge["amount_captured"] - charge["amount_refunded"]
        kept[charge["customer"]] = kept.get(charge["customer"], 0) + cents
    for email in told.joined:
        member = work.members.by_email(email)
        assert member is not None, email
        pledge = work.pledges.get(member.id)
        assert pledge is not None
        assert kept[str(pledge.customer_id)] == 1000, email
        paid = [row for row in work.payments.of_member(member.key) if row.kind == "pledge"]
        assert [row.cents - row.returned_cents for row in paid if row.cents] == [1000], email


def kept_events(context: Context) -> set[str]:
    """Return the ids of the stored events."""
    database: Any = context.store._database
    with database.transaction(write=False) as sql:
        return {row[0] for row in sql.all("SELECT id FROM provider_events")}
