"""Comparing the bank's statements with the books, at the end of a month."""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from operator import attrgetter
from typing import Annotated, NamedTuple

from jara.documents import Json
from jara.domain.errors import Conflict
from jara.records.bank import BankAccount, OpenEntry
from jara.services.bank.accounts import find_account, stored_balances
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork


class Difference(NamedTuple):
    """One reason why statement and books differ; `cents` more are on the statement."""

    what: str
    id: str
    day: Annotated[date, Json("date")]
    cents: int
    text: str


class BankReconciliation(NamedTuple):
    """A statement against the books."""

    account: Annotated[BankAccount, Json(write=attrgetter("number"))]
    day: Annotated[date, Json("date")]  # the day of both balances
    covered_to: date  # the last day that a statement covers
    statement_cents: int
    """The bank's own figure if a statement ends on the day; else the balance that follows from the
    statements."""
    books_cents: int
    differences: tuple[Difference, ...]  # the reasons for the difference; they add up to it exactly

    @property
    def difference_cents(self) -> Annotated[int, Json(after="books_cents")]:
        """The statement's balance minus that of the books."""
        return self.statement_cents - self.books_cents


def reconcile_bank(
    context: Context, day: date, *, account: str | None = None
) -> BankReconciliation:
    """Compare the statements with the books at the end of a day.

    Raises:
        NotFound: there is no such account.
        Conflict: there is no statement, none reaches so far back, or all end earlier.
    """
    with context.store.read() as work:
        return reconcile_within(work, day, account=account)


def reconcile_within(
    work: UnitOfWork, day: date, *, account: str | None = None
) -> BankReconciliation:
    """Compare statements and books in a transaction; see `reconcile_bank`."""
    bank_account = find_account(work, account)
    spans = work.bank.spans(bank_account.number)
    if not spans:
        raise Conflict(
            f"There is no statement of {bank_account.number}; import one with `jara bank import`."
        )
    first = min(span.first_day for span in spans)
    last = max(span.last_day for span in spans)
    if not first <= day or last < day.replace(day=1):
        raise Conflict(
            f"The statements of {bank_account.number} cover {first} to {last}, not {day}."
        )
    before = _balance(work, bank_account, first - timedelta(days=1))
    stored = stored_balances(work, bank_account.number).base_cents
    base = before if stored is None else stored
    lines = sum(c for one, c in work.bank.day_sums(bank_account.number).items() if one <= day)
    closing = next((one.closing_cents for one in spans if one.last_day == day), None)
    gap = 0 if closing is None else closing - base - lines
    early = work.bank.early_matches(bank_account.number, first)
    opening = Difference("opening balance", "", first, base - before + early, "")
    differences = [
        *([opening] if opening.cents else []),
        *_differences(work, bank_account, first, day),
        *_beside_the_balance(work, bank_account, day, gap),
    ]
    return BankReconciliation(
        bank_account,
        day,
        last,
        base + lines + gap,
        _balance(work, bank_account, day),
        tuple(differences),
    )


def _beside_the_balance(
    work: UnitOfWork, account: BankAccount, day: date, gap: int
) -> Iterator[Difference]:
    """Yield the lines up to a day that are not in the bank's own balance of that day."""
    later = work.bank.on_later_statements(account.number, day) if gap else []
    if gap and sum(one.line.cents for one in later) != -gap:
        yield Difference("not in the bank's balance", "", day, gap, "")
        return
    for one in later:
        text = one.line.text or one.line.party
        yield Difference("on a later statement", one.id, one.line.day, -one.line.cents, text)


def _differences(
    work: UnitOfWork, account: BankAccount, first: date, day: date
) -> Iterator[Difference]:
    for line in work.bank.waiting(account.number):
        if line.line.day <= day:
            details = line.line
            yield Difference(
                "line waits", line.id, details.day, details.cents, details.text or details.party
            )
    for match in work.bank.matches_across(account.number, day):
        if match.line_day <= day:
            yield Difference(
                "booked later", match.line, match.entry_day, match.cents, match.description
            )
        else:
            yield Difference(
                "on a later statement", match.line, match.line_day, -match.cents, match.description
            )
    for entry in _without_undone(work.bank.open_entries(account.ledger, since=first), day):
        yield Difference("not at the bank", entry.id, entry.day, -entry.cents, entry.description)


def _without_undone(entries: Iterable[OpenEntry], day: date) -> list[OpenEntry]:
    """Return the entries up to a day, without pairs of an entry and its reversal."""
    until = [entry for entry in entries if entry.day <= day]
    indexes = {entry.index for entry in until}
    undone = {entry.reverses for entry in until} & indexes
    return [one for one in until if one.index not in undone and one.reverses not in undone]


def _balance(work: UnitOfWork, account: BankAccount, day: date) -> int:
    accounts = work.bank.accounts_of(account.ledger)
    rows = work.journal.balances(at=day, accounts=(account.ledger,))
    return sum(row.cents for row in rows if row.account in accounts)
