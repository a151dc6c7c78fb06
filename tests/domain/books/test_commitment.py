"""The commitment of a passed proposal: held, paid, released, and never held twice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.books.commitment import Commitment
from jara.domain.errors import FundOverdrawn, InvalidInput, JaraError

WELLS = Commitment("prop_01", goal=500)


@pytest.mark.parametrize(
    ("free", "expected"), [(1000, 500), (500, 500), (320, 320), (0, 0), (-40, 0)]
)
def test_what_is_free_is_held_and_the_rest_queued(free: int, expected: int) -> None:
    """A passed proposal holds as much of its goal as the projects fund has free."""
    assert WELLS.to_hold(free) == expected


def test_the_queue_is_topped_up_to_the_goal() -> None:
    """Held and paid amounts both count towards the goal."""
    some = WELLS.hold(320).pay(120)

    assert some == Commitment("prop_01", 500, held=200, paid=120)
    assert some.to_hold(10_000) == 180


def test_more_than_the_goal_lacks_is_not_held() -> None:
    """Holding beyond the goal is refused."""
    with pytest.raises(InvalidInput, match=r"\$5.01 is more than the proposal prop_01 still lacks"):
        WELLS.hold(501)


def test_a_payout_stays_within_what_is_held_for_that_proposal() -> None:
    """A refused payout or release names the amount held and the amount asked for."""
    for step in (WELLS.hold(300).pay, WELLS.hold(300).release):
        with pytest.raises(
            FundOverdrawn, match=r"\$3.00 is held for .*prop_01; \$4.00 was requested"
        ):
            step(400)


def test_what_is_released_is_not_held_again() -> None:
    """A released part reduces the amount that can still be held."""
    assert WELLS.hold(500).pay(400).release(100).to_hold(10_000) == 0
    assert WELLS.hold(450).release(100).to_hold(10_000) == 50


def test_a_proposal_given_up_leaves_the_queue() -> None:
    """Releasing everything gives up both the held and the queued amount."""
    given_up = WELLS.hold(300).pay(100).release_all()

    assert given_up == Commitment("prop_01", 500, held=0, paid=100, released=400)
    assert given_up.to_hold(10_000) == 0


def test_what_a_payee_returns_is_held_again() -> None:
    """The cost reduces the paid amount; the returned amount, at its own rate, is held."""
    paid = WELLS.hold(500).pay(400)

    assert paid.take_back(cost_cents=400, received_cents=390) == Commitment(
        "prop_01", 500, held=490, paid=0
    )
    with pytest.raises(InvalidInput, match=r"\$4.01 cannot come back .* was paid \$4.00"):
        paid.take_back(cost_cents=401, received_cents=401)


@pytest.mark.parametrize("cents", [0, -1])
def test_every_step_moves_something(cents: int) -> None:
    """Zero or a negative amount cannot be held, paid, released or returned."""
    full = WELLS.hold(400).pay(100)
    for step in (full.hold, full.pay, full.release):
        with pytest.raises(InvalidInput, match="cannot be moved"):
            step(cents)
    for cost, received in ((cents, 1), (1, cents)):
        with pytest.raises(InvalidInput, match="cannot be moved"):
            full.take_back(cost_cents=cost, received_cents=received)


steps = st.tuples(st.sampled_from(["hold", "pay", "release", "all"]), st.integers(-5, 400))


@given(goal=st.integers(1, 1000), moves=st.lists(steps, max_size=30))
def test_commitment_law_the_goal_is_never_exceeded(goal: int, moves: list[tuple[str, int]]) -> None:
    """No figure ever falls below 0; held, paid and released together never exceed the goal."""
    row = Commitment("prop_01", goal)
    for name, cents in moves:
        try:
            row = row.release_all() if name == "all" else getattr(row, name)(cents)
        except JaraError:
            continue

        assert min(row.held, row.paid, row.released) >= 0
        assert row.held + row.paid + row.released <= goal
