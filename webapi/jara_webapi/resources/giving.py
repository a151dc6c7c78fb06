"""Giving: the member's pledge, one-time gifts, and what the payment provider reports."""

from itertools import groupby
from typing import Annotated

from jara.bootstrap import Application
from jara.domain.currency import written_for
from jara.domain.errors import blaming
from jara.domain.giving.member import Member
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.money import format_dollars
from jara.domain.texts import tr
from jara.services.context import Context
from jara.services.giving import pledge_changes, pledging
from jara.services.giving.gifts import GiftForm, booked_gift, give
from jara.services.giving.pledge_changes import PledgeChange
from jara.services.payments import gift_promises
from jara.services.payments.charging import book_sandbox_rows
from jara.services.payments.events import ForeignEvent, receive_event
from jara.services.payments.promising import change_or_promise, show_payment
from jara.services.ports.payments import PaymentOutcome
from jara_webapi.calls.operations import Access, Call, RawBody, Reply, get, post, put
from jara_webapi.calls.strict_json import read_json
from jara_webapi.middleware.request_metrics import REFUSED_WEBHOOK
from jara_webapi.resources.profiles import count_provider_call, read_user
from jara_webapi.resources.registration import idempotency_key
from jara_webapi.schemas import accounts
from jara_webapi.schemas.accounts import (
    AmountChange,
    AmountChanged,
    BillingPage,
    Code,
    GiftOnTheWay,
    PaymentByOtherWay,
    PledgeChanged,
    PledgeConfirmation,
    PromisedGift,
)
from jara_webapi.schemas.base import Document, Done, Shape
from jara_webapi.schemas.public import Confirmation, Gift, GiftConfirmation, GiftGiven, MailedCode

BORDER = 4
"""Light modules around a QR code, which scanners need (ISO/IEC 18004)."""

_STRIPE = RawBody(bytes_max=1024 * 1024, header="Stripe-Signature")


@put(access=Access.MEMBER, refuses=(402, 404, 409, 429, 502), outlives_session=True)
def update_subscription(app: Application, member: Member, body: AmountChange) -> AmountChanged:
    """Change the monthly amount from the next charge on."""
    count_provider_call(app, member)
    with blaming("subscriptionAmount"):
        pledge = pledging.change_amount(app.context, member.id, body.subscription_amount)
    with written_for(app.context.rules.countries.get(member.country, "")):
        amount = format_dollars(pledge.dollars * 100)
    return AmountChanged(
        message=tr("Your monthly contribution is now {amount}.", amount=amount),
        subscription_amount=pledge.dollars,
    )


@put(
    answer=PledgeChanged,
    access=Access.MEMBER,
    others={202: PledgeConfirmation},
    refuses=(402, 404, 409, 429, 502),
    before_payment=True,
    outlives_session=True,
)
def change_pledge(
    app: Application, call: Call, member: Member, body: accounts.PledgeChange
) -> Reply:
    """Change the pledge (day, pause, skip, cancel, amount or card), or start a new one."""
    change = PledgeChange(named=body.model_fields_set, **body.model_dump())
    count_provider_call(app, member)
    started = change_or_promise(app.context, app.limits, member, change, network=call.address)
    if started is None:
        user = read_user(app, member)
        return Reply(PledgeChanged(message="Your pledge has been changed.", user=user))
    book_sandbox_rows(app.context)
    user = read_user(app, member)
    if started.outcome is not PaymentOutcome.REQUIRES_ACTION:
        return Reply(PledgeChanged(message="Your pledge is active.", user=user))
    answer = PledgeConfirmation(
        message="Please confirm with your bank.",
        user=user,
        intent_type=started.intent_type.value if started.intent_type else "payment",
        client_secret=started.client_secret or "",
    )
    return Reply(answer, 202)


@post(
    answer=PledgeChanged,
    access=Access.MEMBER,
    others={202: PledgeConfirmation},
    refuses=(402, 404, 409, 429, 502),
    idempotent=True,
    outlives_session=True,
)
def pay_failed_charge(app: Application, call: Call, member: Member) -> Reply:
    """Charge the card now for the month whose charge failed; a charge is never taken twice."""
    count_provider_call(app, member)
    attempt = pledge_changes.pay_failed_charge(
        app.context, app.limits, member, address=call.address, key=idempotency_key(call.req)
    )
    book_sandbox_rows(app.context)
    user = read_user(app, member)
    if attempt is None:
        return Reply(PledgeChanged(message="Nothing is due now.", user=user))
    if attempt.client_secret is None:
        return Reply(PledgeChanged(message="Your contribution is paid. Thank you!", user=user))
    answer = PledgeConfirmation(
        message="Please confirm with your bank.",
        user=user,
        intent_type="payment",
        client_secret=attempt.client_secret,
    )
    return Reply(answer, 202)


