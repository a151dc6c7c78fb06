"""Days, months, deadlines and rights follow the organisation's time zone."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jara import jara_verify
from jara.domain.books.journal import EntryKind
from jara.domain.errors import Conflict, InvalidInput, VotingClosed
from jara.domain.giving.changemaker import card_pays_until
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import PledgeState
from jara.domain.publiclog.leaves import LeafType
from jara.domain.reports.parts import ReportPeriod
from jara.domain.time_zone import TimeZone
from jara.files.publiclog.bundle import bundle_pieces
from jara.records.journal import EntryQuery
from jara.services.context import Context
from jara.services.giving.pledging import cancel_pledge, find_pledge
from jara.services.operations.validity import valid_until
from jara.services.organisation import set_time_zone
from jara.services.payments.promising import promise
from jara.services.payments.receiving import follow_payments, receive
from jara.services.payments.ways import set_way
from jara.services.proposals.closing import close_due_votes
from jara.services.proposals.lifecycle import (
    draft_proposal,
    export_proposals,
    import_proposals,
    put_to_vote,
)
from jara.services.publiclog.proofs import bundle_contents, make_checkpoint
from jara.services.reports.impact import impact_report
from jara.services.reports.statements import member_statement
from tests.harness import clock_of, make_organisation
from tests.places import NewPlace
from tests.services.ballots.voting_world import PROPOSAL, add_member, open_vote, pay, vote
from tests.services.giving.joiners import join, pass_time

TORONTO = TimeZone("America/Toronto")
END = datetime(2026, 12, 1, 5, tzinfo=UTC)


@pytest.fixture
def toronto(place: Path) -> Context:
    """A new organisation in Toronto, on 20 November 2026."""
    return make_organisation(place, zone=TORONTO)


def test_a_vote_that_ends_on_a_day_ends_at_midnight_there(toronto: Context) -> None:
    """The last instant of the day counts there; the public text names the instant."""
    ada, ben = (add_member(toronto, name) for name in ("ada", "ben"))
    proposal = open_vote(toronto)
    clock_of(toronto).set(END - timedelta(seconds=1))
    vote(toronto, ada, proposal=proposal)
    clock_of(toronto).set(END)

    with pytest.raises(VotingClosed):
        vote(toronto, ben, proposal=proposal)
    (document,) = export_proposals(toronto)
    assert document["endDate"] == "2026-12-01T00:00:00-05:00"
    with toronto.store.read() as work:
        assert work.proposals.find(proposal).proposal.last_day(TORONTO) == date(2026, 11, 30)


@pytest.mark.parametrize(
    ("day", "ends"),
    [
        ("2026-11-30", "2026-12-01T00:00:00-05:00"),
        ("2026-12-31", "2027-01-01T00:00:00-05:00"),
        ("2027-03-13", "2027-03-14T00:00:00-05:00"),
        ("2027-03-14", "2027-03-15T00:00:00-04:00"),
        ("2026-11-30T18:00:00Z", "2026-11-30T18:00:00Z"),
    ],
)
def test_the_end_of_a_vote_follows_the_clock_of_its_day(
    toronto: Context, day: str, ends: str
) -> None:
    """The offset is that of the end; an instant stays as it was given."""
    open_vote(toronto, endDate=day)

    assert export_proposals(toronto)[0]["endDate"] == ends


def test_a_draft_keeps_its_day_and_a_file_its_proposal(context: Context) -> None:
    """A draft ends by the zone at its opening; importing its file again changes nothing."""
    draft_proposal(context, PROPOSAL)
    set_time_zone(context, "america/toronto")

    opened = put_to_vote(context, "prop_01")

    assert opened.proposal.ends_at == END
    assert import_proposals(context, [PROPOSAL]).unchanged == ("prop_01",)


def test_the_first_entry_fixes_the_time_zone(context: Context) -> None:
    """Until then it may change; a zone that stays is no change."""
    with pytest.raises(InvalidInput, match="did you mean America/Toronto"):
        set_time_zone(context, "America/Torronto")
    set_time_zone(context, "Asia/Tokyo")
    set_time_zone(context, "America/Toronto")
    add_member(context, "ada")

    with pytest.raises(Conflict, match="whose days are those of America/Toronto"):
        set_time_zone(context, "UTC")
    set_time_zone(context, "America/Toronto")
    with context.store.read() as work:
        rows = [row.after for row in work.operations.audit(action="organisation.set")]
    assert sorted(row["timeZone"] for row in rows) == ["America/Toronto", "Asia/Tokyo"]


@pytest.mark.parametrize(
    ("zone", "charged"),
    [("UTC", "2027-01-01"), ("America/Toronto", "2026-12-31"), ("Asia/Tokyo", "2027-01-01")],
)
def test_a_payment_belongs_to_the_day_month_and_year_there(
    place: Path, zone: str, charged: str
) -> None:
    """A card is charged four hours into the new year of UTC."""
    context = make_organisation(place, at=datetime(2027, 1, 1, 4, tzinfo=UTC), zone=TimeZone(zone))
    member = join(context).member
    day = date.fromisoformat(charged)

    with context.store.read() as work:
        (entry,) = work.journal.entries(EntryQuery(kinds=(EntryKind.PLEDGE,)))
        (payment,) = work.payments.of_member(member.key)
    assert (entry.entry.day, payment.day) == (day, day)
    clock_of(context).set(datetime(2027, 2, 2, tzinfo=UTC))
    for year in (2026, 2027):
        whole = ReportPeriod(date(year, 1, 1), date(year, 12, 31))
        paid = 1000 if year == day.year else 0
        report = impact_report(context, whole)
        assert report.received.pledges_cents == paid
        statement = member_statement(context, member.email, whole)
        assert sum(line.amount_cents for line in statement.lines) == paid


@pytest.mark.parametrize("zone", ["UTC", "America/Toronto", "Pacific/Auckland", "Pacific/Apia"])
@pytest.mark.parametrize("billing_day", ["1", "28"])
def test_cards_are_charged_on_the_billing_day_there(
    place: Path, zone: str, billing_day: str
) -> None:
    """For more than a year, over both changes of the clock, entry and prediction agree."""
    context = make_organisation(place, zone=TimeZone(zone))
    member = join(context, billing_day=billing_day).member
    predicted = []
    for _ in range(14):
        pledge = find_pledge(context, member.id)
        assert pledge.next_charge_on is not None
        predicted.append(pledge.next_charge_on)
        pass_time(context, context.zone.end_of(pledge.next_charge_on) - timedelta(seconds=1))

    with context.store.read() as work:
        paid = [payment.day for payment in work.payments.of_member(member.key)]
    assert paid == predicted
    assert {day.day for day in paid} == {int(billing_day)}


def test_the_right_to_vote_ends_with_a_day_there(toronto: Context) -> None:
    """A payment by card gives it until midnight there, also after the clock changed."""
    ada = add_member(toronto, "ada")
    until = card_pays_until(date(2026, 11, 20), TORONTO)

    with toronto.store.read() as work:
        assert work.electors.paid_until([ada.key]) == {ada.key: until}
        assert list(work.electors.discrepancies()) == []
    assert TORONTO.start_of(TORONTO.day_of(until)) == until


def test_months_without_a_card_end_at_midnight_there(toronto: Context) -> None:
    """What is paid until the 20th is paid until midnight there."""
    set_way(toronto, PaymentWay.TRANSFER, ledger="assets:bank", details="By bank.")
    member = join(toronto).member
    cancel_pledge(toronto, member.id)
    promise(toronto, member.email, dollars=10, way=PaymentWay.TRANSFER)
    receive(toronto, member.email, 1000)
    states = []
    for second in (-1, 0):
        at = datetime(2027, 1, 20, 5, tzinfo=UTC) + timedelta(seconds=second)
        clock_of(toronto).set(at)
        follow_payments(toronto)
        states.append(find_pledge(toronto, member.id).state)

    assert states == [PledgeState.ACTIVE, PledgeState.PAST_DUE]


def test_answers_are_kept_until_midnight_there(toronto: Context) -> None:
    """Public answers change with the organisation's day."""
    assert valid_until(toronto) == datetime(2026, 11, 21, 5, tzinfo=UTC)
    clock_of(toronto).set(datetime(2026, 11, 21, 4, 59, tzinfo=UTC))
    assert toronto.today() == date(2026, 11, 20)
    assert valid_until(toronto) == datetime(2026, 11, 21, 5, tzinfo=UTC)


