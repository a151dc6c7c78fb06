"""Pledges: limits, states, changes."""

from datetime import UTC, date, datetime, timedelta
from itertools import islice

import pytest

from jara.domain.errors import Conflict, IllegalTransition, InvalidInput
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.newcomer import parse_promise
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import (
    PLEDGE_DOLLARS_MAX,
    PLEDGE_DOLLARS_MIN,
    PledgeChange,
    PledgeState,
    Standing,
    change_amount,
    change_day,
    charges_ahead,
    keep_next,
    move_pledge,
    parse_pledge,
    pause_pledge,
    resume_pledge,
    skip_next,
    standing_at,
    start_pledge,
    steps_to,
)
from jara.domain.time_zone import UTC_ZONE
from tests.domain.giving.giving_builders import NOON, a_pledge

TODAY = NOON.date()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (str(PLEDGE_DOLLARS_MIN), PLEDGE_DOLLARS_MIN),
        (PLEDGE_DOLLARS_MAX, PLEDGE_DOLLARS_MAX),
        *(("10", 10), (" 20 ", 20), ("010", 10)),
    ],
)
def test_pledge_is_read_from_text_or_number(value: object, expected: int) -> None:
    """The contribution arrives as text or as a number (spec §3)."""
    assert parse_pledge(value) == expected


@pytest.mark.parametrize(
    "value",
    [
        "", "10.5", "10.0", "1e1", "ten", "$10", "+10", "-10", "١٠", "１０", "1 0", "\t10",
        True, False, None, 10.0, 10.5, float("nan"), [10], "9" * 5000,
    ],
)  # fmt: skip
def test_pledge_is_a_whole_number_of_dollars(value: object) -> None:
    """Anything but whole dollars is refused with both limits named."""
    limits = rf"from \${PLEDGE_DOLLARS_MIN} to \${PLEDGE_DOLLARS_MAX} a month"
    with pytest.raises(InvalidInput, match=limits):
        parse_pledge(value)


def test_a_promise_is_read_as_a_spreadsheet_writes_it() -> None:
    """Decimals that are zero and the currency of the books may stand beside the whole amount."""
    for cell in ("10", "10.00", "10,0", "$10.00", "10 USD", "USD 10"):
        assert parse_promise(cell, "", PaymentWay.CASH) == (10, PaymentWay.CASH)
    for cell in ("10.50", "10,5", "1.000", "-10.00", "10 €", "$10$5", "1,0000"):
        with pytest.raises(InvalidInput, match="is not a whole amount"):
            parse_promise(cell, "", PaymentWay.CASH)


@pytest.mark.parametrize("value", [PLEDGE_DOLLARS_MIN - 1, str(PLEDGE_DOLLARS_MIN - 1), 0, -10])
def test_too_small_a_pledge_names_the_minimum(value: object) -> None:
    """Less is refused, and the message says how much it must be (spec §9)."""
    with pytest.raises(InvalidInput, match=rf"smallest pledge is \${PLEDGE_DOLLARS_MIN}"):
        parse_pledge(value)


@pytest.mark.parametrize("value", [1000, "1000", 10**14, "999999999999999"])
def test_too_large_a_pledge_names_the_maximum(value: object) -> None:
    """More than $999 is refused, and the message says $999 (spec §9)."""
    with pytest.raises(InvalidInput, match=r"largest pledge is \$999"):
        parse_pledge(value)


@pytest.mark.parametrize("dollars", [0, -5])
def test_a_pledge_has_a_positive_amount(dollars: int) -> None:
    """Nothing or a negative amount is not a pledge."""
    with pytest.raises(InvalidInput, match="must be positive"):
        a_pledge(dollars=dollars)


@pytest.mark.parametrize("dollars", [4, 1000])
def test_the_limits_apply_to_new_amounts_only(dollars: int) -> None:
    """A stored pledge can be read even if the limits have changed since."""
    assert a_pledge(dollars=dollars).dollars == dollars


@pytest.mark.parametrize(
    ("state", "since"), [(PledgeState.ACTIVE, NOON), (PledgeState.PAST_DUE, None)]
)
def test_only_a_past_due_pledge_says_since_when(state: PledgeState, since: datetime | None) -> None:
    """The time past due is known exactly while a pledge is past due."""
    with pytest.raises(InvalidInput, match="exactly a past_due pledge"):
        a_pledge(state=state, past_due_since=since)


def test_new_pledge_waits_for_its_card() -> None:
    """A pledge starts incomplete, anchored to its first charge."""
    pledge = start_pledge(
        pledge_id="plg_2",
        member_id="mem_2",
        dollars=5,
        billing_day=BillingDay.FIRST,
        now=NOON,
        zone=UTC_ZONE,
    )

    assert pledge.state is PledgeState.INCOMPLETE
    assert date(2026, 6, 1) == pledge.anchor_on == pledge.next_charge_on


