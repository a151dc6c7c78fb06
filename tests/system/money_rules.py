"""Rules that move money: time, refunds, disputes, gifts, and operators' entries."""

from contextlib import suppress
from datetime import timedelta

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry, Posting
from jara.domain.books.provider_row import RowCategory
from jara.domain.errors import Conflict, DuplicateEntry, FundOverdrawn, InvalidInput, Unavailable
from jara.records.operations import Approval
from jara.services.books.bank_charges import post_bank_charge
from jara.services.books.bookkeeping import move_between_funds, post_entry, reverse_entry
from jara.services.giving.pledging import replace_card
from jara.services.payments.refunding import refund_payment
from tests.system.money_model import FEES, shares
from tests.system.people_rules import failing, numbers
from tests.system.system_base import SystemBase, pick

funds = st.sampled_from([Fund.PROJECTS, Fund.STAFF, Fund.MARKETING, Fund.OTHER])
amounts = st.sampled_from([1, 39, 250, 700])


class MoneyRules(SystemBase):
    """Movements of the provider, and manual entries."""

    disputes: list[str]

    def __init__(self) -> None:
        """Start without a dispute."""
        super().__init__()
        self.disputes = []

    @rule(hours=st.sampled_from([1, 24, 24 * 6, 24 * 15, 24 * 31, 24 * 75]))
    def pass_time(self, hours: int) -> None:
        """Advance the clock."""
        self.world.pass_time(self.world.clock.now() + timedelta(hours=hours))

    @precondition(lambda self: self.members)
    @rule(number=numbers, days=st.integers(0, 20))
    def miss_a_month(self, number: int, days: int) -> None:
        """Let a card fail at its next charge, followed by some days without events."""
        try:
            card = self.world.card("pm_card_chargeCustomerFail")
            replace_card(self.context, pick(self.members, number).id, card)
        except Conflict:
            return
        self.pass_time(hours=24 * 31)
        self.require_daily()
        self.everything_holds()  # the model must see closed votes before time passes
        self.pass_time(hours=24 * days)

    @rule()
    def deliver_events(self) -> None:
        """Deliver some of the provider's events."""
        self.world.deliver_events(self.dice)

    @rule()
    def daily(self) -> None:
        """Run the daily run."""
        self.require_daily()

    @rule(cents=st.sampled_from([100, 2537]))
    def give(self, cents: int) -> None:
        """Let a visitor make a gift, which does not allow voting."""
        number = self.next_number()
        self.context.gateway.take_gift(
            cents=cents,
            email=f"giver{number}@example.org",
            name="Kofi",
            payment_method=self.world.card("pm_card_visa"),
            gift_id=f"gift{number}",
            key=f"gift:{number}",
        )

    def _charges(self) -> list[str]:
        """Return the booked charges that are neither refunded in full nor disputed."""
        return [
            charge
            for charge, paid in self.money.payments.items()
            if paid.returned < sum(paid.parts.values()) and not paid.disputed
        ]

    def _refunds_of(self, charge: str) -> list[int]:
        rows = self.world.rows()
        return [r.amount for r in rows if r.charge_id == charge and r.category == "refund"]

    @precondition(lambda self: self._charges())
    @rule(number=numbers, cents=st.one_of(st.none(), amounts), lost=st.booleans())
    def refund(self, number: int, cents: int | None, lost: bool) -> None:
        """Refund a payment in part or in full; a lost answer must not refund twice."""
        charge = pick(self._charges(), number)
        before = self._refunds_of(charge)
        context = failing(self.context, "refund", after=True) if lost else self.context
        try:
            try:
                refund_payment(context, charge, cents=cents, why="Asked for it.")
            except Unavailable:
                refund_payment(self.context, charge, cents=cents, why="Asked for it.")
        except Conflict:
            assert self._refunds_of(charge) == before  # less is left, here or at the provider
            return
        after = self._refunds_of(charge)
        assert len(after) == len(before) + 1
        assert cents is None or after[-1] == -cents

    @precondition(lambda self: self._charges())
    @rule(number=numbers)
    def dispute(self, number: int) -> None:
        """Let a cardholder dispute a charge."""
        with suppress(Conflict):  # nothing is left of it at the provider
            self.disputes.append(self.world.dispute(pick(self._charges(), number)))

    @precondition(lambda self: self.disputes)
    @rule(won=st.booleans())
    def settle(self, won: bool) -> None:
        """Let the bank decide the oldest dispute."""
        with suppress(Conflict):  # lost already, because nobody answered in time
            self.world.settle(self.disputes.pop(0), won=won)

    @rule(
        act=st.sampled_from(["grant", "grant twice", "wrong grant", "rent", "move", "bank"]),
        fund=funds,
        goal=funds,
        cents=amounts,
    )
    def keep_books(self, act: str, fund: Fund, goal: Fund, cents: int) -> None:
        """Let a treasurer post an entry."""
        if act == "rent":
            self._spend(fund, cents)
        elif act == "move":
            self._move(fund, goal, cents)
        elif act == "bank":
            self._keep(post_bank_charge(self.context, cents=cents))
            self.money.funds.subtract(shares(cents, FEES))
            self.expected.assets_cents -= cents
        else:
            self._grant(fund, cents, act)

    def _grant(self, fund: Fund, cents: int, act: str) -> None:
        entry = JournalEntry(
            day=self.context.today(),
            kind=EntryKind.GRANT,
            description="Grant",
            postings=(Posting("assets:bank", fund, cents), Posting("income:grants", fund, -cents)),
            external_id=f"grant-{self.next_number()}",
        )
        posted = self._keep(post_entry(self.context, entry))
        if act == "grant twice":
            with pytest.raises(DuplicateEntry):
                post_entry(self.context, entry)
        if act == "wrong grant":
            self._keep(reverse_entry(self.context, posted.id, why="A slip."))
            with pytest.raises(Conflict):
                reverse_entry(self.context, posted.id, why="Again.")
            return
        self.money.funds[str(fund)] += cents
        self.expected.assets_cents += cents

    def _spend(self, fund: Fund, cents: int) -> None:
        """Pay a bill that leaves no fund below zero."""
        entry = JournalEntry(
            day=self.context.today(),
            kind=EntryKind.EXPENSE,
            description="Rent",
            note="Rent",
            postings=(Posting("expenses:staff", fund, cents), Posting("assets:bank", fund, -cents)),
        )
        if fund is Fund.PROJECTS:
            with pytest.raises(InvalidInput, match="which is promised to projects"):
                post_entry(self.context, entry)
            return
        free = self._free(fund)
        try:
            self._keep(post_entry(self.context, entry))
        except FundOverdrawn:
            assert cents > free
            return
        assert cents <= free
        self.money.funds[str(fund)] -= cents
        self.expected.assets_cents -= cents

    def _move(self, source: Fund, goal: Fund, cents: int) -> None:
        """Move free money between funds."""
        if source is goal:
            return
        free = self._free(source)
        try:
            self._keep(
                move_between_funds(
                    self.context, source=source, target=goal, cents=cents, note="The board decided."
                )
            )
        except FundOverdrawn:
            assert cents > free
            return
        assert cents <= free
        self.money.funds[str(source)] -= cents
        self.money.funds[str(goal)] += cents

    @precondition(lambda self: self._charges())
    @rule(number=numbers)
    def reverse_a_payment(self, number: int) -> None:
        """Remove a mistaken payment from the books."""
        charge = pick(self._charges(), number)
        if self.money.payments[charge].reversed:
            return
        with self.context.store.read() as work:
            record = work.payments.by_source([charge])[charge]
            entry = work.journal.get(record.index)
        self._keep(reverse_entry(self.context, entry.id, why="It was a test."))
        row = self.money.rows[str(entry.entry.external_id)]
        assert row.category is RowCategory.CHARGE
        self.money.reverse(charge)
        self.expected.assets_cents -= row.net
        self.reversed_net += row.net

    def _free(self, fund: Fund) -> int:
        """Return the money that a fund may spend; in `projects`, commitments are not free."""
        held = 0
        if fund is Fund.PROJECTS:
            with self.context.store.read() as work:
                held = sum(record.commitment.held for record in work.commitments.all())
        return self.money.funds[str(fund)] - held

    def _keep(self, posted: PostedEntry | Approval) -> PostedEntry:
        assert not isinstance(posted, Approval)
        self.expected.entries.add(posted.index)
        return posted
