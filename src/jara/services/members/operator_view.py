"""Views of members for operators: filtered lists, and the details of one member.

They never use a vote's key: an operator sees that a member took part in a vote only after the
key was destroyed and the list of participants was written.
"""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

from jara.domain.books.payment_state import PaymentState
from jara.domain.countries import find_country
from jara.domain.giving.payment_way import print_reference
from jara.domain.giving.pledge import PledgeState
from jara.domain.lookup import fold
from jara.records.payments import PaymentQuery
from jara.services.context import Context
from jara.services.members.documents import MemberLine, list_members, profile_document

_NEWEST = 10


class MemberQuery(NamedTuple):
    """Which members to list: all conditions hold together.

    Args:
        text: part of the name, the address or the id.
        country: name, code or short form.
        states: states of the pledge.
        since: joined on this day or later.
    """

    text: str | None = None
    country: str | None = None
    states: tuple[PledgeState, ...] = ()
    since: date | None = None


def search_members(context: Context, query: MemberQuery) -> list[MemberLine]:
    """Return the matching members, in order of joining.

    Raises:
        InvalidInput: there is no such country.
    """
    country = None
    if query.country is not None:
        country = find_country(query.country, context.rules.countries)
    return [
        line
        for line in list_members(context)
        if (country is None or line.member.country == country)
        and (not query.states or line.pledge_status in query.states)
        and (query.since is None or line.member.joined_at.date() >= query.since)
        and (query.text is None or _has(line, fold(query.text)))
    ]


def show_to_operator(context: Context, text: str) -> dict[str, Any]:
    """Return a member's profile with the newest payments and emails.

    Raises:
        NotFound: there is no such member.
        Conflict: several members match.
    """
    with context.store.read() as work:
        member = work.members.find(text)
        account = work.pledges.account(member.id, now=context.now())
        reference = None if account.pledge is None else account.pledge.reference
        payments = work.payments.of_member(member.key)
        newest = work.payments.search(PaymentQuery(member_key=member.key, limit=_NEWEST))
        emails = work.outbox.of_member(member.id)[:_NEWEST]
        return {
            **profile_document(context, work, member),
            "votes": dict.fromkeys(work.ballots.participations(member.id), "voted"),
            "reference": None if reference is None else print_reference(reference),
            "paidCents": sum(
                record.cents - record.returned_cents
                for record in payments
                if record.state is not PaymentState.REVERSED
            ),
            "payments": [
                {
                    "date": line.record.day.isoformat(),
                    "entry": line.entry,
                    "kind": line.record.kind,
                    "amountCents": line.record.cents,
                    "returnedCents": line.record.returned_cents,
                    "state": line.record.state.value,
                }
                for line in newest
            ],
            "emails": [
                {
                    "kind": email.kind,
                    "at": email.created_at,
                    "sent": email.sent_at is not None,
                }
                for email in emails
            ],
        }


def _has(line: MemberLine, text: str) -> bool:
    member = line.member
    return any(text in fold(one) for one in (member.names[0], member.email, member.id))
