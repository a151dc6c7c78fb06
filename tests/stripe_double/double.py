"""A double of Stripe for tests: real HTTP on loopback, a clock that can be set.

It supports the calls that Jara uses and refuses all others. Its answers have the
fields of the SDK's types; parameters that the SDK's types lack are refused.
"""

import json
import urllib.request
from datetime import UTC, datetime, timedelta
from typing import Any, Self

import stripe

from jara.domain.books.provider_row import ChargeKind, ProviderRow, RowCategory
from tests.fakes.clock import FakeClock
from tests.stripe_double import customers, intents, money, payouts
from tests.stripe_double.account import Account, Doc, Movement
from tests.stripe_double.server import SECRET_KEY, Fault, Service, start_server

WEBHOOK_SECRET = "whsec_Double7Kq2Zt9Vw4Lm1Xb6Hd3"
Delivery = tuple[bytes, str]


class StripeDouble:
    """A Stripe account in this process."""

    secret_key = SECRET_KEY

    def __init__(self, clock: FakeClock) -> None:
        """Start serving with the test's clock."""
        self.account = Account(clock)
        self.service = Service(self.account)
        self._server = start_server(self.service)

    def __enter__(self) -> Self:
        """Return the running double."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop serving."""
        self.close()

    @property
    def url(self) -> str:
        """The double's URL."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def events(self) -> list[Doc]:
        """Every event so far."""
        return self.account.events

    @property
    def calls(self) -> list[tuple[str, str, dict[str, Any]]]:
        """Every request so far: method, path, parameters."""
        return self.service.calls

    def close(self) -> None:
        """Stop serving."""
        self.service.closing.set()
        self._server.shutdown()
        self._server.server_close()

    def fault(self, call: str, kind: str, *, times: int = 1) -> None:
        """Make the next calls of one kind fail; see ``Fault``."""
        self.service.faults.append(Fault(call, kind, times))

    def advance(self, **parts: float) -> None:
        """Advance the clock and run what is due."""
        self.advance_to(self.account.clock.now() + timedelta(**parts))

    def advance_to(self, until: datetime) -> None:
        """Advance the clock to a time."""
        with self.service.lock:
            self.account.advance_to(until)

    def make_card(self, name: str, *, email: str | None = None) -> str:
        """Create a payment method as the browser does; return its id."""
        with self.service.lock:
            return str(customers.make_method(self.account, name, email=email)["id"])

    def confirm(self, client_secret: str, *, succeed: bool = True) -> None:
        """Answer the bank's question for the cardholder."""
        with self.service.lock:
            intents.confirm(self.account, client_secret, succeeds=succeed)

    def client_secret_of(self, subscription_id: str) -> str:
        """Return the client secret of the first intent that waits for a confirmation."""
        for intent in (*self.account.all("payment_intent"), *self.account.all("setup_intent")):
            if intent["status"] == "requires_action":
                return str(intent["client_secret"])
        raise AssertionError(f"nothing waits for {subscription_id}")

    def dispute(self, charge_id: str) -> str:
        """Open a dispute; return its id."""
        with self.service.lock:
            return str(money.open_dispute(self.account, charge_id)["id"])

    def settle_dispute(self, dispute_id: str, *, won: bool) -> None:
        """Close a dispute as won or lost."""
        with self.service.lock:
            money.close_dispute(self.account, dispute_id, won=won)

    def fail_refund(self, refund_id: str) -> None:
        """Make a refund fail."""
        with self.service.lock:
            money.fail_refund(self.account, refund_id)

    def fail_payout(self, payout_id: str) -> None:
        """Make a payout fail."""
        with self.service.lock:
            payouts.fail_payout(self.account, payout_id)

    def pay_out_by_hand(self, cents: int) -> str:
        """Create a manual payout, whose parts Stripe does not list."""
        with self.service.lock:
            return str(payouts.make_payout(self.account, cents, automatic=False)["id"])

    def move(self, category: str, amount: int, **more: Any) -> Doc:
        """Write any other balance transaction, such as Stripe's fees or a reserve."""
        with self.service.lock:
            return money.move(self.account, category, amount, **more)

    def warn_of_fraud(self, charge_id: str) -> None:
        """Send an early fraud warning."""
        with self.service.lock:
            money.warn_of_fraud(self.account, charge_id)

    def listen(self, *kinds: str, api_version: str | None = None) -> None:
        """Register an endpoint for some kinds of events, without HTTP."""
        self.account.add(
            {
                "id": self.account.new_id("we"),
                "object": "webhook_endpoint",
                "created": 0,
                "url": "https://example.org",
                "status": "enabled",
                "enabled_events": list(kinds),
                "api_version": api_version or stripe.api_version,
                "metadata": {},
            }
        )

    def deliveries(self, *, secret: str = WEBHOOK_SECRET) -> list[Delivery]:
        """Return body and signature of the waiting events, and remove them."""
        with self.service.lock:
            waiting, self.account.outbox = self.account.outbox, []
        return [self.sign(event, secret=secret) for event in waiting]

    def sign(self, event: Doc, *, secret: str = WEBHOOK_SECRET) -> Delivery:
        """Sign an event as Stripe does, with the clock's time."""
        body = json.dumps(event)
        header = stripe.WebhookSignature.generate_signature_header(body, secret, self.account.now)
        return body.encode(), header

    def deliver(self, to: str) -> int:
        """Send the waiting events to a URL; return their number."""
        waiting = self.deliveries()
        for body, signature in waiting:
            headers = {"Stripe-Signature": signature, "Content-Type": "application/json"}
            request = urllib.request.Request(to, data=body, headers=headers)  # noqa: S310 - our own server
            urllib.request.urlopen(request, timeout=10).close()  # noqa: S310 - our own server
        return len(waiting)

    def expected_rows(self) -> list[ProviderRow]:
        """Return the rows according to the double's own books, oldest first."""
        return [self._row(movement) for movement in self.account.books]

    def _language(self, movement: Movement) -> str | None:
        """Return the language in Jara's mark on a gift."""
        marks = self.account.get("charge", str(movement.charge_id))["metadata"]
        return str(marks["jara_language"]) if "jara_language" in marks else None

    def _fingerprint(self, movement: Movement) -> str:
        charge = self.account.get("charge", str(movement.charge_id))
        return str(charge["payment_method_details"]["card"]["fingerprint"])

    def _row(self, movement: Movement) -> ProviderRow:
        known = movement.category in {*RowCategory}
        category = RowCategory(movement.category) if known else RowCategory.UNKNOWN
        payment = self.account.payments.get(movement.charge_id or "")
        # Only an invoice leads to an address, and a refund or dispute does not name the giver.
        tells_email = payment and (payment.kind == "pledge" or category is RowCategory.CHARGE)
        arrives = None
        if category is RowCategory.PAYOUT:
            payout = self.account.get("payout", str(movement.source_id))
            if payout["status"] != "failed":
                arrives = datetime.fromtimestamp(payout["arrival_date"], UTC).date()
        return ProviderRow(
            created=datetime.fromtimestamp(movement.created, UTC),
            category=category,
            amount=movement.amount,
            fee=movement.fee,
            net=movement.amount - movement.fee,
            txn_id=movement.txn_id,
            currency=self.account.currency,
            raw_category=movement.category,
            fee_tax=movement.tax,
            source_id=movement.source_id,
            charge_id=movement.charge_id,
            charge_kind=ChargeKind(payment.kind)
            if payment and category is RowCategory.CHARGE
            else None,
            member_id=payment.member_id if payment else None,
            language=self._language(movement) if category is RowCategory.CHARGE else None,
            card_fingerprint=self._fingerprint(movement)
            if category is RowCategory.CHARGE
            else None,
            customer_id=payment.customer_id if payment else None,
            email=payment.email if payment and tells_email else None,
            payout_id=movement.payout_id,
            arrives_on=arrives,
        )
