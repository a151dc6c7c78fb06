"""What operators see of members, and do for them: lists, details, acts in the audit log.

The views never use a vote's key: an operator sees that a member took part in a vote only after
the key was destroyed and the list of participants was written.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from datetime import date
from functools import partial
from typing import Any, NamedTuple, TypeVar

from jara.documents import Document, to_document
from jara.domain.books.payment_state import PaymentState
from jara.domain.content.values import check_line
from jara.domain.control.effects import Touch
from jara.domain.countries import find_country
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.giving.member import Member, address_spellings
from jara.domain.giving.payment_way import PaymentWay, print_reference
from jara.domain.giving.pledge import Pledge, PledgeState
from jara.domain.lookup import plain_text
from jara.domain.voting.tally import Choice
from jara.records.operations import Approval
from jara.records.payments import PaymentQuery
from jara.services.approvals import Handler, is_continued, require_approval
from jara.services.audit import record_act, require_operator
from jara.services.authority import touches_voters
from jara.services.ballots.casting import cards_of, cast_ballot
from jara.services.context import Context
from jara.services.members.accounts import ERASE_ACTION, erase_member
from jara.services.members.address_changes import MEMBER
from jara.services.members.contributors import keep_handles
from jara.services.members.documents import read_profile
from jara.services.members.editing import REMOVE_ADDRESS, drop_address
from jara.services.members.profiles import require_member
from jara.services.publiclog.receipts import Receipt

CONFIRM_ACTION = "members.confirm"
SHARE_ACTION = "members.share-card"
_NEWEST = 10

Result = TypeVar("Result")


class PledgeLine(NamedTuple):
    """A pledge in the operator's list, with its member."""

    member: Member
    pledge: Pledge


class MemberLine(NamedTuple):
    """A member in the operator's list, with their pledge."""

    member: Member
    pledge: Pledge | None


class PledgeQuery(NamedTuple):
    """Which pledges to list: all conditions hold together."""

    states: Sequence[PledgeState] = ()  # their states; none: any
    ways: Sequence[PaymentWay] = ()  # how they are paid; none: in any way
    text: str | None = None  # part of the member's name, address or id, or of the reference
    since: date | None = None  # made on this day or later


_EVERY_PLEDGE = PledgeQuery()


def list_pledges(context: Context, query: PledgeQuery = _EVERY_PLEDGE) -> list[PledgeLine]:
    """Return the matching pledges, in order of joining."""
    since = None if query.since is None else context.zone.start_of(query.since)
    wanted = query.states or tuple(PledgeState)
    paid_so = query.ways or tuple(PaymentWay)
    with context.store.read() as work:
        matching = [one for one in work.pledges.in_states(*wanted) if one.way in paid_so]
        pledges = {pledge.member_id: pledge for pledge in matching}
        lines = [
            PledgeLine(member, pledges[member.id])
            for member in work.members.all()
            if member.id in pledges
        ]
    return [
        line
        for line in lines
        if (since is None or line.pledge.started_at >= since)
        and (query.text is None or _has(line.member, query.text, line.pledge.reference or ""))
    ]


class MemberQuery(NamedTuple):
    """Which members to list: all conditions hold together."""

    text: str | None = None  # part of the name, the address or the id
    country: str | None = None  # name, code or short form
    states: tuple[PledgeState, ...] = ()
    since: date | None = None  # joined on this day or later


_EVERY_MEMBER = MemberQuery()


def search_members(context: Context, query: MemberQuery = _EVERY_MEMBER) -> list[MemberLine]:
    """Return the matching members, in order of joining.

    Raises:
        InvalidInput: there is no such country.
    """
    country = None
    if query.country is not None:
        country = find_country(query.country, context.rules.countries)
    since = None if query.since is None else context.zone.start_of(query.since)
    with context.store.read() as work:
        pledges = {pledge.member_id: pledge for pledge in work.pledges.all()}
        lines = [MemberLine(member, pledges.get(member.id)) for member in work.members.all()]
    return [
        line
        for line in lines
        if (country is None or line.member.country == country)
        and (not query.states or (line.pledge is not None and line.pledge.state in query.states))
        and (since is None or line.member.joined_at >= since)
        and (query.text is None or _has(line.member, query.text))
    ]


def show_to_operator(context: Context, text: str) -> Document:
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
            **to_document(read_profile(context, work, member)),
            **to_document(work.members.contact(member.id), omit={"member_id"}),
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
                {"kind": email.kind, "at": email.created_at, "sent": email.sent_at is not None}
                for email in emails
            ],
        }


def _has(member: Member, text: str, reference: str = "") -> bool:
    texts = [member.names[0], *address_spellings(member.email), member.id]
    texts += [reference, print_reference(reference)] if reference else []
    return any(plain_text(text) in plain_text(one) for one in texts)


def act_for_member(
    context: Context, action: str, member: Member, act: Callable[[], Result], *, why: str = ""
) -> Result:
    """Act for a member as an operator, and record it in the audit log.

    Raises:
        Refused: operators are listed, and the acting one is not among them.
    """
    with context.store.write() as work:
        require_operator(context, work, action)
        before = work.pledges.get(member.id)
    result = act()
    with context.store.write() as work:
        changed = _changed(before, work.pledges.get(member.id))
        record_act(context, work, action, member.key, why=why, changed=changed)
    return result


