"""Gifts on the way: announced on the website, with a reference of their own, paid without a card.

A gift on the way is no money. It is booked when a payment with its reference arrives, of whatever
amount; the giver then gets a receipt.
"""

from dataclasses import replace
from datetime import timedelta

from jara.domain.books.fund_policy import policy_in_force
from jara.domain.books.journal import PostedEntry
from jara.domain.books.movements import MovementFacts
from jara.domain.books.other_ways import Received, payment_entry
from jara.domain.giving.payment_way import PaymentProof, PaymentWay, make_reference
from jara.records.payments import GiftPromise
from jara.services import idempotency
from jara.services.books.posting import Books
from jara.services.context import Context
from jara.services.giving.gifts import GiftForm, check_gift
from jara.services.notices.emails import queue_email
from jara.services.notices.receipts import queue_gift_receipt
from jara.services.payments.ways import PayDetails, ledger_of, pay_details
from jara.services.rate_limits import Limits, MailCause, acquire_within, mail_uses
from jara.store.unit_of_work import UnitOfWork

GIFT_PROMISES_KEPT = timedelta(days=180)
_SCOPE = "gift_promises"


def promise_gift(
    context: Context,
    limits: Limits,
    form: GiftForm,
    way: PaymentWay,
    *,
    address: str,
    key: str | None,
    body: bytes,
) -> PayDetails:
    """Announce a gift, and email how to pay it; a repeated request announces no second one.

    Raises:
        InvalidInput: a field breaks its rule.
        NotFound: the way is not set up.
        TooManyRequests: too many emails to this address or from this network.
        Conflict: the key belongs to another request, or the first is in progress.
    """
    checked = check_gift(form)
    reference = idempotency.run_once(
        context,
        idempotency.Request(_SCOPE, key, body),
        lambda: _announce(context, limits, checked, way, address),
        dump=lambda reference: {"reference": reference},
        load=lambda answer: str(answer["reference"]),
    )
    with context.store.read() as work:
        return pay_details(context, work, way, reference)


def list_gift_promises(context: Context) -> list[GiftPromise]:
    """Return the gifts that were announced lately, newest first."""
    with context.store.read() as work:
        return work.gift_promises.all()


def book_gift(
    context: Context,
    work: UnitOfWork,
    books: Books,
    gift: GiftPromise,
    received: Received,
    *,
    proof: PaymentProof | None = None,
    note: str | None = None,
) -> PostedEntry:
    """Book a payment with the reference of a gift, and queue the receipt.

    ``note`` becomes the entry's, which is not public.

    Raises:
        InvalidInput: the amount is not positive.
        DuplicateEntry: it is posted already.
    """
    policy = policy_in_force(books.policies, received.day)
    facts = MovementFacts(policy=policy, locked_years=books.locked_years)
    posted = books.post(
        replace(payment_entry(received._replace(is_gift=True), facts), note=note),
        charge_id=received.external_id,
        proof=proof,
    )
    work.gift_promises.put(gift._replace(arrived_on=received.day))
    queue_gift_receipt(context, work, posted, address=gift.email, language=gift.language)
    return posted


def _announce(
    context: Context, limits: Limits, form: GiftForm, way: PaymentWay, address: str
) -> str:
    reference = make_reference(context.entropy.token(6))
    gift = GiftPromise(
        reference, form.cents, way, form.email, form.name, form.language, context.now()
    )
    with context.store.write() as work:
        uses = mail_uses(MailCause.GIFT, form.email, network=address)
        acquire_within(context, work, limits, uses)
        ledger_of(context, work, way)
        work.gift_promises.put(gift)
        _queue_how_to_pay(context, work, gift)
    return reference


def _queue_how_to_pay(context: Context, work: UnitOfWork, gift: GiftPromise) -> None:
    values = {
        "firstname": "",
        "language": gift.language,
        "amountCents": gift.cents,
        "isGift": True,
        **pay_details(context, work, gift.way, gift.reference).words(),
    }
    once = f"how-to-pay:{gift.reference}"
    queue_email(context, work, "how_to_pay", address=gift.email, values=values, once_key=once)
