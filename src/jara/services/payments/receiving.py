"""Pledges that are paid by bank transfer, in cash, by mobile money or by cheque.

A promise gives no vote. A payment is a contribution like a card payment, and counts for the
months it covers plus 14 days.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from hashlib import sha256
from typing import NamedTuple

from jara.domain.bank.matching import NEAR
from jara.domain.books.account import AccountType, account_type
from jara.domain.books.fund_policy import policy_in_force
from jara.domain.books.journal import JournalEntry, PostedEntry
from jara.domain.books.movements import MovementFacts
from jara.domain.books.other_ways import RECEIVED, Received, payment_entry, refund_entry
from jara.domain.books.payment_state import PaymentState
from jara.domain.books.years import require_near
from jara.domain.errors import Conflict, DuplicateEntry, InvalidInput, NotFound
from jara.domain.giving.member import Member, parse_email, parse_name
from jara.domain.giving.payment_way import PaymentProof, PaymentWay, make_reference, parse_reference
from jara.domain.giving.pledge import Pledge, PledgeState
from jara.domain.giving.standing import stand
from jara.records.operations import Approval
from jara.records.payments import GiftPromise, PaymentRecord
from jara.services.audit import record_act
from jara.services.books.papers import attach_papers
from jara.services.books.posting import Books
from jara.services.context import Context
from jara.services.notices.emails import queue_welcome
from jara.services.payments.gift_promises import book_gift
from jara.services.payments.vouching import ask_to_vouch
from jara.services.payments.ways import ledger_of
from jara.services.ways_in import ways_offered
from jara.store.unit_of_work import UnitOfWork

RECEIVE_ACTION = "payments.receive"
Find = Callable[[UnitOfWork], PostedEntry | None]
"""Finds what an operator may be about to book twice."""


class BookedPayment(NamedTuple):
    """The entry of a payment, and the approval that its vote waits for, if any."""

    posted: PostedEntry
    waiting: Approval | None


def receive(
    context: Context,
    text: str,
    cents: int,
    *,
    day: date | None = None,
    name: str | None = None,
    way: PaymentWay | None = None,
    unless: Find = lambda _: None,
) -> BookedPayment:
    """Book a payment of a member or a giver, known by the reference, or by the member's address.

    If operators have keys, its vote waits until a second one has approved. `text` is the pledge's
    reference, or the member; the day is today when None, and the way that of the pledge. `name` is
    the payment's id elsewhere, such as a receipt's number, so that it is posted once. `unless`
    finds an equal payment, which may be booked while an operator is asked.

    Raises:
        NotFound: there is no such member, or the way is not set up.
        InvalidInput: the way is the card.
        Conflict: the member has no pledge paid without a card, or an equal payment is booked.
        DuplicateEntry: a payment with that name is posted already.
    """
    when = _day_by_hand(context, day, way)
    with context.store.write() as work:
        _require_none(unless(work))
        gift = _gift(work, text)
        if gift is not None:
            gift = gift._replace(way=way or gift.way)
            return _receive_gift(context, work, gift, cents, when, name)
        member, pledge = find_payer(work, text)
        paid_by = way or pledge.way
        outside = f"{RECEIVED}{name or context.new_key('')}"
        _require_new(work, name, outside)
        received = Received(when, cents, paid_by.value, ledger_of(context, work, paid_by), outside)
        posted = post_received(Books(context, work), member.key, received)
        follow_pledge(context, work, member.key, pledge)
        payment = work.payments.by_index(posted.index)
        waiting = None
        if payment is not None and payment.proof is PaymentProof.NONE:
            waiting = ask_to_vouch(context, work, payment, why=f"paid by {paid_by.phrase}")
        attach_papers(context, work, posted.index)
        record_act(context, work, RECEIVE_ACTION, posted.id, facts={"cents": cents})
    return BookedPayment(posted, waiting)


class Giver(NamedTuple):
    """Somebody without an account who gives: the receipt goes to the address, if there is one."""

    name: str
    email: str = ""


def receive_from(
    context: Context,
    giver: Giver,
    cents: int,
    *,
    day: date | None = None,
    name: str | None = None,
    way: PaymentWay | None = None,
    unless: Find = lambda _: None,
) -> PostedEntry:
    """Book a one-time gift of somebody without an account; it follows the split.

    The giver's name is the entry's note, which is not public; the address is kept like that of a
    gift from the website. The day is today when None; the way may be None if only one is set up.
    `name` is the gift's id elsewhere, so that it is posted once; `unless` is as for `receive`.

    Raises:
        InvalidInput: a value breaks its rule, or the way must be said.
        Conflict: an equal gift is booked.
        NotFound: the way is not set up.
        DuplicateEntry: a gift with that name is posted already.
    """
    when = _day_by_hand(context, day, way)
    checked = Giver(parse_name(giver.name), parse_email(giver.email) if giver.email else "")
    with context.store.write() as work:
        _require_none(unless(work))
        ways = [PaymentWay(setting.way) for setting in ways_offered(context, work)]
        if way is None and len(ways) != 1:
            raise InvalidInput(f"Say how it was paid: --way {'|'.join(ways) or 'cash'}")
        # An id gives the reference, so that the same id is the same gift.
        draw = sha256(name.encode()).digest() if name else context.entropy.token(6)
        gift = GiftPromise(
            reference=make_reference(draw),
            cents=cents,
            way=way or ways[0],
            email=checked.email,
            name=checked.name,
            language=context.rules.language,
            promised_at=context.now(),
        )
        return _receive_gift(context, work, gift, cents, when, name, note=gift.name).posted


def _day_by_hand(context: Context, day: date | None, way: PaymentWay | None) -> date:
    """Return the day of a payment that an operator books; one by card is not booked by hand."""
    if way is PaymentWay.CARD:
        context.require_cards()
        raise InvalidInput("Card payments come from the payment provider: jara ledger reconcile")
    when = day or context.today()
    require_near(when, today=context.today())
    return when


def _gift(work: UnitOfWork, text: str) -> GiftPromise | None:
    """Return the gift on the way that a reference is of."""
    try:
        return work.gift_promises.get(parse_reference(text))
    except InvalidInput:
        return None


def _receive_gift(
    context: Context,
    work: UnitOfWork,
    gift: GiftPromise,
    cents: int,
    day: date,
    name: str | None,
    *,
    note: str | None = None,
) -> BookedPayment:
    # A bank line with the reference then finds this entry. A second payment needs an id.
    outside = f"{RECEIVED}{gift.reference}{f':{name}' if name else ''}"
    _require_new(work, name or gift.reference, outside)
    received = Received(day, cents, gift.way.value, ledger_of(context, work, gift.way), outside)
    posted = book_gift(context, work, Books(context, work), gift, received, note=note)
    attach_papers(context, work, posted.index)
    record_act(context, work, RECEIVE_ACTION, posted.id, facts={"cents": cents})
    return BookedPayment(posted, None)


def _require_none(equal: PostedEntry | None) -> None:
    if equal is not None:
        raise Conflict(f"The same is booked already, as {equal.id}, at this moment.")


def find_equal(context: Context, find: Find) -> PostedEntry | None:
    """Return an equal payment or gift that is booked already."""
    with context.store.read() as work:
        return find(work)


def equal_payment(work: UnitOfWork, text: str, cents: int, day: date) -> PostedEntry | None:
    """Return a kept payment of a member that another one of this day and amount may repeat.

    It has the same day, or a bank statement shows it on a near day.

    Raises:
        NotFound: there is no such member.
        Conflict: the member has no pledge paid without a card.
    """
    if _gift(work, text) is not None:
        return None
    member, _ = find_payer(work, text)
    for payment in reversed(work.payments.of_member(member.key)):
        is_near = payment.day == day or (
            payment.proof is PaymentProof.STATEMENT and abs(payment.day - day) <= NEAR
        )
        if is_near and payment.cents == cents and payment.is_kept:
            return work.journal.get(payment.index)
    return None


def post_received(
    books: Books,
    member_key: str,
    received: Received,
    *,
    is_new: bool = False,
    proof: PaymentProof | None = None,
    payer: str | None = None,
) -> PostedEntry:
    """Post a contribution; `follow_pledge` then updates the pledge.

    ``payer`` is the fingerprint of the account that paid, if it is known.

    Raises:
        InvalidInput: the amount is not positive.
        DuplicateEntry: it is posted already, unless `is_new` says that this was checked.
    """
    policy = policy_in_force(books.policies, received.day)
    facts = MovementFacts(policy=policy, member_key=member_key, locked_years=books.locked_years)
    entry = payment_entry(received, facts)
    return books.post(
        entry, charge_id=received.external_id, is_new=is_new, proof=proof, card_fingerprint=payer
    )


def refund_of(
    work: UnitOfWork,
    books: Books,
    payment: PaymentRecord,
    *,
    cents: int,
    day: date,
    name: str,
    paid_from: str | None = None,
    by_bank: bool = False,
) -> JournalEntry:
    """Return the entry of a refund of a payment made without a card, or of its return by the bank.

    It leaves the account `paid_from`, or the one that the payment came to.
    """
    paid = work.journal.get(payment.index).entry
    ledger = paid_from or next(
        p.account for p in paid.postings if account_type(p.account) is AccountType.ASSETS
    )
    facts = MovementFacts(
        policy=policy_in_force(books.policies, day),
        payment=payment.payment,
        locked_years=books.locked_years,
    )
    returned = Received(day, cents, paid.source, ledger, name)
    return refund_entry(returned, facts, by_bank=by_bank)


def is_by_card(work: UnitOfWork, payment: PaymentRecord) -> bool:
    """Return whether a payment came through the payment provider."""
    return work.journal.get(payment.index).entry.source not in {
        way.value for way in PaymentWay if way is not PaymentWay.CARD
    }


def follow_payer(context: Context, work: UnitOfWork, member_key: str | None) -> None:
    """Update a payer's pledge from the payments, unless it is paid by card."""
    member = None if member_key is None else work.members.by_key(member_key)
    pledge = None if member is None else work.pledges.get(member.id)
    if member is not None and pledge is not None and pledge.way is not PaymentWay.CARD:
        follow_pledge(context, work, member.key, pledge)


