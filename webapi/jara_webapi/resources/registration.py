"""Signing up: joining, and the newsletter."""

import re

from jara.bootstrap import Application
from jara.documents import to_document
from jara.domain.errors import InvalidInput, blaming
from jara.domain.giving.member import RegistrationForm
from jara.domain.giving.payment_way import PaymentWay
from jara.services.context import Context
from jara.services.giving.registration import check_credentials, join
from jara.services.giving.subscription_sync import StartedPledge
from jara.services.members.documents import show_member
from jara.services.members.sessions import start_session
from jara.services.notices import newsletter
from jara.services.notices.choices import unsubscribe
from jara.services.payments.charging import book_sandbox_rows
from jara.services.payments.promising import PromiseForm, join_by_promise
from jara.services.ports.payments import PaymentOutcome
from jara_webapi.calls.operations import Call, Reply, post
from jara_webapi.calls.requests import Request
from jara_webapi.schemas import accounts
from jara_webapi.schemas.base import Done
from jara_webapi.schemas.public import MailedCode, NewsletterWish

_KEY = re.compile(r"[!-~]{8,200}", re.ASCII)
_FORM = set(RegistrationForm._fields)


@post(refuses=(409, 429))
def email_exists(app: Application, call: Call, body: accounts.Credentials) -> accounts.Available:
    """Check the email and the password of the first step of joining."""
    check_credentials(
        app.context, app.limits, email=body.email, password=body.password, address=call.address
    )
    return accounts.Available()


@post(
    answer=accounts.Joined,
    status=201,
    others={202: accounts.ConfirmationNeeded},
    refuses=(402, 409, 429, 502),
    idempotent=True,
    turns="giving_turns",
)
def register(app: Application, call: Call, body: accounts.Registration) -> Reply:
    """Join: create an account and a monthly pledge."""
    joined = join(
        app.context,
        app.limits,
        _form(body, call),
        payment_method=body.payment_method_id,
        address=call.address,
        key=idempotency_key(call.req),
        body=body.model_dump_json(by_alias=True).encode(),
    )
    book_sandbox_rows(app.context)
    return _answer(app, joined, call.device)


def _answer(app: Application, joined: StartedPledge, label: str) -> Reply:
    token = start_session(app.context, app.tokens, joined.member, label=label)
    user = to_document(show_member(app.context, joined.member.id))
    if joined.outcome is not PaymentOutcome.REQUIRES_ACTION:
        return Reply(accounts.Joined(message="Payment successful", token=token, user=user))
    answer = accounts.ConfirmationNeeded(
        message="Please confirm with your bank.",
        token=token,
        user=user,
        intent_type=joined.intent_type.value if joined.intent_type else "payment",
        client_secret=joined.client_secret or "",
    )
    return Reply(answer, 202)


@post(status=201, refuses=(404, 409, 429, 502), idempotent=True, turns="giving_turns")
def register_promise(app: Application, call: Call, body: accounts.Promise) -> accounts.Joined:
    """Join with a promise: create an account that opens with the first payment."""
    member = join_by_promise(
        app.context,
        app.limits,
        PromiseForm(_form(body, call), PaymentWay(body.way)),
        address=call.address,
        key=idempotency_key(call.req),
        body=body.model_dump_json(by_alias=True).encode(),
    )
    token = start_session(app.context, app.tokens, member, label=call.device)
    user = to_document(show_member(app.context, member.id))
    return accounts.Joined(message="Promise noted.", token=token, user=user)


@post(refuses=(429,), turns="mail_turns")
def subscribe(app: Application, call: Call, body: NewsletterWish) -> Done:
    """Subscribe to the newsletter; an email asks for confirmation."""
    with blaming("email"):
        newsletter.subscribe(
            app.context,
            app.limits,
            body.email,
            network=call.address,
            language=call.language,
        )
    return Done(message="Please check your email to confirm the address.")


@post()
def confirm_subscription(context: Context, body: MailedCode) -> Done:
    """Confirm the address with the code from the email."""
    newsletter.confirm_subscription(context, body.code)
    return Done(message="You are subscribed to the newsletter.")


@post()
def end_subscription(context: Context, body: MailedCode) -> Done:
    """Unsubscribe an address with the code from any email."""
    unsubscribe(context, body.code)
    return Done(message="You are unsubscribed.")


def idempotency_key(req: Request) -> str | None:
    """Return the header ``Idempotency-Key``, or None.

    Raises:
        InvalidInput: it is not a key of 8 to 200 visible characters.
    """
    key = req.get_header("Idempotency-Key")
    if key is not None and _KEY.fullmatch(key) is None:
        sentence = "The Idempotency-Key must have 8 to 200 visible ASCII characters."
        raise InvalidInput(sentence, fields={"Idempotency-Key": sentence})
    return key


def _form(body: accounts.Joining, call: Call) -> RegistrationForm:
    form = body.model_dump(include=_FORM)
    return RegistrationForm(**{**form, "language": body.language or call.language})
