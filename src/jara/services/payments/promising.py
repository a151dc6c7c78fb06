"""Joining with a promise: a pledge without a card, from the website.

A promise gives no vote and no access: until the first payment arrives, the session can only
show how to pay, switch to a card, or leave. The address still counts as available, but only the
same person, with the same password, can sign up with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from jara.domain.errors import Conflict, EmailTaken, InvalidInput, NotFound, blaming
from jara.domain.giving.changemaker import may_vote_until
from jara.domain.giving.member import Member, Registration, RegistrationForm, parse_registration
from jara.domain.giving.newcomer import Promised
from jara.domain.giving.payment_way import PaymentWay, make_reference
from jara.domain.giving.pledge import (
    PLEDGE_DOLLARS_DEFAULT,
    Pledge,
    PledgeState,
    parse_pledge,
)
from jara.services import idempotency
from jara.services.context import Context
from jara.services.giving.joining import add_member, begin, take_up_earlier
from jara.services.giving.pledge_changes import PledgeChange, change_or_start
from jara.services.giving.pledging import cancel_pledge
from jara.services.giving.registration import within_limits
from jara.services.giving.subscription_sync import StartedPledge
from jara.services.members.profiles import require_member
from jara.services.payments.promises import new_promise, put_promise
from jara.services.payments.ways import ledger_of, pay_details, queue_how_to_pay
from jara.services.rate_limits import Limits, MailCause, mail_uses, require_room

REGISTER_PROMISE = "register_promise"


class PromiseForm(NamedTuple):
    """The three steps of sign-up, with another way to pay than a card."""

    registration: RegistrationForm
    way: PaymentWay


def join_by_promise(
    context: Context,
    limits: Limits,
    form: PromiseForm,
    *,
    address: str,
    key: str | None,
    body: bytes,
) -> Member:
    """Sign up with a promise; repeating the request with the same key gives the same answer.

    The same person may try again until the first payment arrives; the reference stays.

    Raises:
        InvalidInput: a field breaks its rule.
        NotFound: the way is not set up.
        EmailTaken: the address has a member or another sign-up.
        TooManyRequests: too many sign-ups.
        Conflict: the key belongs to another request, or the first is in progress.
    """
    request = None if key is None else idempotency.name_of(REGISTER_PROMISE, key)
    mail = mail_uses(MailCause.SIGN_UP, form.registration.email, network=address)
    return idempotency.run_once(
        context,
        idempotency.Request(REGISTER_PROMISE, key, body),
        lambda: within_limits(
            context,
            limits,
            form.registration,
            lambda: _enter(context, form, request),
            address=address,
            mail=mail,
        ),
        dump=_answer,
        load=lambda answer: _entered_before(context, answer),
        admit=lambda work: require_room(context, work, limits, mail),
    )


def change_or_promise(
    context: Context, limits: Limits, member: Member, change: PledgeChange, *, network: str
) -> StartedPledge | None:
    """Change a pledge, or promise to pay it in another way than by card; a card pledge then ends.

    The amount of a promise changes in the same way.

    Raises:
        InvalidInput: a value breaks its rule, or a promise is to have more than way and amount.
        NotFound: the way is not set up.
        Conflict: a pledge by card began meanwhile.
        JaraError: what `change_or_start` raises.
    """
    with context.store.read() as work:
        pledge = work.pledges.get(member.id)
    is_by_card = pledge is not None and pledge.is_by_card
    way = None if change.way is None else PaymentWay(change.way)
    if pledge is not None and not is_by_card and change.named == {"subscription_amount"}:
        way = None if pledge.state is PledgeState.CANCELED else pledge.way
    if way is None:
        return change_or_start(context, limits, member, change, network=network)
    if not change.named <= {"way", "subscription_amount"}:
        raise InvalidInput("A promise accepts only a way to pay and an amount.")
    asked = change.subscription_amount
    if asked is None:
        asked = PLEDGE_DOLLARS_DEFAULT if pledge is None else pledge.dollars
    with blaming("subscriptionAmount"):
        dollars = parse_pledge(asked)
    with context.store.read() as work:
        ledger_of(context, work, way)
    if is_by_card:
        cancel_pledge(context, member.id)  # the provider must not charge any more
    with context.store.write() as work:
        pledge = work.pledges.get(member.id)
        if pledge is not None and pledge.is_by_card:
            raise Conflict("Your pledge was changed at the same time; please try again.")
        put_promise(context, work, require_member(work, member.id), Promised(dollars, way))
    return None


def show_payment(context: Context, member_id: str) -> dict[str, Any]:
    """Return how a member pays a pledge without a card, and until when it is paid.

    Raises:
        NotFound: the member has no pledge, or pays by card.
    """
    now = context.now()
    with context.store.read() as work:
        account = work.pledges.account(member_id, now=now)
        pledge = account.pledge
        if pledge is None or pledge.way is PaymentWay.CARD:
            raise NotFound("There is no pledge that is paid without a card.")
        how = pay_details(context, work, pledge.way, pledge.reference or "")
    votes_until = may_vote_until(pledge, account.paid_until, now=now, zone=context.zone)
    return {
        **how._asdict(),
        "way": pledge.way.value,
        "subscriptionAmount": pledge.dollars,
        "pledgeStatus": pledge.state.value,
        "paidUntil": pledge.next_charge_on.isoformat() if pledge.next_charge_on else None,
        "mayVoteUntil": votes_until.isoformat() if votes_until else None,
    }


def _answer(member: Member) -> Mapping[str, Any]:
    return {"member": member.id}


def _enter(context: Context, form: PromiseForm, request: str | None) -> Member:
    rules = context.rules
    registration = parse_registration(
        form.registration, countries=rules.countries, common_passwords=rules.common_passwords
    )
    with context.store.read() as work:
        ledger_of(context, work, form.way)
    promised = _promised_before(context, registration)
    if promised is not None:
        return _renew(context, promised, registration.dollars, form.way, request)
    adopted = take_up_earlier(context, registration)
    if adopted is not None:
        return adopted.member
    pending = begin(context, registration, "website")
    with context.store.write() as work:
        member = add_member(context, work, pending)
        pledge = replace(
            new_promise(context, member, registration.dollars, form.way),
            reference=make_reference(context.entropy.token(6)),
        )
        work.pledges.put(pledge, member_key=member.key, at=context.now())
        work.registrations.put(pending._replace(form={}))
        queue_how_to_pay(context, work, member, pledge)
        idempotency.answer_within(context, work, request, _answer(member))
    return member


def _promised_before(context: Context, registration: Registration) -> Pledge | None:
    """Return the unpaid promise of the same person, known by address and password."""
    with context.store.read() as work:
        earlier = work.registrations.by_email(registration.email)
        pledge = None if earlier is None else work.pledges.get(earlier.member_id)
        if pledge is None or pledge.way is PaymentWay.CARD:
            return None
        stored = work.members.password_hash(pledge.member_id)
    is_same = stored is not None and context.hasher.verify(stored, registration.password)
    return pledge if is_same else None


def _renew(
    context: Context, promised: Pledge, dollars: int, way: PaymentWay, request: str | None
) -> Member:
    with context.store.write() as work:
        member = require_member(work, promised.member_id)
        pledge = replace(promised, dollars=dollars, way=way)
        work.pledges.put(pledge, member_key=member.key, at=context.now())
        queue_how_to_pay(context, work, member, pledge)
        idempotency.answer_within(context, work, request, _answer(member))
    return member


def _entered_before(context: Context, answer: Mapping[str, Any]) -> Member:
    with context.store.read() as work:
        member = work.members.get(answer["member"])
    if member is None:
        raise EmailTaken("This email address already has an account; sign in instead.")
    return member
