"""The rows of a rehearsal: what Jara relies on and Stripe's documentation does not state.

The first line of each docstring is the row's text in docs/payments.md.
"""

from __future__ import annotations

import json
from itertools import chain
from typing import TYPE_CHECKING

from jara.domain.currency import books_currency
from jara.domain.errors import CardDeclined, Conflict, InvalidInput, NotFound
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.pledge import PledgeState
from jara.payments.stripe.catalogue import StripeCatalogue
from jara.payments.stripe.client import field_of, id_of, load_sdk, seconds_of
from jara.payments.stripe.events import EVENTS, StripeEvents
from jara.payments.stripe.rehearsal import (
    DOLLARS,
    Row,
    Stage,
    Unseen,
    day_of,
    expect,
    expect_refusal,
)
from jara.payments.stripe.subscriptions import next_charge_at
from jara.payments.stripe.takeover import StripeTakeover
from jara.services.ports.payments import Attempt, PaymentOutcome

if TYPE_CHECKING:  # the SDK takes as long to load as a whole command
    from stripe import Event

_VISA, _FAILS = "pm_card_visa", "pm_card_chargeCustomerFail"
_ASKS, _ASKS_ONCE = "pm_card_authenticationRequired", "pm_card_authenticationRequiredOnSetup"
_CENTS = DOLLARS * 100


def declined(stage: Stage) -> str:
    """A card that is declined while the customer is made answers 402 and leaves no customer."""
    expect_refusal("the card", CardDeclined, lambda: stage.customer("pm_card_chargeDeclined"))
    with stage.connection.asking() as v1:
        left = v1.customers.list({"test_clock": stage.clock_id}).data
    expect("customers that are left", len(left), 0)
    return "402, and no customer."


def used_again(stage: Stage) -> str:
    """A payment method that failed before it was attached cannot be used again."""
    with stage.connection.asking() as v1:
        method = v1.payment_methods.create(
            {"type": "card", "card": {"token": "tok_chargeDeclined"}}
        ).id
    expect_refusal("the first gift", CardDeclined, lambda: stage.gift(method, key="1"))
    expect_refusal("the second gift", InvalidInput, lambda: stage.gift(method, key="2"))
    return "Declined once, then refused as used."


def confirmations(stage: Stage) -> str:
    """`4000 0027 6000 3184` asks at every renewal, `4000 0025 0000 3155` only at the start."""
    always, customer_id = stage.start()
    once, once_customer = stage.start(_ASKS_ONCE)
    expect("the start with 3155", once.outcome, PaymentOutcome.REQUIRES_ACTION)
    url = stage.invoices(once)[0].hosted_invoice_url
    is_confirmed = stage.ask(f"Open {url} and pay with the test bank's button.")
    if is_confirmed:
        stage.wait_for("the confirmation", lambda: stage.facts(once).state is PledgeState.ACTIVE)
    for month in (1, 2):
        stage.gateway.set_card(customer_id, _ASKS)
        stage.to_month(1)
        expect(f"3184 in month {month}", stage.facts(always).state, PledgeState.PAST_DUE)
        asked = stage.gateway.pay_due(always.reference, key=f"ask:{stage.clock_id}:{month}")
        expect("what 3184 answers", asked.outcome, PaymentOutcome.REQUIRES_ACTION)
        stage.gateway.set_card(customer_id, _VISA)
        stage.gateway.pay_due(always.reference, key=f"pay:{stage.clock_id}:{month}")
    if not is_confirmed:
        raise Unseen("3184 asks at every renewal; 3155 needs a person at the terminal.")
    expect("charges of 3155", stage.charged_cents(once_customer), [_CENTS] * 3)
    return "3184 asked in both months, 3155 at the start alone."


def another_price(stage: Stage) -> str:
    """Another price of the same interval, without proration, charges nothing and keeps the day.

    So it is while the subscription is past due, paused or in a trial; an empty
    ``default_payment_method`` removes it.
    """
    # A test clock takes three customers.
    owners = {"active": stage.customer(), "late": stage.customer(), "paused": stage.customer()}
    owners["trial"] = owners["paused"]
    kinds = {kind: _foreign(stage, kind, owner) for kind, owner in owners.items()}
    stage.to_month(1)
    expect("the late one", stage.facts(kinds["late"]).state, PledgeState.PAST_DUE)
    takeover = StripeTakeover(stage.connection)
    for kind, attempt in kinds.items():
        before = len(stage.invoices(attempt)), _next_charge(stage, attempt)
        takeover.take_over(
            attempt.reference, customer_id=owners[kind], member_id=kind, dollars=DOLLARS
        )
        after = len(stage.invoices(attempt)), _next_charge(stage, attempt)
        expect(f"invoices and next charge of the {kind} one", after, before)
        with stage.connection.asking() as v1:
            own = v1.subscriptions.retrieve(attempt.reference).default_payment_method
        expect(f"the {kind} one's own card", own, None)
    stage.to_month(1)
    expect("the next month", stage.charged_cents(owners["active"]), [_CENTS, 1000, 1000])
    return "No invoice, the same day, and the new amount a month later."


