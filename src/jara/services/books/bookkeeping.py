"""Operators' bookkeeping: post, reverse, transfer, and book returns from payees.

An action over the approval limit waits for a second operator; approving it runs the same
function again, see `HANDLERS`.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from jara.domain.books import spending
from jara.domain.books.account import AccountType, Fund, account_type, project_slug
from jara.domain.books.fund_policy import FundPolicy, policy_in_force
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry, Posting, reversal_of
from jara.domain.books.outflow import refuse_provider_kind
from jara.domain.books.payment_state import cents_of
from jara.domain.books.provider_row import CAUSES
from jara.domain.books.spending import Spending
from jara.domain.books.years import require_near
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.money import format_cents
from jara.records.journal import CommitmentRecord, EntryQuery
from jara.records.operations import Approval
from jara.services.approvals import BECAUSE, SALT, Handler, salt_of
from jara.services.audit import record_act
from jara.services.books.commitments import DRAWS, approved_draws, require_commitment
from jara.services.books.entry_documents import parse_day, read_entry, write_entry
from jara.services.books.outflows import ask_approval, touches_with_vote
from jara.services.books.papers import attach_papers
from jara.services.books.payment_account import payment_account
from jara.services.books.plans import OVER_PLAN
from jara.services.books.posting import Books, fund_balances
from jara.services.context import PAPERS, Context
from jara.store.unit_of_work import UnitOfWork

POST_ACTION = "ledger.post"
REVERSE_ACTION = "ledger.reverse"
TRANSFER_ACTION = "ledger.transfer"
RETURN_ACTION = "ledger.return"
_OWN_MONEY = (AccountType.ASSETS, AccountType.LIABILITIES)


def post_entry(
    context: Context, entry: JournalEntry, *, future: bool = False
) -> PostedEntry | Approval:
    """Post an operator's entry; ``future`` allows any day ahead.

    Returns:
        The entry, or the approval it waits for.

    Raises:
        InvalidInput: its day is more than a week ahead, its kind is the provider's, it spends
            without a reason in its note, or spends money promised to projects on something else.
        Conflict: it pays a project or moves committed money; only votes decide on those.
        FundOverdrawn: a fund has less than the entry takes.
    """
    if not future:
        require_near(entry.day, today=context.today())
    if context.approved is None:
        refuse_provider_kind(entry)
    with context.store.write() as work:
        refuse_votes_money(entry)
        require_promised(entry, work.book_settings.policies())
        require_covered(entry, fund_balances(work))
        if context.approved is None:  # what waits since 0.2.0 may have none
            spending.require_why(entry)
        waiting = ask_approval(
            context,
            work,
            [entry],
            action=POST_ACTION,
            payload=write_entry(entry),
            why=entry.note or entry.description,
        )
        if waiting is not None:
            return waiting
        posted = Books(context, work).post(entry, salt=salt_of(context))
        attach_papers(context, work, posted.index)
        record_act(context, work, POST_ACTION, posted.id, why=entry.note or "")
    return posted


def reverse_entry(
    context: Context, text: str, *, why: str, day: date | None = None
) -> PostedEntry | Approval:
    """Post the reversal of an entry; money paid for a proposal is held again.

    `text` is the entry's id, or a unique prefix of it; `why` is stored as the entry's note and in
    the audit log. The new entry is of `day`; of today if None.

    Returns:
        The entry, or the approval it waits for.

    Raises:
        InvalidInput: no reason is given.
        Conflict: it is already reversed, is a reversal, or holds or releases money.
    """
    if not why.strip():
        raise InvalidInput("A reversal needs a reason; say --why.")
    when = day or context.today()
    with context.store.write() as work:
        original = work.journal.find(text)
        _require_reversible(original)
        _require_not_restored(work, original)
        returned = original.entry.of
        paid = work.payments.by_index(original.index if returned is None else returned)
        waiting = ask_approval(
            context,
            work,
            [reversal_of(original, day=when, why=why)],
            action=REVERSE_ACTION,
            payload={
                "entry": original.id,
                "date": None if day is None else day.isoformat(),
                "why": why,
            },
            why=why,
            touches=touches_with_vote(context, work, paid, 0 if paid is None else paid.cents),
        )
        if waiting is not None:
            return waiting
        books = Books(context, work)
        posted = reverse_within(books, work, original, why=why, day=when, salt=salt_of(context))
        record_act(context, work, REVERSE_ACTION, original.id, why=why)
    return posted


def reverse_within(
    books: Books,
    work: UnitOfWork,
    original: PostedEntry,
    *,
    why: str,
    day: date,
    salt: bytes | None = None,
) -> PostedEntry:
    """Reverse an entry in a transaction; see `reverse_entry` and `Books.post`."""
    _require_reversible(original)
    if _is_committed(original.entry):
        spent = sum(p.cents for p in original.entry.postings if _is_expense(p.account))
        _take_back(work, original.entry, spent, spent)
    return books.post(reversal_of(original, day=day, why=why), salt=salt)


def _require_reversible(original: PostedEntry) -> None:
    entry = original.entry
    if entry.reverses is not None:
        raise Conflict(f"{original.id} is itself a reversal; post the correction as a new entry.")
    if _is_committed(entry) and entry.kind is not EntryKind.DISBURSEMENT:
        raise Conflict(
            f"{original.id} moves money promised to a proposal; `jara proposals release` "
            "and `jara projects pay` do that."
        )


def _require_not_restored(work: UnitOfWork, original: PostedEntry) -> None:
    """Refuse to reverse a refund or dispute that a later entry gave back."""
    if original.entry.of is None:
        return
    returns = work.journal.returns_of(original.entry.of)
    left = [one for one in returns if one.entry != original.index]
    for restoring, cause in CAUSES.items():
        if cents_of(left, restoring, cause) < 0:
            later = [one.entry for one in left if one.kind == restoring][-1]
            raise Conflict(
                f"{work.journal.get(later).id} gave back what {original.id} took; reverse that "
                "entry first."
            )


def return_payment(
    context: Context,
    text: str,
    *,
    cost_cents: int,
    received_cents: int,
    day: date | None = None,
    note: str | None = None,
) -> PostedEntry | Approval:
    """Book money that a payee returned, perhaps at another exchange rate.

    `text` is the id of the payment's entry, `cost_cents` the original cost of the returned part,
    `received_cents` what arrived at the bank on `day`; today if None.

    Returns:
        The entry, or the approval it waits for: a loss in the exchange is an expense.

    Raises:
        InvalidInput: the entry is not a payment to one payee, or its unreturned rest is smaller.
    """
    with context.store.write() as work:
        payment = work.journal.find(text)
        paid = _returnable(work, payment, cost_cents)
        part = Spending(
            paid.account,
            paid.fund,
            cost_cents,
            payment.entry.reference,
            note=note,
            paid_from=_paid_from(work, payment),
        )
        entry = spending.returned_entry(
            day or context.today(), part, received_cents=received_cents, of=payment.index
        )
        waiting = ask_approval(
            context,
            work,
            [entry],
            action=RETURN_ACTION,
            payload={
                "entry": payment.id,
                "cost_cents": cost_cents,
                "received_cents": received_cents,
                "date": None if day is None else day.isoformat(),
                "note": note,
            },
            why=note or entry.description,
        )
        if waiting is not None:
            return waiting
        if _is_committed(payment.entry):
            _take_back(work, payment.entry, cost_cents, received_cents)
        posted = Books(context, work).post(entry, salt=salt_of(context))
        record_act(context, work, RETURN_ACTION, payment.id)
    return posted


def _paid_from(work: UnitOfWork, payment: PostedEntry) -> str:
    """Return the account that paid, or that money is paid from if there were several."""
    postings = payment.entry.postings
    paid = {p.account for p in postings if account_type(p.account) is AccountType.ASSETS}
    return paid.pop() if len(paid) == 1 else payment_account(work)


def _returnable(work: UnitOfWork, payment: PostedEntry, cents: int) -> Posting:
    """Return the posting on the payee's account, of which at least `cents` were not returned."""
    expenses = [p for p in payment.entry.postings if _is_expense(p.account)]
    if len(expenses) != 1 or payment.entry.kind in {EntryKind.REVERSAL, EntryKind.RETURN}:
        raise InvalidInput(f"{payment.id} is not a payment to one payee; nothing can be returned.")
    left = expenses[0].cents - _returned_before(work, payment)
    if cents > left:
        raise InvalidInput(
            f"{format_cents(cents)} cannot be returned from {payment.id}; "
            f"{format_cents(left)} of it is left."
        )
    return expenses[0]


