"""Members' contributions on a statement; the reference of the pledge identifies the payer."""

from __future__ import annotations

from dataclasses import replace

from jara.domain.bank.statement import account_number, squeezed
from jara.domain.books.account import is_below
from jara.domain.books.journal import PostedEntry
from jara.domain.books.other_ways import Received
from jara.domain.errors import Conflict
from jara.domain.giving.payment_way import PaymentProof, PaymentWay, print_reference, references_in
from jara.domain.giving.pledge import PledgeState
from jara.domain.money import format_cents
from jara.records.bank import BankLine
from jara.records.payments import PaymentRecord
from jara.services.bank.booking import LineBooker
from jara.services.context import Context
from jara.services.payments.receiving import follow_pledge, post_received, refund_of
from jara.store.unit_of_work import UnitOfWork

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
        self._found: dict[str, str | None] = {}
        self._payers: dict[str, str | None] = {}
        """The last paying account of each pledge, by reference."""
        self._fingerprints: dict[str, str | None] = {}
        """A cache by account number; most accounts pay each month."""

    def reference_in(self, line: BankLine) -> str | None:
        """Return the only reference in a line; None if there are none or several."""
        if line.id not in self._found:
            references = {one for one in references_in(line.line.words) if one in self._pledges}
            self._found[line.id] = references.pop() if len(references) == 1 else None
        return self._found[line.id]

    def cut_reference_in(self, line: BankLine) -> str | None:
        """Return the reference whose beginning is in a line; None if that is not certain.

        The account that paid the pledge before and the pledge's amount must match too.
        """
        fingerprint = self._fingerprint(line)
        if fingerprint is None:
            return None
        references = [
            reference
            for reference, (pledge, _) in self._pledges.items()
            if line.line.cents == pledge.dollars * 100
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
            Conflict: the pledge has ended, or no payment of that amount can be refunded.
        """
        pledge, member_key = self._pledges[reference]
        if pledge.state is PledgeState.CANCELED:
            raise Conflict(f"The pledge {print_reference(reference)} has ended.")
        if line.line.cents > 0:
            received = self._received(line)
            posted = post_received(
                self._booker.books,
                member_key,
                received,
                is_new=True,
                proof=PaymentProof.STATEMENT,
                payer=self._fingerprint(line),
            )
            # Ignore smaller amounts: a stranger's cent must not make two members one payer.
            if line.line.cents >= pledge.dollars * 100:
                self._payers[reference] = self._fingerprint(line)
        else:
            posted = self._give_back(line, reference, member_key)
        self._payers.setdefault(reference, None)
        self._work.bank.match(line.id, posted.index)

    def finish(self) -> None:
        """Update each pledge from its payments, and store the paying account."""
        for reference, fingerprint in self._payers.items():
            pledge, member_key = self._pledges[reference]
            if fingerprint not in {None, pledge.card_fingerprint}:
                pledge = replace(pledge, card_fingerprint=fingerprint)
                self._work.pledges.put(pledge, member_key=member_key, at=self._context.now())
            follow_pledge(self._context, self._work, member_key, pledge)

    def _give_back(self, line: BankLine, reference: str, member_key: str) -> PostedEntry:
        """Book a returned transfer as a refund of the newest payment of exactly this amount."""
        received = self._received(line)
        fitting = [
            payment
            for payment in self._work.payments.of_member(member_key)
            if _left_of(payment) == received.cents and self._is_transfer(payment)
        ]
        if not fitting:
            raise Conflict(
                f"No payment of {format_cents(received.cents)} by {print_reference(reference)} "
                "can go back."
            )
        books = self._booker.books
        return books.post(
            refund_of(
                self._work,
                books,
                fitting[-1],
                cents=received.cents,
                day=received.day,
                name=received.external_id,
            )
        )

    def _received(self, line: BankLine) -> Received:
        return Received(
            line.line.day,
            abs(line.line.cents),
            PaymentWay.TRANSFER.value,
            self._booker.ledger,
            self._booker.name_of(line),
        )

    def _is_transfer(self, payment: PaymentRecord) -> bool:
        postings = self._work.journal.get(payment.index).entry.postings
        return any(is_below(posting.account, self._booker.ledger) for posting in postings)

    def _fingerprint(self, line: BankLine) -> str | None:
        """Return the payer's fingerprint in ballots: one account has one ballot."""
        text = line.line.party_account
        if text not in self._fingerprints:
            self._fingerprints[text] = self._fingerprint_of(text) if text.strip() else None
        return self._fingerprints[text]

    def _fingerprint_of(self, account: str) -> str:
        return "payer:" + self._context.vault.keyed_hash("payer", account_number(account))


def _left_of(payment: PaymentRecord) -> int:
    return payment.cents - payment.returned_cents if payment.is_kept else 0
