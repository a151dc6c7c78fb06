"""A vote needs a payment: of a card that has no other vote, kept, and of the last period."""

from datetime import UTC, date, datetime, timedelta

import pytest

from jara.domain.errors import CardVoted
from jara.domain.giving.changemaker import GRACE, card_pays_until
from jara.domain.giving.member import Member
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import PledgeState
from jara.domain.time_zone import UTC_ZONE
from jara.services.ballots.casting import changemakers
from jara.services.context import Context
from jara.services.giving import pledging
from jara.services.giving.pledging import find_pledge, replace_card
from jara.services.members.documents import show_member
from jara.services.members.operators import allow_shared_card
from jara.services.payments.importing import collect_movements
from jara.services.payments.promising import promise
from jara.services.payments.receiving import receive
from jara.services.payments.refunding import refund_payment
from jara.services.proposals.closing import close_due_votes
from tests.fakes.operators import acting, approve_as, enrol
from tests.harness import clock_of
from tests.services.ballots.voting_world import may_vote, open_vote, vote
from tests.services.giving.joiners import join, pass_time, take_cash

SHARED = "pm_card_visa_debit"
OWN = "pm_card_visa"
NOVEMBER = datetime(2026, 11, 20, 12, tzinfo=UTC)


def give_back(context: Context, member: Member, cents: int) -> None:
    """Refund part of a member's newest payment."""
    with context.store.read() as work:
        charge = work.payments.of_member(member.key)[-1].source_id
    refund_payment(context, str(charge), cents=cents, why="asked")
    collect_movements(context)


def days_later(context: Context, days: float) -> None:
    """Let time pass with its charges."""
    pass_time(context, clock_of(context).at + timedelta(days=days))


def test_one_card_has_one_ballot_after_a_change_of_card(context: Context) -> None:
    """Five members pay with one card, and each swaps to another card before voting."""
    members = [join(context, f"m{n}@example.org", card=SHARED).member for n in range(5)]
    open_vote(context)
    for member in members:
        replace_card(context, member.id, OWN)

    vote(context, members[0])
    for member in members[1:]:
        with pytest.raises(CardVoted):
            vote(context, member)


def test_each_card_that_pays_is_claimed(context: Context) -> None:
    """A second payment with another card does not free the first card."""
    first = join(context, "a@example.org", card=SHARED).member
    replace_card(context, first.id, OWN)
    days_later(context, 31)
    second = join(context, "b@example.org", card=SHARED).member
    open_vote(context, endDate="2027-01-31")

    vote(context, first)
    with pytest.raises(CardVoted):
        vote(context, second)


def test_a_card_of_an_old_payment_is_free(context: Context) -> None:
    """A card that no longer pays for the vote can pay for another member's."""
    first = join(context, "a@example.org", card=SHARED).member
    replace_card(context, first.id, OWN)
    for _ in range(4):
        days_later(context, 30)
    second = join(context, "b@example.org", card=SHARED).member
    open_vote(context, endDate="2027-05-31")

    vote(context, first)
    vote(context, second)


def test_a_family_shares_the_card_that_paid(context: Context) -> None:
    """Allowing a member's card allows the cards of the payments too."""
    members = [join(context, f"m{n}@example.org", card=SHARED).member for n in range(2)]
    open_vote(context)
    for member in members:
        replace_card(context, member.id, OWN)
    allow_shared_card(context, members[0].id, why="two sisters")

    for member in members:
        vote(context, member)


def test_a_payment_of_an_earlier_version_has_the_card_of_the_pledge(context: Context) -> None:
    """Until a payment's card is known, the pledge's card is claimed."""
    members = [join(context, f"m{n}@example.org", card=SHARED).member for n in range(2)]
    with context.store.write() as work:
        work.sql.run("UPDATE payments SET card_fingerprint = NULL")
    open_vote(context)

    vote(context, members[0])
    with pytest.raises(CardVoted):
        vote(context, members[1])


def test_a_payment_of_a_former_member_has_no_card(context: Context) -> None:
    """The books keep the payment under a random key; the card goes with the person."""
    member = join(context, card=SHARED).member
    with context.store.write() as work:
        [payment] = work.payments.of_member(member.key)
        work.members.erase(member.id)
        [left] = work.payments.of_member(member.key)
    assert payment.card_fingerprint is not None
    assert left.card_fingerprint is None


def test_a_ballot_with_one_cent_left_is_dropped(context: Context) -> None:
    """Six members vote and get all but one cent back; none of their ballots counts."""
    stays = join(context).member
    voters = [join(context, f"m{n}@example.org").member for n in range(6)]
    proposal = open_vote(context)
    for member in (stays, *voters):
        vote(context, member)
    for member in voters:
        give_back(context, member, 999)
    clock_of(context).advance(days=20)

    [closed] = close_due_votes(context)

    assert (closed.tally.yes, closed.tally.roll) == (1, 1)
    with context.store.read() as work:
        leaf = work.log.leaf(closed.record.closed_index or 0).body
    assert leaf.count(b'"dropped"') == 1
    assert proposal == closed.record.proposal.id


