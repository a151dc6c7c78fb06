"""POST /api/email-exists and POST /api/register."""

from __future__ import annotations

import re

from jara.bootstrap import Application
from jara.domain.errors import InvalidInput
from jara.domain.giving.member import RegistrationForm
from jara.domain.giving.payment_way import PaymentWay
from jara.services.giving.registration import check_credentials, join
from jara.services.giving.subscription_sync import StartedPledge
from jara.services.members.documents import show_member
from jara.services.members.sessions import start_session
from jara.services.payments.charging import book_sandbox_rows
from jara.services.payments.promising import PromiseForm, join_by_promise
from jara.services.ports.payments import PaymentOutcome
from jara_webapi.calls.framework import Request
from jara_webapi.calls.operations import Call, Reply, operation
from jara_webapi.schemas.accounts import (
    Available,
    ConfirmationNeeded,
    Credentials,
    Joined,
    Joining,
    Promise,
    Registration,
    User,
)

_KEY = re.compile(r"[!-~]{8,200}", re.ASCII)


class EmailExists:
    """Whether an email address is available."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Available, body=Credentials, refuses=(409, 429))
    def on_post(self, call: Call, body: Credentials) -> Available:
        """Check the email and the password of the first step of joining."""
        check_credentials(
            self._app.context,
            self._app.limits,
            email=body.email,
            password=body.password,
            address=call.address,
        )
        return Available()


class Register:
    """Joining."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(
        answer=Joined,
        body=Registration,
        status=201,
        others={202: ConfirmationNeeded},
        refuses=(402, 409, 429, 502),
        idempotent=True,
    )
    def on_post(self, call: Call, body: Registration) -> Reply:
        """Join: create an account and a monthly pledge."""
        joined = join(
            self._app.context,
            self._app.limits,
            _form(body),
            payment_method=body.payment_method_id,
            address=call.address,
            key=idempotency_key(call.req),
            body=body.model_dump_json(by_alias=True).encode(),
        )
        book_sandbox_rows(self._app.context)
        return self._answer(joined, call.device)

    def _answer(self, joined: StartedPledge, label: str) -> Reply:
        context = self._app.context
        token = start_session(context, self._app.tokens, joined.member, label=label)
        user = User.model_validate(show_member(context, joined.member.id), by_alias=True)
        if joined.outcome is not PaymentOutcome.REQUIRES_ACTION:
            return Reply(Joined(message="Payment successful", token=token, user=user), 201)
        answer = ConfirmationNeeded(
            message="Please confirm with your bank.",
            token=token,
            user=user,
            intent_type=joined.intent_type.value if joined.intent_type else "payment",
            client_secret=joined.client_secret or "",
        )
        return Reply(answer, 202)


class RegisterPromise:
    """Joining with a way to pay other than a card."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(
        answer=Joined, body=Promise, status=201, refuses=(404, 409, 429, 502), idempotent=True
    )
    def on_post(self, call: Call, body: Promise) -> Reply:
        """Join with a promise: create an account that opens with the first payment."""
        context = self._app.context
        member = join_by_promise(
            context,
            self._app.limits,
            PromiseForm(_form(body), PaymentWay(body.way)),
            address=call.address,
            key=idempotency_key(call.req),
            body=body.model_dump_json(by_alias=True).encode(),
        )
        token = start_session(context, self._app.tokens, member, label=call.device)
        user = User.model_validate(show_member(context, member.id), by_alias=True)
        return Reply(Joined(message="Promise noted.", token=token, user=user), 201)


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


_FORM = set(RegistrationForm._fields)


def _form(body: Joining) -> RegistrationForm:
    return RegistrationForm(**body.model_dump(include=_FORM))