def forget_payer(
    context: Context, work: UnitOfWork, member_key: str, learned: set[str] | None
) -> None:
    """Take back who pays a pledge, if only undone payments showed it.

    The account that paid before pays again, or none is known. `learned` are the fingerprints of the
    accounts that the undone payments came from; None after an undo was undone, when its payments
    show again who pays.
    """
    member = work.members.by_key(member_key)
    pledge = None if member is None else work.pledges.get(member.id)
    if pledge is None or (learned is not None and pledge.card_fingerprint not in learned):
        return
    before = [
        payment.card_fingerprint
        for payment in work.payments.of_member(member_key)
        if payment.state is not PaymentState.REVERSED and payment.cents >= 100 * pledge.dollars
    ]
    fingerprint = next((one for one in reversed(before) if one is not None), None)
    pledge = replace(pledge, card_fingerprint=fingerprint)
    work.pledges.put(pledge, member_key=member_key, at=context.now())


def follow_payments(context: Context) -> int:
    """Update every pledge without a card from its payments; count the changes."""
    changed = 0
    with context.store.write() as work:
        for pledge, member_key in work.pledges.with_reference().values():
            changed += follow_pledge(context, work, member_key, pledge) != pledge
    return changed


def _require_new(work: UnitOfWork, name: str | None, outside: str) -> None:
    index = work.journal.known_external_ids([outside]).get(outside)
    if index is not None:
        raise DuplicateEntry(
            f"A payment with the id '{name}' is booked already, as {work.journal.get(index).id}."
        )


