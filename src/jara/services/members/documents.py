"""Documents about a member: the profile, the export, the payments."""

from collections.abc import Mapping
from datetime import date
from itertools import islice
from typing import Any, Literal, NamedTuple

from jara.documents import Document, to_document
from jara.domain.books.payment_state import PaymentState
from jara.domain.currency import is_home_currency
from jara.domain.email_kinds import EmailChoice
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.changemaker import (
    due_cents,
    is_changemaker,
    may_vote_from,
    may_vote_until,
    retries_on,
)
from jara.domain.giving.member import Member, TodoItem, todo_list
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import Pledge, PledgeState, charges_ahead
from jara.records.journal import EntryQuery
from jara.services.ballots.counting import voted_on
from jara.services.context import Context
from jara.services.members.address_changes import held_since
from jara.services.members.profiles import require_member
from jara.services.notices.returned_emails import stopped
from jara.store.unit_of_work import UnitOfWork

SHOWN_CHARGES = 3


_INTERNAL = frozenset({"id", "member_id", "customer_id", "subscription_id", "card_fingerprint"})
"""Fields of a pledge that its member does not need."""


class NextCharge(NamedTuple):
    """A future charge of the card."""

    date: date
    amount_cents: int


class MemberPayment(NamedTuple):
    """A payment of a member in the books."""

    date: date
    kind: str
    amount_cents: int
    returned_cents: int
    dispute: str
    entry: str


class Profile(NamedTuple):
    """A member as the website shows them.

    Without a pledge the amount is 0. ``due_cents`` is what a failed card charge takes when it is
    paid, or tried again on the days ``retries_on``. ``may_vote_until`` is the last whole day of the
    vote if nothing more is paid. Since the day ``vote_held_since``, on which an operator changed
    the address, they are on no roll of a vote that is open or opens within 14 days, until the old
    address agrees or a second operator signs. Since the day ``email_stopped_on`` emails to the
    address came back: it gets no news, or nothing if it does not exist any more. ``votes`` has the
    proposals on which they voted; nobody knows how. ``is_home_currency``: people of their country
    write the books' currency shorter, ``$10`` for ``CA$10``; false where all write the same, as US
    dollars are.
    """

    id: str
    firstname: str
    lastname: str
    email: str
    email_confirmed: bool
    pending_email: str | None
    email_stopped_on: date | None
    country: str
    is_home_currency: bool
    language: str
    subscription_amount: int
    billing_day: BillingDay | None
    pledge_status: PledgeState | None
    way: PaymentWay | None
    next_charge_on: date | None
    next_charges: tuple[NextCharge, ...]
    skips_on: date | None
    due_cents: int | None
    retries_on: tuple[date, ...]
    may_vote: bool
    may_vote_from: date | None
    may_vote_until: date | None
    vote_held_since: date | None
    member_since: date
    notifications: bool
    email_choice: EmailChoice
    votes: Mapping[str, Literal["voted"]]
    todo: tuple[TodoItem, ...]


_OF_MEMBER = tuple(name for name in Profile._fields if name in Member._fields)
"""The fields of a member that their profile shows as they are."""

_OF_PLEDGE = ("billing_day", "way", "next_charge_on", "skips_on")


def read_profile(context: Context, work: UnitOfWork, member: Member) -> Profile:
    """Return a member's profile."""
    now = context.now()
    account = work.pledges.account(member.id, now=now)
    pledge, paid_on = account.pledge, account.first_paid_on
    stop = stopped(context, work, member.email)
    own: dict[str, Any] = {name: getattr(member, name) for name in _OF_MEMBER}
    own |= {name: getattr(pledge, name, None) for name in _OF_PLEDGE}
    return Profile(
        **own,
        is_home_currency=is_home_currency(context.rules.countries.get(member.country, "")),
        pending_email=account.pending_email,
        email_stopped_on=None if stop is None else context.zone.day_of(stop.since),
        subscription_amount=pledge.dollars if pledge else 0,
        pledge_status=pledge.state if pledge else None,
        next_charges=_next_charges(pledge, today=context.today()),
        due_cents=due_cents(pledge),
        retries_on=retries_on(pledge, now=now, zone=context.zone),
        may_vote=is_changemaker(pledge, account.paid_until, now=now),
        may_vote_from=may_vote_from(
            pledge,
            paid_on,
            now=now,
            zone=context.zone,
            paid_until=account.paid_until,
            waits_for=account.waits_for,
        ),
        may_vote_until=may_vote_until(pledge, account.paid_until, now=now, zone=context.zone),
        vote_held_since=held_since(context, work, member.id),
        member_since=context.zone.day_of(member.joined_at),
        notifications=member.notifications,
        votes=dict.fromkeys(voted_on(context, work, member.id), "voted"),
        todo=todo_list(account.todo_done),
    )


