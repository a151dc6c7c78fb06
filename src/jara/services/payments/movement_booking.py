"""Booking one movement of the payment provider, exactly once."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from jara.domain.books import movements
from jara.domain.books.account import IN_TRANSIT, RESERVE, STRIPE, Fund
from jara.domain.books.fund_policy import policy_in_force
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry, fund_sums, reversal_of
from jara.domain.books.movements import MovementFacts, entry_from_row
from jara.domain.books.payment_state import is_covered_refund, remaining_refund, require_same_amount
from jara.domain.books.provider_row import RETURNS, ProviderRow, RowCategory, outside_id
from jara.domain.books.years import booking_day
from jara.domain.errors import DuplicateEntry, InvalidInput, NotFound
from jara.domain.giving.payment_way import PaymentProof
from jara.services.books.imports import free_name
from jara.services.books.outflows import NeedsApproval
from jara.services.books.payment_account import bank_account
from jara.services.books.posting import Books, arrivals_of, cells_of, fund_balances
from jara.services.books.waiting_returns import WaitingReturns, missing_cause, name_of, waiting_rows
from jara.services.context import Context
from jara.services.members.contributors import Contributors
from jara.services.notices.emails import LOOK_BACK
from jara.services.notices.receipts import queue_gift_receipt, queue_gift_refund
from jara.services.payments.known_movements import KnownMovements, amounts_of
from jara.store.unit_of_work import UnitOfWork

_CUMULATED = (RowCategory.REFUND, RowCategory.DISPUTE, RowCategory.DISPUTE_REVERSAL)
"""What the Payments file reports as one sum per charge."""
ROW_FAULTS = (InvalidInput, DuplicateEntry, NotFound, NeedsApproval)
"""Errors that reject one row; any other error ends the import."""

_OTHER_SIDES = {
    RowCategory.PAYOUT: IN_TRANSIT,
    RowCategory.PAYOUT_REVERSAL: IN_TRANSIT,
    RowCategory.RISK_RESERVED_FUNDS: RESERVE,
}
"""The asset account on the other side, by category of movement; of a top-up it is the bank's."""
_EMAILED = (EntryKind.GIFT, EntryKind.REFUND)
_TOPUPS = (RowCategory.TOPUP, RowCategory.TOPUP_REVERSAL)