def test_an_old_payment_saves_no_ballot(context: Context) -> None:
    """At the close, a payment of long ago does not stand in for the refunded one."""
    member = join(context).member
    pledging.cancel_pledge(context, member.id)
    days_later(context, 200)
    pledging.start_again(context, member.id, payment_method=OWN)
    collect_movements(context)
    open_vote(context, endDate="2027-06-30")
    vote(context, member)
    give_back(context, member, 1000)
    assert not may_vote(context, member)
    clock_of(context).advance(days=60)

    [closed] = close_due_votes(context)

    assert (closed.tally.yes, closed.tally.roll) == (0, 0)


def test_skipping_every_month_ends_the_right(context: Context) -> None:
    """A skipped month keeps the vote; the next one without a payment does not."""
    member = join(context).member
    rights = []
    for _ in range(12):
        pledging.skip_next(context, member.id)
        days_later(context, 31)
        rights.append(may_vote(context, member))

    assert find_pledge(context, member.id).state is PledgeState.ACTIVE
    assert rights == [True] * 2 + [False] * 10
    shown = show_member(context, member.id)
    assert (shown.may_vote, shown.may_vote_from) == (False, shown.next_charge_on)
    days_later(context, 62)
    assert may_vote(context, member)


def test_a_pledge_that_starts_again_votes_with_its_first_charge(context: Context) -> None:
    """A payment of years ago gives no vote until the later billing day."""
    member = join(context).member
    pledging.cancel_pledge(context, member.id)
    days_later(context, 700)
    pledging.start_again(context, member.id, payment_method=OWN, billing_day="1")
    assert not may_vote(context, member)
    first = find_pledge(context, member.id).next_charge_on
    assert show_member(context, member.id).may_vote_from == first

    days_later(context, 31)
    assert may_vote(context, member)


def test_a_long_pause_ends_the_right(context: Context) -> None:
    """After a pause the vote comes back at once, or after a long one with the next payment."""
    short, long = (join(context, f"{name}@example.org").member for name in ("a", "b"))
    for member in (short, long):
        pledging.pause_pledge(context, member.id)
    days_later(context, 20)
    assert not may_vote(context, short)
    pledging.resume_pledge(context, short.id)
    assert may_vote(context, short)

    days_later(context, 90)
    pledging.resume_pledge(context, long.id)
    assert not may_vote(context, long)
    days_later(context, 31)
    assert may_vote(context, long)


def test_changing_the_day_again_and_again_ends_the_right(context: Context) -> None:
    """Each change moves the next charge; together they cannot put it off with the vote."""
    member = join(context).member
    pledging.change_day(context, member.id, "1")
    assert find_pledge(context, member.id).next_charge_on == date(2027, 1, 1)
    for day in ("28", "1", "28", "1"):
        pledging.change_day(context, member.id, day)
    days_later(context, 80)
    assert not may_vote(context, member)


@pytest.mark.parametrize("joined_on", ["2026-11-20", "2026-12-31", "2027-01-31", "2027-11-29"])
def test_monthly_payments_keep_the_vote(context: Context, joined_on: str) -> None:
    """In months of any length, also when each booking comes days later."""
    clock_of(context).set(datetime.fromisoformat(f"{joined_on}T23:30:00+00:00"))
    member = join(context).member
    for _ in range(30):
        days_later(context, 13)
        assert may_vote(context, member)


def test_the_right_ends_without_a_write(context: Context) -> None:
    """Counts, roll and the age of cached answers follow the clock alone."""
    member = join(context).member
    until = card_pays_until(NOVEMBER.date(), UTC_ZONE)
    with context.store.read() as work:
        assert work.electors.next_lapse(context.now()) == until
    for at, count in ((until, 1), (until + timedelta(seconds=1), 0)):
        clock_of(context).set(at)
        with context.store.read() as work:
            assert changemakers(work, at).count == count
        assert may_vote(context, member) is bool(count)


def test_a_failed_charge_keeps_its_fourteen_days(context: Context) -> None:
    """Also after a skipped month, as the email says."""
    clock_of(context).set(datetime(2026, 12, 31, 12, tzinfo=UTC))
    member = join(context).member
    pledging.skip_next(context, member.id)
    replace_card(context, member.id, "pm_card_chargeCustomerFail")
    days_later(context, 59)
    since = find_pledge(context, member.id).past_due_since
    assert since == datetime(2027, 2, 28, 12, tzinfo=UTC)

    clock_of(context).set(since + GRACE)
    assert may_vote(context, member)
    clock_of(context).advance(seconds=1)
    assert not may_vote(context, member)


def with_cash(context: Context) -> Member:
    """Return a member who paid three months in cash, at $10 a month."""
    take_cash(context)
    member = join(context).member
    pledging.cancel_pledge(context, member.id)
    days_later(context, 100)
    promise(context, member.id, dollars=10, way=PaymentWay.CASH)
    receive(context, member.id, 3000)
    return member


def test_payments_on_one_operators_word_do_not_prolong_a_vote(context: Context) -> None:
    """After one proven payment, a bookkeeper alone books cash month by month."""
    member = with_cash(context)
    enrol(context, ada="admin", ben="approver", kit="bookkeeper")
    booked = receive(acting(context, "kit"), member.id, 9000)
    days_later(context, 150)
    assert find_pledge(context, member.id).state is PledgeState.ACTIVE
    assert not may_vote(context, member)

    assert booked.waiting is not None
    approve_as(context, booked.waiting, "ben")
    assert may_vote(context, member)