def move_between_funds(
    context: Context,
    *,
    source: Fund,
    target: Fund,
    cents: int,
    day: date | None = None,
    note: str | None = None,
) -> PostedEntry | Approval:
    """Move free money from one fund to another.

    Returns:
        The entry, or the approval it waits for: what leaves `projects` counts like a payment.

    Raises:
        InvalidInput: it leaves `projects` without a reason.
        Conflict: one of them is `committed`, which only votes can change.
        FundOverdrawn: the fund has less.
    """
    spending.require_reason(source, note)
    if Fund.COMMITTED in {source, target}:
        raise Conflict("The fund 'committed' is filled and emptied by votes only.")
    with context.store.write() as work:
        spending.require_available(
            source, available_cents=fund_balances(work)[source], asked_cents=cents
        )
        draws = approved_draws(context, work, source, cents)
        entry = spending.transfer_entry(
            day or context.today(), source=source, target=target, draws=draws, note=note
        )
        waiting = ask_approval(
            context,
            work,
            [entry],
            action=TRANSFER_ACTION,
            payload={
                "source": source.value,
                "target": target.value,
                "cents": cents,
                DRAWS: draws,
                "date": None if day is None else day.isoformat(),
                "why": note,
            },
            why=note or entry.description,
        )
        if waiting is not None:
            return waiting
        posted = Books(context, work).post(entry, salt=salt_of(context))
        record_act(context, work, TRANSFER_ACTION, posted.id)
    return posted


