"""Promises to pay without a card: from the website, by an operator, or a file of them.

A promise gives no vote and no access: until the first payment arrives, the session can only
show how to pay, switch to a card, or leave. The address still counts as available, but only the
same person, with the same password, can sign up with it. Who promises is told by email how to pay.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

from jara.domain.control.effects import Touch
from jara.domain.errors import Conflict, EmailTaken, InvalidInput, JaraError, NotFound, blaming
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.changemaker import may_vote_until
from jara.domain.giving.member import Member, Registration, RegistrationForm, parse_registration
from jara.domain.giving.newcomer import Promised
from jara.domain.giving.payment_way import PaymentWay, make_reference
from jara.domain.giving.pledge import (
    PLEDGE_DOLLARS_DEFAULT,
    Pledge,
    PledgeState,
    parse_pledge,
    start_pledge,
)
from jara.domain.texts import listing
from jara.domain.voting.proposal import ProposalStatus
from jara.services import idempotency
from jara.services.approvals import needs_another
from jara.services.audit import record_act, require_operator
from jara.services.context import Context
from jara.services.giving.joining import add_member, begin, take_up_earlier
from jara.services.giving.pledge_changes import PledgeChange, change_or_start
from jara.services.giving.pledging import cancel_pledge
from jara.services.giving.registration import within_limits
from jara.services.giving.subscription_sync import StartedPledge
from jara.services.members.profiles import PLEDGE_CHANGED, require_member
from jara.services.payments.receiving import follow_pledge
from jara.services.payments.ways import ledger_of, pay_details, queue_how_to_pay
from jara.services.rate_limits import Limits, MailCause, mail_uses, require_room
from jara.store.unit_of_work import UnitOfWork

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
            raise Conflict(PLEDGE_CHANGED)
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
        renewed = _renew(context, promised, registration.dollars, form.way, request)
        if renewed is not None:
            return renewed
    adopted = take_up_earlier(context, registration)
    if adopted is not None:
        return adopted.member
    pending = begin(context, registration)
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
) -> Member | None:
    """Change an unpaid promise; return None if it was paid while the password was checked."""
    with context.store.write() as work:
        if work.pledges.get(promised.member_id) != promised:
            return None
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


PROMISE_ACTION = "payments.promise"


class PromiseRow(NamedTuple):
    """A row of a file of promises."""

    line: int
    member: str  # the member, as the file names them: an address, a name or an id
    promised: Promised | None  # the promise; None if it cannot be read
    fault: str = ""  # what is wrong with it, else empty


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