def show_profile(context: Context, member: Member) -> Profile:
    """Return the profile of a member that was just read, without a transaction."""
    return read_profile(context, context.store.read_once(), member)


def show_member(context: Context, member_id: str) -> Profile:
    """Return a member's profile.

    Raises:
        NotFound: there is no such member.
    """
    with context.store.read() as work:
        return read_profile(context, work, require_member(work, member_id))


def list_payments(context: Context, member_id: str) -> list[MemberPayment]:
    """Return a member's payments, oldest first.

    Payments booked by mistake and reversed are left out.

    Raises:
        NotFound: there is no such member.
    """
    with context.store.read() as work:
        payments = _payments(work, require_member(work, member_id))
    return [payment for payment in payments if payment.dispute != PaymentState.REVERSED]


def export_member(context: Context, member_id: str) -> Document:
    """Return all data about a member.

    It contains no votes: no record links a member to a choice.

    Raises:
        NotFound: there is no such member.
    """
    with context.store.read() as work:
        member = require_member(work, member_id)
        pledge = work.pledges.get(member.id)
        pending = work.registrations.by_member(member.id)
        reader = work.access.reader(member.email)
        return {
            "exportedAt": context.now().isoformat(),
            "profile": to_document(read_profile(context, work, member)),
            "contact": to_document(work.members.contact(member.id), omit={"member_id"}),
            "memberKey": member.key,
            "joinedAt": member.joined_at.isoformat(),
            "consents": [
                to_document(consent, omit={"member_id"})
                for consent in work.members.consents(member.id)
            ],
            "paymentProvider": {
                "customer": pledge.customer_id if pledge else None,
                "subscription": pledge.subscription_id if pledge else None,
            },
            "earlierAddresses": [
                {"email": each.email, "changedAt": each.changed_at.isoformat()}
                for each in work.address_changes.of_member(member.id)
            ],
            "giftsOnTheWay": [
                to_document(one) for one in work.gift_promises.of_address(member.email)
            ],
            "senders": _senders(work, member),
            "passkeys": [
                {"name": each.name, "addedOn": each.added_on.isoformat()}
                for each in work.passkeys.of_member(member.id)
            ],
            "pledge": None if pledge is None else to_document(pledge, omit=_INTERNAL),
            "registrationSince": None if pending is None else pending.started_at.isoformat(),
            "newsletter": None if reader is None else to_document(reader, omit={"email"}),
            "pledgeHistory": [
                to_document(change, omit={"member_key"})
                for change in work.pledges.changes_of(member.key)
            ],
            "payments": [to_document(payment) for payment in _payments(work, member)],
            "entries": _entries(work, member),
            "actsOfOperators": _acts(work, member),
            "letters": [
                {
                    "kind": each.kind,
                    "at": each.created_at.isoformat(),
                    "text": {name: str(value) for name, value in each.doc.items()},
                }
                for each in work.outbox.of_member(member.id)
            ],
        }


def _next_charges(pledge: Pledge | None, *, today: date) -> tuple[NextCharge, ...]:
    """Return the amounts and dates of the next card charges."""
    if pledge is None or pledge.way is not PaymentWay.CARD:
        return ()
    days = islice(charges_ahead(pledge, today=today), SHOWN_CHARGES)
    return tuple(NextCharge(day, pledge.dollars * 100) for day in days)


def _entries(work: UnitOfWork, member: Member) -> list[dict[str, Any]]:
    entries = list(work.journal.entries(EntryQuery(member_key=member.key)))
    notes = work.journal.notes_of(posted.index for posted in entries)
    return [
        {
            "entry": posted.id,
            "date": posted.entry.day.isoformat(),
            "kind": posted.entry.kind.value,
            "description": posted.entry.description,
            "note": notes.get(posted.index),
        }
        for posted in entries
    ]


def _acts(work: UnitOfWork, member: Member) -> list[dict[str, Any]]:
    """Return the operators' actions on a member's account."""
    return [
        {"at": act.at.isoformat(), "action": act.action, "why": act.why, **act.after}
        for act in work.operations.audit(subject=member.key)
    ]


def _senders(work: UnitOfWork, member: Member) -> list[dict[str, Any]]:
    """Return the bank lines with which operators remembered who pays for a member."""
    return [
        {
            "text": work.bank.find(row.line).line.label,
            "amountCents": row.cents,
            "rememberedAt": row.remembered_at.isoformat(),
        }
        for row in work.bank_rules.senders()
        if row.member_id == member.id
    ]


def _payments(work: UnitOfWork, member: Member) -> list[MemberPayment]:
    records = work.payments.of_member(member.key)
    entries = work.journal.many(record.index for record in records)
    return [
        MemberPayment(
            date=record.day,
            kind=record.kind,
            amount_cents=record.cents,
            returned_cents=record.returned_cents,
            dispute=record.dispute,
            entry=entries[record.index].id,
        )
        for record in records
    ]