def deleted_customer(stage: Stage) -> str:
    """A cancelled subscription of a deleted customer can be read with its card expanded."""
    attempt, customer_id = stage.start()
    stage.gateway.delete_customer(customer_id)
    expect("its state", stage.facts(attempt).state, PledgeState.CANCELED)
    return "It is read, and cancelled."


def search_by_mark(stage: Stage) -> str:
    """Our metadata finds a customer within minutes; deleting it ends its subscriptions."""
    stage.gateway.test_clock = None  # Stripe's lists and search leave out those of test clocks
    attempt, customer_id = stage.start()
    mark = f"{stage.clock_id}-{stage.people}"
    stage.wait_for(
        "the customer in the search",
        lambda: stage.gateway.find_customers(member_id=mark, email="") == [customer_id],
    )
    with stage.connection.asking() as v1:
        v1.customers.delete(customer_id)
    expect("its subscription", stage.facts(attempt).state, PledgeState.CANCELED)
    return "Found, deleted, and the subscription ended."


def cancelled_twice(stage: Stage) -> str:
    """Cancelling a subscription that has already ended answers 404."""
    attempt, _ = stage.start()
    with stage.connection.asking() as v1:
        v1.subscriptions.cancel(attempt.reference)

    def again() -> None:
        with stage.connection.asking() as v1:
            v1.subscriptions.cancel(attempt.reference)

    expect_refusal("cancelling again", NotFound, again)
    return "404."


def draft_hour(stage: Stage) -> str:
    """Cancelling in the hour in which a renewal is a draft leaves nothing to charge later."""
    attempt, customer_id = stage.start()
    stage.to_month(1, hour=12)
    expect("the renewal", stage.invoices(attempt)[0].status, "draft")
    stage.gateway.cancel(attempt.reference)
    stage.to_month(1)
    expect("charges", stage.charged_cents(customer_id), [_CENTS])
    return "Nothing was charged in the month after."


def changed_day(stage: Stage) -> str:
    """A changed billing day makes an invoice of $0 and shows no *trial over* on the statement."""
    attempt, customer_id = stage.start()
    facts = stage.gateway.change_day(attempt.reference, BillingDay.TWENTY_EIGHTH)
    expect("the invoice of the change", stage.invoices(attempt)[0].amount_due, 0)
    stage.to_month(1)
    expect("charges before the new day", stage.charged_cents(customer_id), [_CENTS])
    expect("the new day", facts.anchor_on.day, 28)
    stage.advance_to(stage.at.replace(day=28))
    with stage.connection.asking() as v1:
        charges = v1.charges.list({"customer": customer_id}).data
    expect("charges on the new day", len(charges), 2)
    words = field_of(charges[0], "calculated_statement_descriptor") or ""
    expect("words of the statement", words.upper().count("TRIAL"), 0)
    return "An invoice of $0, then a charge on the 28th without that word."


def open_amount(stage: Stage) -> str:
    """An open invoice keeps its amount when the quantity changes, and is retried with it."""
    attempt, customer_id = stage.start()
    _fail_a_month(stage, attempt, customer_id)
    stage.gateway.change_amount(attempt.reference, DOLLARS + 10)
    stage.gateway.set_card(customer_id, _VISA)
    stage.advance_to(stage.at.replace(day=9))
    expect("charges after the retry of day 7", stage.charged_cents(customer_id), [_CENTS] * 2)
    return "Retried after seven days, with the old amount."


def paid_now(stage: Stage) -> str:
    """Paying the open invoice of a past due subscription now changes nothing but that.

    It answers 402 if the bank asks or declines, leaves the dates of the retries as they are,
    and is refused once it is paid.
    """
    attempt, customer_id = stage.start()
    _fail_a_month(stage, attempt, customer_id)
    retry_at = stage.invoices(attempt)[0].next_payment_attempt

    def pay(key: str) -> Attempt:
        return stage.gateway.pay_due(attempt.reference, key=f"{key}:{stage.clock_id}")

    expect_refusal("a card that is declined", CardDeclined, lambda: pay("declined"))
    stage.gateway.set_card(customer_id, _ASKS)
    expect("a card that asks", pay("asks").outcome, PaymentOutcome.REQUIRES_ACTION)
    invoice = stage.invoices(attempt)[0]
    expect("the next retry", invoice.next_payment_attempt, retry_at)
    stage.gateway.set_card(customer_id, _VISA)
    expect("a card that pays", pay("pays").outcome, PaymentOutcome.PAID)

    def again() -> None:
        with stage.connection.asking() as v1:
            v1.invoices.pay(str(id_of(invoice)), {"off_session": False})

    expect_refusal("paying again", Conflict, again)
    return "Declined, asked, paid, refused; the retry stayed where it was."


