"""Sign-up: a saga that survives a crash at every step and charges only once.

It stores the registration, calls the provider with idempotency keys from that row, then
stores the result. A retry, by the person or by `run daily`, first checks the provider.
Interrupted registrations are finished if paid, else undone.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, NamedTuple

from jara.domain.email_kinds import EmailChoice
from jara.domain.errors import CardDeclined, Conflict, EmailTaken, JaraError, NotFound, Unavailable
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.member import (
    Member,
    Registration,
    RegistrationForm,
    parse_email,
    parse_registration,
)
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import RUNNING, PledgeState, start_pledge
from jara.domain.language import ENGLISH, Language
from jara.records.people import NOTIFICATIONS, PRIVACY_POLICY, Consent, PendingRegistration
from jara.services.context import Context
from jara.services.giving import subscription_sync
from jara.services.giving.pledging import cancel_pledge, refresh_pledge
from jara.services.giving.subscription_sync import StartedPledge
from jara.services.idempotency import answer_within
from jara.services.members.contributors import KEY_PREFIX, customer_handle
from jara.services.notices.emails import queue_welcome
from jara.services.ports.payments import Attempt, PaymentOutcome, SubscriptionFacts
from jara.store.unit_of_work import UnitOfWork

TAKEN = "This email address already has an account; sign in instead."
_OVERTAKEN = "Another sign-up with this email address was faster; sign in instead."

IN_FLIGHT = timedelta(minutes=5)
"""Younger registrations may be in progress in another process."""
GIVEN_UP_AFTER = timedelta(hours=24)
"""After this time a registration is cancelled and refunded."""
PROMISE_KEPT_FOR = timedelta(days=60)
"""How long a promise to pay without a card waits for its first payment."""


def is_email_available(context: Context, email: str) -> bool:
    """Return whether an address may sign up: no confirmed member has it.

    Raises:
        InvalidInput: it is not an email address.
    """
    with context.store.read() as work:
        member = work.members.by_email(parse_email(email))
        return member is None or work.registrations.by_member(member.id) is not None


def register(
    context: Context, form: RegistrationForm, *, payment_method: str, request: str | None = None
) -> StartedPledge:
    """Sign up: create an account with a pledge once its first payment is under way.

    The same person may try again until a payment or a card is confirmed. After a decline
    nothing is stored. The account is stored with the answer to its request, if that has a name.

    Raises:
        InvalidInput: a field breaks its rule.
        EmailTaken: the address has a member or another sign-up.
        CardDeclined: the card was declined; the message is the provider's.
        Unavailable: the provider did not answer; a retry is safe.
    """
    rules = context.rules
    registration = parse_registration(
        form, countries=rules.countries, common_passwords=rules.common_passwords
    )
    adopted = take_up_earlier(context, registration)
    if adopted is not None:
        return adopted
    pending = begin(context, registration, request)
    attempt = _start_at_provider(context, pending, payment_method)
    return _open_account(context, pending, attempt)


def find_running(context: Context, pending: PendingRegistration) -> SubscriptionFacts | None:
    """Return the confirmed subscription of a registration, if any."""
    customers = context.gateway.find_customers(member_id=pending.member_id, email=pending.email)
    for customer in customers:
        for facts in context.gateway.subscriptions_of(customer):
            if facts.state in RUNNING:
                return facts
    return None


def finish_account(
    context: Context, pending: PendingRegistration, facts: SubscriptionFacts
) -> StartedPledge:
    """Create the account of a paid registration, or confirm the waiting one."""
    paid = Attempt(PaymentOutcome.PAID, facts.subscription_id)
    with context.store.write() as work:
        member, pledge = work.members.get(pending.member_id), work.pledges.get(pending.member_id)
        if member is not None and pledge is not None:
            return subscription_sync.started(
                member, subscription_sync.keep_facts(context, work, pledge, facts), paid
            )
    return _open_account(context, pending, paid)


def give_up(
    context: Context, pending: PendingRegistration, *, unless_finished: bool = False
) -> None:
    """Undo a registration: refund charges, cancel subscriptions, delete everything.

    With `unless_finished` an account stays that was paid while the provider was asked.

    Raises:
        Unavailable: the provider did not answer; the registration is kept for a retry.
    """
    gateway = context.gateway
    for customer in gateway.find_customers(member_id=pending.member_id, email=pending.email):
        for charge in gateway.charges_of(customer):
            if charge.left_cents:
                gateway.refund(charge.charge_id, charge.left_cents, key=f"undo:{charge.charge_id}")
        gateway.delete_customer(customer)
    with context.store.write() as work:
        if unless_finished and work.registrations.get(pending.id) is None:
            return
        member = work.members.get(pending.member_id)
        if member is not None:
            work.contributors.forget(member.key)
            work.outbox.erase_member(member.id)
            work.members.erase(member.id)
        work.registrations.remove(pending.id)


def take_up_earlier(context: Context, registration: Registration) -> StartedPledge | None:
    """Finish an earlier paid attempt of the same person, else undo it."""
    with context.store.read() as work:
        earlier = work.registrations.by_email(registration.email)
        if earlier is None:
            if work.members.by_email(registration.email) is not None:
                raise EmailTaken(TAKEN)
            return None
        stored = earlier.form.get("passwordHash") or work.members.password_hash(earlier.member_id)
    if stored is None or not context.hasher.verify(stored, registration.password):
        raise EmailTaken(TAKEN)
    facts = find_running(context, earlier)
    if facts is not None:
        return finish_account(context, earlier, facts)
    give_up(context, earlier, unless_finished=True)
    return None


def begin(
    context: Context, registration: Registration, request: str | None = None
) -> PendingRegistration:
    """Store a registration, before any other step.

    Raises:
        EmailTaken: the address has a member or another sign-up.
    """
    pending = PendingRegistration(
        id=context.new_id(),
        email=registration.email,
        member_id=context.new_id(),
        member_key=context.new_key(KEY_PREFIX),
        started_at=context.now(),
        form={
            "firstname": registration.firstname,
            "lastname": registration.lastname,
            "country": registration.country,
            "notifications": registration.notifications,
            "dollars": registration.dollars,
            "billingDay": registration.billing_day.value,
            "passwordHash": context.hasher.hash(registration.password),
            "source": "website",
            "language": registration.language,
            "request": request,
        },
    )
    with context.store.write() as work:
        if work.members.by_email(pending.email) or work.registrations.by_email(pending.email):
            raise EmailTaken(TAKEN)
        work.registrations.put(pending)
    return pending


def _start_at_provider(
    context: Context, pending: PendingRegistration, payment_method: str
) -> Attempt:
    """Call the provider; undo the registration on a refusal, keep it without an answer."""
    try:
        attempt = _call_provider(context, pending, payment_method)
    except Unavailable:
        raise
    except NotFound as error:
        give_up(context, pending)
        raise Conflict(_OVERTAKEN) from error
    except JaraError:
        give_up(context, pending)
        raise
    if attempt.outcome is PaymentOutcome.DECLINED:
        give_up(context, pending)
        raise CardDeclined(attempt.message)
    return attempt


def _call_provider(context: Context, pending: PendingRegistration, payment_method: str) -> Attempt:
    form, key = pending.form, f"join:{pending.id}:{payment_method}"
    customer = context.gateway.create_customer(
        email=pending.email,
        name=f"{form['firstname']} {form['lastname']}",
        member_id=pending.member_id,
        payment_method=payment_method,
        key=f"{key}:customer",
    )
    return context.gateway.start_subscription(
        customer_id=customer,
        dollars=form["dollars"],
        billing_day=BillingDay(form["billingDay"]),
        member_id=pending.member_id,
        key=f"{key}:subscription",
    )


def _open_account(
    context: Context, pending: PendingRegistration, attempt: Attempt
) -> StartedPledge:
    """Store the result, unless another process finished or replaced the registration."""
    facts = context.gateway.subscription(attempt.reference)
    with context.store.write() as work:
        current = work.registrations.get(pending.id)
        if current is not None and work.members.by_email(pending.email) is None:
            return _add_account(context, work, current, facts, attempt)
        member, pledge = work.members.get(pending.member_id), work.pledges.get(pending.member_id)
    if member and pledge and pledge.subscription_id == facts.subscription_id:
        return subscription_sync.started(member, pledge, attempt)
    give_up(context, pending)
    raise Conflict(_OVERTAKEN)


def _add_account(
    context: Context,
    work: UnitOfWork,
    pending: PendingRegistration,
    facts: SubscriptionFacts,
    attempt: Attempt,
) -> StartedPledge:
    now, form = context.now(), pending.form
    member = add_member(context, work, pending)
    pledge = start_pledge(
        pledge_id=context.new_id(),
        member_id=member.id,
        dollars=form["dollars"],
        billing_day=BillingDay(form["billingDay"]),
        now=now,
        zone=context.zone,
    )
    pledge = subscription_sync.apply_facts(pledge, facts, at=now)
    work.pledges.put(pledge, member_key=member.key, at=now)
    work.contributors.put(customer_handle(facts.customer_id), member.key)
    if pledge.state in RUNNING:
        work.registrations.remove(pending.id)
        queue_welcome(context, work, member, pledge)
    else:
        work.registrations.put(pending._replace(form={}))
    result = subscription_sync.started(member, pledge, attempt)
    answer_within(context, work, form.get("request"), subscription_sync.started_document(result))
    return result


def add_member(context: Context, work: UnitOfWork, pending: PendingRegistration) -> Member:
    """Add the member of a registration, with what they agreed to."""
    member, form = member_of(pending), pending.form
    work.members.add(member, password_hash=form["passwordHash"])
    purposes = (PRIVACY_POLICY, NOTIFICATIONS) if member.notifications else (PRIVACY_POLICY,)
    for purpose in purposes:
        consent = Consent.of(
            member.id, purpose, given=True, source=form["source"], at=context.now()
        )
        work.members.add_consent(consent)
    return member


def member_of(pending: PendingRegistration) -> Member:
    """Return the member of a registration."""
    form: Mapping[str, Any] = pending.form
    return Member(
        id=pending.member_id,
        key=pending.member_key,
        firstname=form["firstname"],
        lastname=form["lastname"],
        email=pending.email,
        country=form["country"],
        email_choice=EmailChoice.of(notifications=form["notifications"]),
        joined_at=pending.started_at,
        # Sign-ups started before Jara had languages name none.
        language=Language(form.get("language", ENGLISH)),
    )


class FinishReport(NamedTuple):
    """How many registrations were finished and undone; failures are retried later."""

    finished: int
    undone: int
    failures: tuple[str, ...]


def finish_registrations(context: Context) -> FinishReport:
    """Finish paid registrations, and undo those older than a day; promises are kept longer."""
    with context.store.read() as work:
        waiting = work.registrations.all()
    finished = undone = 0
    failures: list[str] = []
    for pending in waiting:
        try:
            done = _settle(context, pending)
        except JaraError as error:
            failures.append(error.message)
            continue
        finished += done == "finished"
        undone += done == "undone"
    return FinishReport(finished, undone, tuple(failures))


def expire_incomplete(context: Context) -> int:
    """Cancel pledges whose card was not confirmed within a day.

    Stripe cancels an unpaid first invoice itself, but not an unfinished set-up.
    """
    with context.store.read() as work:
        limit = context.now() - GIVEN_UP_AFTER
        old = [
            pledge
            for pledge in work.pledges.in_states(PledgeState.INCOMPLETE)
            if pledge.way is PaymentWay.CARD
            and pledge.started_at <= limit
            and work.registrations.by_member(pledge.member_id) is None
        ]
    ended = 0
    for pledge in old:
        if refresh_pledge(context, pledge.member_id).state is PledgeState.INCOMPLETE:
            cancel_pledge(context, pledge.member_id)
            ended += 1
    return ended


def _is_promise(context: Context, pending: PendingRegistration) -> bool:
    with context.store.read() as work:
        pledge = work.pledges.get(pending.member_id)
    return pledge is not None and pledge.way is not PaymentWay.CARD


def _settle(context: Context, pending: PendingRegistration) -> str:
    age = context.now() - pending.started_at
    if age < (PROMISE_KEPT_FOR if _is_promise(context, pending) else IN_FLIGHT):
        return "waiting"
    facts = find_running(context, pending)
    has_account = not pending.form
    if facts is not None and (has_account or age < GIVEN_UP_AFTER):
        finish_account(context, pending, facts)
        return "finished"
    if age < GIVEN_UP_AFTER:
        return "waiting"
    give_up(context, pending, unless_finished=True)
    return "undone"
