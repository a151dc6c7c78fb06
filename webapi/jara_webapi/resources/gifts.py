"""One-time gifts, and the sandbox's stand-in for the cardholder's bank."""

from __future__ import annotations

from jara.bootstrap import Application
from jara.services.giving.gifts import GiftForm, booked_gift, give
from jara.services.payments.charging import book_sandbox_rows
from jara_webapi.calls.operations import Call, Reply, operation
from jara_webapi.resources.registration import idempotency_key
from jara_webapi.schemas.base import Done
from jara_webapi.schemas.public import Confirmation, Gift, GiftConfirmation, GiftGiven


class Gifts:
    """One-time gifts."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(
        answer=GiftGiven,
        body=Gift,
        status=201,
        others={202: GiftConfirmation},
        refuses=(402, 409, 429, 502),
        idempotent=True,
    )
    def on_post(self, call: Call, body: Gift) -> Reply:
        """Give once, without an account."""
        taken = give(
            self._app.context,
            self._app.limits,
            GiftForm(
                body.amount_cents,
                body.email,
                body.name,
                body.payment_method_id,
                body.language,
            ),
            address=call.address,
            key=idempotency_key(call.req),
            body=body.model_dump_json(by_alias=True).encode(),
        )
        book_sandbox_rows(self._app.context)
        if taken.client_secret is None or taken.intent_type is None:
            entry = booked_gift(self._app.context, taken)
            return Reply(GiftGiven(message="Thank you!", amount_cents=taken.cents, entry=entry))
        answer = GiftConfirmation(
            message="Please confirm with your bank.",
            amount_cents=taken.cents,
            intent_type=taken.intent_type.value,
            client_secret=taken.client_secret,
        )
        return Reply(answer, 202)


class SandboxConfirm:
    """The cardholder's bank in the sandbox."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Done, body=Confirmation, refuses=(404, 409))
    def on_post(self, call: Call, body: Confirmation) -> Done:
        """Confirm or decline a sandbox payment or card for the cardholder."""
        del call
        succeed = body.outcome == "succeed"
        self._app.sandbox.confirm(body.client_secret, succeed=succeed)
        book_sandbox_rows(self._app.context)
        return Done(message="Confirmed." if succeed else "Refused.")
