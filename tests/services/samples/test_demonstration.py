"""The demonstration: every figure of the sample comes from the ledger."""

from collections import Counter
from datetime import date, timedelta
from pathlib import Path
from random import Random

import pytest

from jara.domain.books.account import Fund
from jara.domain.currency import use_currency
from jara.domain.errors import InvalidInput, Unavailable
from jara.domain.voting.proposal import ProposalStatus
from jara.services.ballots.counting import count_open, count_vote, voted_on
from jara.services.bank.answering import list_waiting
from jara.services.bank.reconciling import reconcile_bank
from jara.services.books.posting import fund_balances
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.operations.operators import list_acts
from jara.services.projects.catalogue import list_projects, show_project
from jara.services.reports.figures import site_figures
from jara.services.samples import interac
from jara.services.samples.bank_year import bank_year
from jara.services.samples.demonstration import MEMBERS_MAX, MEMBERS_MIN, play
from jara.services.samples.plan import DemoFiles, plan_payouts
from jara.services.samples.seeding import seed_fixed_costs
from jara.services.samples.stage import (
    SHOWN_EMAIL,
    SHOWN_PASSWORD,
    UNDECIDED,
    Stage,
    Turn,
    cast_of,
    story_start,
    vote_until,
)
from jara.services.samples.treasury import newest_charge, pay_month, receive_grant
from tests.places import NewPlace
from tests.services.ballots.voting_world import open_vote as open_a_vote
from tests.services.bank.test_undoing_arrivals import balance as spent
from tests.services.books.ledger_builders import all_entries
from tests.services.samples.demonstration_stage_setup import END, demo_files, make_stage

MEMBERS = 30


@pytest.fixture(scope="module")
def played(new_place: NewPlace) -> Context:
    """The story, played once with few members; the tests only read it."""
    return play_story(new_place())


def play_story(folder: Path) -> Context:
    """Play the story with few members."""
    stage = make_stage(folder)
    parts: list[float] = []
    play(stage, demo_files(), members=MEMBERS, seed="jara", end=END, progress=parts.append)
    assert parts == sorted(parts)
    assert all(0 <= part <= 1 for part in parts)
    return stage.context


@pytest.fixture(scope="module")
def again(new_place: NewPlace) -> tuple[Context, bytes]:
    """The story, played a second time, and the root of its log at the end."""
    context = play_story(new_place())
    return context, context.store.read_once().log.root()


def test_the_books_verify(played: Context) -> None:
    """Two complete years verify without findings."""
    assert verify_books(played).findings == ()


def test_the_figures_of_the_specification_come_out_of_the_ledger(played: Context) -> None:
    """Seven donations sum to $28,820, with $8,090 for the boreholes (spec §9)."""
    figures = site_figures(played)

    assert spent(played, "expenses:projects:clean-water-boreholes") == 809_000
    assert figures.cash.cash_deployed_cents == 2_882_000
    assert (figures.donations, figures.donations_cents) == (7, 2_882_000)


def test_the_demo_figures_give_donors_and_voted_money(played: Context) -> None:
    """What came from pledges and from others is the income; grants to groups had no vote."""
    figures = site_figures(played)
    projects = spent(played, "expenses:projects")

    assert figures.pledges_cents + figures.donated_cents == -spent(played, "income")
    assert figures.donated_cents >= -spent(played, "income:grants") > 0
    assert 0 < figures.voted_on_cents == projects < figures.cash.cash_deployed_cents


def test_every_donation_was_paid_from_its_account(played: Context) -> None:
    """The donations page and the ledger agree account by account."""
    for donation in demo_files().seed.content["donations"]:
        assert donation["amountCents"] == spent(played, donation["account"])


def test_every_project_page_adds_up_to_the_ledger(played: Context) -> None:
    """Payouts, milestones and 'Fund capital used' agree, and match the commitment of the vote."""
    paid_by_vote = 0
    for card in list_projects(played):
        project = show_project(played, card["slug"])
        paid = sum(payout["cents"] for payout in project["payouts"])
        assert paid == project["paidCents"] == project["capitalUsedCents"]
        assert paid == spent(played, project["account"])
        assert paid == sum(step["paidCents"] for step in project["milestones"])
        if project["vote"] is not None and paid:
            paid_by_vote += 1
            assert paid == project["commitment"]["paidCents"]
            assert {one["proposal"] for one in project["payouts"]} == {project["vote"]["slug"]}
    assert paid_by_vote > 1


