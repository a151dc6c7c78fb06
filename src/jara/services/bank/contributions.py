"""Members' contributions on a statement; the reference of the pledge identifies the payer."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from jara.domain.bank.matching import NEAR
from jara.domain.bank.senders import Share, divide
from jara.domain.bank.statement import payer_number, squeezed
from jara.domain.books.account import AccountType, account_type, is_below
from jara.domain.books.journal import EntryKind, PostedEntry
from jara.domain.books.other_ways import Received
from jara.domain.errors import Conflict
from jara.domain.giving.payment_way import (
    PaymentProof,
    PaymentWay,
    near_references,
    print_reference,
    references_in,
)
from jara.domain.giving.pledge import PledgeState
from jara.domain.money import format_cents
from jara.records.bank import BankLine, OpenEntry
from jara.records.payments import GiftPromise, PaymentRecord
from jara.services.bank.accounts import stored_balances
from jara.services.bank.booking import LineBooker, match_line
from jara.services.bank.senders import BY_HAND, Sender, Senders
from jara.services.context import Context
from jara.services.payments.gift_promises import book_gift
from jara.services.payments.receiving import follow_pledge, post_received, refund_of
from jara.store.unit_of_work import UnitOfWork

MONTHLY = timedelta(days=10)
"""The maximum time between a contribution and its line; the next one comes in a month."""
_KEPT_SIGNS = 4
"""The length of a reference's first group, which is left when a bank cuts the reference off."""


