"""Movements between our accounts, and refunds that two files contain."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.books.account import Fund
from jara.domain.books.movements import DRAWING_ORDER, draw, payout_arrived, shares_of
from jara.domain.books.payment_state import is_covered_refund, remaining_refund, require_same_amount
from jara.domain.errors import DuplicateEntry, InvalidInput
from tests.rows import DAY, a_row, parts_of

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
def test_shares_sum_to_the_amount(
    cents: int, cells: dict[Fund, int], totals: dict[Fund, int]
) -> None:
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
def test_draws_sum_to_the_amount_and_empty_no_fund(cells: dict[str, int], cents: int) -> None:
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


def cumulated(cents: int, line: int = 9) -> dict[str, object]:
    """Describe a refund of the Payments file in the fields that matter."""
    return {"cumulative": cents, "charge_id": "ch_1", "line": line, "txn_id": None}


@pytest.mark.parametrize(
    ("booked", "cents", "missing"),
    [
        ([], 400, 400),
        ([100], 400, 300),
        ([100, 300], 400, None),
        ([100, 300], 100, None),
        ([400, -400], 400, None),
        ([400, -400, 150], 400, None),
        ([400, -400], 500, 500),
        ([], 0, None),
    ],
)
def test_only_the_missing_rest_is_booked(
    booked: list[int], cents: int, missing: int | None
) -> None:
    """Only the rest of a cumulated sum is booked; a sum already in the books yields nothing."""
    row = a_row("refund", -cents, **cumulated(cents))

    rest = remaining_refund(row, booked)

    assert missing == (None if rest is None else -rest.amount)
    if rest is not None:
        assert (rest.net, rest.fee, rest.cumulative) == (rest.amount, 0, cents)


def test_a_sum_that_never_stood_is_a_mismatch() -> None:
    """A sum below the refunds in the books is rejected by line, with both amounts."""
    row = a_row("refund", -250, **cumulated(250))
    with pytest.raises(DuplicateEntry, match=r"line 9: ch_1 shows \$2.50 .*\$4.00 is in the books"):
        remaining_refund(row, [100, 300])


def test_a_row_without_cumulated_sum_has_nothing_left() -> None:
    """A row without a cumulated sum refunds nothing."""
    assert remaining_refund(a_row("refund", -5), []) is None


@pytest.mark.parametrize(
    ("matched", "amount", "expected"), [(0, -100, True), (100, -300, True), (400, -50, False)]
)
def test_a_balance_refund_is_matched_with_the_file(
    matched: int, amount: int, expected: bool
) -> None:
    """Balance refunds are covered until they reach the cumulated sum; later ones are new."""
    row = a_row("refund", amount, charge_id="ch_1")

    assert expected is is_covered_refund(row, cumulated_cents=400, matched_cents=matched)


def test_a_refund_that_straddles_the_sum_is_a_mismatch() -> None:
    """A balance refund larger than what is left of the file's sum is rejected."""
    row = a_row("refund", -200, charge_id="ch_1", line=2)
    with pytest.raises(DuplicateEntry, match=r"line 2: a refund of \$2.00 .* \$1.00 is left"):
        is_covered_refund(row, cumulated_cents=400, matched_cents=300)


def test_a_movement_booked_before_must_have_the_same_amounts() -> None:
    """The same charge with another amount or net is rejected instead of booked again."""
    row = a_row("charge", 1000, 59)
    require_same_amount(row, amount=1000, net=941)
    with pytest.raises(DuplicateEntry, match=r"src_1 is booked with \$10.00 gross and \$9.40 net"):
        require_same_amount(row, amount=1000, net=940)


@given(refunds=st.lists(st.integers(1, 500), min_size=1, max_size=6), data=st.data())
def test_matching_law_both_directions_give_the_same_sum(
    refunds: list[int], data: st.DataObject
) -> None:
    """In any mixture of file and balance, the books refund the sum once."""
    seen = data.draw(st.integers(0, len(refunds)))
    booked = refunds[:seen]
    row = a_row("refund", -1, **cumulated(sum(refunds)))
    rest = remaining_refund(row, booked)
    from_file = -rest.amount if rest else 0
    matched = 0
    for cents in refunds[seen:]:
        late = a_row("refund", -cents, charge_id="ch_1")
        assert is_covered_refund(late, cumulated_cents=from_file, matched_cents=matched)
        matched += cents

    assert sum(refunds) == sum(booked) + from_file == sum(booked) + matched