def test_the_boreholes_are_paid_in_the_currency_of_their_country(played: Context) -> None:
    """The page shows both sums; trace and bank statement agree with it."""
    project = show_project(played, "clean-water-boreholes")
    lines = [line.text for month in bank_year(played, END.year) for line in month.lines]

    (total,) = project["paidAbroad"]
    assert (total["currency"], total["amountMinor"], total["cents"]) == (
        "TZS",
        809_000 * 2650,
        809_000,
    )
    assert any("PROJECT PAYMENT TZS" in line and "AT 2650.00" in line for line in lines)


def test_the_year_at_the_bank_has_a_payout_in_shillings_of_kenya(played: Context) -> None:
    """The payout is in the trace, and in the year whose statements are written by default."""
    (paid,) = (
        (entry.foreign.amount_minor, entry.day.year)
        for entry in all_entries(played)
        if entry.foreign is not None and entry.foreign.currency == "KES"
    )
    lines = [line.text for month in bank_year(played, END.year - 1) for line in month.lines]

    assert paid == (475_000 * 129, END.year - 1)
    assert any("PROJECT PAYMENT KES 612,750" in line and "AT 129.00" in line for line in lines)


def test_votes_end_as_the_sample_says(played: Context) -> None:
    """Passed votes have their project and money; the open one is undecided."""
    with played.store.read() as work:
        records = {record.proposal.id: record for record in work.proposals.all()}
        (open_vote,) = work.proposals.all(ProposalStatus.OPEN)
        tally = count_vote(played, work, open_vote)
        shown = work.members.by_email(SHOWN_EMAIL)
        assert shown is not None
        assert open_vote.proposal.id not in voted_on(played, work, shown.id)

    for document in demo_files().past_proposals:
        status = records[document["id"]].proposal.status
        passed = document["status"] == "passed"
        assert status is (ProposalStatus.FUNDED if passed else ProposalStatus.REJECTED)
    assert tally.yes
    assert 0 < open_vote.proposal.rule.needed(tally) <= tally.not_voted
    assert END + timedelta(days=18) <= open_vote.proposal.ends_at <= END + timedelta(days=20)


def test_no_fund_is_overdrawn(played: Context) -> None:
    """Grants arrive before the payments they cover."""
    balances = fund_balances(played.store.read_once())

    assert min(balances.values()) >= 0
    assert balances[Fund.COMMITTED] == (870_000 - 809_000) + (582_800 - 145_700)


def test_the_story_has_everything_that_happens(played: Context) -> None:
    """Refunds, disputes, gifts, payouts, grants and salaries occur, so that no page is empty."""
    with played.store.read() as work:
        kinds = Counter(
            str(posted.entry.kind)
            for index in range(work.log.size())
            if work.log.leaf(index).type == "jara/v1/entry"
            for posted in [work.journal.get(index)]
        )
        states = Counter(str(pledge.state) for pledge in work.pledges.all())

    assert {
        "pledge",
        "gift",
        "grant",
        "refund",
        "dispute",
        "dispute_reversal",
        "payout",
        "payout_arrived",
        "commitment",
        "disbursement",
        "salary",
        "expense",
        "fee",
        "opening",
    } <= set(kinds)
    assert {"active", "canceled"} <= set(states)


def test_the_demo_member_can_sign_in(played: Context) -> None:
    """The printed email and password are those of a changemaker."""
    with played.store.read() as work:
        member = work.members.by_email(SHOWN_EMAIL)
        assert member is not None
        kept = work.members.password_hash(member.id)

    assert kept is not None
    assert played.hasher.verify(kept, SHOWN_PASSWORD)


def test_nothing_lies_in_the_future(played: Context) -> None:
    """No entry is newer than the clock."""
    newest = played.store.read_once().journal.newest()

    assert newest is not None
    assert newest.booked_at <= END


def test_the_same_seed_and_day_give_the_same_books(
    played: Context, again: tuple[Context, bytes]
) -> None:
    """The log is identical to the last byte."""
    assert played.store.read_once().log.root() == again[1]


@pytest.mark.parametrize("members", [0, MEMBERS_MIN - 1, MEMBERS_MAX + 1])
def test_a_story_needs_a_fair_number_of_members(place: Path, members: int) -> None:
    """Too few could not vote, too many would take all day."""
    with pytest.raises(InvalidInput, match=f"{members} members"):
        play(make_stage(place), demo_files(), members=members, seed="jara", end=END)


