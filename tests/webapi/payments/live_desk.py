"""A web API whose payments are live: the real adapter on the double of Stripe."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from falcon import testing

from jara.domain.books.account import AccountType
from jara.domain.books.journal import total_of
from jara.domain.organisation import IdentityPart
from jara.payments.stripe.takeover import StripeTakeover
from jara.records.journal import EntryQuery
from jara.security.keys import SeededEntropy
from jara.services.legal.changing import change_values
from jara.services.organisation import create_organisation
from jara.services.payments.events import EventRun, work_events
from jara.services.ports.payments import LivePayments
from tests.payments.stripe_world import START, StripeWorld, open_world
from tests.places import open_place
from tests.stripe_double.double import WEBHOOK_SECRET
from tests.webapi.desk import Desk, generous, registration

CONTACT = "office@jara.example"


@dataclass
class LiveDesk(Desk):
    """A desk with payment keys, and the Stripe double behind it."""

    world: StripeWorld

    def deliver(self, body: bytes, signature: str | None) -> testing.Result:
        """Deliver a webhook."""
        headers = {"Content-Type": "application/json; charset=utf-8"}
        if signature is not None:
            headers["Stripe-Signature"] = signature.encode().decode("latin-1")
        return self.client.simulate_post("/api/webhooks/stripe", body=body, headers=headers)

    def hear_all(self) -> int:
        """Deliver every waiting event; return their number."""
        waiting = self.world.double.deliveries()
        for body, signature in waiting:
            assert self.deliver(body, signature).status_code == 200
        return len(waiting)

    def work(self) -> EventRun:
        """Process the stored events, as the server's thread does."""
        assert self.application.live is not None
        return work_events(self.application.context, self.application.live.events)

    def listen(self) -> EventRun:
        """Deliver and process events until no new ones come."""
        run = EventRun()
        while self.hear_all():
            last = self.work()
            run = EventRun(
                run.worked + last.worked,
                run.postponed + last.postponed,
                run.failed + last.failed,
                last.failure or run.failure,
            )
        return run

    def make_card(self, name: str = "pm_card_visa") -> str:
        """Enter a card in the browser; return its payment method."""
        return self.world.double.make_card(name)

    def register(self, card: str = "pm_card_visa", **changes: Any) -> testing.Result:
        """Send the registration form of a new person with a card."""
        form = registration(paymentMethodId=self.make_card(card), **changes)
        return self.post("/register", form)

    def status_of(self, token: str) -> str:
        """Poll the profile as a client does; return the pledge's status."""
        answer = self.get("/user/get-profile", token=token)
        assert answer.status_code == 200, answer.json
        return str(answer.json["user"]["pledgeStatus"])


@contextmanager
def open_live_desk(folder: Path, *, at: datetime = START) -> Iterator[LiveDesk]:
    """Create an organisation with live payments for a ``with`` block."""
    wanted: dict[str, str | None] = {
        "stripe_secret_key": "sk_test_double",
        "stripe_publishable_key": "pk_test_double",
        "stripe_webhook_secret": WEBHOOK_SECRET,
        **generous(),
    }
    with open_world(at) as world:
        entropy = SeededEntropy(str(at))
        application = open_place(folder, wanted, clock=world.clock, entropy=entropy)
        application = replace(
            application,
            live=LivePayments(
                world.gateway, world.account, world.events, StripeTakeover(world.connection)
            ),
            context=replace(application.context, gateway=world.gateway),
        )
        application.secrets.create(log_name="jara.example/log")
        create_organisation(application.context)
        change_values(application.context, {IdentityPart.CONTACT: CONTACT})
        yield LiveDesk(application, world.clock, world)


def garble(
    deliveries: list[Any], dice: random.Random, *, repeats: int = 2, lost: float = 0.05
) -> list[Any]:
    """Deliver some events several times, out of order, and lose a part of them."""
    heard = [one for one in deliveries if dice.random() >= lost for _ in range(repeats)]
    dice.shuffle(heard)
    return heard


def income(live: LiveDesk) -> list[tuple[str, int]]:
    """Return the kind and income of every entry with income."""
    with live.application.context.store.read() as work:
        entries = [posted.entry for posted in work.journal.entries(EntryQuery())]
    found = [(entry.kind.value, -total_of(entry, AccountType.INCOME)) for entry in entries]
    return sorted((kind, cents) for kind, cents in found if cents)
