"""Documents about a member: the profile, the export, the payments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import islice
from typing import Any, NamedTuple

from jara.domain.books.payment_state import PaymentState
from jara.domain.giving.changemaker import is_changemaker, may_vote_from
from jara.domain.giving.member import Member, TodoItem, todo_list
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import Pledge, PledgeState, charges_ahead
from jara.records.access import Reader
from jara.records.journal import EntryQuery
from jara.records.payments import PaymentRecord
from jara.services.ballots.counting import voted_on
from jara.services.context import Context
from jara.services.members.profiles import require_member
from jara.store.unit_of_work import UnitOfWork

PAYMENT_COLUMNS = ("date", "kind", "amountCents", "returnedCents", "dispute", "entry")
SHOWN_CHARGES = 3


class PledgeLine(NamedTuple):
    """A pledge in the operator's list, with its member."""

    member: Member
    pledge: Pledge


class MemberLine(NamedTuple):
    """A member in the operator's list."""

    member: Member
    pledge_status: str | None
    dollars: int | None


def list_members(context: Context) -> list[MemberLine]:
    """Return every member with their pledge, in order of joining."""
    with context.store.read() as work:
        pledges = {pledge.member_id: pledge for pledge in work.pledges.all()}
        lines = []
        for member in work.members.all():
            pledge = pledges.get(member.id)
            status = None if pledge is None else pledge.state.value
            lines.append(MemberLine(member, status, pledge.dollars if pledge else None))
    return lines


def list_pledges(
    context: Context, states: Sequence[PledgeState] = (), *, ways: Sequence[PaymentWay] = ()
) -> list[PledgeLine]:
    """Return the pledges, optionally by state and payment way, in order of joining."""
    wanted = states or tuple(PledgeState)
    paid_so = ways or tuple(PaymentWay)
    with context.store.read() as work:
        found = [one for one in work.pledges.in_states(*wanted) if one.way in paid_so]
        pledges = {pledge.member_id: pledge for pledge in found}
        return [
            PledgeLine(member, pledges[member.id])
            for member in work.members.all()
            if member.id in pledges
        ]


def profile_document(context: Context, work: UnitOfWork, member: Member) -> dict[str, Any]:
    """Return a member's profile."""
    now = context.now()
    account = work.pledges.account(member.id, now=now)
    pledge = account.pledge
    paid_on = account.first_paid_on
    return {
        "id": member.id,
        "firstname": member.firstname,
        "lastname": member.lastname,
        "email": member.email,
        "emailConfirmed": member.email_confirmed,
        "pendingEmail": account.pending_email,
        "country": member.country,
        "language": member.language,
        "subscriptionAmount": pledge.dollars if pledge else 0,
        "billingDay": pledge.billing_day.value if pledge else None,
        "pledgeStatus": pledge.state.value if pledge else None,
        "way": pledge.way.value if pledge else None,
        "nextChargeOn": _day(pledge.next_charge_on) if pledge else None,
        "nextCharges": _next_charges(pledge, today=now.date()),
        "skipsOn": _day(pledge.skips_on) if pledge else None,
        "mayVote": is_changemaker(pledge, paid_on, now=now),
        "mayVoteFrom": _day(may_vote_from(pledge, paid_on, now=now)),
        "memberSince": member.joined_at.date().isoformat(),
        "notifications": member.notifications,
        "votes": dict.fromkeys(voted_on(context, work, member.id), "voted"),
        "todo": [_todo(item) for item in todo_list(account.todo_done)],
    }


def show_profile(context: Context, member: Member) -> dict[str, Any]:
    """Return the profile of a member that was just read, without a transaction."""
    return profile_document(context, context.store.read_once(), member)


def show_member(context: Context, member_id: str) -> dict[str, Any]:
    """Return a member's profile.

    Raises:
        NotFound: there is no such member.
    """
    with context.store.read() as work:
        return profile_document(context, work, require_member(work, member_id))


def list_payments(context: Context, member_id: str) -> list[dict[str, Any]]:
    """Return a member's payments, oldest first; each row has the columns of the CSV.

    Payments booked by mistake and reversed are left out.

    Raises:
        NotFound: there is no such member.
    """
    with context.store.read() as work:
        payments = _payments(work, require_member(work, member_id))
    return [one for one in payments if one["dispute"] != PaymentState.REVERSED]