def take_vote(
    context: Context,
    action: str,
    member: Member,
    act: Callable[[], Result],
    *,
    why: str = "",
    more: Mapping[str, str] | None = None,
) -> Result | Approval:
    """Act for a member who may not vote afterwards; while a vote is open, others must sign.

    `action` is one of `HANDLERS`; the reason is shown to the other operators, and the signatures
    also cover `more`.
    """
    with context.store.write() as work:
        if context.approved is not None or touches_voters(context, work, member):
            waiting = require_approval(
                context,
                work,
                action=action,
                payload={MEMBER: member.id, "why": why, **(more or {})},
                why=why,
                touches=[Touch.VOTERS],
                is_outside=True,
            )
            if waiting is not None:
                return waiting
    return act()


def erase_by_operator(context: Context, member: Member, *, why: str) -> Member | Approval:
    """Erase a member as an operator; see `erase_member`."""
    erase = partial(erase_member, context, member.id, why=why)
    return take_vote(context, ERASE_ACTION, member, erase, why=why)


def remove_address(context: Context, member: Member, *, why: str) -> Member | Approval:
    """Remove a member's address: no sign-in, no emails, and no vote, until there is one again.

    While a vote is open in which the member may vote, another operator must approve it. A ballot
    that was cast stays counted, and the old address hears of it at the close.

    Raises:
        InvalidInput: there is no address.
    """
    if not member.email and is_continued(context):
        return member  # it was removed before the interruption
    if not member.email:
        raise InvalidInput(f"{member.label} has no address.")
    remove = partial(drop_address, context, member.id, why=why)
    return take_vote(context, REMOVE_ADDRESS, member, remove, why=why)


def confirm_member(context: Context, text: str) -> Member:
    """Confirm a member's address as an operator, in a sandbox organisation only.

    Raises:
        Conflict: payments are not the sandbox's.
        NotFound: there is no such member.
    """
    with context.store.write() as work:
        require_operator(context, work, CONFIRM_ACTION)
        member = work.members.find(text)._replace(email_confirmed=True)
        work.access.remove_pending_address(member.id)
        work.members.update(member)
        keep_handles(context, work, member)
        record_act(context, work, CONFIRM_ACTION, member.key, changed=("email_confirmed",))
    return member


def allow_shared_card(context: Context, text: str, *, why: str) -> Member | Approval:
    """Allow every member who pays with a card of this member to vote, such as a family.

    Without this, a card has one vote on each proposal. If there are limits, others must sign.

    Raises:
        NotFound: there is no such member.
        Conflict: the member's pledge has no known card.
    """
    check_line("reason", why)
    with context.store.write() as work:
        member = work.members.find(text)
        pledge = work.pledges.get(member.id)
        cards = set(cards_of(work, member, pledge, context.now()))
        if pledge is not None and pledge.card_fingerprint is not None:
            cards.add(pledge.card_fingerprint)
        if not cards:
            raise Conflict(f"'{text}' shares no card or account: none is known of that pledge.")
        waiting = require_approval(
            context, work, action=SHARE_ACTION, payload={MEMBER: member.id, "why": why}, why=why
        )
        if waiting is not None:
            return waiting
        for card in sorted(cards):
            work.pledges.share_card(card, at=context.now(), why=why)
        record_act(context, work, SHARE_ACTION, member.key, why=why)
    return member


def act_on_sandbox(context: Context, action: str, act: Callable[[], Result]) -> Result:
    """Act on sandbox payments as an operator, and record it in the audit log.

    Raises:
        Refused: operators are listed, and the acting one is not among them.
    """
    with context.store.write() as work:
        require_operator(context, work, action)
    result = act()
    with context.store.write() as work:
        record_act(context, work, action, "sandbox")
    return result


def cast_for_member(context: Context, proposal: str, member: str, choice: Choice) -> Receipt:
    """Cast a member's ballot as an operator, in a sandbox organisation only.

    Raises:
        Conflict: payments are live.
        NotFound: there is no such proposal or member; and whatever ``cast_ballot`` raises.
    """
    with context.store.read() as work:
        member_id = work.members.find(member).id
    return act_on_sandbox(
        context,
        "votes.cast",
        lambda: cast_ballot(context, proposal, member_id, choice),
    )


def _changed(before: Pledge | None, after: Pledge | None) -> list[str]:
    """Return the names of a pledge's changed fields, without values."""
    return [
        field.name
        for field in fields(Pledge)
        if getattr(before, field.name, None) != getattr(after, field.name, None)
    ]


def member_of(context: Context, payload: Mapping[str, Any]) -> Member:
    """Return the member whom a waiting act concerns.

    Raises:
        NotFound: the account is closed.
    """
    with context.store.read() as work:
        return require_member(work, payload[MEMBER])


def _erase_approved(context: Context, payload: Mapping[str, Any]) -> object:
    with context.store.read() as work:
        is_gone = work.members.get(payload[MEMBER]) is None
    if is_gone and is_continued(context):
        return None  # it was erased before the interruption
    return erase_by_operator(context, member_of(context, payload), why=payload["why"])


HANDLERS: Mapping[str, Handler] = {
    ERASE_ACTION: _erase_approved,
    REMOVE_ADDRESS: lambda context, payload: remove_address(
        context, member_of(context, payload), why=payload["why"]
    ),
    SHARE_ACTION: lambda context, payload: allow_shared_card(
        context, payload[MEMBER], why=payload["why"]
    ),
}
