"""Reports agree with the ledger to the cent, and are reproducible byte for byte."""

import os
import time
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from jara.documents import to_document
from jara.domain.books.account import BANK, Fund
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry, Posting
from jara.domain.books.spending import grant_entry
from jara.domain.errors import InvalidInput
from jara.domain.reports.parts import ReportPeriod
from jara.records.journal import EntryQuery
from jara.reports.render import render
from jara.services.books.bookkeeping import post_entry, reverse_entry
from jara.services.books.posting import Books
from jara.services.books.tracing import At
from jara.services.content import edit_item, import_items
from jara.services.context import Context
from jara.services.reports.impact import impact_report, list_archive, voting_report
from jara.services.reports.statements import member_statement
from jara.services.reports.yearly_funds import funds_report
from tests.harness import clock_of, copy_of, make_organisation
from tests.places import NewPlace
from tests.services.giving.giving_year import OCTOBER, WELLS, YEAR, at, charges_of, make_year
from tests.services.giving.joiners import sandbox_of

SEPTEMBER = ReportPeriod(date(2026, 9, 1), date(2026, 9, 30))
CLOSED = ReportPeriod(date(2026, 8, 1), date(2026, 10, 31))


@pytest.fixture(scope="module")
def year(new_place: NewPlace) -> Context:
    """Make the organisation once; tests that change it make their own."""
    return copy_of(make_year, new_place())


def entries(context: Context, period: ReportPeriod) -> list[JournalEntry]:
    """Return every entry of a period."""
    query = EntryQuery(first_day=period.first, last_day=period.last)
    with context.store.read() as work:
        return [posted.entry for posted in work.journal.entries(query)]


def moved(context: Context, period: ReportPeriod, prefix: str, *funds: Fund) -> int:
    """Add up postings one by one, without any of the maintained sums."""
    return sum(
        posting.cents
        for entry in entries(context, period)
        for posting in entry.postings
        if posting.account.startswith(prefix) and (not funds or posting.fund in funds)
    )


@pytest.mark.parametrize(
    "period", [YEAR, SEPTEMBER, ReportPeriod(date(2026, 9, 13), date(2026, 10, 8))]
)
def test_each_figure_of_an_impact_report_is_in_the_ledger(
    year: Context, period: ReportPeriod
) -> None:
    """Every figure equals the sum of the postings, added up one by one."""
    report = impact_report(year, period)
    to_date = ReportPeriod(date(2026, 1, 1), period.last)

    assert -moved(year, period, "income:") == report.kept_cents
    assert moved(year, period, "expenses:fees") == report.fees_cents
    assert moved(year, to_date, "assets:") == report.cash_at_hand_cents
    assert (
        moved(year, period, "expenses:projects:") + moved(year, period, "expenses:grants:")
        == report.disbursed_cents
    )
    assert (
        moved(year, to_date, "expenses:projects:") + moved(year, to_date, "expenses:grants:")
        == report.cash_deployed_cents
    )
    for line in report.funds:
        funds = [line.fund, *([Fund.COMMITTED] if line.fund is Fund.PROJECTS else [])]
        assert -moved(year, period, "income:", *funds) == line.received_cents
        assert moved(year, period, "expenses:", *funds) == line.spent_cents
        assert moved(year, period, "expenses:fees", *funds) == line.fees_cents
    assert moved(year, to_date, "assets:", Fund.COMMITTED) == report.funds[0].held_cents
    assert sum(m.pledges_cents for m in report.months) == report.received.pledges_cents
    assert sum(m.gifts_cents for m in report.months) == report.received.gifts_cents
    assert sum(m.refunds_cents for m in report.months) == report.refunds_cents


def test_an_impact_report_tells_the_whole_year(year: Context) -> None:
    """The counts, receipts, votes and projects of a known year are correct."""
    report = impact_report(year, YEAR)

    assert (report.changemakers, report.pledged_monthly_cents) == (2, 4500)
    assert (
        report.received.pledges_cents,
        report.received.gifts_cents,
        report.received.grants_cents,
        report.received.other_cents,
    ) == (21_000, 5_000, 6_500, 0)
    assert report.refunds_cents == 2_700
    assert (report.contributions, report.gifts, report.givers) == (11, 1, 4)
    assert [line.promised_tenths for line in report.funds] == [800, 70, 90, 40]
    assert sum(line.actual_tenths for line in report.funds) == 1000
    assert [p.title for p in report.disbursements] == ["Village wells", "A roof for the readers"]
    assert [p.proposal for p in report.disbursements] == ["prop_01", None]
    assert [(p.id, p.status) for p in report.proposals] == [
        ("prop_01", "funded"),
        ("prop_02", "open"),
    ]
    passed = report.proposals[0]
    assert (
        passed.require_vote().tally.yes,
        passed.require_vote().tally.no,
        passed.require_vote().tally.roll,
    ) == (2, 1, 3)
    assert (passed.held_cents, passed.queued_cents, passed.paid_cents) == (4000, 0, 1000)
    assert [
        (p.slug, p.milestones.done, p.milestones.total, p.paid_cents) for p in report.projects
    ] == [("village-wells", 1, 2, 1000), ("a-roof-for-the-readers", 0, 0, 1500)]


