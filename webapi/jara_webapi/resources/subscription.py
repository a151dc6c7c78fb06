"""The member's pledge: amount, payment day, card, pauses and cancellation."""

from __future__ import annotations

from jara.bootstrap import Application
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.giving.member import Member
from jara.domain.giving.pledge import RUNNING
from jara.services.giving import pledging
from jara.services.giving.pledging import start_again
from jara.services.giving.subscription_sync import StartedPledge
from jara.services.payments.charging import book_sandbox_rows
from jara.services.payments.promising import show_payment
from jara.services.ports.payments import PaymentOutcome
from jara_webapi.calls.operations import Access, Call, Reply, operation
from jara_webapi.calls.qr_codes import draw_code
from jara_webapi.calls.reading import blaming
from jara_webapi.resources.profiles import read_user
from jara_webapi.schemas.accounts import (
    AmountChange,
    AmountChanged,
    BillingPage,
    PaymentByOtherWay,
    PledgeChange,
    PledgeChanged,
    PledgeConfirmation,
)
from jara_webapi.schemas.base import Done
from jara_webapi.schemas.public import MailedCode


class UpdateSubscription:
    """The monthly amount."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(
        answer=AmountChanged, access=Access.MEMBER, body=AmountChange, refuses=(402, 404, 409, 502)
    )
    def on_put(self, call: Call, body: AmountChange) -> AmountChanged:
        """Change the monthly amount from the next charge on."""
        with blaming("subscriptionAmount"):
            pledge = pledging.change_amount(
                self._app.context, call.member.id, body.subscription_amount
            )
        return AmountChanged(
            message=f"Your monthly contribution is now ${pledge.dollars}.",
            subscription_amount=pledge.dollars,
        )


class StopPledge:
    """Stopping a pledge with the link in an email."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Done, body=MailedCode, refuses=(409, 502))
    def on_post(self, call: Call, body: MailedCode) -> Done:
        """Stop the monthly pledge of the member who got the link, without signing in."""
        del call
        pledging.stop_by_link(self._app.context, body.code)
        return Done(message="Your pledge is stopped.")


class Pledge:
    """Everything else about the pledge."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(
        answer=PledgeChanged,
        access=Access.MEMBER,
        body=PledgeChange,
        others={202: PledgeConfirmation},
        refuses=(402, 404, 409, 502),
        before_payment=True,
    )
    def on_put(self, call: Call, body: PledgeChange) -> Reply:
        """Change the pledge (day, pause, skip, cancel, amount or card), or start a new one."""
        if not body.model_fields_set:
            raise InvalidInput("No change given.")
        member_id = call.member.id
        if body.payment_method_id is not None and not self._runs(member_id):
            return self._start(call.member, body)
        self._change(member_id, body)
        user = read_user(self._app, call.member)
        return Reply(PledgeChanged(message="Your pledge has been changed.", user=user))

    def _runs(self, member_id: str) -> bool:
        with self._app.context.store.read() as work:
            pledge = work.pledges.get(member_id)
        return pledge is not None and pledge.state in RUNNING

    def _start(self, member: Member, body: PledgeChange) -> Reply:
        if any(one is not None for one in (body.paused, body.skip_next, body.canceled)):
            raise InvalidInput("A new pledge accepts only a card, an amount and a payment day.")
        started = start_again(
            self._app.context,
            member.id,
            payment_method=body.payment_method_id or "",
            amount=body.subscription_amount,
            billing_day=body.billing_day,
        )
        book_sandbox_rows(self._app.context)
        return self._answer(member, started)

    def _answer(self, member: Member, started: StartedPledge) -> Reply:
        user = read_user(self._app, member)
        if started.outcome is not PaymentOutcome.REQUIRES_ACTION:
            return Reply(PledgeChanged(message="Your pledge is active.", user=user))
        answer = PledgeConfirmation(
            message="Please confirm with your bank.",
            user=user,
            intent_type=started.intent_type.value if started.intent_type else "payment",
            client_secret=started.client_secret or "",
        )
        return Reply(answer, 202)

    def _change(self, member_id: str, body: PledgeChange) -> None:
        context = self._app.context
        if body.canceled and len(body.model_fields_set) > 1:
            raise Conflict("A pledge cannot be canceled and changed at once.")
        if body.subscription_amount is not None:
            with blaming("subscriptionAmount"):
                pledging.change_amount(context, member_id, body.subscription_amount)
        if body.payment_method_id is not None:
            pledging.replace_card(context, member_id, body.payment_method_id)
        if body.billing_day is not None:
            with blaming("billingDay"):
                pledging.change_day(context, member_id, body.billing_day)
        if body.paused is not None:
            act = pledging.pause_pledge if body.paused else pledging.resume_pledge
            act(context, member_id)
        if body.skip_next is not None:
            skip = pledging.skip_next if body.skip_next else pledging.keep_next
            skip(context, member_id)
        if body.canceled:
            pledging.cancel_pledge(context, member_id)


class Payment:
    """How the member pays without a card."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=PaymentByOtherWay, access=Access.MEMBER, refuses=(404,), before_payment=True)
    def on_get(self, call: Call) -> PaymentByOtherWay:
        """Return the reference, details and state of a pledge that is not paid by card."""
        document = show_payment(self._app.context, call.member.id)
        code = document["code"]
        document["code"] = None if code is None else draw_code(code)
        return PaymentByOtherWay.model_validate(document, by_alias=True)


class Billing:
    """The billing page of the payment provider."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=BillingPage, access=Access.MEMBER, refuses=(404, 409, 502))
    def on_get(self, call: Call) -> BillingPage:
        """Return the URL of the page with past payments and the card."""
        context = self._app.context
        pledge = pledging.find_pledge(context, call.member.id)
        if pledge.customer_id is None:
            raise Conflict("The payment provider has not confirmed your pledge yet.")
        url = context.gateway.billing_url(
            pledge.customer_id, return_url=f"{context.rules.site_url}/dashboard"
        )
        return BillingPage(url=url)