def _in_state(state: PledgeState) -> dict[str, object]:
    return {"state": state, "past_due_since": NOON if state is PledgeState.PAST_DUE else None}


STEPS = {
    ("incomplete", "active"),
    ("incomplete", "canceled"),
    ("active", "past_due"),
    ("active", "paused"),
    ("active", "canceled"),
    ("past_due", "active"),
    ("past_due", "canceled"),
    ("paused", "active"),
    ("paused", "canceled"),
}
"""The transitions between pledge states, written down a second time."""


@pytest.mark.parametrize("target", PledgeState)
@pytest.mark.parametrize("state", PledgeState)
def test_pledge_takes_the_steps_of_the_table_alone(state: PledgeState, target: PledgeState) -> None:
    """A legal step is taken, a repeated one changes nothing, any other is an error."""
    pledge = a_pledge(**_in_state(state))

    if target is state:
        assert pledge is move_pledge(pledge, target, at=NOON)
    elif (state, target) in STEPS:
        assert target is move_pledge(pledge, target, at=NOON).state
    else:
        with pytest.raises(IllegalTransition, match=f"{state} cannot become {target}"):
            move_pledge(pledge, target, at=NOON)


@pytest.mark.parametrize("seen", PledgeState)
@pytest.mark.parametrize("state", PledgeState)
def test_steps_lead_to_the_state_at_the_provider(state: PledgeState, seen: PledgeState) -> None:
    """Every state is reachable in legal steps, except from canceled and back to incomplete."""
    reachable = state is seen or (
        state is not PledgeState.CANCELED and seen is not PledgeState.INCOMPLETE
    )
    pledge = a_pledge(**_in_state(state))

    if reachable:
        for step in steps_to(state, seen):
            pledge = move_pledge(pledge, step, at=NOON)

        assert seen is pledge.state
    else:
        with pytest.raises(IllegalTransition):
            steps_to(state, seen)


def test_past_due_is_dated_and_ends_with_a_payment() -> None:
    """The 14 days of grace count from the first failure and end with a payment."""
    failed = move_pledge(a_pledge(), PledgeState.PAST_DUE, at=NOON)
    again = move_pledge(failed, PledgeState.PAST_DUE, at=NOON + timedelta(days=3))
    paid = move_pledge(again, PledgeState.ACTIVE, at=NOON + timedelta(days=5))

    assert again.past_due_since == NOON
    assert paid.past_due_since is None


def test_canceled_pledge_has_no_next_charge() -> None:
    """Nobody is charged after canceling."""
    pledge = move_pledge(skip_next(a_pledge(), today=TODAY), PledgeState.CANCELED, at=NOON)

    assert (pledge.next_charge_on, pledge.skips_on) == (None, None)


def test_changed_amount_keeps_the_next_charge() -> None:
    """Another amount takes effect at the next charge, without proration."""
    pledge = change_amount(a_pledge(), 20)

    assert (pledge.dollars, pledge.next_charge_on) == (20, date(2026, 5, 28))


def test_changed_amount_obeys_the_limits() -> None:
    """A changed amount must stay within the limits."""
    with pytest.raises(InvalidInput, match="largest"):
        change_amount(a_pledge(), 1000)


@pytest.mark.parametrize(
    ("state", "words"),
    [(PledgeState.INCOMPLETE, "not confirmed yet"), (PledgeState.CANCELED, "start a new one")],
)
def test_amount_and_day_change_only_while_the_pledge_runs(state: PledgeState, words: str) -> None:
    """Before the first payment and after the end, neither can be changed."""
    pledge = a_pledge(state=state)

    with pytest.raises(Conflict, match=words):
        change_amount(pledge, 20)
    with pytest.raises(Conflict, match=words):
        change_day(pledge, BillingDay.FIRST, charge_on=date(2026, 6, 1))


def test_changed_day_is_the_new_anchor() -> None:
    """The first charge on a new day anchors all later ones."""
    pledge = change_day(a_pledge(), BillingDay.FIRST, charge_on=date(2026, 6, 1))

    assert BillingDay.FIRST is pledge.billing_day
    assert date(2026, 6, 1) == pledge.anchor_on == pledge.next_charge_on


def test_skipping_leaves_the_pledge_active() -> None:
    """A skipped month keeps the vote, and the following month is charged."""
    pledge = skip_next(a_pledge(), today=TODAY)

    assert PledgeState.ACTIVE is pledge.state
    assert pledge.skips_on == date(2026, 5, 28)
    assert pledge.next_charge_on == date(2026, 6, 28)


def test_skipping_twice_skips_one_month() -> None:
    """Skipping again changes nothing before the skipped day has passed."""
    skipped = skip_next(a_pledge(), today=TODAY)

    assert skipped is skip_next(skipped, today=date(2026, 5, 28))