def test_months_that_have_not_come_are_left_out(year: Context) -> None:
    """The current year has no column for months to come."""
    assert len(impact_report(year, YEAR).months) == 11


def test_a_period_that_goes_on_says_so(place: Path) -> None:
    """Cash and voters are as of today, later entries are not counted, and titles say so."""
    context = copy_of(make_year, place)
    clock_of(context).set(datetime(2026, 11, 23, 9, tzinfo=UTC))
    month = ReportPeriod(date(2026, 11, 1), date(2026, 11, 30))
    before = impact_report(context, month)

    post_entry(context, grant_entry(date(2026, 11, 28), {Fund.OTHER: 100}))
    report = impact_report(context, month)

    assert report.period.until == date(2026, 11, 23)
    assert before.cash_at_hand_cents == report.cash_at_hand_cents
    text = render(report, "md").decode()
    assert "November 2026 so far, to the 23rd" in text
    assert "on 23 November 2026" in text
    assert "on 30 November 2026)" not in text
    assert funds_report(context, 2026).period.until == date(2026, 11, 23)
    clock_of(context).set(datetime(2026, 12, 1, tzinfo=UTC))
    assert impact_report(context, month).cash_at_hand_cents == before.cash_at_hand_cents + 100


def test_a_period_that_has_not_begun_has_no_report(year: Context) -> None:
    """There is no report of the future, or of a month after the requested state of the books."""
    january = ReportPeriod(date(2027, 1, 1), date(2027, 1, 31))

    for report in (impact_report, voting_report):
        with pytest.raises(InvalidInput, match="begins on 2027-01-01"):
            report(year, january)
        with pytest.raises(InvalidInput, match="begins on 2026-10-01"):
            report(year, OCTOBER, datetime(2026, 9, 12, tzinfo=UTC))
    with pytest.raises(InvalidInput, match="begins on 2027-01-01"):
        funds_report(year, 2027)
    with pytest.raises(InvalidInput, match="begins on 2027-01-01"):
        member_statement(year, "kofi@example.org", january)


def test_the_sections_of_a_report_agree(place: Path) -> None:
    """Projects without a page are listed too, and a shared account is counted once."""
    context = copy_of(make_year, place)
    twin = {**WELLS, "id": "twin", "slug": "twin", "account": "expenses:projects:village-wells"}
    import_items(context, "projects", [{**twin, "title": "Twin", "updates": []}])
    bridge = "expenses:projects:bridge"
    lines = (Posting(bridge, Fund.PROJECTS, 90), Posting(BANK, Fund.PROJECTS, -90))
    with context.store.write() as work:
        Books(context, work).post(
            JournalEntry(date(2026, 11, 3), EntryKind.EXPENSE, "Spent", lines)
        )

    report = impact_report(context, YEAR)

    listed = {project.slug: project for project in report.projects}
    assert (listed["bridge"].title, listed["bridge"].status, listed["bridge"].paid_cents) == (
        "Bridge",
        "Not listed",
        90,
    )
    assert (listed["twin"].paid_cents, listed["village-wells"].paid_cents) == (0, 1000)
    assert moved(context, YEAR, "expenses:projects") == sum(
        project.paid_cents
        for project in report.projects
        if project.account.startswith("expenses:projects")
    )
    accounts = {project.account for project in report.projects}
    assert report.disbursed_cents == sum(
        payout.cents for payout in report.disbursements if payout.account not in accounts
    ) + sum(project.paid_in_period_cents for project in report.projects)
    assert report.cash_deployed_cents == sum(project.paid_cents for project in report.projects)


def test_samples_are_marked_in_reports(place: Path) -> None:
    """Sample projects are marked as such: behind their title, in documents beside it."""
    context = copy_of(make_year, place)
    edit_item(context, "projects", "wells", {"sample": True})

    report = impact_report(context, YEAR)

    assert "Village wells (sample)" in [project.title for project in report.projects]
    assert "Village wells (sample)" in [payout.title for payout in report.disbursements]
    for key in ("projects", "disbursements"):
        marks = {one["title"]: one.get("sample") for one in to_document(report)[key]}
        assert marks["Village wells"] is True
        assert set(marks.values()) == {True, None}


