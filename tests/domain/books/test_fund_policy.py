"""The split of a payment over the funds, and each fund's share of a refund."""

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.books.account import SPLIT_FUNDS, Fund
from jara.domain.books.fund_policy import (
    DEFAULT_POLICY,
    FundPolicy,
    given_back,
    policy_in_force,
    require_percentages,
    split,
)
from jara.domain.errors import InvalidInput, NotFound
from tests import strategies
from tests.sizes import some

P, S, M, O = SPLIT_FUNDS  # noqa: E741 - the letters of the worked example
WEIGHTS = DEFAULT_POLICY.weights
ZEROS = dict.fromkeys(SPLIT_FUNDS, 0)


def parts_of(*cents: int) -> dict[Fund, int]:
    """Name the parts of a payment in the order of the funds."""
    return dict(zip(SPLIT_FUNDS, cents, strict=True))


def cents_in_order_of_key(parts: dict[Fund, int]) -> list[Fund]:
    """Rank every single cent of a payment by key, as the split is defined."""
    keyed = [
        (Fraction(2 * number - 1, part), fund.position, fund)
        for fund, part in parts.items()
        for number in range(1, part + 1)
    ]
    return [fund for _, _, fund in sorted(keyed)]


# --- the split ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cents", "expected"),
    [
        (1000, (800, 70, 90, 40)),
        (1001, (801, 70, 90, 40)),
        (500, (400, 35, 45, 20)),
        (1, (1, 0, 0, 0)),
        (0, (0, 0, 0, 0)),
        (-1000, (-800, -70, -90, -40)),
    ],
)
def test_a_payment_is_split_as_the_faq_says(cents: int, expected: tuple[int, ...]) -> None:
    """Of each hundred, the funds get 80, 7, 9 and 4; the odd cent goes by largest remainder."""
    assert split(cents, WEIGHTS) == parts_of(*expected)


def test_fees_are_borne_by_the_overhead() -> None:
    """Staff, marketing and other bear the example fee of 59; projects pay none."""
    assert split(59, DEFAULT_POLICY.fee_weights) == parts_of(0, 21, 26, 12)


def test_ties_go_to_the_earlier_fund() -> None:
    """Of equal remainders the earlier fund gets the cent, however the weights are listed."""
    assert split(2, {O: 1, M: 1, S: 1, P: 1}) == parts_of(1, 1, 0, 0)
    assert list(split(2, {O: 1, M: 1, S: 1, P: 1})) == list(SPLIT_FUNDS)


@given(cents=strategies.cents, weights=strategies.weights())
def test_parts_sum_to_the_whole_near_their_share(cents: int, weights: dict[Fund, int]) -> None:
    """Parts sum to the whole, lie within a cent of their share, and mirror for refunds."""
    parts = split(cents, weights)

    total = sum(weights.values())
    assert sum(parts.values()) == cents
    assert all(abs(parts[f] - Fraction(cents * weights[f], total)) < 1 for f in parts)
    assert {f: -part for f, part in parts.items()} == split(-cents, weights)
    assert all(parts[f] == 0 for f in parts if weights[f] == 0)


@pytest.mark.parametrize("weights", [{}, ZEROS, {P: 2, S: -1}])
def test_a_split_needs_weights(weights: dict[Fund, int]) -> None:
    """Without weights, or with negative ones, nothing can be split."""
    with pytest.raises(InvalidInput, match="Weights are 0 or more"):
        split(100, weights or {P: 0})


# --- policies ----------------------------------------------------------------------------


def a_policy(year: int, projects: int = 80) -> FundPolicy:
    """Build a policy that applies from a year on."""
    return FundPolicy(date(year, 1, 1), parts_of(projects, 7, 9, 4), parts_of(0, 7, 9, 4))


def test_the_policy_in_force_is_the_newest_begun() -> None:
    """The latest start applies; for equal starts, the last one given; future ones are ignored."""
    old, new, corrected, future = a_policy(2024), a_policy(2025), a_policy(2025, 70), a_policy(2027)

    policies = [future, new, old, corrected]

    assert corrected is policy_in_force(policies, date(2026, 5, 1))
    assert corrected is policy_in_force(policies, date(2025, 1, 1))
    assert old is policy_in_force(policies, date(2024, 12, 31))
    with pytest.raises(NotFound, match="2023-12-31"):
        policy_in_force(policies, date(2023, 12, 31))


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({P: 80}, "name each of projects, staff, marketing, other once"),
        ({**parts_of(80, 7, 9, 4), Fund.COMMITTED: 1}, "once"),
        (parts_of(80, -7, 9, 4), "staff has -7"),
        ({**ZEROS, P: True}, "projects has True"),
        ({**ZEROS, M: 1.5}, "marketing has 1.5"),
        (ZEROS, "all 0"),
    ],
)
def test_weights_are_whole_numbers_for_each_fund(weights: dict[Fund, int], message: str) -> None:
    """A policy with a missing, negative or broken weight, or none at all, is refused."""
    with pytest.raises(InvalidInput, match=message):
        FundPolicy(date(2026, 1, 1), weights, parts_of(0, 7, 9, 4))
    with pytest.raises(InvalidInput, match=f"fee weights.*{message}"):
        FundPolicy(date(2026, 1, 1), parts_of(80, 7, 9, 4), weights)