class Contributions:
    """Books lines that name a pledge; `finish` then updates each pledge once."""

    def __init__(self, context: Context, work: UnitOfWork, booker: LineBooker) -> None:
        self._context = context
        self._work = work
        self._booker = booker
        self._pledges = work.pledges.with_reference()
        self._references = {key: reference for reference, (_, key) in self._pledges.items()}
        self._gifts = {gift.reference: gift for gift in work.gift_promises.all()}
        self._by_member = {
            pledge.member_id: reference
            for reference, (pledge, _) in self._pledges.items()
            if pledge.way is not PaymentWay.CARD and pledge.state is not PledgeState.CANCELED
        }
        self._dollars = {
            member_id: self._pledges[reference][0].dollars
            for member_id, reference in self._by_member.items()
        }
        self.senders = Senders(context, work)
        self._open: list[OpenEntry] | None = None
        """Payments on this account without a line, near the lines."""
        self._first = date.max
        self._named: dict[str, frozenset[str]] = {}
        self._elsewhere: dict[str, list[PaymentRecord]] = {}
        """Unproven payments booked on other accounts near the lines, by payer."""
        self._payers: dict[str, str | None] = {}
        """The last paying account of each pledge, by reference."""
        self._fingerprints: dict[str, str | None] = {}
        """A cache by account number; most accounts pay each month."""

    def load(self, lines: Sequence[BankLine]) -> None:
        """Look up the payments that operators booked near the lines; a query for each is slow."""
        days = [line.line.day for line in lines]
        self._first = min(days) - MONTHLY
        self.senders.load(lines)
        payments = self._work.payments.booked_by_hand(min(days) - NEAR, max(days) + NEAR)
        for payment in payments:
            if payment.member_key is not None and not self._is_here(payment):
                self._elsewhere.setdefault(payment.member_key, []).append(payment)

    def references_in(self, line: BankLine) -> frozenset[str]:
        """Return the references of pledges and of gifts on the way in a line."""
        if line.id not in self._named:
            found = references_in(line.line.words)
            self._named[line.id] = frozenset(
                one for one in found if one in self._pledges or one in self._gifts
            )
        return self._named[line.id]

    def reference_in(self, line: BankLine) -> str | None:
        """Return the only reference in a line; None if there are none or several."""
        references = self.references_in(line)
        return min(references) if len(references) == 1 else None

    def doubt(self, line: BankLine) -> str | None:
        """Return why a line waits, whatever entry or rule might fit it; None if nothing does."""
        if line.twin:
            return (
                f"It has the amount of the line {line.twin} of the same or a near day, and may be "
                "that line with another text, id or day. If it is another one, say what it is with "
                "`jara bank match`."
            )
        if line.line.is_collective:
            return (
                "It is several payments that the bank booked as one, and the amounts in the file "
                "do not divide it; book the parts, then `jara bank match` with --entry for each."
            )
        references = sorted(map(print_reference, self.references_in(line)))
        if len(references) > 1:
            return f"It names several references: {', '.join(references)}; say what it is."
        return None

    def names_payer(self, line: BankLine) -> bool:
        """Return whether a line names a member, perhaps with one wrong character."""
        return bool(self.references_in(line)) or self.near_miss(line) is not None

    def near_miss(self, line: BankLine) -> str | None:
        """Return why a line waits that names a reference with one wrong character."""
        if self.references_in(line):
            return None
        near = sorted(map(print_reference, near_references(line.line.words, self._pledges)))
        if not near:
            return None
        listed = ", ".join(near)
        text = f"It names no reference; a text in it is one character off {listed}. If that is "
        if line.line.cents > 0:
            return (
                f"{text}meant: `jara bank match {line.id} --member {near[0]}`; if somebody else "
                "paid, name them instead."
            )
        return (
            f"{text}meant, book it with `jara payments refund` or, if the bank took it back, "
            f"`jara payments returned`, then `jara bank match {line.id} --entry ENTRY`."
        )

    def cut_reference_in(self, line: BankLine) -> str | None:
        """Return the reference whose beginning is in a line; None if that is not certain.

        The account that paid the pledge before and the pledge's amount must match too, and no
        other pledge's reference is in the line. A word before it and its beginning can look like
        a reference by chance.
        """
        if self.references_in(line):
            return None
        fingerprint = self._fingerprint(line)
        if fingerprint is None:
            return None
        references = [
            reference
            for reference, (pledge, _) in self._pledges.items()
            if line.line.gross_cents == pledge.dollars * 100
            and fingerprint == (self._payers.get(reference) or pledge.card_fingerprint)
            and squeezed(reference[:_KEPT_SIGNS]) in line.line.words
        ]
        return references[0] if len(references) == 1 else None

    def reference_of(self, member_key: str | None) -> str | None:
        """Return the reference of a member's pledge."""
        return self._references.get(member_key or "")

    def book(self, line: BankLine, reference: str) -> None:
        """Book a line as a member's payment or refund.

        Raises:
            Conflict: the pledge has ended, the payment is booked elsewhere, or it is money out
                that the bank does not mark as the return of a payment that is known.
        """
        if reference in self._gifts:
            self._book_gift(line, self._gifts[reference])
            return
        pledge, member_key = self._pledges[reference]
        if pledge.state is PledgeState.CANCELED:
            raise Conflict(f"The pledge {print_reference(reference)} has ended.")
        if line.line.cents > 0:
            self._require_not_booked(line, member_key, line.line.gross_cents)
            received = self._received(line)
            posted = post_received(
                self._booker.books,
                member_key,
                received,
                is_new=True,
                proof=PaymentProof.STATEMENT if line.is_proven else None,
                payer=self._fingerprint(line),
            )
            self._note_payer(reference, line, line.line.gross_cents)
        else:
            posted = self._give_back(line, reference, member_key)
            self._payers.setdefault(reference, None)
        self._work.bank.match(line.id, posted.index)
        self._booker.book_fee(line)

    def _book_gift(self, line: BankLine, gift: GiftPromise) -> None:
        if line.line.cents <= 0:
            raise Conflict(
                f"It is money out that names the gift {print_reference(gift.reference)}; book it "
                "with `jara payments refund` or, if the bank took it back, `jara payments "
                "returned`, then `jara bank rematch`."
            )
        posted = book_gift(
            self._context,
            self._work,
            self._booker.books,
            gift,
            self._received(line),
            proof=PaymentProof.STATEMENT if line.is_proven else None,
        )
        self._work.bank.match(line.id, posted.index)
        self._booker.book_fee(line)

    def finish(self) -> None:
        """Update each pledge from its payments, and store the paying account."""
        for reference, fingerprint in self._payers.items():
            pledge, member_key = self._pledges[reference]
            if fingerprint not in {None, pledge.card_fingerprint}:
                pledge = replace(pledge, card_fingerprint=fingerprint)
                self._work.pledges.put(pledge, member_key=member_key, at=self._context.now())
            follow_pledge(self._context, self._work, member_key, pledge)

    def sender(self, line: BankLine) -> Sender | None:
        """Return the remembered sender of a line that pays members' promises.

        Raises:
            Conflict: it is not certain.
        """
        if line.line.cents <= 0 or line.line.is_reversal:
            return None
        sender = self.senders.certain(line, self._dollars)
        if sender is not None and self._booker.had_entry(line):
            raise Conflict("Its sender is remembered, but its entry was reversed.")
        return sender

    def book_sent(
        self, line: BankLine, shares: Sequence[Share], sender: Sender | None
    ) -> list[PostedEntry]:
        """Book a line of money in as payments of members, or match it with those booked already.

        `sender` is the remembered one; None if it is not remembered.

        Raises:
            Conflict: a member has no promise, or the payment is booked elsewhere.
            InvalidInput: the shares are not the line's amount.
        """
        cents = divide(line.line.gross_cents, shares)
        digest = BY_HAND if sender is None else sender.digest
        is_shown = line.is_proven and digest in self.senders.signed
        booked = []
        for share, amount in zip(shares, cents, strict=True):
            reference = self._by_member[share.member_id]
            _, member_key = self._pledges[reference]
            index = self._open_payment(member_key, line, amount)
            if index is None:
                self._require_not_booked(line, member_key, amount)
                received = self._received(line)._replace(cents=amount)
                posted = post_received(
                    self._booker.books,
                    member_key,
                    received,
                    is_new=True,
                    proof=PaymentProof.STATEMENT if is_shown else None,
                    payer=self._fingerprint(line),
                )
                self._booker.take_name(received.external_id)
                index = posted.index
            match_line(self._work, line, index, sender=digest, shows_payer=is_shown)
            booked.append(self._work.journal.get(index))
            self._note_payer(reference, line, amount)
        self._booker.book_fee(line)
        return booked

    def _note_payer(self, reference: str, line: BankLine, cents: int) -> None:
        earlier = self._payers.setdefault(reference, None)
        # Ignore smaller amounts: a stranger's cent must not make two members one payer.
        if cents >= self._pledges[reference][0].dollars * 100:
            self._payers[reference] = self._fingerprint(line) or earlier

    def _open_payment(self, member_key: str, line: BankLine, cents: int) -> int | None:
        """Return a member's payment that an operator booked on this account for a line.

        Raises:
            Conflict: there are several.
        """
        if self._open is None:
            entries = self._work.bank.standing_entries(self._booker.ledger, since=self._first)
            self._open = [one for one in entries if one.kind == EntryKind.PLEDGE]
        fitting = [
            one
            for one in self._open
            if one.member_key == member_key
            and one.cents == cents
            and abs(one.day - line.line.day) <= MONTHLY
        ]
        if len(fitting) > 1:
            ids = ", ".join(one.id for one in fitting)
            raise Conflict(f"Several payments of the member fit; say which with --entry: {ids}.")
        if not fitting:
            return None
        self._open.remove(fitting[0])
        return fitting[0].index

    def _require_not_booked(self, line: BankLine, member_key: str, cents: int) -> None:
        """Require that an operator has not booked the payment on another account."""
        for payment in self._elsewhere.get(member_key, ()):
            is_near = abs(payment.day - line.line.day) <= NEAR
            if _left_of(payment) == cents and is_near:
                posted = self._work.journal.get(payment.index)
                raise Conflict(
                    f"The payment of {format_cents(payment.cents)} on {payment.day} is booked on "
                    f"{_ledger_of(posted)} already, as {posted.id}. If this is its money, book a "
                    f"transfer: jara bank match {line.id} {_ledger_of(posted)}"
                )

    def _give_back(self, line: BankLine, reference: str, member_key: str) -> PostedEntry:
        """Book a transfer that the bank returned as the refund of the newest payment before it."""
        received, printed = self._received(line), print_reference(reference)
        if not line.line.is_reversal:
            raise Conflict(
                f"It is money out that names {printed}. If it is a refund, book it with "
                "`jara payments refund`, if the bank took a payment back with `jara payments "
                "returned`, then `jara bank rematch`; if not, say what it is."
            )
        fitting = [
            payment
            for payment in self._work.payments.of_member(member_key)
            if _left_of(payment) == received.cents
            and payment.day <= received.day
            and self._is_here(payment)
        ]
        if not fitting:
            raise Conflict(
                f"No payment of {format_cents(received.cents)} by {printed} can go back."
            )
        newest = max(fitting, key=lambda payment: (payment.day, payment.index))
        stored = stored_balances(self._work, line.account)
        if not stored.covers(newest.day, received.day):
            raise Conflict(
                f"It returns a payment by {printed}, perhaps that of {newest.day}; import the "
                "statements of the days between, then `jara bank rematch`."
            )
        books = self._booker.books
        return books.post(
            refund_of(
                self._work,
                books,
                newest,
                cents=received.cents,
                day=received.day,
                name=received.external_id,
                by_bank=True,
            )
        )

    def _received(self, line: BankLine) -> Received:
        return Received(
            line.line.day,
            abs(line.line.gross_cents),
            PaymentWay.TRANSFER.value,
            self._booker.ledger,
            self._booker.name_of(line),
        )

    def _is_here(self, payment: PaymentRecord) -> bool:
        """Return whether a payment is booked on this account."""
        return is_below(_ledger_of(self._work.journal.get(payment.index)), self._booker.ledger)

    def _fingerprint(self, line: BankLine) -> str | None:
        """Return the payer's fingerprint in ballots: one account has one ballot."""
        text = line.line.party_account
        if text not in self._fingerprints:
            self._fingerprints[text] = self._fingerprint_of(payer_number(text))
        return self._fingerprints[text]

    def _fingerprint_of(self, account: str) -> str | None:
        return f"payer:{self._context.vault.keyed_hash('payer', account)}" if account else None


def _left_of(payment: PaymentRecord) -> int:
    return payment.cents - payment.returned_cents if payment.is_kept else 0


def _ledger_of(posted: PostedEntry) -> str:
    """Return the asset account that got a payment; empty if a file booked it elsewhere."""
    accounts = [posting.account for posting in posted.entry.postings]
    return next((one for one in accounts if account_type(one) is AccountType.ASSETS), "")
