"""Money in the sandbox: fees, refunds, disputes and payouts as at Stripe."""

from contextlib import suppress
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.books.provider_row import RowCategory
from jara.domain.errors import Conflict
from jara.payments.sandbox.money import card_fee
from jara.store.repositories.sandbox import SqlSandboxState
from tests.payments.sandbox_world import World, instant, make_world


def one_charge(world: World) -> str:
    """Start a pledge of $10 and return its charge."""
    attempt = world.start(dollars=10)
    return world.gateway.charges_of(world.facts(attempt).customer_id)[0].charge_id


@pytest.mark.parametrize(("cents", "fee"), [(1000, 59), (500, 45), (50, 31), (2500, 103)])
def test_the_fee_is_stripes(cents: int, fee: int) -> None:
    """2.9 % and 30 cents, rounded half up: $10.00 costs $0.59."""
    assert card_fee(cents) == fee


def test_a_concurrent_charge_is_complete_or_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """While another process charges, its row is either complete or not there yet."""
    world, read = make_world(), SqlSandboxState.rows
    one_charge(world)

    def read_in_a_crowd(state: SqlSandboxState, **since: Any) -> list[dict[str, object]]:
        monkeypatch.undo()
        one_charge(world)
        return read(state, **since)

    monkeypatch.setattr(SqlSandboxState, "rows", read_in_a_crowd)

    assert [row.member_id for row in world.rows()] == ["member1", "member2"]


@pytest.mark.parametrize("cents", [0, -1, 1001])
def test_no_more_than_the_charge_is_refunded(cents: int) -> None:
    """A refund is limited to what is left."""
    world = make_world()
    charge = one_charge(world)

    with pytest.raises(Conflict, match=r"\$10\.00 is left"):
        world.gateway.refund(charge, cents, key="r1")


def test_a_dispute_is_one_row_with_its_fee() -> None:
    """Amount -1000, fee +1500, net -2500; winning brings back the 1000."""
    world = make_world()
    charge = one_charge(world)

    dispute = world.gateway.dispute(charge)
    (row,) = world.rows(RowCategory.DISPUTE)
    assert (row.amount, row.fee, row.net) == (-1000, 1500, -2500)
    with pytest.raises(Conflict, match="Nothing is left"):
        world.gateway.dispute(charge)
    world.gateway.settle_dispute(dispute, won=True)

    (back,) = world.rows(RowCategory.DISPUTE_REVERSAL)
    assert (back.amount, back.fee) == (1000, 0)
    assert world.gateway.charges_of(row.customer_id or "")[0].left_cents == 1000
    with pytest.raises(Conflict, match="won already"):
        world.gateway.settle_dispute(dispute, won=False)


def test_a_lost_dispute_moves_nothing_more() -> None:
    """A lost dispute moves no more money."""
    world = make_world()
    dispute = world.gateway.dispute(one_charge(world))

    world.gateway.settle_dispute(dispute, won=False)

    assert world.counts() == {"charge": 1, "dispute": 1}


def test_a_dispute_that_nobody_answers_is_lost() -> None:
    """An unanswered dispute is lost after 30 days; a dispute that was won stays won."""
    world = make_world()
    open_one, won = one_charge(world), one_charge(world)
    world.gateway.dispute(open_one)
    world.gateway.settle_dispute(world.gateway.dispute(won), won=True)

    world.run(world.clock.at + timedelta(days=29))
    assert not world.gateway.has_lost_dispute(open_one)
    world.run(world.clock.at + timedelta(days=1))
    assert world.gateway.has_lost_dispute(open_one)
    assert not world.gateway.has_lost_dispute(won)


def test_payouts_leave_on_mondays_and_arrive_two_days_later() -> None:
    """A payout contains every earlier row; its own row is in no other payout."""
    world = make_world()  # a Saturday
    world.start()

    assert world.run(instant(2026, 2, 2, 6)) == 1

    charge, payout = world.rows()
    assert (payout.category, payout.amount, payout.fee) == (RowCategory.PAYOUT, -941, 0)
    assert payout.arrives_on == date(2026, 2, 4)
    assert (charge.payout_id, payout.payout_id) == (payout.source_id, None)
    balance = world.gateway.balance()[0]
    assert (balance.available_cents, balance.in_transit_cents) == (0, 941)
    world.clock.advance(days=2)
    assert world.gateway.balance()[0].in_transit_cents == 0


def test_a_negative_balance_is_not_paid_out() -> None:
    """A negative balance after a refund or dispute waits for more charges."""
    world = make_world()
    charge = one_charge(world)
    world.gateway.dispute(charge)
    world.run(instant(2026, 2, 2, 6))
    assert world.rows(RowCategory.PAYOUT) == []

    world.start(dollars=100)
    world.run(instant(2026, 2, 9, 6))

    (payout,) = world.rows(RowCategory.PAYOUT)
    assert payout.amount == -(941 - 2500 + 10000 - 320)


def test_a_batch_is_kept_whole_or_not_at_all() -> None:
    """A failed batch is rolled back as a whole."""
    world = make_world()

    def start_and_fall() -> None:
        with world.state.batch():
            world.start()
            message = "cut off"
            raise RuntimeError(message)

    with pytest.raises(RuntimeError):
        start_and_fall()

    assert world.rows() == []
    assert world.gateway.find_customers(member_id="member1", email="") == []


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["join", "refund", "dispute", "win", "lose", "wait"]),
            st.integers(1, 40),
        ),
        max_size=25,
    )
)
def test_the_balance_is_the_sum_of_the_rows(acts: list[tuple[str, int]]) -> None:
    """The balance is the sum of the nets, and each payout the sum of its parts."""
    world = make_world()
    charges: list[str] = []
    disputes: list[str] = []
    for act, size in acts:
        if act == "join":
            world.start(dollars=size + 4)
            charges = [row.charge_id or "" for row in world.rows(RowCategory.CHARGE)]
        elif act == "wait":
            world.run(world.clock.at + timedelta(days=size))
        elif act in ("win", "lose") and disputes:
            with suppress(Conflict):  # lost already, because nobody answered in time
                world.gateway.settle_dispute(disputes.pop(), won=act == "win")
        elif act in ("refund", "dispute") and charges:
            charge = charges[size % len(charges)]
            try:
                if act == "refund":
                    world.gateway.refund(charge, size * 10, key=f"{charge}:{len(world.rows())}")
                else:
                    disputes.append(world.gateway.dispute(charge))
            except Conflict:
                continue

    rows = world.rows()
    assert sum(row.net for row in rows) == world.gateway.balance()[0].available_cents
    for payout in (row for row in rows if row.category is RowCategory.PAYOUT):
        parts = [row.net for row in rows if row.payout_id == payout.source_id]
        assert -payout.net == sum(parts)
    assert sorted(row.created for row in rows) == [row.created for row in rows]