def test_a_report_of_the_past_knows_only_the_past(year: Context) -> None:
    """States, milestones and votes are as of the period's end."""
    august = ReportPeriod(date(2026, 8, 1), date(2026, 8, 31))
    report = impact_report(year, august)

    assert (report.changemakers, report.pledged_monthly_cents) == (3, 5500)
    assert [(p.milestones.done, p.milestones.total) for p in report.projects] == [(0, 2), (0, 0)]
    assert report.proposals == ()
    september = impact_report(year, SEPTEMBER)
    assert (september.changemakers, september.pledged_monthly_cents) == (3, 5500)
    assert [p.status for p in september.proposals] == ["funded"]
    on_the_day = impact_report(year, ReportPeriod(date(2026, 9, 1), date(2026, 9, 11)))
    assert [(p.status, p.held_cents) for p in on_the_day.proposals] == [("passed", 5000)]


def test_a_payout_names_its_older_vote(year: Context, place: Path) -> None:
    """A payout's vote is in the report of the payout's month, even if it was decided earlier."""
    late = ReportPeriod(date(2026, 9, 12), date(2026, 9, 30))

    assert [p.id for p in impact_report(year, late).proposals] == ["prop_01"]
    assert [p.id for p in impact_report(year, OCTOBER).proposals] == ["prop_02"]


def test_votes_of_a_period_are_told_without_the_count_of_open_ones(year: Context) -> None:
    """An open vote appears without its count."""
    report = voting_report(year, YEAR)

    assert [record.id for record in report.decided] == ["prop_01"]
    assert [(record.id, record.vote) for record in report.open] == [("prop_02", None)]
    before = voting_report(year, ReportPeriod(date(2026, 9, 1), date(2026, 9, 5)))
    assert [(r.id, r.status, r.vote) for r in before.open] == [("prop_01", "open", None)]


def render_all(context: Context, period: ReportPeriod, at_size: int | None = None) -> list[bytes]:
    """Write a report in every format that needs no other program."""
    impact = impact_report(context, period, at_size)
    return [
        *(render(impact, form) for form in ("md", "html", "json", "csv")),
        render(voting_report(context, period, at_size), "html"),
        render(member_statement(context, "kofi@example.org", period, at_size), "json"),
    ]