def test_a_policy_lists_its_funds_in_order() -> None:
    """Weights are stored in the order of the funds, whatever order they were given in."""
    policy = FundPolicy(date(2026, 1, 1), {O: 4, M: 9, S: 7, P: 80}, {P: 0, O: 4, S: 7, M: 9})

    assert list(SPLIT_FUNDS) == list(policy.weights) == list(policy.fee_weights)
    assert {policy} == {policy, a_policy(2026)}


# --- refunds -----------------------------------------------------------------------------


@pytest.mark.parametrize("total", [*range(500, 2001, 100), 501, 999, 1457, 1999])
def test_refund_laws_for_every_refund_of_some_payments(total: int) -> None:
    """The closed form takes exactly the first cents in order of key, for every refund amount."""
    parts = split(total, WEIGHTS)
    taken = dict(ZEROS)
    for refunded, fund in enumerate(cents_in_order_of_key(parts), start=1):
        taken[fund] += 1
        assert given_back(parts, refunded) == taken
    assert given_back(parts, total) == parts
    assert given_back(parts, 0) == ZEROS


@pytest.mark.slow
def test_refund_laws_for_every_refund_of_every_payment() -> None:
    """From $5.00 to $20.00, each further cent comes from one fund, and no fund is paid."""
    for total in some(range(500, 2001), step=29):
        parts = split(total, WEIGHTS)
        previous = [0, 0, 0, 0]
        for refunded in range(1, total + 1):
            back = [*given_back(parts, refunded).values()]
            steps = sorted(new - old for new, old in zip(back, previous, strict=True))
            assert steps == [0, 0, 0, 1], (total, refunded)
            previous = back
        assert previous == [*parts.values()]


@given(total=st.integers(500, 2000), data=st.data())
def test_refund_laws_for_every_payment(total: int, data: st.DataObject) -> None:
    """Refund parts never decrease, sum exactly, and are within two cents of their exact share."""
    parts = split(total, data.draw(strategies.weights()))
    first = data.draw(st.integers(0, total))
    second = data.draw(st.integers(first, total))

    before, after = given_back(parts, first), given_back(parts, second)

    assert (first, second) == (sum(before.values()), sum(after.values()))
    assert all(0 <= before[fund] <= after[fund] <= parts[fund] for fund in parts)
    assert all(abs(after[f] - Fraction(second * parts[f], total)) < 2 for f in parts)
    assert given_back(parts, total) == parts


@given(parts=st.lists(st.integers(0, 60), min_size=4, max_size=4).filter(any), data=st.data())
def test_refund_law_of_the_literal_count(parts: list[int], data: st.DataObject) -> None:
    """For any parts, counting single cents by key gives the same result."""
    named = parts_of(*parts)
    refunded = data.draw(st.integers(0, sum(parts)))
    counted = cents_in_order_of_key(named)[:refunded]

    assert {fund: counted.count(fund) for fund in named} == given_back(named, refunded)


@given(total=st.integers(50, 5000), pieces=st.lists(st.integers(1, 400), max_size=12))
def test_partial_refunds_add_up_to_one_refund(total: int, pieces: list[int]) -> None:
    """Any partial refunds add up to one refund of their sum."""
    parts = split(total, WEIGHTS)
    sums = dict(ZEROS)
    refunded = 0
    for piece in pieces:
        step_from, step_to = given_back(parts, refunded), given_back(parts, refunded + piece)
        refunded += piece
        sums = {fund: sums[fund] + step_to[fund] - step_from[fund] for fund in sums}

    assert given_back(parts, refunded) == sums


def test_more_than_the_whole_begins_the_count_anew() -> None:
    """After a refund, a dispute of the whole takes the excess in the same proportions."""
    parts = split(1000, WEIGHTS)

    assert given_back(parts, 1400) == parts_of(1120, 98, 126, 56)
    assert given_back(parts, -400) == parts_of(-320, -28, -36, -16)


@pytest.mark.parametrize("parts", [ZEROS, parts_of(5, -1, 0, 0)])
def test_a_payment_that_gave_nothing_cannot_be_refunded(parts: dict[Fund, int]) -> None:
    """A payment without parts, or with a negative part, cannot be refunded."""
    with pytest.raises(InvalidInput, match="cannot be refunded"):
        given_back(parts, 1)


def test_percentages_sum_to_100() -> None:
    """Percentages with a wrong sum are refused, and the message gives the sum."""
    require_percentages(WEIGHTS)

    for off in (-1, 1):
        with pytest.raises(InvalidInput, match=f"The weights sum to {100 + off}, not to 100"):
            require_percentages({**WEIGHTS, O: WEIGHTS[O] + off})