def find_payer(work: UnitOfWork, text: str) -> tuple[Member, Pledge]:
    """Return the member with that reference, address or id, and the pledge paid without a card.

    Raises:
        NotFound: there is no such member.
        Conflict: the member has no such pledge, or it has ended.
    """
    try:
        reference = parse_reference(text)
    except InvalidInput:
        try:
            member = work.members.find(text)
        except NotFound as error:
            raise NotFound(
                f"'{text}' is neither a member nor a payment reference like J7K3-QXW2; "
                "a character may be wrong."
            ) from error
    else:
        pledge_row = work.pledges.with_reference().get(reference)
        if pledge_row is None:
            raise NotFound(f"No pledge has the reference {text}.")
        member = work.members.find(pledge_row[0].member_id)
    pledge = work.pledges.get(member.id)
    if pledge is None or pledge.way is PaymentWay.CARD or pledge.state is PledgeState.CANCELED:
        raise Conflict(
            f"{member.label} has no pledge paid without a card; record one: "
            f"jara payments promise {member.email or member.id} 10 --way transfer"
        )
    return member, pledge


def follow_pledge(context: Context, work: UnitOfWork, member_key: str, pledge: Pledge) -> Pledge:
    """Update a pledge without a card from its payments, and return it."""
    payments = work.payments.under_pledge(member_key)
    changes = work.pledges.changes_of(member_key)
    changed = stand(pledge, payments, changes, now=context.now(), zone=context.zone)
    if changed != pledge:
        # The history records the day it became past due, which may be long ago.
        at = changed.past_due_since or context.now()
        work.pledges.put(changed, member_key=member_key, at=at)
    if payments:
        _open_account(context, work, member_key, changed)
    return changed


def _open_account(context: Context, work: UnitOfWork, member_key: str, pledge: Pledge) -> None:
    """Complete the registration of a member who joined by a promise, after the first payment."""
    pending = work.registrations.by_member(pledge.member_id)
    member = None if pending is None else work.members.by_key(member_key)
    if pending is not None and member is not None:
        work.registrations.remove(pending.id)
        queue_welcome(context, work, member, pledge)
