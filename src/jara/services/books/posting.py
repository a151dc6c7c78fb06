"""Posting: the only way into the books.

Log leaf, entry, totals, trace and payment record are written in one transaction, so that none
exists without the others.
"""

from collections import Counter
from datetime import date, datetime, timedelta
from functools import cached_property

from jara.domain.books.account import Fund, project_slug
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry
from jara.domain.books.movements import Payment, arrival_name
from jara.domain.books.other_ways import way_of_entry
from jara.domain.books.payment_state import dispute_state
from jara.domain.books.trace import record_entry
from jara.domain.books.trace_rows import Pool, TraceRows
from jara.domain.books.years import require_open_year
from jara.domain.errors import Conflict, DuplicateEntry, InvalidInput
from jara.domain.giving.payment_way import PaymentProof
from jara.domain.publiclog.leaves import SALT_BYTES, entry_id, entry_leaf
from jara.records.payments import PaymentRecord
from jara.services.audit import record_unattended
from jara.services.authority import needs_second_operator
from jara.services.books.outflows import Outflows
from jara.services.context import Context, PaymentChange, PaymentEvent
from jara.services.news_items import cause_news
from jara.store.unit_of_work import UnitOfWork

_PAYMENTS = (EntryKind.PLEDGE, EntryKind.GIFT)
_REVERSED = "reversed"
UNPROVEN = "payments.unproven"
"""The act by which a payment loses its proof: one operator says that it was not returned."""
PAYOUT_IS_NEWS = timedelta(days=45)
"""Older payouts, such as those of a former ledger, are no news; bank files come once a month."""


class Books:
    """The books inside one unit of work; settings are read once.

    Args:
        is_limited: whether entries that nobody else signed are held to the limits; false for
            movements that the payment provider itself reports, and for books that are restored.
    """

    def __init__(self, context: Context, work: UnitOfWork, *, is_limited: bool = True) -> None:
        self._outflows = Outflows(context, work) if is_limited else None
        self._context = context
        self._work = work
        self.chart = work.book_settings.chart()
        self.policies = work.book_settings.policies()
        self.locked_years = frozenset(lock.year for lock in work.book_settings.locked_years())
        self._traces: dict[Pool, TraceRows] = {pool: work.trace.pool(pool) for pool in Pool}
        self._booked_at = self._first_instant()
        self._posted_on = context.zone.day_of(self._booked_at)

    def post(
        self,
        entry: JournalEntry,
        *,
        charge_id: str | None = None,
        is_new: bool = False,
        salt: bytes | None = None,
        proof: PaymentProof | None = None,
        card_fingerprint: str | None = None,
    ) -> PostedEntry:
        """Post an entry.

        Args:
            entry: the entry, balanced by construction.
            charge_id: the provider's charge, for a payment.
            is_new: the caller has checked that the external id is not posted yet.
            salt: the salt of its leaf, for an approved entry; random if None.
            proof: who else says that a payment was made; None for the operator alone.
            card_fingerprint: the card or account that paid.

        Raises:
            NeedsApproval: it takes out more than one person may alone, and is not approved.
            DuplicateEntry: its external id is posted already.
            UnknownAccount: the chart has no such account.
            YearLocked: its day is in a closed year.
            Conflict: the entry it reverses is already reversed, or is a reversal.
            InvalidInput: it gives back more of a payment than was returned.
        """
        undone = self._check(entry, is_new=is_new)
        if self._outflows is not None and salt is None:
            self._outflows.require_small(entry)
            record, moved, is_return = self._payment_of(entry, undone)
            if record is not None and moved:  # what comes back takes the proof of all of it
                if is_return and record.returned_cents + moved < 0:
                    raise InvalidInput("It gives back more than was returned of the payment.")
                self._outflows.require_vote_kept(record, moved if moved > 0 else record.cents)
        leaf = self._work.log.append(
            entry_leaf(
                entry, salt or self._context.entropy.token(SALT_BYTES), posted=self._posted_on
            )
        )
        posted = PostedEntry(entry_id(leaf.hash), leaf.index, self._booked_at, entry)
        self._work.journal.add(posted)
        record_entry(self._traces, entry, leaf.index, undone=undone)
        self._keep_payment(posted, charge_id, proof, card_fingerprint)
        self._mark_payment(posted, undone, is_approved=salt is not None)
        if self._outflows is not None:
            self._outflows.add(entry, is_approved=salt is not None)
            self._cause_news(posted)
        return posted

    def _cause_news(self, posted: PostedEntry) -> None:
        """Note a payout to a project; booked again, as after an undone import, it is the same."""
        entry = posted.entry
        if self._context.today() - entry.day > PAYOUT_IS_NEWS or entry.reverses is not None:
            return
        for posting in entry.postings:
            project = project_slug(posting.account)
            if project is not None and posting.cents > 0:
                name = entry.external_id or posted.id
                about = {"entry": str(posted.index), "project": project}
                cause_news(self._context, self._work, "payout", name, **about)
                return

    def _check(self, entry: JournalEntry, *, is_new: bool) -> JournalEntry | None:
        """Check an entry, and return the entry it reverses, if any."""
        for posting in entry.postings:
            self.chart.require(posting.account)
        require_open_year(entry.day, self.locked_years)
        if entry.external_id is not None and not is_new:
            indexes = self._work.journal.known_external_ids([entry.external_id])
            if indexes:
                raise DuplicateEntry(
                    f"'{entry.external_id}' is posted already, as the entry "
                    f"{self._work.journal.get(indexes[entry.external_id]).id}."
                )
        if entry.reverses is None:
            return None
        again = self._work.journal.reversal_of(entry.reverses)
        if again is not None:
            raise Conflict(
                f"The entry at log index {entry.reverses} is already reversed, at {again}."
            )
        undone = self._work.journal.get(entry.reverses).entry
        if undone.reverses is not None:
            raise Conflict(
                f"The entry at log index {entry.reverses} is itself a reversal; post the "
                "correction as a new entry."
            )
        return undone

    def _keep_payment(
        self,
        posted: PostedEntry,
        charge_id: str | None,
        proof: PaymentProof | None,
        card_fingerprint: str | None,
    ) -> None:
        entry = posted.entry
        if entry.kind in _PAYMENTS:
            payment = Payment.of(posted, returned_cents=0)
            self._work.payments.add(
                PaymentRecord(
                    index=posted.index,
                    source_id=charge_id,
                    kind=entry.kind.value,
                    member_key=entry.member_key,
                    account=payment.account,
                    parts=payment.parts,
                    cents=sum(payment.parts.values()),
                    returned_cents=0,
                    dispute="none",
                    day=entry.true_day or entry.day,
                    way=way_of_entry(entry),
                    proof=proof or self._own_word,
                    card_fingerprint=card_fingerprint,
                )
            )
            self._tell(PaymentEvent(PaymentChange.BOOKED, posted, posted))

    def _mark_payment(
        self, posted: PostedEntry, undone: JournalEntry | None, *, is_approved: bool
    ) -> None:
        """Update the payment that an entry, or the entry it reverses, refers to.

        One that an operator restores gives a vote again once somebody else vouches for it.

        A reversed payment was never a contribution: none of it counts as refunded, and
        winning a dispute later changes nothing.
        """
        entry = posted.entry
        record, moved, is_return = self._payment_of(entry, undone)
        if record is None:
            return
        dispute = _REVERSED
        if is_return and record.dispute != _REVERSED:
            dispute = dispute_state(
                self._work.journal.returns_of(record.index),
                before=record.dispute,
                is_withdrawn=entry.kind is EntryKind.DISPUTE and moved > 0,
            )
        self._work.payments.update(
            record.index,
            returned_cents=record.returned_cents + (moved if is_return else 0),
            dispute=dispute,
        )
        is_word = self._outflows is not None and self._own_word is PaymentProof.NONE
        if moved < 0 and is_word and not is_approved and record.proof is not PaymentProof.NONE:
            self._work.payments.prove(record.index, PaymentProof.NONE)
            record_unattended(self._context, self._work, UNPROVEN, record.source_id or posted.id)
        change = PaymentChange.RETURNED if is_return else PaymentChange.REVERSED
        payment = self._work.journal.get(record.index)
        self._tell(PaymentEvent(change, payment, posted))

    def _payment_of(
        self, entry: JournalEntry, undone: JournalEntry | None
    ) -> tuple[PaymentRecord | None, int, bool]:
        """Return the payment that an entry takes back, the cents, and if it is a return of it."""
        returned = entry.of if undone is None else undone.of
        index = entry.reverses if returned is None else returned
        record = None if index is None else self._work.payments.by_index(index)
        account = None if record is None else record.account
        moved = sum(p.cents for p in entry.postings if p.account == account)
        return record, moved, returned is not None

    def _tell(self, event: PaymentEvent) -> None:
        for listener in self._context.on_payment:
            listener(self._context, self._work, event)

    @cached_property
    def _own_word(self) -> PaymentProof:
        """The proof of a payment on the word of one operator."""
        shared = needs_second_operator(self._context, self._work)
        return PaymentProof.NONE if shared else PaymentProof.TRUST

    def _first_instant(self) -> datetime:
        # A time identifies a state of the books, so times in the log never go backwards.
        newest = self._work.journal.newest()
        now = self._context.now()
        return now if newest is None else max(now, newest.booked_at)