def export_member(context: Context, member_id: str) -> dict[str, Any]:
    """Return all data about a member.

    It contains no votes: no record links a member to a choice.

    Raises:
        NotFound: there is no such member.
    """
    with context.store.read() as work:
        member = require_member(work, member_id)
        pledge = work.pledges.get(member.id)
        pending = work.registrations.by_member(member.id)
        return {
            "exportedAt": context.now().isoformat(),
            "profile": profile_document(context, work, member),
            "memberKey": member.key,
            "joinedAt": member.joined_at.isoformat(),
            "consents": [
                {
                    "purpose": consent.purpose,
                    "given": consent.given,
                    "wording": consent.wording,
                    "source": consent.source,
                    "at": consent.at.isoformat(),
                }
                for consent in work.members.consents(member.id)
            ],
            "paymentProvider": {
                "customer": pledge.customer_id if pledge else None,
                "subscription": pledge.subscription_id if pledge else None,
            },
            "passkeys": [
                {"name": each.name, "addedOn": each.added_on.isoformat()}
                for each in work.passkeys.of_member(member.id)
            ],
            "pledge": None if pledge is None else _pledge(pledge),
            "registrationSince": None if pending is None else pending.started_at.isoformat(),
            "newsletter": _newsletter(work.access.reader(member.email)),
            "pledgeHistory": [
                {"at": c.at.isoformat(), "state": c.state.value, "dollars": c.dollars}
                for c in work.pledges.changes_of(member.key)
            ],
            "payments": _payments(work, member),
            "entries": _entries(work, member),
            "actsOfOperators": _acts(work, member),
            "letters": [
                {
                    "kind": each.kind,
                    "at": each.created_at.isoformat(),
                    "text": _without_codes(each.doc),
                }
                for each in work.outbox.of_member(member.id)
            ],
        }


def _without_codes(text: Mapping[str, Any]) -> dict[str, Any]:
    """Return an email's values without the codes in its links.

    Only a reader of the mailbox may have them: otherwise a stolen session could use the export to
    reset the password, or to confirm another person's address.
    """
    return {name: str(value).partition("?code=")[0] for name, value in text.items()}


def _next_charges(pledge: Pledge | None, *, today: date) -> list[dict[str, Any]]:
    """Return the amounts and dates of the next card charges."""
    if pledge is None or pledge.way is not PaymentWay.CARD:
        return []
    days = islice(charges_ahead(pledge, today=today), SHOWN_CHARGES)
    return [{"date": day.isoformat(), "amountCents": pledge.dollars * 100} for day in days]


def _pledge(pledge: Pledge) -> dict[str, Any]:
    return {
        "dollars": pledge.dollars,
        "billingDay": pledge.billing_day.value,
        "state": pledge.state.value,
        "startedAt": pledge.started_at.isoformat(),
        "anchorOn": pledge.anchor_on.isoformat(),
        "nextChargeOn": _day(pledge.next_charge_on),
        "skipsOn": _day(pledge.skips_on),
        "resumesOn": _day(pledge.resumes_on),
        "pastDueSince": pledge.past_due_since.isoformat() if pledge.past_due_since else None,
        "cardExpiresOn": _day(pledge.card_expires_on),
        "way": pledge.way.value,
        "reference": pledge.reference,
    }


def _newsletter(reader: Reader | None) -> dict[str, Any] | None:
    if reader is None:
        return None
    confirmed = reader.confirmed_at
    return {
        "wording": reader.wording,
        "source": reader.source,
        "askedAt": reader.asked_at.isoformat(),
        "confirmedAt": None if confirmed is None else confirmed.isoformat(),
    }


def _entries(work: UnitOfWork, member: Member) -> list[dict[str, Any]]:
    """Return the member's entries, with the operators' notes."""
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


def _payments(work: UnitOfWork, member: Member) -> list[dict[str, Any]]:
    records = work.payments.of_member(member.key)
    entries = work.journal.many(record.index for record in records)
    return [_payment(record, entries[record.index].id) for record in records]


def _payment(record: PaymentRecord, entry_id: str) -> dict[str, Any]:
    return {
        "date": record.day.isoformat(),
        "kind": record.kind,
        "amountCents": record.cents,
        "returnedCents": record.returned_cents,
        "dispute": record.dispute,
        "entry": entry_id,
    }


def _todo(item: TodoItem) -> Mapping[str, Any]:
    return {
        "id": item.id,
        "title": item.title,
        "description": item.description,
        "completed": item.completed,
        "icon": item.icon,
        "actionText": item.action_text,
    }


def _day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
