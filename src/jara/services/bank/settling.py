"""Settling statement lines: each is matched with an entry, booked as a new one, or waits."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from jara.domain.bank.booking import FROM_BANK
from jara.domain.bank.matching import FAR, NOTHING_FITS, BankedLine, Candidate, pair
from jara.domain.books.account import BANK, AccountType, account_type, is_below
from jara.domain.books.journal import EntryKind, JournalEntry
from jara.domain.books.other_ways import gift_reference
from jara.domain.books.spending import charge_note
from jara.domain.errors import Conflict, JaraError
from jara.domain.progress import Progress, no_progress, report_progress
from jara.records.bank import BankAccount, BankLine, OpenEntry
from jara.records.operations import Approval
from jara.services.bank.booking import LineBooker, match_line
from jara.services.bank.contributions import MONTHLY, Contributions
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

_NOT_BY_AMOUNT = frozenset(
    {EntryKind.PLEDGE, EntryKind.GIFT, EntryKind.OPENING, EntryKind.REVERSAL}
)
"""Many such entries have the same amount, so they are matched only by reference."""
_STRIPE = "stripe"
REVERSED_DESCRIPTION = "Payment reversed by the bank"
_ENTRY, _PAYOUT, _WITH_CHARGE = "entry", "payout", "with charge"
_Key = tuple[str, int]


@dataclass(slots=True)
class Settled:
    """How many waiting lines were matched, and with what.

    ``approvals`` are those that votes wait for, see `jara.services.bank.vouching`.
    """

    by_entry: int = 0
    by_payout: int = 0
    by_member: int = 0
    by_reversal: int = 0
    by_rule: int = 0
    waiting: int = 0
    approvals: list[Approval] = field(default_factory=list)

    @property
    def matched(self) -> int:
        """How many were matched."""
        return self.by_entry + self.posted

    @property
    def posted(self) -> int:
        """How many of them led to a new entry."""
        return self.by_payout + self.by_member + self.by_reversal + self.by_rule


@dataclass(slots=True)
class _Left:
    """The remaining lines, and why they wait."""

    lines: list[BankLine]
    reasons: dict[str, str] = field(default_factory=dict)
    """Why a line waits that later steps must not book."""
    guesses: dict[str, str] = field(default_factory=dict)
    """Why a line waits if no later step books it."""

    def drop(self, line_ids: set[str]) -> None:
        self.lines = [line for line in self.lines if line.id not in line_ids]

    def all_reasons(self) -> dict[str, str]:
        """Return why each line waits."""
        guesses = {line.id: self.guesses.get(line.id, NOTHING_FITS) for line in self.lines}
        return guesses | self.reasons


def settle_accounts(
    context: Context,
    work: UnitOfWork,
    accounts: Sequence[BankAccount],
    settled: Settled,
    *,
    progress: Progress = no_progress,
) -> None:
    """Match the waiting lines of accounts with the books, and book contributions and rules.

    A transfer that is booked for a line of one account is matched with the other account's line.
    `progress` is called with twice the number of lines, since there are two passes.
    """
    left: dict[str, int] = {}
    legs: set[str] = set()
    for account in accounts:
        count, others = _settle(context, work, account, settled, progress=progress)
        left[account.number] = count
        legs |= others
    for account in work.bank.accounts():
        if account.ledger in legs:
            count, _ = _settle(context, work, account, settled)
            left |= {account.number: count} if account.number in left else {}
    settled.waiting += sum(left.values())


def _settle(
    context: Context,
    work: UnitOfWork,
    account: BankAccount,
    settled: Settled,
    *,
    progress: Progress = no_progress,
) -> tuple[int, set[str]]:
    """Return how many lines are left, and the other own accounts that entries were booked on."""
    left = _Left(work.bank.waiting(account.number))
    settler = _Settler(context, work, account, settled)
    if left.lines:
        settler.load(left)
        settler.pair_with_books(left)
        total = len(left.lines)
        settler.book_contributions(left, progress)
        progress(total - len(left.lines), 2 * total)
        settler.book_by_rules(left, progress, 2 * total)
        settler.undo_reversed(left)
    work.bank.set_reasons(account.number, left.all_reasons())
    return len(left.lines), settler.legs


class _Settler:
    """Settles the lines of one account."""

    def __init__(
        self, context: Context, work: UnitOfWork, account: BankAccount, settled: Settled
    ) -> None:
        self._work = work
        self._account = account
        self._settled = settled
        self._booker = LineBooker(context, work, account.ledger)
        self._contributions = Contributions(context, work, self._booker)
        self._charges: dict[int, int] = {}
        """The entry of the bank's charge of a payment, by the payment's."""

    @property
    def legs(self) -> set[str]:
        """The other own accounts that entries were booked on."""
        return self._booker.legs

    def load(self, left: _Left) -> None:
        """Look up earlier entries of the lines."""
        self._booker.load(left.lines)
        self._contributions.load(left.lines)

    def pair_with_books(self, left: _Left) -> None:
        """Match lines with entries that are in the books, and with payouts in transit."""
        doubts = {line.id: self._contributions.doubt(line) for line in left.lines}
        left.reasons.update((line_id, why) for line_id, why in doubts.items() if why)
        days = [line.line.day for line in left.lines]
        candidates = [*self._entries(min(days)), *self._payouts()]
        amounts = {one.cents for one in candidates}
        banked_lines = [
            BankedLine(
                one.id,
                one.line.day,
                one.line.gross_cents,
                one.line.words + one.id,
                is_by_amount=not self._contributions.names_payer(one),
            )
            for one in left.lines
            if one.line.gross_cents in amounts and one.id not in left.reasons
        ]
        pairs = pair(banked_lines, candidates)
        left.reasons.update(pairs.ambiguous)
        left.guesses.update(pairs.unnamed)

        matched: set[int] = set()

        def match(line: BankLine) -> bool:
            kind, index = pairs.found[line.id]
            if kind == _PAYOUT:
                self._booker.book_arrival(line, index)
                self._settled.by_payout += 1
                return True
            indexes = {index, self._charges[index]} if kind == _WITH_CHARGE else {index}
            if indexes & matched:
                return False  # the line has the payment's amount, another one that with its charge
            matched.update(indexes)
            for one in sorted(indexes):
                match_line(self._work, line, one)
            self._booker.book_fee(line)
            self._settled.by_entry += 1
            return True

        _book_each(left, [line for line in left.lines if line.id in pairs.found], match)

    def book_contributions(self, left: _Left, progress: Progress) -> None:
        """Book members' payments and refunds, which name a pledge's reference."""
        named = self._contributions.reference_in
        total = 2 * len(left.lines)
        returns_last = sorted(left.lines, key=lambda line: line.line.cents < 0)
        self._book_named(left, report_progress(returns_last, progress, total), named)
        # Only now the paying accounts are known.
        self._book_named(left, left.lines, self._contributions.cut_reference_in)
        _book_each(left, left.lines, self._book_sent)
        self._contributions.finish()
        for line in left.lines:
            why = None if line.id in left.reasons else self._contributions.near_miss(line)
            if why is not None:
                left.reasons[line.id] = why

    def _book_named(
        self, left: _Left, lines: Iterable[BankLine], name: Callable[[BankLine], str | None]
    ) -> None:
        def book(line: BankLine) -> bool:
            reference = name(line)
            if reference is None or (line.line.is_reversal and line.line.cents > 0):
                return False
            self._contributions.book(line, reference)
            self._settled.by_member += 1
            return True

        _book_each(left, lines, book)

    def _book_sent(self, line: BankLine) -> bool:
        """Book a line of a remembered sender."""
        if self._contributions.names_payer(line):
            return False
        sender = self._contributions.sender(line)
        if sender is None:
            return False
        self._contributions.book_sent(line, sender.shares, sender)
        self._settled.by_member += 1
        return True

    def undo_reversed(self, left: _Left) -> None:
        """Book the bank's own reversals, if the reversed line was booked from a statement."""

        def book(line: BankLine) -> bool:
            entry = self._reversed_by(line) if line.line.is_reversal else None
            if entry is None:
                if line.line.is_reversal:
                    raise Conflict("The bank reversed a line; match it by hand.")
                return False
            self._booker.post(line, entry)
            self._settled.by_reversal += 1
            return True

        _book_each(left, left.lines, book)

    def book_by_rules(self, left: _Left, progress: Progress, total: int) -> None:
        """Book the lines that match an operator's rule."""
        rules = self._work.bank_rules.rules()

        def book(line: BankLine) -> bool:
            rule = next((one for one in rules if one.fits(line.line)), None)
            if rule is None or line.line.is_reversal:
                return False
            if self._booker.match_leg(line, rule.parts) is not None:
                self._settled.by_entry += 1
            else:
                self._booker.book(line, rule.parts, why=rule.why or None)
                self._settled.by_rule += 1
            return True

        _book_each(left, report_progress(left.lines, progress, total), book)

    def _entries(self, first: date) -> list[Candidate[_Key]]:
        entries = self._work.bank.standing_entries(self._account.ledger, since=first - FAR)
        candidates = [
            Candidate(
                key=(_ENTRY, entry.index),
                day=entry.day,
                cents=entry.cents,
                references=self._references(entry),
                reach=MONTHLY if entry.kind == EntryKind.PLEDGE else FAR,
                is_by_amount=entry.kind not in _NOT_BY_AMOUNT,
                needs=_STRIPE if entry.kind == EntryKind.PAYOUT_ARRIVED else "",
                label=entry.id,
            )
            for entry in entries
        ]
        return [*candidates, *self._with_charges(entries, candidates)]

    def _with_charges(
        self, entries: Sequence[OpenEntry], candidates: Sequence[Candidate[_Key]]
    ) -> list[Candidate[_Key]]:
        """Return payments together with the bank's charge that the same command booked."""
        fees = {one.index: one for one in entries if one.kind == EntryKind.FEE}
        notes = self._work.journal.notes_of(fees)
        charges = {note: fees[index] for index, note in notes.items()}
        together = []
        for entry, candidate in zip(entries, candidates, strict=True):
            charge = charges.get(charge_note(entry.id))
            if charge is not None:
                self._charges[entry.index] = charge.index
                cents = entry.cents + charge.cents
                key = (_WITH_CHARGE, entry.index)
                together.append(replace(candidate, key=key, cents=cents))
        return together

    def _references(self, entry: OpenEntry) -> tuple[str, ...]:
        # After the books are rebuilt from a journal, the line's id finds its entry again.
        outside = (entry.external_id or "").partition(":arrived")[0].removeprefix("bank:")
        if entry.kind == EntryKind.PLEDGE and outside == entry.external_id:
            outside = ""  # an operator chose it, perhaps to fit a line of somebody else
        if entry.member_key is None:
            outside = gift_reference(outside) or outside
        payer = self._contributions.reference_of(entry.member_key)
        return tuple(name for name in (entry.reference, outside, entry.id, payer) if name)

    def _payouts(self) -> list[Candidate[_Key]]:
        if not is_below(self._account.ledger, BANK):
            return []
        return [
            Candidate(
                (_PAYOUT, index),
                day,
                cents,
                (payout,),
                is_by_amount=True,
                needs=_STRIPE,
                label=f"payout {payout}",
            )
            for index, payout, day, cents in self._work.bank.payouts_in_transit()
        ]

    def _reversed_by(self, line: BankLine) -> JournalEntry | None:
        """Return the entry for a line that reverses an expense; None if that is not certain."""
        statement_line = line.line
        earlier = self._work.bank.known(
            self._account.number, first=statement_line.day - FAR, last=statement_line.day
        )
        alike = [
            one
            for one in earlier
            if one.key == statement_line.key or one.wording == statement_line.wording
        ]
        twins = [one for one in alike if one.cents == -statement_line.cents]
        again = [one for one in alike if one.cents == statement_line.cents and one.id != line.id]
        is_certain = len(twins) == 1 and not again
        indexes = self._work.bank.entries_of(twins[0].id) if is_certain else []
        if len(indexes) != 1 or self._work.journal.reversal_of(indexes[0]) is not None:
            return None
        posted = self._work.journal.get(indexes[0])
        others = [p for p in posted.entry.postings if not is_below(p.account, self._account.ledger)]
        if posted.entry.source != FROM_BANK or not all(
            account_type(p.account) is AccountType.EXPENSES for p in others
        ):
            return None
        when = self._booker.day_of(line)
        return replace(
            posted.entry,
            day=when.day,
            kind=EntryKind.RETURN,
            description=REVERSED_DESCRIPTION,
            postings=tuple(replace(p, cents=-p.cents) for p in posted.entry.postings),
            external_id=self._booker.name_of(line),
            of=posted.index,
            true_day=when.true_day,
        )


def _book_each(left: _Left, lines: Iterable[BankLine], book: Callable[[BankLine], bool]) -> None:
    """Book lines that have no reason to wait yet; one that fails waits with its error."""
    booked = set()
    for line in lines:
        if line.id in left.reasons:
            continue
        try:
            if book(line):
                booked.add(line.id)
        except JaraError as error:
            left.reasons[line.id] = error.message
    left.drop(booked)
