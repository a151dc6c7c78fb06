"""Pledges that are paid by transfer, in cash or by mobile money."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import cast

import pytest

from jara.domain.errors import Conflict, DuplicateEntry, InvalidInput, NotAChangemaker, NotFound
from jara.domain.giving.payment_way import PaymentWay, make_reference, print_reference
from jara.domain.giving.pledge import Pledge, PledgeState
from jara.services.ballots.casting import require_elector
from jara.services.books.bookkeeping import reverse_entry
from jara.services.books.policies import add_account
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.giving.joining import expire_incomplete
from jara.services.giving.pledging import cancel_pledge, change_amount
from jara.services.members.documents import list_payments
from jara.services.operations.daily_run import queue_due_emails
from jara.services.payments import receiving
from jara.services.payments.charging import cancel_overdue, refresh_pledges
from jara.services.payments.listing import equal_gift
from jara.services.payments.promising import promise
from jara.services.payments.receiving import (
    Giver,
    equal_payment,
    follow_payments,
    receive,
    receive_from,
)
from jara.services.payments.reconciling import reconcile
from jara.services.payments.refunding import refund_payment
from jara.services.payments.ways import list_ways, remove_way, set_way
from jara.store.store import Store
from jara.store.unit_of_work import UnitOfWork
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import add_former_payer
from tests.services.bank.bank_books import take
from tests.services.bank.test_statement_vouching import voters
from tests.services.books.ledger_builders import all_entries, money_findings
from tests.services.giving.joiners import join, take_cash

ADA = "ada@example.org"


def ready(context: Context) -> Context:
    """Set up cash and transfers, and register Ada, whose card pledge has ended."""
    take_cash(context)
    set_way(context, PaymentWay.TRANSFER, ledger="assets:bank", details="IBAN DE89")
    add_former_payer(context, "ada")
    return context


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation that takes cash and transfers."""
    return ready(make_organisation(place))


def pledge_of(context: Context) -> Pledge:
    """Return Ada's pledge."""
    with context.store.read() as work:
        pledge = work.pledges.get(work.members.find(ADA).id)
    assert pledge is not None
    return pledge


def test_a_promise_gives_no_vote_and_a_payment_does(context: Context) -> None:
    """A payment gives the vote for its month and 14 days; the next payment renews it."""
    pledge = promise(context, ADA, dollars=10, way=PaymentWay.CASH)
    assert (voters(context), pledge.state) == (0, PledgeState.INCOMPLETE)
    receive(context, pledge.reference or "", 1000)
    assert (voters(context), pledge_of(context).next_charge_on) == (1, date(2026, 12, 20))

    end = datetime(2026, 12, 20, tzinfo=UTC) + timedelta(days=14)
    seen = []
    for at in (end - timedelta(days=13), end, end + timedelta(seconds=1)):
        clock_of(context).set(at)
        follow_payments(context)
        seen.append((voters(context), pledge_of(context).state))
    receive(context, ADA, 1000)

    assert seen == [(1, "past_due"), (1, "past_due"), (0, "past_due")]
    assert (voters(context), pledge_of(context).state) == (1, PledgeState.ACTIVE)
    assert follow_payments(context) == 0
    assert verify_books(context).ok


def test_a_contribution_without_a_card_is_one_like_any_other(context: Context) -> None:
    """It is split, traced, listed on the statement and counted in the figures."""
    promise(context, ADA, dollars=10, way=PaymentWay.CASH)
    receive(context, ADA, 1000)
    member_id = pledge_of(context).member_id

    with context.store.read() as work:
        assert work.electors.contributions() == (1, 1000)
    assert [row.amount_cents for row in list_payments(context, member_id)] == [1000]
    assert money_findings(context) == []
    assert reconcile(context).ok


@pytest.mark.parametrize("way", [PaymentWay.CASH, PaymentWay.CHEQUE])
def test_the_way_belongs_to_the_payment(context: Context, way: PaymentWay) -> None:
    """An envelope of a member who transfers is booked as cash, not at the bank."""
    add_account(context, "assets:cheques", meaning="Cheques that are not at the bank yet.")
    set_way(context, PaymentWay.CHEQUE, ledger="assets:cheques", details="")
    promise(context, ADA, dollars=10, way=PaymentWay.TRANSFER)
    posted = receive(context, ADA, 1000, way=way).posted
    with context.store.read() as work:
        payment = work.payments.by_index(posted.index)
    assert payment is not None

    ledger = {PaymentWay.CASH: "assets:cash", PaymentWay.CHEQUE: "assets:cheques"}[way]
    assert sum(p.cents for p in posted.entry.postings if p.account == ledger) == 1000
    assert (payment.way, pledge_of(context).way) == (way, PaymentWay.TRANSFER)
    assert (voters(context), money_findings(context)) == (1, [])
    with pytest.raises(InvalidInput, match="payment provider"):
        receive(context, ADA, 1000, way=PaymentWay.CARD)