class MovementBooker:
    """Books rows in one transaction; `load` looks up a batch of them first.

    Args:
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
        self._zone, self._today = context.zone, context.today()
        self._bank = bank_account(work)
        self._known = KnownMovements(work)
        self._contributors = Contributors(context, work)
        self._waiting = WaitingReturns(work)
        self._new: set[str] = set()
        self._has_posted = False

    @property
    def waiting(self) -> tuple[str, ...]:
        """The rows of this transaction that wait, by name, once it is saved."""
        if not self._new:
            return ()
        return tuple(row.name for row in waiting_rows(self._work) if row.name in self._new)

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
        movements.require_bookable(row)
        is_known = self._is_known(row)
        if not is_known and missing_cause(self._work, row) is not None:
            self._waiting.add(row)
            self._new.add(name_of(row))
            return False
        self._waiting.drop(row)
        return not is_known and self._post(row)

    def save(self) -> None:
        """Book the waiting rows whose cause is booked now, and store the others."""
        if self._has_posted:
            self.settle()
        else:
            self._waiting.save()

    def settle(self) -> None:
        """Book every waiting row that can be booked, until none is left."""
        self._has_posted = True
        while self._has_posted:
            self._has_posted = False
            for row in self._waiting.all():
                self._book_waiting(row)
        self._waiting.save()

    def _book_waiting(self, row: ProviderRow) -> None:
        """Book a waiting row if it can be; one that fails waits on.

        A row that an operator booked by hand meanwhile is dropped, unless that was reversed.
        """
        self._known.load([row])
        by_hand = self._known.posted_index(row)
        if by_hand is not None:
            if self._work.journal.reversal_of(by_hand) is None:
                self._waiting.drop(row)
        elif missing_cause(self._work, row) is None:
            try:
                self._post(row)
            except ROW_FAULTS:
                return
            self._waiting.drop(row)

    def _post(self, row: ProviderRow) -> bool:
        missing = self._unbooked_part(row)
        if missing is None:
            self._note_lost(row)
            return False
        entry = entry_from_row(missing, self._facts(missing))
        if entry is None:
            self._known.add(missing, None)
            return False
        charge_id = _charge_of(row)
        if self._known.is_undone(row):
            name = free_name(self._work, outside_id(missing))
            entry = replace(entry, external_id=name)
            self._work.payments.release_source(charge_id or "")
        posted = self._books.post(
            entry,
            charge_id=charge_id,
            is_new=True,
            proof=self._proof,
            card_fingerprint=row.card_fingerprint,
        )
        self._known.add(missing if row.cumulative is not None else row, posted.index)
        self._has_posted = True
        self._note_lost(row)
        self._write_to_stranger(row, posted)
        if row.category is RowCategory.PAYOUT:
            self._book_arrival(row, posted)
        elif row.category is RowCategory.PAYOUT_REVERSAL:
            self._undo_arrival(row)
        return True

    def _write_to_stranger(self, row: ProviderRow, posted: PostedEntry) -> None:
        """Queue the email about a new gift or refund to a giver without an account."""
        entry = posted.entry
        if not row.email or entry.kind not in _EMAILED or self._today - entry.day > LOOK_BACK:
            return
        payment = posted if entry.of is None else self._work.journal.get(entry.of)
        key = payment.entry.member_key
        if key is not None and self._work.members.by_key(key) is not None:
            return
        context, work = self._context, self._work
        language = row.language or context.rules.language
        if entry.kind is EntryKind.GIFT:
            queue_gift_receipt(context, work, posted, address=row.email, language=language)
        else:
            queue_gift_refund(context, work, payment, posted, address=row.email, language=language)

    def _note_lost(self, row: ProviderRow) -> None:
        """Close a dispute that the row's file calls lost; no movement says so."""
        if not row.is_lost or row.charge_id is None:
            return
        payment = self._work.payments.by_source([row.charge_id]).get(row.charge_id)
        if payment is not None and payment.dispute == "open":
            self._work.payments.update(
                payment.index, returned_cents=payment.returned_cents, dispute="lost"
            )

    def _is_known(self, row: ProviderRow) -> bool:
        """Return whether the row is booked with the same amounts; store new details."""
        identity = self._known.find(row)
        if identity is not None:
            if row.cumulative is None:
                require_same_amount(row, amount=identity.cents, net=identity.net_cents)
            self._has_posted |= self._known.complete(identity, row)
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
                self._has_posted = True
        if row.category is RowCategory.PAYOUT and index is not None:
            self._book_arrival(row, self._work.journal.get(index))
        self._note_lost(row)
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

    def _day_of(self, row: ProviderRow) -> date:
        return booking_day(self._zone.day_of(row.created), self._books.locked_years).day

    def _unbooked_part(self, row: ProviderRow) -> ProviderRow | None:
        """Return the part of a refund or dispute that no other file booked; None if there is none.

        The Payments file does not know the fee of a dispute.
        """
        if row.category not in _CUMULATED or row.charge_id is None:
            return row
        returns = self._known.returns(row.charge_id, row.category)
        if row.cumulative is not None:
            return remaining_refund(row, returns.booked)
        is_covered = is_covered_refund(
            row, cumulated_cents=returns.cumulated_cents, matched_cents=returns.matched_cents
        )
        if not is_covered:
            return row
        if row.fee:
            return row._replace(amount=0, net=-row.fee)
        self._known.add(row, returns.cumulated[-1].index)
        return None

    def _facts(self, row: ProviderRow) -> MovementFacts:
        payment = None
        if row.category in RETURNS and row.charge_id is not None:
            record = self._work.payments.by_source([row.charge_id]).get(row.charge_id)
            payment = None if record is None else record.payment
        owned = row.category is RowCategory.CHARGE or row.category in RETURNS
        return MovementFacts(
            policy=policy_in_force(self._books.policies, self._zone.day_of(row.created)),
            payment=payment,
            shares=self._shares(row) if row.category in (*_OTHER_SIDES, *_TOPUPS) else {},
            member_key=self._contributors.key_of(row) if owned and payment is None else None,
            locked_years=self._books.locked_years,
            bank=self._bank,
            zone=self._zone,
        )

    def _shares(self, row: ProviderRow) -> dict[Fund, int]:
        """Split a movement between two asset accounts by fund."""
        exact_shares = None
        if row.category is RowCategory.PAYOUT and row.source_id is not None:
            exact_shares = self._work.identities.payout_shares(row.source_id, STRIPE)
        elif row.category is RowCategory.PAYOUT_REVERSAL:
            exact_shares = self._shares_of_payout(row)
        leaving = STRIPE if row.amount < 0 else _OTHER_SIDES.get(row.category, self._bank)
        cents = abs(row.amount)
        if exact_shares is None or sum(exact_shares.values()) != cents:
            cells: dict[Fund, int] = cells_of(self._work, leaving)
            # A movement of the whole balance takes from each fund what it has.
            exact_shares = cells if sum(cells.values()) == cents else None
        else:
            cells = {}
        totals = {} if exact_shares is not None else fund_balances(self._work)
        shares = movements.shares_of(cents, known=exact_shares, cells=cells, totals=totals)
        sign = 1 if row.amount < 0 else -1
        return {fund: sign * shares[fund] for fund in Fund if fund in shares}

    def _shares_of_payout(self, row: ProviderRow) -> dict[Fund, int] | None:
        source = row.source_id or ""
        for identity in self._work.identities.by_source([source]).get(source, []):
            if identity.category == RowCategory.PAYOUT and identity.index is not None:
                return _in_transit(self._work.journal.get(identity.index).entry)
        return None

    def _book_arrival(self, row: ProviderRow, payout: PostedEntry) -> None:
        """Book the arrival of a payout at the bank, once its day has come."""
        if row.arrives_on is None or row.arrives_on > self._today or row.source_id is None:
            return
        arrivals = arrivals_of(self._work, row.source_id)
        if arrivals and not self._is_of_undone_payout(arrivals[-1], payout):
            return
        when = booking_day(row.arrives_on, self._books.locked_years)
        shares = _in_transit(payout.entry)
        self._books.post(
            movements.payout_arrived(
                when.day,
                row.source_id,
                shares,
                true_day=when.true_day,
                number=len(arrivals) + 1,
                bank=self._bank,
            ),
            is_new=True,
        )

    def _is_of_undone_payout(self, arrival: int, payout: PostedEntry) -> bool:
        """Return whether an arrival was reversed with an earlier entry of the payout."""
        return arrival < payout.index and self._work.journal.reversal_of(arrival) is not None

    def _undo_arrival(self, row: ProviderRow) -> None:
        """Reverse the arrival of a payout that the bank returned."""
        for index in arrivals_of(self._work, row.source_id or ""):
            if self._work.journal.reversal_of(index) is not None:
                continue
            day = self._day_of(row)
            arrival = self._work.journal.get(index)
            self._books.post(reversal_of(arrival, day=day, why="The bank returned the payout."))


def _charge_of(row: ProviderRow) -> str | None:
    return (row.charge_id or row.source_id) if row.category is RowCategory.CHARGE else None


def _in_transit(entry: JournalEntry) -> dict[Fund, int]:
    return fund_sums(p for p in entry.postings if p.account == IN_TRANSIT)