def skipped_month(stage: Stage) -> str:
    """A skipped month makes a void invoice, and the next month is charged on the same day."""
    attempt, customer_id = stage.start()
    stage.gateway.skip_next(attempt.reference)
    stage.to_month(1)
    expect("the skipped invoice", stage.invoices(attempt)[0].status, "void")
    stage.to_month(1)
    newest = stage.invoices(attempt)[0]
    expect("the next invoice", (newest.status, day_of(newest.created)), ("paid", 1))
    expect("charges", stage.charged_cents(customer_id), [_CENTS] * 2)
    return "Void, then paid on the 1st."


def paused_skip(stage: Stage) -> str:
    """A pause removes the `resumes_at` of a skip, and takes no charge until it is resumed."""
    attempt, customer_id = stage.start()
    stage.gateway.skip_next(attempt.reference)
    with stage.connection.asking() as v1:
        paused = v1.subscriptions.update(
            attempt.reference, {"pause_collection": {"behavior": "void"}}
        )
    expect("resumes_at", field_of(paused.pause_collection, "resumes_at"), None)
    stage.gateway.resume(attempt.reference)
    stage.gateway.pause(attempt.reference)
    stage.to_month(1)
    expect("charges while it is paused", stage.charged_cents(customer_id), [_CENTS])
    stage.gateway.resume(attempt.reference)
    stage.to_month(1)
    expect("charges once it is resumed", stage.charged_cents(customer_id), [_CENTS] * 2)
    return "Removed; paused for a month, then charged."


def refunds(stage: Stage) -> str:
    """A charge is refunded in parts up to the whole, and no further."""
    charge_id = stage.gift(_VISA)
    for number, cents in enumerate((1000, 1500)):
        stage.gateway.refund(charge_id, cents, key=f"refund:{charge_id}:{number}")
    expect_refusal(
        "one cent more",
        Conflict,
        lambda: stage.gateway.refund(charge_id, 1, key=f"refund:{charge_id}:more"),
    )
    return "Two parts, and nothing beyond."


def disputes(stage: Stage) -> str:
    """A disputed charge is not refundable; a dispute that is answered badly is lost."""
    charge_id = stage.gift("pm_card_createDispute")
    with stage.connection.asking() as v1:
        stage.wait_for("the dispute", lambda: v1.disputes.list({"charge": charge_id}).data)
        dispute = v1.disputes.list({"charge": charge_id}).data[0]
        expect_refusal(
            "a refund", Conflict, lambda: stage.gateway.refund(charge_id, 100, key=dispute.id)
        )
        v1.disputes.update(
            dispute.id, {"evidence": {"uncategorized_text": "losing_evidence"}, "submit": True}
        )
    stage.wait_for("the lost dispute", lambda: stage.gateway.has_lost_dispute(charge_id))
    return "Opened, not refundable, lost."


def events(stage: Stage) -> str:
    """A month's events, in any order and twice, name the pledge that they are about."""
    attempt, customer_id = stage.start()
    stage.to_month(1)
    wanted = {"customer.subscription.created", "customer.subscription.updated", "invoice.paid"}
    found: list[Event] = []

    def are_there() -> bool:
        with stage.connection.asking() as v1:
            found[:] = [
                event
                for event in v1.events.list({"limit": 100}).data
                if field_of(event.data.object, "customer") == customer_id and event.type in EVENTS
            ]
        return wanted <= {event.type for event in found}

    stage.wait_for("the events", are_there)
    source = StripeEvents(stage.connection, stage.secret, stage)
    sign = load_sdk().WebhookSignature.generate_signature_header
    for event in chain(found, reversed(found)):
        body = json.dumps(event.to_dict())
        read = source.look_up(
            source.read(body.encode(), sign(body, stage.secret, seconds_of(stage.at)))
        )
        if read.object_type in {"subscription", "invoice"}:
            expect(f"the pledge of {read.type}", read.subscription_id, attempt.reference)
    return f"{len(found)} events, each read twice."


def balance(stage: Stage) -> str:
    """The movements add up to the balance after a charge, a refund and a payout."""
    charge_id, refused = stage.gift("pm_card_bypassPending", cents=20_000), ""
    stage.gateway.refund(charge_id, 1000, key=f"refund:{charge_id}")
    try:
        with stage.connection.asking() as v1:
            v1.payouts.create({"amount": 10_000, "currency": books_currency().lower()})
    except (Conflict, NotFound) as error:
        refused = error.message
    rows = sum(row.net for row in stage.gateway.rows())
    held = sum(
        each.available_cents + each.pending_cents + each.reserve_cents
        for each in stage.gateway.balance()
    )
    expect("the sum of the movements", rows, held)
    if refused:
        raise Unseen(f"{rows} cents in both, but without a payout. {refused}")
    return f"{rows} cents in both."