def test_a_refund_takes_the_standing_back(context: Context) -> None:
    """A key stands for one refund, and the total never exceeds the payment."""
    promise(context, ADA, dollars=10, way=PaymentWay.CASH)
    receive(context, ADA, 1000, name="a")
    receive(context, ADA, 1000, name="b")
    assert pledge_of(context).next_charge_on == date(2027, 1, 20)
    first = refund_payment(context, "received:b", cents=400, why="agreed", key="k")
    again = refund_payment(context, "received:b", cents=400, why="agreed", key="k")
    assert first == again
    assert pledge_of(context).next_charge_on == date(2027, 1, 20)
    refund_payment(context, "received:b", why="agreed")
    assert pledge_of(context).next_charge_on == date(2026, 12, 20)
    with pytest.raises(Conflict, match="given back in full"):
        refund_payment(context, "received:b", why="agreed")
    refund_payment(context, "received:a", why="agreed")

    assert voters(context) == 0
    assert (
        sum(p.cents for e in all_entries(context) for p in e.postings if p.account == "assets:cash")
        == 0
    )
    assert money_findings(context) == []


class _Late:
    """A store whose first writer is overtaken by another act."""

    def __init__(self, store: Store, act: Callable[[], object]) -> None:
        self._store = store
        self._acts = [act]

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def write(self) -> AbstractContextManager[UnitOfWork]:
        if self._acts:
            self._acts.pop()()
        return self._store.write()


def test_concurrent_refunds_never_exceed_the_payment(context: Context) -> None:
    """Both read the payment before either is booked; the later one is refused."""
    promise(context, ADA, dollars=10, way=PaymentWay.CASH)
    receive(context, ADA, 1000, name="a")

    def overtake() -> object:
        return refund_payment(context, "received:a", cents=600, why="agreed", key="one")

    late = replace(context, store=cast("Store", _Late(context.store, overtake)))
    with pytest.raises(Conflict, match=r"\$6.00 cannot be refunded: \$4.00 is left"):
        refund_payment(late, "received:a", cents=600, why="agreed", key="two")

    with context.store.read() as work:
        assert work.payments.by_source(["received:a"])["received:a"].returned_cents == 600


def test_a_reversed_payment_is_not_refunded(context: Context) -> None:
    """A reversed payment has nothing to refund."""
    promise(context, ADA, dollars=10, way=PaymentWay.CASH)
    wrong = receive(context, ADA, 1000, name="a").posted
    reverse_entry(context, wrong.id, why="booked twice")

    for cents in (None, 400):
        with pytest.raises(Conflict, match="this payment was reversed; nothing of it"):
            refund_payment(context, wrong.id, cents=cents, why="asked")


def test_one_receipt_is_booked_once(context: Context) -> None:
    """The receipt number is the id of the payment."""
    promise(context, ADA, dollars=10, way=PaymentWay.CASH)
    receive(context, ADA, 1000, name="118")

    with pytest.raises(DuplicateEntry, match="A payment with the id '118' is booked already, as "):
        receive(context, ADA, 1000, name="118")


def test_an_equal_payment_is_one_of_the_day_or_shown_by_the_bank_near_it(context: Context) -> None:
    """Another one of this amount may be the same again; a reversed one is not."""
    pledge = promise(context, ADA, dollars=10, way=PaymentWay.TRANSFER)
    take(context, a_statement(a_line(1000, f"GIFT {pledge.reference}", day=4)))
    by_hand = receive(context, ADA, 900, day=date(2026, 5, 14)).posted

    def days(cents: int, *days: int) -> list[date | None]:
        with context.store.read() as work:
            found = [equal_payment(work, ADA, cents, date(2026, 5, day)) for day in days]
        return [None if one is None else one.entry.day for one in found]

    assert days(1000, 4, 8, 9, 14) == [date(2026, 5, 4), date(2026, 5, 4), None, None]
    assert days(900, 14, 15) == [date(2026, 5, 14), None]
    reverse_entry(context, by_hand.id, why="typo")
    assert days(900, 14) == [None]


def test_what_two_operators_book_at_once_is_booked_once(context: Context) -> None:
    """Neither saw an equal payment when the command looked; the second one is refused."""
    promise(context, ADA, dollars=10, way=PaymentWay.TRANSFER)
    payment = partial(equal_payment, text=ADA, cents=1000, day=context.today())
    gift = partial(equal_gift, giver="Efua", cents=500, day=context.today())
    efua = Giver("Efua")

    receive(context, ADA, 1000, unless=payment)
    receive_from(context, efua, 500, way=PaymentWay.TRANSFER, unless=gift)
    with pytest.raises(Conflict, match="booked already"):
        receive(context, ADA, 1000, unless=payment)
    with pytest.raises(Conflict, match="booked already"):
        receive_from(context, efua, 500, way=PaymentWay.TRANSFER, unless=gift)

    receive(context, ADA, 1000)  # as the operator said
    with context.store.read() as work:
        assert len(list(work.payments.all())) == 3