def require_promised(entry: JournalEntry, policies: Iterable[FundPolicy]) -> None:
    """Check what an entry spends the money promised to projects on; see `require_purpose`."""
    spending.require_purpose(entry, policy_in_force(policies, entry.day).fee_weights)


def require_covered(entry: JournalEntry, balances: Mapping[Fund, int]) -> None:
    """Check that an entry takes no fund below zero.

    Raises:
        FundOverdrawn: it does.
    """
    for fund, cents in own_money(entry).items():
        if cents < 0:
            spending.require_available(fund, available_cents=balances[fund], asked_cents=-cents)


def own_money(entry: JournalEntry) -> dict[Fund, int]:
    """Return by how much an entry changes each fund: assets less liabilities."""
    changes: dict[Fund, int] = {}
    for posting in entry.postings:
        if account_type(posting.account) in _OWN_MONEY:
            changes[posting.fund] = changes.get(posting.fund, 0) + posting.cents
    return changes


def refuse_votes_money(entry: JournalEntry) -> None:
    """Refuse an entry that pays a project or moves committed money.

    Raises:
        Conflict: it does; only votes decide on those.
    """
    if _is_committed(entry):
        raise Conflict("The fund 'committed' is filled and emptied by votes only.")
    for posting in entry.postings:
        if project_slug(posting.account) is not None:
            raise Conflict(
                f"'{posting.account}' is paid only for a proposal that passed; "
                "use `jara projects pay`."
            )


def _take_back(work: UnitOfWork, entry: JournalEntry, cost: int, received: int) -> None:
    record = require_commitment(work, entry.reference or "")
    commitment = record.commitment.take_back(cost_cents=cost, received_cents=received)
    work.commitments.put(CommitmentRecord(commitment, record.decided_at))


def _returned_before(work: UnitOfWork, payment: PostedEntry) -> int:
    query = EntryQuery(kinds=(EntryKind.RETURN,), reference=payment.entry.reference)
    account = next(p.account for p in payment.entry.postings if _is_expense(p.account))
    return -sum(
        p.cents
        for posted in work.journal.entries(query)
        if posted.entry.of == payment.index
        for p in posted.entry.postings
        if p.account == account
    )


def _is_committed(entry: JournalEntry) -> bool:
    return any(posting.fund is Fund.COMMITTED for posting in entry.postings)


def _is_expense(account: str) -> bool:
    return account_type(account) is AccountType.EXPENSES


OF_ACT = frozenset({"cents", SALT, BECAUSE, OVER_PLAN, PAPERS})
"""Keys of the payload of an act that are not of its entry."""


def _post_approved(context: Context, payload: Mapping[str, Any]) -> object:
    document = {key: value for key, value in payload.items() if key not in OF_ACT}
    return post_entry(context, read_entry(document, today=context.today()), future=True)


def _reverse_approved(context: Context, payload: Mapping[str, Any]) -> object:
    day = payload["date"]
    return reverse_entry(
        context, payload["entry"], why=payload["why"], day=None if day is None else parse_day(day)
    )


def _return_approved(context: Context, payload: Mapping[str, Any]) -> object:
    day = payload["date"]
    return return_payment(
        context,
        payload["entry"],
        cost_cents=payload["cost_cents"],
        received_cents=payload["received_cents"],
        day=None if day is None else parse_day(day),
        note=payload["note"],
    )


def _transfer_approved(context: Context, payload: Mapping[str, Any]) -> object:
    day = payload["date"]
    return move_between_funds(
        context,
        source=Fund(payload["source"]),
        target=Fund(payload["target"]),
        cents=payload["cents"],
        day=None if day is None else parse_day(day),
        note=payload["why"],
    )


HANDLERS: Mapping[str, Handler] = {
    POST_ACTION: _post_approved,
    TRANSFER_ACTION: _transfer_approved,
    REVERSE_ACTION: _reverse_approved,
    RETURN_ACTION: _return_approved,
}
