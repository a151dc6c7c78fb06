"""Booking statement lines that match no entry in the books."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from jara.domain.bank.booking import FROM_BANK, Part, amounts_of, line_entry
from jara.domain.books.account import FEES, IN_TRANSIT, AccountType, Fund, account_type, is_below
from jara.domain.books.fund_policy import policy_in_force
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry, fund_sums
from jara.domain.books.movements import payout_arrived, shares_of
from jara.domain.books.spending import require_available, require_why
from jara.domain.books.years import BookingDay, booking_day
from jara.domain.errors import Conflict
from jara.domain.giving.payment_way import PaymentProof
from jara.records.bank import BankLine
from jara.services.books.bookkeeping import own_money, require_promised
from jara.services.books.outflows import NeedsApproval
from jara.services.books.posting import Books, arrivals_of, cells_of, fund_balances
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

ON_THE_WAY = timedelta(days=10)
"""The most days between the two lines of a transfer between own accounts."""


class LineBooker:
    """Books lines of one account in one transaction; limits and balances are read once."""

    def __init__(self, context: Context, work: UnitOfWork, ledger: str) -> None:
        self._work = work
        self.ledger = ledger
        self.books = Books(context, work)
        self.legs: set[str] = set()
        """The other own accounts that entries were booked on."""
        self._taken: set[str] = set()
        self._balances: dict[Fund, int] | None = None

    def load(self, lines: Iterable[BankLine]) -> None:
        """Look up which lines had an entry before; a query for each line would be slow."""
        names = {f"bank:{line.id}" for line in lines}
        self._taken = set(self._work.journal.known_external_ids(names))

    def book(self, line: BankLine, parts: Sequence[Part], *, why: str | None = None) -> PostedEntry:
        """Book a line to the accounts of its parts, and match it.

        The parts add up to its amount before the charge, or, with the charge, to its amount. `why`
        is the operator's reason, which becomes the note; None for what a rule books, whose reason
        was asked for before.

        Raises:
            InvalidInput: the parts do not add up to the line's amount, spend without a reason, or
            spend money promised to projects on something else.
            Conflict: it needs approval, or other commands book these accounts.
            FundOverdrawn: a fund has less than the line takes.
        """
        has_fee = sum(part.cents or 0 for part in parts) == abs(line.line.cents)
        whole = line.line.cents if has_fee else line.line.gross_cents
        cents = amounts_of(whole, parts)
        when = self.day_of(line)
        entry = line_entry(
            when.day,
            list(zip(parts, cents, strict=True)),
            ledger=self.ledger,
            policy=policy_in_force(self.books.policies, line.line.day),
            shares=self._shares(parts, cents),
            external_id=self.name_of(line),
            true_day=when.true_day,
        )
        if why is not None:
            entry = replace(entry, note=why.strip() or None)
        require_promised(entry, self.books.policies)
        self._require_covered(entry)
        if why is not None:
            require_why(entry)
        return self.post(line, entry, has_fee=has_fee)

    def match_leg(self, line: BankLine, parts: Sequence[Part]) -> PostedEntry | None:
        """Match a line with the transfer that a line of another own account was booked as.

        `parts` are what it would be booked as.

        Returns:
            The entry of the transfer; None if there is none, so that the line is to be booked.

        Raises:
            Conflict: there are several.
        """
        others = {one.ledger for one in self._work.bank.accounts()} - {self.ledger}
        if len(parts) != 1 or parts[0].account not in others:
            return None
        first = line.line.day - ON_THE_WAY
        legs = [
            one
            for one in self._work.bank.standing_entries(self.ledger, since=first)
            if one.kind == EntryKind.TRANSFER
            and one.cents == line.line.gross_cents
            and one.day <= line.line.day + ON_THE_WAY
            and self._moves(one.index, parts[0].account)
        ]
        if len(legs) > 1:
            ids = ", ".join(one.id for one in legs)
            raise Conflict(f"Several transfers have this amount; say which with --entry: {ids}.")
        if not legs:
            return None
        self._work.bank.match(line.id, legs[0].index)
        self.book_fee(line)
        return self._work.journal.get(legs[0].index)

    def book_arrival(self, line: BankLine, index: int) -> PostedEntry:
        """Book a line as the arrival of the payout at a log index, in the payout's funds."""
        payout = self._work.journal.get(index).entry
        name, when = payout.reference or "", self.day_of(line)
        arrived = payout_arrived(
            when.day,
            name,
            fund_sums(p for p in payout.postings if p.account == IN_TRANSIT),
            true_day=when.true_day,
            source=FROM_BANK,
            number=len(arrivals_of(self._work, name)) + 1,
            bank=self.ledger,
        )
        return self.post(line, arrived)

    def post(self, line: BankLine, entry: JournalEntry, *, has_fee: bool = False) -> PostedEntry:
        """Post an entry for a line, and match the two; the charge in it follows, unless it has it.

        Raises:
            NeedsApproval: it takes out more than one person may alone.
        """
        source = line.id if entry.kind is EntryKind.GIFT else None
        try:
            posted = self.books.post(entry, charge_id=source, is_new=True)
        except NeedsApproval as error:
            raise NeedsApproval(
                f"{error.message} Use `jara ledger post`, or `jara payments refund` for money that "
                "a member gets back; then the line is matched with that entry."
            ) from error
        self._count(entry)
        self.legs |= {one.account for one in entry.postings if one.account != self.ledger}
        self._work.bank.match(line.id, posted.index)
        if not has_fee:
            self.book_fee(line)
        return posted

    def book_fee(self, line: BankLine) -> None:
        """Book the charge that the bank took off a line, and match it too."""
        fee, when = line.line.fee_cents, self.day_of(line)
        if not fee:
            return
        name = f"bank:{line.id}:fee"
        index = self._work.journal.known_external_ids([name]).get(name)
        free = self._work.bank.standing_entries(self.ledger, since=when.day)
        if index is not None and index in {one.index for one in free}:
            # The books were rebuilt from a journal that has it.
            self._work.bank.match(line.id, index)
            return
        entry = line_entry(
            when.day,
            [(Part(FEES), -fee)],
            ledger=self.ledger,
            policy=policy_in_force(self.books.policies, line.line.day),
            shares={},
            external_id=name if index is None else f"{self.name_of(line)}:fee",
            true_day=when.true_day,
        )
        posted = self.books.post(entry, is_new=True)
        self._count(entry)
        self._work.bank.match(line.id, posted.index)

    def day_of(self, line: BankLine) -> BookingDay:
        """Return the day a line is booked on: its own, unless that year is closed."""
        return booking_day(line.line.day, self.books.locked_years)

    def name_of(self, line: BankLine) -> str:
        """Return the external id for a line's entry; with a number if an earlier entry has it."""
        name = f"bank:{line.id}"
        number = 1
        while name in self._taken:
            number += 1
            name = f"bank:{line.id}:{number}"
            self._taken |= self._work.journal.known_external_ids([name]).keys()
        return name

    def _moves(self, index: int, account: str) -> bool:
        postings = self._work.journal.get(index).entry.postings
        return any(is_below(posting.account, account) for posting in postings)

    def had_entry(self, line: BankLine) -> bool:
        """Return whether an entry was booked for a line before, which is reversed now."""
        return f"bank:{line.id}" in self._taken

    def take_name(self, name: str) -> None:
        """Note that an entry has this external id, for a line that is booked as several."""
        self._taken.add(name)

    def _require_covered(self, entry: JournalEntry) -> None:
        """Check that each fund can pay its part; fees need no check, the bank has them already."""
        if entry.kind is EntryKind.FEE:
            return
        for fund, change in own_money(entry).items():
            if change < 0:
                balance = self._fund_balances()[fund]
                require_available(fund, available_cents=balance, asked_cents=-change)

    def _shares(
        self, parts: Sequence[Part], cents: Sequence[int]
    ) -> Mapping[str, Mapping[Fund, int]]:
        """Split transfers between own accounts by fund."""
        shares_by_account: dict[str, Mapping[Fund, int]] = {}
        for part, amount in zip(parts, cents, strict=True):
            if part.fund is not None or account_type(part.account) is not AccountType.ASSETS:
                continue
            leaving = part.account if amount > 0 else self.ledger
            cells = cells_of(self._work, leaving)
            totals = self._fund_balances()
            shares = shares_of(abs(amount), known=None, cells=cells, totals=totals)
            shares_by_account[part.account] = {
                fund: part_cents if amount > 0 else -part_cents
                for fund, part_cents in shares.items()
            }
        return shares_by_account

    def _fund_balances(self) -> dict[Fund, int]:
        if self._balances is None:
            self._balances = fund_balances(self._work)
        return self._balances

    def _count(self, entry: JournalEntry) -> None:
        """Update the cached balances with a posted entry."""
        if self._balances is not None:
            for fund, change in own_money(entry).items():
                self._balances[fund] += change


def match_line(
    work: UnitOfWork, line: BankLine, index: int, *, sender: str = "", shows_payer: bool = True
) -> None:
    """Match a line with an entry; a line of a proven statement that shows who paid proves it."""
    work.bank.match(line.id, index, sender=sender)
    payment = work.payments.by_index(index)
    if (
        shows_payer
        and line.is_proven
        and payment is not None
        and payment.proof is PaymentProof.NONE
    ):
        work.payments.prove(index, PaymentProof.STATEMENT)