def fund_balances(work: UnitOfWork, *, at: date | None = None) -> dict[Fund, int]:
    """Return the balance of each fund up to a day, assets less liabilities, in cents."""
    rows = work.journal.balances(at=at, accounts=("assets", "liabilities"))
    totals = dict.fromkeys(Fund, 0)
    for row in rows:
        totals[row.fund] += row.cents
    return totals


def closing_balances(work: UnitOfWork, year: int) -> dict[str, int]:
    """Return what each fund has at the end of a year, in cents."""
    balances = fund_balances(work, at=date(year, 12, 31))
    return {fund.value: cents for fund, cents in balances.items()}


def asset_cells(work: UnitOfWork, fund: Fund) -> dict[str, int]:
    """Return a fund's balance on each asset account, in cents."""
    return {
        row.account: row.cents
        for row in work.journal.balances(accounts=("assets",))
        if row.fund is fund
    }


def arrivals_of(work: UnitOfWork, payout_id: str) -> list[int]:
    """Return the log indexes of a payout's arrivals at the bank, oldest first.

    Only the latest one counts; earlier ones are reversed.
    """
    indexes: list[int] = []
    while True:
        name = arrival_name(payout_id, len(indexes) + 1)
        index = work.journal.known_external_ids([name]).get(name)
        if index is None:
            return indexes
        indexes.append(index)


def cells_of(work: UnitOfWork, account: str) -> Counter[Fund]:
    """Return each fund's balance on an account and those below it, in cents."""
    cells = Counter[Fund]()
    for row in work.journal.balances(accounts=(account,)):
        cells[row.fund] += row.cents
    return cells