def test_the_demo_refuses_a_clock_before_its_end() -> None:
    """A clock that is wrong by months is reported."""
    with pytest.raises(InvalidInput, match="clock of this computer"):
        story_start(demo_files(), date(2026, 9, 30))


def test_years_later_the_first_vote_is_still_in_the_story() -> None:
    """The story always starts early enough for the first vote."""
    assert story_start(demo_files(), date(2031, 1, 1)).date() <= date(2025, 7, 1)


def test_a_project_without_a_vote_is_not_paid() -> None:
    """Money of members follows a vote, in a sample too."""
    files = demo_files()
    lacking = DemoFiles(files.seed, [d for d in files.past_proposals if d["id"] != "reef-vote"])

    with pytest.raises(InvalidInput, match="boat-repair-and-reef-nursery"):
        plan_payouts(lacking, otherwise_on=date(2026, 1, 1))


def test_a_payout_in_the_currency_of_the_books_is_none_abroad() -> None:
    """Books in shillings of Kenya pay there as they pay at home; Tanzania has its own."""
    use_currency("KES")
    payments = plan_payouts(demo_files(), otherwise_on=date(2026, 1, 1))

    assert {one.foreign.currency for one in payments if one.foreign is not None} == {"TZS"}


def test_in_canada_some_pay_by_interac_in_cash_and_by_cheque(place: Path) -> None:
    """Senders are matched by hand once, in the first of two months, and the statements agree."""
    use_currency("CAD")
    stage = make_stage(place)
    play(stage, demo_files(), members=MEMBERS_MIN, seed="jara", end=END)
    context = stage.context
    acts = [one.action for one in list_acts(context, limit=1000)]

    assert [one for one in acts if one in {"bank.import", "bank.match"}] == [
        "bank.import",
        *["bank.match"] * 4,
        "bank.import",
    ]
    assert list_waiting(context) == []
    for day, cents in ((date(2026, 9, 30), 55_05), (date(2026, 10, 31), 110_10)):
        found = reconcile_bank(context, day)
        assert (found.statement_cents, found.differences) == (cents, ())
    for account in ("assets:cash", "assets:cheques"):
        assert spent(context, account) == 0
    assert spent(context, interac.LEDGER) == 110_10
    assert verify_books(context).findings == ()
    # A year of the other bank has no lines of those who pay here.
    lines = [line.text for month in bank_year(context, END.year - 1) for line in month.lines]
    assert [text for text in lines if "Monatsbeitrag" in text] == []


def test_every_turn_has_its_member() -> None:
    """Every possible course of a pledge occurs."""
    stage_begins = story_start(demo_files(), END.date())

    turns = {actor.turn for actor in cast_of(60, start=stage_begins, end=END, random=Random(1))}

    assert set(Turn) == turns


@pytest.fixture
def stage(place: Path) -> Stage:
    """A stage at the start of the story."""
    return make_stage(place)


def test_without_money_nothing_is_paid(stage: Stage) -> None:
    """Payments that the funds cannot cover are left out, so no fund is overdrawn."""
    over = {
        "id": "over",
        "name": "Old server",
        "amountCents": 100,
        "validFrom": "2024-01-01",
        "validTo": "2024-12-31",
    }
    seed_fixed_costs(stage.context, [*demo_files().seed.fixed_costs, over])
    stage.clock.at = END
    pay_month(stage.context, month=1)

    with stage.context.store.read() as work:
        rows = work.journal.balances(accounts=("expenses:staff", "expenses:marketing"))
    assert rows == []


def test_a_sample_grant_fills_exactly_the_missing_amount(stage: Stage) -> None:
    """A second call finds nothing lacking."""
    assert receive_grant(stage.context, for_cents=40_000) == 100_000
    assert receive_grant(stage.context, for_cents=40_000) == 0


def test_trouble_needs_a_payment(stage: Stage) -> None:
    """Without a payment, nothing is refunded or disputed."""
    with pytest.raises(Unavailable, match="Nobody has paid"):
        newest_charge(stage.context, excluding="")


def test_nobody_votes_without_electors(stage: Stage) -> None:
    """No ballot is cast with an empty roll."""
    open_a_vote(stage.context)
    vote_until(stage.context, "prop_01", UNDECIDED, spare=(), random=Random(1))

    assert count_open(stage.context, stage.context.store.read_once(), "prop_01") == (0, 0)