def other_balances(stage: Stage) -> str:
    """A `balance_type` other than `payments` only mirrors rows of `payments`."""
    with stage.connection.asking() as v1:
        rows = v1.balance_transactions.list({"limit": 100}).data
    ours = [(row.net, row.created) for row in rows if row.balance_type == "payments"]
    others = [row for row in rows if row.balance_type != "payments"]
    if not others:
        raise Unseen("This account has no other balance yet.")
    alone = [row.id for row in others if (-row.net, row.created) not in ours]
    expect("rows without their mirror", alone, [])
    return f"{len(others)} rows, each mirrored."


def payout_parts(stage: Stage) -> str:
    """The list of an automatic payout has its parts and its own row, and adds up to nothing.

    A failed payout's reversal is part of a later one.
    """
    with stage.connection.asking() as v1:
        payouts = [one for one in v1.payouts.list({"limit": 100}).data if one.automatic]
        if not payouts:
            raise Unseen("This account has had no automatic payout yet; it takes some days.")
        parts = {
            one.id: list(
                v1.balance_transactions.list({"payout": one.id, "limit": 100}).auto_paging_iter()
            )
            for one in payouts
        }
    sums = {payout_id: sum(part.net for part in rows) for payout_id, rows in parts.items()}
    expect("the sum of each list", sums, dict.fromkeys(sums, 0))
    listed = {part.id for rows in parts.values() for part in rows}
    back = {
        str(id_of(one.failure_balance_transaction)) for one in payouts if one.status == "failed"
    }
    expect("reversals in no later payout", sorted(back - listed), [])
    return f"{len(payouts)} payouts add up; {len(back)} had failed."


def payments_file(stage: Stage) -> str:
    """In the Payments file, `net = Converted Amount − Fee − Taxes On Fee`."""
    del stage
    raise Unseen(
        "Only the Dashboard has this file: import it and the balance file, and compare "
        "what each row says of its net."
    )


def _foreign(stage: Stage, kind: str, customer_id: str) -> Attempt:
    """Start a subscription as another program would, with a card of its own."""
    product = next(StripeCatalogue(stage.connection).products()).id
    with stage.connection.asking() as v1:
        card = id_of(
            field_of(v1.customers.retrieve(customer_id).invoice_settings, "default_payment_method")
        )
        subscription = v1.subscriptions.create(
            {
                "customer": customer_id,
                "items": [
                    {
                        "price_data": {  # it is not active, so no list of prices grows
                            "product": product,
                            "currency": books_currency().lower(),
                            "unit_amount": 1000,
                            "recurring": {"interval": "month"},
                        }
                    }
                ],
                "payment_behavior": "allow_incomplete",
                "proration_behavior": "none",
            }
        )
        v1.subscriptions.update(subscription.id, {"default_payment_method": str(card)})
        attempt = Attempt(PaymentOutcome.PAID, subscription.id)
        if kind == "paused":
            v1.subscriptions.update(subscription.id, {"pause_collection": {"behavior": "void"}})
        if kind == "trial":
            v1.subscriptions.update(
                subscription.id,
                {
                    "trial_end": seconds_of(stage.at.replace(day=20)) + 31 * 86_400,
                    "proration_behavior": "none",
                },
            )
        if kind == "late":
            method = v1.payment_methods.attach(_FAILS, {"customer": customer_id})
            v1.subscriptions.update(subscription.id, {"default_payment_method": method.id})
    return attempt


def _next_charge(stage: Stage, attempt: Attempt) -> object:
    with stage.connection.asking() as v1:
        return next_charge_at(v1.subscriptions.retrieve(attempt.reference))


def _fail_a_month(stage: Stage, attempt: Attempt, customer_id: str) -> None:
    """Let the renewal of the first month fail."""
    stage.gateway.set_card(customer_id, _FAILS)
    stage.to_month(1)
    expect("the failed month", stage.facts(attempt).state, PledgeState.PAST_DUE)


ROWS: dict[str, Row] = {
    row.__name__.replace("_", "-"): row
    for row in (
        *(declined, used_again, confirmations, another_price, deleted_customer, search_by_mark),
        *(cancelled_twice, draft_hour, changed_day, open_amount, paid_now, skipped_month),
        *(paused_skip, refunds, disputes, events, balance),
        *(other_balances, payout_parts, payments_file),
    )
}
