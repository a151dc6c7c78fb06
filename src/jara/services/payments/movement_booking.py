"""Booking one movement of the payment provider, exactly once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from jara.domain.books.account import BANK, IN_TRANSIT, RESERVE, STRIPE, Fund
from jara.domain.books.fund_policy import policy_in_force
from jara.domain.books.journal import (
    EntryKind,
    JournalEntry,
    PostedEntry,
    fund_sums,
    reversal_of,
)
from jara.domain.books.movements import MovementFacts, entry_from_row, require_bookable
from jara.domain.books.payment_state import (
    is_covered_refund,
    remaining_refund,
    require_same_amount,
)
from jara.domain.books.payouts import payout_arrived, shares_of
from jara.domain.books.provider_row import ProviderRow, RowCategory, outside_id
from jara.domain.books.years import booking_day
from jara.domain.errors import DuplicateEntry, InvalidInput, NotFound
from jara.domain.giving.payment_way import PaymentProof
from jara.domain.language import ENGLISH
from jara.services.books.outflows import NeedsApproval
from jara.services.books.payouts import arrivals_of
from jara.services.books.posting import Books, fund_balances
from jara.services.books.waiting_returns import WaitingReturns
from jara.services.context import Context
from jara.services.members.contributors import Contributors
from jara.services.notices.emails import LOOK_BACK
from jara.services.notices.receipts import queue_gift_receipt, queue_gift_refund
from jara.services.payments.known_movements import (
    KnownMovements,
    amounts_of,
    claim_balance_twin,
    find_cumulated_twin,
)
from jara.store.unit_of_work import UnitOfWork

_RETURNS = (
    RowCategory.REFUND,
    RowCategory.REFUND_FAILURE,
    RowCategory.DISPUTE,
    RowCategory.DISPUTE_REVERSAL,
)
ROW_FAULTS = (InvalidInput, DuplicateEntry, NotFound, NeedsApproval)
"""Errors that reject one row; any other error ends the import."""

_OTHER_SIDES = {
    RowCategory.PAYOUT: IN_TRANSIT,
    RowCategory.PAYOUT_REVERSAL: IN_TRANSIT,
    RowCategory.RISK_RESERVED_FUNDS: RESERVE,
    RowCategory.TOPUP: BANK,
    RowCategory.TOPUP_REVERSAL: BANK,
}
"""The asset account on the other side, by category of movement."""


class MovementBooker:
    """Books rows in one transaction; `load` looks up a batch of them first.

    Args:
        context: the application's context.
        work: the unit of work.
        proof: who says that the payments were made.
        is_limited: whether the rows count against the limits; those that the provider itself
            reports do not.
    """

    def __init__(
        self,
        context: Context,
        work: UnitOfWork,
        *,
        proof: PaymentProof | None = None,
        is_limited: bool = False,
    ) -> None:
        self._proof = proof
        self._work = work
        self._books = Books(context, work, is_limited=is_limited)
        self._context = context
        self._today = context.today()
        self._known = KnownMovements(work)
        self._contributors = Contributors(context, work)
        self._waiting = WaitingReturns(work)
        self.waiting: list[str] = []
        """The rows of this transaction that wait for their payment, by name."""

    def load(self, rows: Sequence[ProviderRow]) -> None:
        """Look up a batch of rows that are booked next."""
        self._known.load(rows)
        self._contributors.load(rows)

    def book(self, row: ProviderRow) -> bool:
        """Book a row that is not booked yet; return whether an entry was made.

        Raises:
            InvalidInput: the row cannot be booked.
            DuplicateEntry: it is booked with other amounts.
            NotFound: no fund policy is valid on its day.
            NeedsApproval: it is of a file, and takes out more than one person may alone.
        """
        require_bookable(row)
        if self._is_known(row):
            return False
        if self._lacks_payment(row):
            self._waiting.add(row)
            self.waiting.append(f"{row.source_id or row.txn_id} of {row.charge_id}")
            return False
        posted = self._post(row)
        charge_id = _charge_of(row)
        if posted and charge_id is not None:
            self._book_waiting(charge_id)
        return posted

    def save(self) -> None:
        """Store the rows that wait for their payment."""
        self._waiting.save()

    def _post(self, row: ProviderRow) -> bool:
        missing = self._without_booked_refunds(row)
        if missing is None:
            return False
        entry = entry_from_row(missing, self._facts(missing))
        if entry is None:
            self._known.add(missing, None)
            return False
        posted = self._books.post(
            entry,
            charge_id=_charge_of(row),
            is_new=True,
            proof=self._proof,
            card_fingerprint=row.card_fingerprint,
        )
        self._known.add(missing, posted.index)
        self._write_to_stranger(row, posted)
        if row.category is RowCategory.PAYOUT:
            self._book_arrival(row, posted.entry)
        elif row.category is RowCategory.PAYOUT_REVERSAL:
            self._undo_arrival(row)
        return True

    def _write_to_stranger(self, row: ProviderRow, posted: PostedEntry) -> None:
        """Queue the email about a new gift or refund to a giver without an account."""
        entry = posted.entry
        if not row.email or self._today - entry.day > LOOK_BACK:
            return
        payment = posted if entry.of is None else self._work.journal.get(entry.of)
        key = payment.entry.member_key
        if key is not None and self._work.members.by_key(key) is not None:
            return
        context, work, language = self._context, self._work, row.language or ENGLISH
        if entry.kind is EntryKind.GIFT:
            queue_gift_receipt(context, work, posted, address=row.email, language=language)
        elif entry.kind is EntryKind.REFUND:
            queue_gift_refund(context, work, payment, posted, address=row.email, language=language)

    def _lacks_payment(self, row: ProviderRow) -> bool:
        if row.category not in _RETURNS or row.charge_id is None:
            return False
        return row.charge_id not in self._work.payments.by_source([row.charge_id])

    def _book_waiting(self, charge_id: str) -> None:
        """Book the refunds and disputes that came before their payment.

        Rows that an operator booked by hand meanwhile are dropped; rows that fail wait again.
        """
        for row in self._waiting.take(charge_id):
            if self._work.journal.known_external_ids([outside_id(row)]):
                continue
            try:
                self._post(row)
            except ROW_FAULTS:
                self._waiting.add(row)

    def _is_known(self, row: ProviderRow) -> bool:
        """Return whether the row is booked with the same amounts; store new details."""
        identity = self._known.find(row)
        if identity is not None:
            if row.cumulative is None:
                require_same_amount(row, amount=identity.cents, net=identity.net_cents)
            self._known.complete(identity, row)
            index = identity.index
        else:
            index = self._known.posted_index(row)
            if index is None:
                return False
            entry = self._work.journal.get(index).entry
            amount, net = amounts_of(entry, row.category)
            require_same_amount(row, amount=amount, net=net)
            self._known.add(row, index)
            charge_id = _charge_of(row)
            if charge_id is not None:
                self._work.payments.name_source(index, charge_id)
                self._book_waiting(charge_id)
        if row.category is RowCategory.PAYOUT and index is not None:
            self._book_arrival(row, self._work.journal.get(index).entry)
        if row.category is RowCategory.CHARGE and index is not None:
            self._prove(index)
            if row.card_fingerprint is not None:
                self._work.payments.name_card(index, row.card_fingerprint)
        return True

    def _prove(self, index: int) -> None:
        """Let the provider confirm a payment that an operator's file booked."""
        payment = self._work.payments.by_index(index)
        is_alone = payment is not None and payment.proof is PaymentProof.NONE
        if is_alone and self._proof is not None:
            self._work.payments.prove(index, self._proof)

    def _without_booked_refunds(self, row: ProviderRow) -> ProviderRow | None:
        """Return the part of a refund that no other file booked; None if nothing is left."""
        if row.category is not RowCategory.REFUND:
            return row
        day = booking_day(row.day, self._books.locked_years).day
        if row.charge_id is None:
            twin = find_cumulated_twin(self._work, row, day)
            if twin is None:
                return row
            self._known.add(row._replace(charge_id=twin.charge_id), twin.index)
            return None
        refunds = self._known.refunds(row.charge_id)
        if row.cumulative is not None:
            if not refunds.posted and claim_balance_twin(self._work, row, day) is not None:
                return None
            return remaining_refund(row, [-refund.cents for refund in refunds.posted])
        covered = is_covered_refund(
            row,
            cumulated_cents=-sum(refund.cents for refund in refunds.cumulated),
            matched_cents=-sum(refund.cents for refund in refunds.matched),
        )
        if covered:
            self._known.add(row, refunds.cumulated[-1].index)
            return None
        return row

    def _facts(self, row: ProviderRow) -> MovementFacts:
        payment = None
        if row.category in _RETURNS and row.charge_id is not None:
            record = self._work.payments.by_source([row.charge_id]).get(row.charge_id)
            payment = None if record is None else record.payment
        owned = row.category is RowCategory.CHARGE or row.category in _RETURNS
        return MovementFacts(
            policy=policy_in_force(self._books.policies, row.day),
            payment=payment,
            shares=self._shares(row) if row.category in _OTHER_SIDES else {},
            member_key=self._contributors.key_of(row) if owned and payment is None else None,
            locked_years=self._books.locked_years,
        )

    def _shares(self, row: ProviderRow) -> dict[Fund, int]:
        """Split a movement between two asset accounts by fund."""
        exact_shares = None
        if row.category is RowCategory.PAYOUT and row.source_id is not None:
            exact_shares = self._work.identities.payout_shares(row.source_id, STRIPE)
        elif row.category is RowCategory.PAYOUT_REVERSAL:
            exact_shares = self._shares_of_payout(row)
        leaving = STRIPE if row.amount < 0 else _OTHER_SIDES[row.category]
        cents = abs(row.amount)
        if exact_shares is None or sum(exact_shares.values()) != cents:
            cells = self._cells(leaving)
            # A movement of the whole balance takes from each fund what it has.
            exact_shares = cells if sum(cells.values()) == cents else None
        else:
            cells = {}
        totals = {} if exact_shares is not None else fund_balances(self._work)
        shares = shares_of(cents, known=exact_shares, cells=cells, totals=totals)
        sign = 1 if row.amount < 0 else -1
        return {fund: sign * shares[fund] for fund in Fund if fund in shares}

    def _cells(self, account: str) -> dict[Fund, int]:
        rows = self._work.journal.balances(accounts=(account,))
        cells = Counter[Fund]()
        for row in rows:
            cells[row.fund] += row.cents
        return cells

    def _shares_of_payout(self, row: ProviderRow) -> dict[Fund, int] | None:
        source = row.source_id or ""
        for identity in self._work.identities.by_source([source]).get(source, []):
            if identity.category == RowCategory.PAYOUT and identity.index is not None:
                return _in_transit(self._work.journal.get(identity.index).entry)
        return None

    def _book_arrival(self, row: ProviderRow, payout: JournalEntry) -> None:
        """Book the arrival of a payout at the bank, once its day has come."""
        if row.arrives_on is None or row.arrives_on > self._today or row.source_id is None:
            return
        if arrivals_of(self._work, row.source_id):
            return
        when = booking_day(row.arrives_on, self._books.locked_years)
        shares = _in_transit(payout)
        self._books.post(
            payout_arrived(when.day, row.source_id, shares, true_day=when.true_day), is_new=True
        )

    def _undo_arrival(self, row: ProviderRow) -> None:
        """Reverse the arrival of a payout that the bank returned."""
        for index in arrivals_of(self._work, row.source_id or ""):
            if self._work.journal.reversal_of(index) is not None:
                continue
            day = booking_day(row.day, self._books.locked_years).day
            arrival = self._work.journal.get(index)
            self._books.post(reversal_of(arrival, day=day, why="The bank returned the payout."))


def _charge_of(row: ProviderRow) -> str | None:
    return (row.charge_id or row.source_id) if row.category is RowCategory.CHARGE else None


def _in_transit(entry: JournalEntry) -> dict[Fund, int]:
    return fund_sums(p for p in entry.postings if p.account == IN_TRANSIT)
