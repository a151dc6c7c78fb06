"""A member's whole path with live payments: a real server and the double, over HTTP."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from jara.bootstrap import SystemClock
from tests.fakes.clock import FakeClock
from tests.journeys.live_server import LiveServer, free_port, wait_until_ready
from tests.journeys.test_join_and_vote import PROPOSAL
from tests.places import NewPlace, database_of
from tests.sizes import PATIENCE_SECONDS
from tests.stripe_double.double import WEBHOOK_SECRET, StripeDouble
from tests.webapi.desk import PASSWORD, registration


@dataclass
class Live:
    """A served organisation with payment keys, and the Stripe double behind it."""

    server: LiveServer
    double: StripeDouble

    def call(self, method: str, path: str, body: Any = None, token: str | None = None) -> Any:
        """Make a call; return status and document."""
        answer = self.server.call(method, path, body, token)
        return answer.status, answer.json

    def deliver_events(self) -> int:
        """Let Stripe deliver its waiting events to the webhook over HTTP."""
        return self.double.deliver(f"http://127.0.0.1:{self.server.port}/api/webhooks/stripe")

    def wait_for_payment(self, token: str) -> None:
        """Wait until the server has processed the events."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not self.call("GET", "/user/contributions", token=token)[1]:
            assert time.monotonic() < end, self.server.log.read_text()
            time.sleep(0.1)


@pytest.fixture(scope="module")
def live(new_place: NewPlace, programs: Path) -> Iterator[Live]:
    """An organisation that was created, set up at Stripe and served only with commands."""
    folder = new_place()
    jara = str(programs / "jara")
    with StripeDouble(FakeClock(SystemClock().now())) as double:
        port = free_port()
        environ = {
            **os.environ,
            "JARA_STRIPE_API": double.url,
            "JARA_DATABASE_URL": database_of(folder),
            "JARA_SITE_URL": "https://jara.example",
            "JARA_STRIPE_SECRET_KEY": double.secret_key,
            "JARA_STRIPE_PUBLISHABLE_KEY": "pk_test_double",
            "JARA_STRIPE_WEBHOOK_SECRET": WEBHOOK_SECRET,
        }
        (folder / "wells.json").write_text(json.dumps(PROPOSAL))
        for words in (
            ("init",),
            ("stripe", "setup"),
            ("proposals", "new", "wells.json"),
            ("proposals", "open", "wells", "--yes"),
        ):
            subprocess.run([jara, *words], env=environ, cwd=folder, check=True, capture_output=True)
        log = folder / "server.log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                [jara, "serve", "--port", str(port), "--workers", "2"],
                env=environ,
                cwd=folder,
                stdout=out,
                stderr=out,
            )
        server = LiveServer(port, process, log)
        try:
            wait_until_ready(server)
            yield Live(server, double)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=PATIENCE_SECONDS)


def test_a_member_joins_votes_reads_and_leaves_with_stripe(live: Live) -> None:
    """Join, sign in, vote, two refusals, change the pledge, read the books, leave."""
    double = live.double
    form = registration(
        email="journey@example.org", paymentMethodId=double.make_card("pm_card_visa")
    )
    credentials = {"email": form["email"], "password": PASSWORD}

    assert live.call("GET", "/config")[1]["payments"]["provider"] == "stripe"
    assert live.call("POST", "/sandbox/confirm", {})[0] == 404
    assert live.call("POST", "/email-exists", credentials) == (200, {"success": True})
    assert live.call("POST", "/register", form)[0] == 201
    status, signed_in = live.call("POST", "/user/login", credentials)
    token = signed_in["token"]
    assert status == 200
    double.advance(minutes=1)
    assert live.deliver_events() > 0
    live.wait_for_payment(token)

    vote = {"id": "wells", "voteType": "upvote"}
    status, voted = live.call("POST", "/user/votes", vote, token)
    assert (status, voted["user_vote_status"]) == (200, "voted")
    for choice in ("upvote", "downvote"):
        status, refused = live.call("POST", "/user/votes", {**vote, "voteType": choice}, token)
        assert (status, refused["code"], refused["user_vote_status"]) == (
            409,
            "already_voted",
            "voted",
        )

    amount = {"subscriptionAmount": 20}
    assert live.call("PUT", "/user/update-subscription", amount, token)[0] == 200
    (subscription,) = (
        one
        for one in double.account.all("subscription")
        if one["items"]["data"][0]["quantity"] == 20
    )
    profile = live.call("GET", "/user/get-profile", token=token)[1]["user"]
    assert (profile["subscriptionAmount"], profile["votes"], profile["pledgeStatus"]) == (
        20,
        {"wells": "voted"},
        "active",
    )
    page = live.call("GET", "/ledger/transactions", token=token)[1]
    assert {
        (row["type"], row["amountCents"]) for row in page["items"] if row["amountCents"] > 0
    } == {("subscription", 1000)}
    assert live.call("GET", "/ledger/transactions")[0] == 401
    status, billing = live.call("GET", "/billing", token=token)
    assert (status, billing["url"].partition(":")[0]) == (200, "https")

    assert live.call("DELETE", "/user/delete-account", token=token)[0] == 200
    assert live.call("GET", "/user/get-profile", token=token)[0] == 401
    double.advance(minutes=1)
    live.deliver_events()
    assert subscription["status"] == "canceled"
    charges = [
        charge["amount"]
        for charge in double.account.all("charge")
        if charge["customer"] == subscription["customer"]
    ]
    assert charges == [1000]


def active(double: StripeDouble) -> list[Any]:
    """Return the active subscriptions."""
    return [one for one in double.account.all("subscription") if one["status"] == "active"]


def test_forged_events_are_refused_over_the_wire(live: Live) -> None:
    """Without a valid signature of Stripe: 401, and nothing is stored."""
    body = json.dumps({"id": "evt_forged", "type": "invoice.paid"}).encode()
    for signature in (None, "t=1,v1=00"):
        headers = {"Content-Type": "application/json"}
        if signature is not None:
            headers["Stripe-Signature"] = signature
        answer = live.server.send("POST", "/webhooks/stripe", body, headers)

        assert (answer.status, answer.json["success"]) == (401, False)