@settings(max_examples=20)
@given(
    zone=st.sampled_from(
        ("UTC", "America/Toronto", "Asia/Kathmandu", "Pacific/Kiritimati", "America/Havana")
    ).map(TimeZone),
    hours=st.lists(st.integers(0, 24 * 40), min_size=1, max_size=12).map(sorted),
)
def test_the_months_of_a_year_add_up_to_it(
    new_place: NewPlace, zone: TimeZone, hours: list[int]
) -> None:
    """Each payment around a year's end is in one month and one year, and in no other."""
    begun = datetime(2026, 12, 12, tzinfo=UTC)
    context = make_organisation(new_place(), at=begun, zone=zone)
    ada = add_member(context, "ada", cents=0)
    for hour in hours:
        clock_of(context).set(begun + timedelta(hours=hour))
        pay(context, ada)
    clock_of(context).set(datetime(2027, 6, 1, tzinfo=UTC))

    def received(first: date, last: date) -> int:
        return impact_report(context, ReportPeriod(first, last)).received.pledges_cents

    years = [received(date(year, 1, 1), date(year, 12, 31)) for year in (2026, 2027)]
    assert received(date(2026, 12, 1), date(2026, 12, 31)) == years[0]
    january = received(date(2027, 1, 1), date(2027, 1, 31))
    february = received(date(2027, 2, 1), date(2027, 2, 28))
    assert january + february == years[1]
    assert sum(years) == 1000 * len(hours)


def test_the_public_log_is_verified_without_the_zone(toronto: Context, tmp_path: Path) -> None:
    """The log has instants in UTC, so the verifier needs no time zone."""
    vote(toronto, add_member(toronto, "ada"), proposal=open_vote(toronto))
    clock_of(toronto).set(END)
    close_due_votes(toronto)
    make_checkpoint(toronto)
    bundle = tmp_path / "bundle.tar"
    with toronto.store.read() as work:
        bundle.write_bytes(b"".join(bundle_pieces(bundle_contents(toronto, work, whole=True))))
        (opening,) = work.log.leaves_of(LeafType.PROPOSAL_OPEN)

    assert jara_verify.main([str(bundle)]) == 0
    assert b'"ends":"2026-12-01T05:00:00Z"' in opening.body
