"""Promises to pay without a card, one or a file of them: each is told by email how to pay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

from jara.domain.control.effects import Touch
from jara.domain.errors import Conflict, InvalidInput, JaraError
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.member import Member
from jara.domain.giving.newcomer import Promised
from jara.domain.giving.payment_way import PaymentWay, make_reference
from jara.domain.giving.pledge import Pledge, PledgeState, parse_pledge, start_pledge
from jara.domain.texts import listing
from jara.domain.voting.proposal import ProposalStatus
from jara.services.approvals import needs_another
from jara.services.audit import record_act, require_operator
from jara.services.context import Context
from jara.services.payments.receiving import follow_pledge
from jara.services.payments.ways import ledger_of, queue_how_to_pay
from jara.store.unit_of_work import UnitOfWork

PROMISE_ACTION = "payments.promise"


class PromiseRow(NamedTuple):
    """A row of a file of promises.

    Args:
        line: its line in the file.
        member: the member, as the file names them: an address, a name or an id.
        promised: the promise; None if it cannot be read.
        fault: what is wrong with it, else empty.
    """

    line: int
    member: str
    promised: Promised | None
    fault: str = ""


class PromiseResult(NamedTuple):
    """What became of a row: the promise, or what is wrong."""

    row: PromiseRow
    pledge: Pledge | None = None
    is_new: bool = False


def promise(context: Context, text: str, *, dollars: object, way: PaymentWay) -> Pledge:
    """Record that a member will pay a pledge without a card; return it with its reference.

    A new amount or way of such a pledge takes effect at once, and the reference stays.

    Raises:
        NotFound: there is no such member, or the way is not set up.
        Conflict: the pledge is paid by card; cancel it first.
    """
    promised = Promised(parse_pledge(dollars), way)
    with context.store.write() as work, _no_vote_taken(context, work):
        return _promise(context, work, work.members.find(text), promised)


def promise_all(context: Context, rows: Sequence[PromiseRow]) -> list[PromiseResult]:
    """Record the promises of a file, all or none; a promise that is there already stays.

    Returns:
        A result for each row. If a row has a fault, nothing is recorded.

    Raises:
        Refused: operators are listed, and the acting one is not among them.
    """
    results: list[PromiseResult] = []
    lines: dict[str, int] = {}
    with context.store.write() as work, _no_vote_taken(context, work):
        require_operator(context, work, PROMISE_ACTION)
        for row in rows:
            try:
                results.append(_read_row(context, work, row, lines))
            except JaraError as error:
                results.append(PromiseResult(row._replace(fault=error.message)))
        if any(one.row.fault for one in results):
            return results
        return [
            one._replace(pledge=_promise(context, work, work.members.find(one.row.member), wish))
            if one.is_new and (wish := one.row.promised) is not None
            else one
            for one in results
        ]


@contextmanager
def _no_vote_taken(context: Context, work: UnitOfWork) -> Iterator[None]:
    """Check that new promises take nobody's vote while one is open, on one operator's word.

    Raises:
        Conflict: they do; the members may change their promises by themselves.
    """
    before = work.electors.member_ids(context.now())
    yield
    lost = before - work.electors.member_ids(context.now())
    is_open = bool(work.proposals.all(ProposalStatus.OPEN))
    if lost and is_open and needs_another(context, work, PROMISE_ACTION, (Touch.VOTERS,)):
        names = listing([one.label for one in work.members.all() if one.id in lost])
        raise Conflict(
            f"A vote is open, and this takes the right to vote of {names}. Members change their "
            "promises on the site at any time; operators do after the vote."
        )


def _read_row(
    context: Context, work: UnitOfWork, row: PromiseRow, lines: dict[str, int]
) -> PromiseResult:
    if row.promised is None or row.fault:
        return PromiseResult(row)
    member = work.members.find(row.member)
    if lines.setdefault(member.id, row.line) != row.line:
        raise InvalidInput(f"Line {lines[member.id]} has this member already.")
    ledger_of(context, work, row.promised.way)
    earlier = _require_free(work, member)
    same = earlier is not None and Promised(earlier.dollars, earlier.way) == row.promised
    is_new = not same or earlier is None or earlier.state is PledgeState.CANCELED
    return PromiseResult(row, earlier, is_new)


def _require_free(work: UnitOfWork, member: Member) -> Pledge | None:
    """Return the pledge of a living member, which must not run by card."""
    if (died_on := work.members.contact(member.id).died_on) is not None:
        raise Conflict(f"{member.names[0]} died on {died_on}.")
    pledge = work.pledges.get(member.id)
    if pledge is not None and pledge.is_by_card:
        raise Conflict(
            f"The pledge of {member.label} is paid by card; cancel it first: "
            f"jara pledges cancel {member.email or member.id}"
        )
    return pledge


def _promise(context: Context, work: UnitOfWork, member: Member, promised: Promised) -> Pledge:
    ledger_of(context, work, promised.way)
    _require_free(work, member)
    pledge = put_promise(context, work, member, promised)
    facts = {"way": promised.way.value}
    record_act(context, work, PROMISE_ACTION, member.key, facts=facts)
    return pledge


def put_promise(context: Context, work: UnitOfWork, member: Member, promised: Promised) -> Pledge:
    """Store a promise of a member whose pledge does not run by card, and email how to pay it."""
    dollars, way = promised
    earlier = work.pledges.get(member.id)
    if earlier is not None and earlier.way is not PaymentWay.CARD:
        reference = earlier.reference
    else:
        reference = make_reference(context.entropy.token(6))
    if earlier is not None and earlier.state is not PledgeState.CANCELED:
        # First with the earlier amount, which the history then dates rightly.
        earlier = follow_pledge(context, work, member.key, earlier)
        pledge = replace(earlier, dollars=dollars, way=way)
    else:
        pledge = new_promise(context, member, dollars, way)
    pledge = replace(pledge, reference=reference)
    work.pledges.put(pledge, member_key=member.key, at=context.now())
    queue_how_to_pay(context, work, member, pledge)
    return follow_pledge(context, work, member.key, pledge)


def new_promise(context: Context, member: Member, dollars: int, way: PaymentWay) -> Pledge:
    """Return a pledge that is not paid by card, before its first payment."""
    started = start_pledge(
        pledge_id=context.new_id(),
        member_id=member.id,
        dollars=dollars,
        billing_day=BillingDay.CURRENT,
        now=context.now(),
        zone=context.zone,
    )
    return replace(started, way=way, next_charge_on=None)
