"""Movements between our own accounts are split over the funds by an exact rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.books.account import Fund
from jara.domain.books.payouts import DRAWING_ORDER, draw, payout_arrived, shares_of
from jara.domain.errors import InvalidInput
from tests.rows import DAY, parts_of

balances = st.dictionaries(st.sampled_from(Fund), st.integers(-5000, 5000))


def test_known_transactions_decide() -> None:
    """A payout with known transactions takes exactly their sums."""
    known = parts_of(800, 49, 64, 28)

    assert shares_of(941, known=known, cells=parts_of(1, 1, 1, 1), totals={}) == known


@pytest.mark.parametrize("known", [None, parts_of(800, 49, 64, 0)])
def test_an_unknown_payout_goes_by_the_cells_above_zero(known: dict[Fund, int] | None) -> None:
    """Without all its transactions, a payout is shared by the funds' balances on the account."""
    cells = {**parts_of(300, 100, -50, 0), Fund.COMMITTED: 200}

    shares = shares_of(60, known=known, cells=cells, totals=parts_of(0, 0, 0, 9))

    assert shares == {**parts_of(30, 10, 0, 0), Fund.COMMITTED: 20}


def test_empty_cells_leave_it_to_the_funds_totals() -> None:
    """If no fund has money on the account, the totals decide; without money, `other` takes all."""
    nothing = parts_of(0, -5, 0, 0)

    assert shares_of(60, known=None, cells=nothing, totals=parts_of(-9, 0, 7, 7)) == parts_of(
        0, 0, 30, 30
    )
    assert shares_of(60, known=None, cells=nothing, totals={}) == {Fund.OTHER: 60}


@given(cents=st.integers(-5000, 5000), cells=balances, totals=balances)
def test_shares_law(cents: int, cells: dict[Fund, int], totals: dict[Fund, int]) -> None:
    """Whatever the balances are, the shares sum to the amount."""
    assert sum(shares_of(cents, known=None, cells=cells, totals=totals).values()) == cents


def test_an_arrival_is_booked_once_per_payout() -> None:
    """Its outside id comes from the payout's; funds without a share have no posting."""
    entry = payout_arrived(DAY, "po_1", parts_of(5, 0, 0, 0))

    assert (
        entry.reference, entry.external_id, len(entry.postings)
    ) == ("po_1", "po_1:arrived", 2)  # fmt: skip


@pytest.mark.parametrize(
    ("cells", "cents", "expected"),
    [
        ((800, 0, 0), 500, [("assets:bank", 500)]),
        ((300, 100, 200), 500,
         [("assets:bank", 300), ("assets:in-transit", 100), ("assets:stripe", 100)]),
        ((-50, 0, 200), 100, [("assets:stripe", 100)]),
        ((100, 0, 50), 500, [("assets:bank", 450), ("assets:stripe", 50)]),
        ((0, 0, 0), 5, [("assets:bank", 5)]),
    ],
)  # fmt: skip
def test_the_bank_is_drawn_first(
    cells: tuple[int, ...], cents: int, expected: list[tuple[str, int]]
) -> None:
    """The bank is drawn first, then transit, then Stripe; the bank also covers any shortfall."""
    assert draw(dict(zip(DRAWING_ORDER, cells, strict=True)), cents) == expected


def test_sub_accounts_are_drawn_like_the_bank() -> None:
    """The chosen bank account is drawn first, then the others; it also covers any shortfall."""
    cells = {"assets:bank:td": 300, "assets:bank": 100, "assets:stripe": 50, "assets:cash": 70}

    assert draw(cells, 350) == [("assets:bank", 100), ("assets:bank:td", 250)]
    assert draw(cells, 500, bank="assets:bank:td") == [
        ("assets:bank:td", 350),
        ("assets:bank", 100),
        ("assets:stripe", 50),
    ]


@given(
    cells=st.dictionaries(st.sampled_from(DRAWING_ORDER), st.integers(-500, 500)),
    cents=st.integers(1, 2000),
)
def test_drawing_law(cells: dict[str, int], cents: int) -> None:
    """The draws sum to the amount; none falls below zero while another has some."""
    drawn = draw(cells, cents)

    left = dict(cells)
    for account, taken in drawn:
        assert taken > 0
        left[account] = left.get(account, 0) - taken
    assert sum(taken for _, taken in drawn) == cents
    fell = [account for account, _ in drawn if left[account] < 0]
    assert not fell or (fell == ["assets:bank"] and all(rest <= 0 for rest in left.values()))


@pytest.mark.parametrize("cents", [0, -1])
def test_nothing_cannot_be_drawn(cents: int) -> None:
    """The smallest amount is one cent."""
    with pytest.raises(InvalidInput, match="cannot be drawn"):
        draw({}, cents)