@post(refuses=(409, 502))
def stop_pledge(context: Context, body: MailedCode) -> Done:
    """Stop the monthly pledge of the member who got the link, without signing in."""
    pledging.stop_by_link(context, body.code)
    return Done(message="Your pledge is stopped.")


@get(
    answer=Annotated[Document, Shape(PaymentByOtherWay)],
    access=Access.MEMBER,
    refuses=(404,),
    before_payment=True,
)
def payment(context: Context, member: Member) -> Document:
    """Return the reference, details and state of a pledge that is not paid by card."""
    document = show_payment(context, member.id)
    code = document["code"]
    return {**document, "code": None if code is None else draw_code(code)}


@get(access=Access.MEMBER, refuses=(404, 409, 429, 502))
def billing(app: Application, member: Member) -> BillingPage:
    """Return the URL of the page with past payments and the card."""
    count_provider_call(app, member)
    return BillingPage(url=pledging.billing_url(app.context, member.id))


@post(
    answer=GiftGiven,
    status=201,
    others={202: GiftConfirmation},
    refuses=(402, 409, 429, 502),
    idempotent=True,
    turns="giving_turns",
)
def give_once(app: Application, call: Call, body: Gift) -> Reply:
    """Give once, without an account."""
    language = body.language or call.language
    form = GiftForm(body.amount_cents, body.email, body.name, body.payment_method_id, language)
    gift = give(
        app.context,
        app.limits,
        form,
        address=call.address,
        key=idempotency_key(call.req),
        body=body.model_dump_json(by_alias=True).encode(),
    )
    book_sandbox_rows(app.context)
    if gift.client_secret is None or gift.intent_type is None:
        entry = booked_gift(app.context, gift)
        return Reply(GiftGiven(message="Thank you!", amount_cents=gift.cents, entry=entry))
    answer = GiftConfirmation(
        message="Please confirm with your bank.",
        amount_cents=gift.cents,
        intent_type=gift.intent_type.value,
        client_secret=gift.client_secret,
    )
    return Reply(answer, 202)


@post(status=201, refuses=(404, 409, 429), idempotent=True, turns="giving_turns")
def promise_gift(app: Application, call: Call, body: PromisedGift) -> GiftOnTheWay:
    """Announce a one-time gift that is paid without a card; the answer says how to pay it."""
    form = GiftForm(body.amount_cents, body.email, body.name, "", body.language or call.language)
    how = gift_promises.promise_gift(
        app.context,
        app.limits,
        form,
        PaymentWay(body.way),
        address=call.address,
        key=idempotency_key(call.req),
        body=body.model_dump_json(by_alias=True).encode(),
    )
    return GiftOnTheWay(
        message="Thank you!",
        amount_cents=body.amount_cents,
        way=body.way,
        reference=how.reference,
        details=how.details,
        iban=how.iban,
        holder=how.holder,
        code=None if how.code is None else Code(**draw_code(how.code)),
    )


@post(refuses=(404, 409))
def confirm_in_sandbox(app: Application, body: Confirmation) -> Done:
    """Confirm or decline a sandbox payment or card for the cardholder."""
    succeed = body.outcome == "succeed"
    app.sandbox.confirm(body.client_secret, succeed=succeed)
    book_sandbox_rows(app.context)
    return Done(message="Confirmed." if succeed else "Refused.")


@post(raw_body=_STRIPE)
def receive_stripe_event(app: Application, call: Call, body: bytes) -> Done:
    """Store an event signed by Stripe; a background task processes it."""
    event = app.live_payments().events.read(body, call.req.get_header(_STRIPE.header))
    read_json(body)  # what PostgreSQL cannot store, or two parsers read differently
    try:
        receive_event(app.context, event)
    except ForeignEvent as error:
        call.req.context[REFUSED_WEBHOOK] = error.reason
        raise
    return Done(message="Received.")


def draw_code(text: str) -> Document:
    """Return a QR code: its size in modules with the border, and the path of its dark ones."""
    import segno  # noqa: PLC0415 - few requests need it

    matrix = segno.make(text, error="m", boost_error=False, micro=False, encoding="utf-8").matrix
    runs: list[str] = []
    for row, modules in enumerate(matrix):
        column = 0
        for is_dark, group in groupby(modules, bool):
            width = len(list(group))
            if is_dark:
                runs.append(f"M{column + BORDER} {row + BORDER}h{width}v1h-{width}z")
            column += width
    return {"size": len(matrix) + 2 * BORDER, "path": "".join(runs)}