def test_another_month_can_be_skipped_later() -> None:
    """After the skipped day, the next charge can be skipped."""
    skipped = skip_next(skip_next(a_pledge(), today=TODAY), today=date(2026, 5, 29))

    assert (skipped.skips_on, skipped.next_charge_on) == (date(2026, 6, 28), date(2026, 7, 28))


@pytest.mark.parametrize("changes", [{"state": PledgeState.PAUSED}, {"next_charge_on": None}])
def test_only_an_active_pledge_skips(changes: dict[str, object]) -> None:
    """Only a pledge with a coming charge can skip it."""
    with pytest.raises(Conflict, match="only an active pledge"):
        skip_next(a_pledge(**changes), today=TODAY)


def test_skip_can_be_taken_back() -> None:
    """A skip can be undone until its day."""
    pledge = a_pledge()

    assert keep_next(skip_next(pledge, today=TODAY), today=date(2026, 5, 28)) == pledge
    assert pledge is keep_next(pledge, today=TODAY)


def test_skipped_day_that_is_over_stays_skipped() -> None:
    """A charge skipped on its day is not made later."""
    with pytest.raises(Conflict, match="that day has passed"):
        keep_next(skip_next(a_pledge(), today=TODAY), today=date(2026, 5, 29))


def test_pause_without_end_has_no_next_charge() -> None:
    """Nothing is charged during a pause."""
    pledge = pause_pledge(skip_next(a_pledge(), today=TODAY), at=NOON)

    assert PledgeState.PAUSED is pledge.state
    assert (pledge.next_charge_on, pledge.resumes_on, pledge.skips_on) == (None, None, None)


def test_resuming_returns_to_the_old_days() -> None:
    """After a pause, the next charge is on the next anchor day."""
    paused = a_pledge(state=PledgeState.PAUSED, resumes_on=date(2026, 8, 1), next_charge_on=None)
    resumed = resume_pledge(paused, at=datetime(2026, 6, 29, tzinfo=UTC), zone=UTC_ZONE)

    assert resumed == a_pledge(next_charge_on=date(2026, 7, 28))
    assert resumed is resume_pledge(resumed, at=NOON, zone=UTC_ZONE)


@pytest.mark.parametrize("state", [PledgeState.PAST_DUE, PledgeState.CANCELED])
def test_only_a_pause_is_resumed(state: PledgeState) -> None:
    """Resuming neither pays a failed charge nor revives an ended pledge."""
    with pytest.raises(IllegalTransition, match="cannot be resumed"):
        resume_pledge(a_pledge(**_in_state(state)), at=NOON, zone=UTC_ZONE)


def test_history_tells_state_and_since_when() -> None:
    """A changed amount is dated but does not restart the time in a state."""
    first, second, third = (NOON + timedelta(days=days) for days in (0, 10, 20))
    changes = [
        PledgeChange("k", first, PledgeState.ACTIVE, 10),
        PledgeChange("k", second, PledgeState.ACTIVE, 20),
        PledgeChange("k", third, PledgeState.PAUSED, 20),
    ]

    assert standing_at(changes, first - timedelta(seconds=1)) is None
    assert standing_at(changes, first) == Standing(PledgeState.ACTIVE, 10, first)
    assert standing_at(changes, second) == Standing(PledgeState.ACTIVE, 20, first)
    assert standing_at(changes, third) == Standing(PledgeState.PAUSED, 20, third)


AHEAD = {
    "active": (a_pledge(), ["05-28", "06-28"]),
    "past due": (
        a_pledge(state=PledgeState.PAST_DUE, past_due_since=NOON),
        ["05-28", "06-28"],
    ),
    "a skipped month is left out": (skip_next(a_pledge(), today=TODAY), ["06-28", "07-28"]),
    "a changed day, which sets that of later ones": (
        change_day(a_pledge(), BillingDay.FIRST, charge_on=date(2026, 6, 1)),
        ["06-01", "07-01"],
    ),
    "a pause with an end": (
        a_pledge(
            state=PledgeState.PAUSED, resumes_on=date(2026, 8, 1), next_charge_on=date(2026, 8, 28)
        ),
        ["08-28", "09-28"],
    ),
    "an overdue charge is not listed": (
        a_pledge(next_charge_on=TODAY - timedelta(days=12)),
        ["05-28", "06-28"],
    ),
    "incomplete": (a_pledge(state=PledgeState.INCOMPLETE), []),
    "canceled": (a_pledge(state=PledgeState.CANCELED, next_charge_on=None), []),
    "paused without an end": (pause_pledge(a_pledge(), at=NOON), []),
}


@pytest.mark.parametrize("case", AHEAD)
def test_the_next_charges_follow_the_day_of_the_month(case: str) -> None:
    """A pledge that runs is charged on its day of each month, from the next charge on."""
    pledge, days = AHEAD[case]

    charges = islice(charges_ahead(pledge, today=TODAY), 2)

    assert [f"{day:%m-%d}" for day in charges] == days