def test_a_promise_may_change(context: Context) -> None:
    """The reference stays, even if the pledge ended and is promised again."""
    first = promise(context, ADA, dollars=10, way=PaymentWay.CASH)
    receive(context, ADA, 2000)
    second = promise(context, ADA, dollars=20, way=PaymentWay.TRANSFER)
    cancel_pledge(context, second.member_id)
    with pytest.raises(Conflict, match=r"jara payments promise ada@example\.org"):
        receive(context, ADA, 1000)
    third = promise(context, ADA, dollars=20, way=PaymentWay.TRANSFER)

    assert first.reference == second.reference == third.reference
    assert (second.dollars, second.way, second.next_charge_on) == (
        20,
        PaymentWay.TRANSFER,
        date(2026, 12, 20),
    )
    assert PledgeState.ACTIVE is third.state


def test_a_card_pledge_is_canceled_first(context: Context) -> None:
    """Otherwise the card would be charged as well."""
    join(context, "ama@example.org")

    with pytest.raises(Conflict, match="is paid by card; cancel it first"):
        promise(context, "ama@example.org", dollars=10, way=PaymentWay.CASH)
    with pytest.raises(Conflict, match="no pledge paid without a card"):
        receive(context, "ama@example.org", 1000)


def test_the_provider_is_never_asked(context: Context) -> None:
    """Changes meant for cards are refused, and nothing expires before it is paid."""
    pledge = promise(context, ADA, dollars=10, way=PaymentWay.TRANSFER)
    with pytest.raises(Conflict, match="paid by bank transfer, so nothing is charged"):
        change_amount(context, pledge.member_id, 20)
    clock_of(context).at += timedelta(days=3)

    assert (expire_incomplete(context), refresh_pledges(context).changed) == (0, 0)
    receive(context, ADA, 1000)
    clock_of(context).at += timedelta(days=31)
    assert queue_due_emails(context)["payment_missing"] == 0
    follow_payments(context)
    assert [queue_due_emails(context)["payment_missing"] for _ in range(2)] == [1, 0]
    clock_of(context).at += timedelta(days=31)
    assert cancel_overdue(context) == 1
    assert queue_due_emails(context)["payment_missing"] == 0
    with context.store.read() as work:
        kinds = [email.kind for email in work.outbox.all()]
    assert tuple(
        kinds.count(kind) for kind in ("payment_ended", "pledge_ended", "charge_failed")
    ) == (1, 0, 0)


def test_a_late_import_writes_no_old_reminders(context: Context) -> None:
    """Payments missing long ago cause no reminder."""
    promise(context, ADA, dollars=10, way=PaymentWay.CASH)
    receive(context, ADA, 1000)
    clock_of(context).advance(days=100)
    follow_payments(context)

    assert PledgeState.PAST_DUE is pledge_of(context).state
    assert queue_due_emails(context)["payment_missing"] == 0


def test_the_refusal_names_the_way(context: Context) -> None:
    """A member who pays in cash gets no message about cards."""
    pledge = promise(context, ADA, dollars=10, way=PaymentWay.CASH)

    with context.store.read() as work, pytest.raises(NotAChangemaker, match="next payment by cash"):
        require_elector(work, pledge.member_id, context.now())


def test_unknown_payers_are_refused(context: Context) -> None:
    """Unknown or mistyped references, methods not set up and far future days are refused."""
    reference = print_reference(make_reference(b"abcdef"))
    with pytest.raises(NotFound, match=f"No pledge has the reference {reference}"):
        receive(context, reference, 1000)
    with pytest.raises(NotFound, match="'J7K3-QXW3' is neither a member nor a payment reference"):
        receive(context, "J7K3-QXW3", 1000)
    with pytest.raises(NotFound, match="mobile money is not set up"):
        promise(context, ADA, dollars=10, way=PaymentWay.MOBILE)
    with pytest.raises(InvalidInput, match="more than 7 days ahead"):
        receive(context, ADA, 1000, day=date(2026, 12, 24))
    with pytest.raises(InvalidInput, match="too little"):
        promise(context, ADA, dollars=4, way=PaymentWay.CASH)


def test_ways_are_set_up_and_removed(context: Context) -> None:
    """Each has an account that holds money."""
    with pytest.raises(InvalidInput, match="jara stripe setup"):
        set_way(context, PaymentWay.CARD, ledger="assets:stripe", details="")
    with pytest.raises(InvalidInput, match="holds no money"):
        set_way(context, PaymentWay.CASH, ledger="income:gifts", details="")
    remove_way(context, PaymentWay.CASH)
    with pytest.raises(NotFound, match="cash is not set up"):
        remove_way(context, PaymentWay.CASH)

    assert [(one.way, one.ledger, one.details) for one in list_ways(context)] == [
        ("transfer", "assets:bank", "IBAN DE89")
    ]


def test_payments_of_former_members_change_no_pledge(context: Context) -> None:
    """Payments without a member change no pledge."""
    promise(context, ADA, dollars=10, way=PaymentWay.CASH)
    posted = receive(context, ADA, 1000, name="a").posted
    with context.store.write() as work:
        receiving.follow_payer(context, work, None)
        receiving.follow_payer(context, work, "key_of_nobody")
        work.members.erase(pledge_id := work.members.find(ADA).id)
    refund_payment(context, "received:a", why="agreed")

    assert pledge_id
    assert posted.entry.member_key
    assert follow_payments(context) == 0