def test_the_same_books_give_the_same_bytes(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The report is identical later, on another machine, and after new entries."""
    context = copy_of(make_year, place)
    first = render_all(context, CLOSED)
    with context.store.read() as work:
        size = work.log.size()

    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    time.tzset()
    clock_of(context).advance(days=400)
    assert first == render_all(context, CLOSED)
    assert first == render_all(context, CLOSED, size)
    clock_of(context).set(datetime(2026, 11, 21, 12, tzinfo=UTC))
    post_entry(context, grant_entry(date(2026, 10, 3), {Fund.OTHER: 100}))
    sandbox_of(context).refund(charges_of(context, _key(context, "kofi"))[1], 2500, key="again")
    (gift,) = entries_of(context, EntryKind.GIFT)
    reverse_entry(context, gift.id, why="booked by mistake", day=date(2026, 10, 4))
    at(context, 11, 22)
    edit_item(context, "projects", "wells", {"status": "Complete", "title": "Wells for all"})
    at(context, 12, 6)

    assert first != render_all(context, CLOSED)
    assert first == render_all(context, CLOSED, size)
    monkeypatch.delenv("TZ")
    time.tzset()
    assert "TZ" not in os.environ


def entries_of(context: Context, kind: EntryKind) -> list[PostedEntry]:
    """Return the entries of a kind."""
    with context.store.read() as work:
        return list(work.journal.entries(EntryQuery(kinds=(kind.value,))))


def _key(context: Context, name: str) -> str:
    with context.store.read() as work:
        return work.members.find(f"{name}@example.org").key


def test_books_are_named_by_size_or_by_instant(year: Context) -> None:
    """``--at`` takes an earlier state of the books; a state that never existed is refused."""
    now = impact_report(year, YEAR)
    instant = datetime(2026, 9, 12, tzinfo=UTC)
    then = impact_report(year, YEAR, instant)

    assert then.books.size < now.books.size
    assert then.books.at is not None
    assert then.books.at <= instant
    assert [p.milestones.done for p in then.projects] == [0, 0]
    assert then.books == impact_report(year, YEAR, then.books.size).books
    assert now == impact_report(year, YEAR, datetime(2026, 11, 21, tzinfo=UTC))
    with pytest.raises(InvalidInput, match="2026-11-21 is in the future"):
        impact_report(year, YEAR, datetime(2026, 11, 22, tzinfo=UTC))
    for size in (0, now.books.size + 1):
        with pytest.raises(InvalidInput, match=f"{size} is not a size it had"):
            impact_report(year, YEAR, size)


@pytest.mark.parametrize("by", ["size", "earlier size", "instant"])
def test_a_running_period_at_a_state_of_the_books_ignores_the_clock(place: Path, by: str) -> None:
    """Days later, with the same books or newer ones, ``--at`` gives the same report."""
    context = copy_of(make_year, place)
    november = ReportPeriod(date(2026, 11, 1), date(2026, 11, 30))
    with context.store.read() as work:
        size, newest = work.log.size(), work.journal.newest()
        entries = list(work.journal.entries(EntryQuery(first_day=november.first)))
    assert newest is not None
    states: dict[str, At] = {
        "size": size,
        "earlier size": entries[-1].index,
        "instant": newest.booked_at,
    }
    state = states[by]

    def reports() -> list[object]:
        return [
            impact_report(context, november, state),
            impact_report(context, YEAR, state),
            voting_report(context, november, state),
            funds_report(context, 2026, state),
            member_statement(context, "zuri@example.org", november, state),
        ]

    before = reports()
    clock_of(context).advance(days=4)
    assert reports() == before
    post_entry(context, grant_entry(context.today(), {Fund.PROJECTS: 100}))
    assert reports() == before


def test_a_period_without_a_beginning_begins_with_the_books(year: Context, place: Path) -> None:
    """Such a period starts with the first entry."""
    until = ReportPeriod(date.min, date(2026, 9, 30))

    assert impact_report(year, until).period.first == date(2026, 8, 1)
    empty = make_organisation(place)
    assert impact_report(empty, until).period.first == date(2026, 9, 30)


def test_all_time_the_years_and_the_closed_months_are_listed(year: Context, place: Path) -> None:
    """The current year is included; all time is included from the second year on."""
    assert [period.first for period in list_archive(year)] == [
        date(2026, 1, 1),
        date(2026, 10, 1),
        date(2026, 9, 1),
        date(2026, 8, 1),
    ]
    context = copy_of(make_year, place)
    clock_of(context).set(datetime(2026, 11, 30, 23, 59, tzinfo=UTC))
    assert list_archive(context)[1].first == date(2026, 10, 1)
    clock_of(context).set(datetime(2027, 1, 5, tzinfo=UTC))
    next_year = ReportPeriod(date(2027, 1, 1), date(2027, 12, 31))
    all_time = ReportPeriod(date(2026, 8, 1), next_year.last)
    assert list_archive(context)[:3] == [all_time, next_year, YEAR]


def test_a_report_lists_expenses_by_fund(place: Path) -> None:
    """Money of one fund that an earlier version spent on another purpose is seen as such."""
    context = copy_of(make_year, place)
    with context.store.write() as work:
        Books(context, work).post(
            JournalEntry(
                day=context.today(),
                kind=EntryKind.SALARY,
                description="Salaries",
                postings=(
                    Posting("expenses:staff", Fund.PROJECTS, 300),
                    Posting(BANK, Fund.PROJECTS, -300),
                ),
            )
        )
    report = impact_report(context, YEAR)

    spent = {line.label: line.by_fund for line in report.spent}
    assert spent["Staff"][Fund.PROJECTS] == 300
    assert sum(spent["Projects"].values()) == spent["Projects"][Fund.PROJECTS]
    for line in report.funds:
        assert sum(by_fund[line.fund] for by_fund in spent.values()) == line.spent_cents
    rows = [line for line in render(report, "md").decode().splitlines() if "Staff" in line]
    assert any("3.00" in row for row in rows)


def test_a_count_and_a_sum_are_about_the_same_entries(place: Path) -> None:
    """Gifts and pledges that an operator posted count too, unless they were reversed."""
    context = make_organisation(place)
    day = date(2026, 10, 3)
    given = [
        post_entry(context, income_entry(day, account, 2500))
        for account in ("income:gifts", "income:gifts", "income:pledges", "income:grants")
    ]
    assert isinstance(given[0], PostedEntry)
    reverse_entry(context, given[0].id, why="twice")

    report = impact_report(context, ReportPeriod(date(2026, 10, 1), date(2026, 11, 30)))

    assert (report.received.gifts_cents, report.gifts) == (2500, 1)
    assert (report.received.pledges_cents, report.contributions) == (2500, 1)
    assert report.givers == 2


def income_entry(day: date, account: str, cents: int) -> JournalEntry:
    """Return an entry that an operator types, into the fund of projects."""
    postings = (Posting(BANK, Fund.PROJECTS, cents), Posting(account, Fund.PROJECTS, -cents))
    return JournalEntry(day, EntryKind.MANUAL, "Envelopes", postings)
