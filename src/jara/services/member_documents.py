"""What is known of a member, as documents: the profile, the export, the payments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from jara.domain.giving.member import Member
from jara.domain.giving.pledge import Pledge, PledgeState
from jara.domain.giving.todo import TodoItem, todo_list
from jara.services.context import Context
from jara.services.electorate import voting_day
from jara.services.ports.books import PaymentRecord
from jara.services.ports.database import UnitOfWork
from jara.services.profiles import require_member

PAYMENT_COLUMNS = ("date", "kind", "amountCents", "returnedCents", "dispute", "entry")


@dataclass(frozen=True, slots=True)
class PledgeLine:
    """A pledge in the operator's list, with whose it is."""

    member: Member
    pledge: Pledge


@dataclass(frozen=True, slots=True)
class MemberLine:
    """A member in the operator's list."""

    member: Member
    pledge_status: str | None
    dollars: int | None


def list_members(context: Context) -> list[MemberLine]:
    """Return every member with how their pledge stands, in order of joining."""
    with context.store.read() as work:
        pledges = {pledge.member_id: pledge for pledge in work.pledges.all()}
        lines = []
        for member in work.members.all():
            pledge = pledges.get(member.id)
            status = None if pledge is None else pledge.state.value
            lines.append(MemberLine(member, status, pledge.dollars if pledge else None))
    return lines


def list_pledges(context: Context, states: Sequence[PledgeState] = ()) -> list[PledgeLine]:
    """Return the pledges in these states, or all, in order of joining."""
    wanted = states or tuple(PledgeState)
    with context.store.read() as work:
        pledges = {pledge.member_id: pledge for pledge in work.pledges.in_states(*wanted)}
        return [
            PledgeLine(member, pledges[member.id])
            for member in work.members.all()
            if member.id in pledges
        ]


def profile_document(context: Context, work: UnitOfWork, member: Member) -> dict[str, Any]:
    """Return a member as the website shows them (contract, ``user``)."""
    pledge = work.pledges.get(member.id)
    may_vote = voting_day(work, member.id, member.key, context.now())
    return {
        "id": member.id,
        "firstname": member.firstname,
        "lastname": member.lastname,
        "email": member.email,
        "country": member.country,
        "subscriptionAmount": pledge.dollars if pledge else 0,
        "billingDay": pledge.billing_day.value if pledge else None,
        "pledgeStatus": pledge.state.value if pledge else None,
        "nextChargeOn": _day(pledge.next_charge_on) if pledge else None,
        "skipsOn": _day(pledge.skips_on) if pledge else None,
        "mayVoteFrom": _day(may_vote),
        "memberSince": member.joined_at.date().isoformat(),
        "notifications": member.notifications,
        "votes": dict.fromkeys(work.ballots.participations(member.id), "voted"),
        "todo": [_todo(item) for item in todo_list(work.members.todo_done(member.id))],
    }


def show_member(context: Context, member_id: str) -> dict[str, Any]:
    """Return a member's profile.

    Raises:
        NotFound: there is no such member.
    """
    with context.store.read() as work:
        return profile_document(context, work, require_member(work, member_id))


def list_payments(context: Context, member_id: str) -> list[dict[str, Any]]:
    """Return a member's payments, oldest first; each row has the columns of the CSV.

    Raises:
        NotFound: there is no such member.
    """
    with context.store.read() as work:
        return _payments(work, require_member(work, member_id))


def export_member(context: Context, member_id: str) -> dict[str, Any]:
    """Return everything that is held about a member (design, 'Members').

    The choice of a vote is not in it: no record holds a name and a choice (trust §2).

    Raises:
        NotFound: there is no such member.
    """
    with context.store.read() as work:
        member = require_member(work, member_id)
        pledge = work.pledges.get(member.id)
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
            "pledgeHistory": [
                {"at": c.at.isoformat(), "state": c.state.value, "dollars": c.dollars}
                for c in work.pledges.changes_of(member.key)
            ],
            "payments": _payments(work, member),
            "letters": [
                {"kind": each.kind, "at": each.created_at.isoformat(), "text": dict(each.doc)}
                for each in work.outbox.of_member(member.id)
            ],
        }


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
