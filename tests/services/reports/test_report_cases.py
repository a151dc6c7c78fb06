"""Single cases of what an impact report counts or leaves out."""

from datetime import date, timedelta
from pathlib import Path

from jara.domain.books.account import BANK, Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting, merged
from jara.domain.books.spending import grant_entry
from jara.domain.reports.parts import ReportPeriod
from jara.records.journal import EntryQuery
from jara.reports.render import render
from jara.services.books.bookkeeping import post_entry, reverse_entry
from jara.services.books.commitments import release_commitment
from jara.services.content import add_item
from jara.services.context import Context
from jara.services.proposals.lifecycle import withdraw_proposal
from jara.services.reports.facts import items_at
from jara.services.reports.impact import impact_report, list_archive, voting_report
from tests.harness import clock_of, copy_of, make_organisation
from tests.services.giving.giving_year import OCTOBER, YEAR, make_year


def test_late_entries_are_counted_and_named(place: Path) -> None:
    """Entries recorded after the period's end are counted and listed."""
    context = copy_of(make_year, place)
    on_time = impact_report(context, OCTOBER)
    post_entry(context, grant_entry(date(2026, 10, 30), {Fund.OTHER: 100}))
    late = impact_report(context, OCTOBER)

    assert on_time.late_entries == ()
    assert late.received.grants_cents == on_time.received.grants_cents + 100
    assert [(e.day, e.recorded_on, e.cents) for e in late.late_entries] == [
        (date(2026, 10, 30), date(2026, 11, 20), 100)
    ]


def test_an_organisation_that_has_not_begun_has_an_empty_report(place: Path) -> None:
    """A report without receipts is no error, and still has the promise of the policy."""
    context = make_organisation(place)
    report = impact_report(context, OCTOBER)

    assert (report.changemakers, report.kept_cents, report.books.at) == (0, 0, None)
    assert [line.promised_tenths for line in report.funds] == [800, 70, 90, 40]
    assert impact_report(context, ReportPeriod(date(1990, 1, 1), date(1990, 1, 31))).funds == ()
    assert list_archive(context) == []
    for form in ("md", "html", "json", "csv"):
        assert render(report, form)


def test_a_reversal_takes_a_receipt_or_a_refund_back(place: Path) -> None:
    """After a reversal, gross receipts and refunds are both still correct."""
    context = copy_of(make_year, place)
    before = impact_report(context, YEAR)
    undo(context, EntryKind.GIFT)
    undo(context, EntryKind.REFUND)
    after = impact_report(context, YEAR)

    assert after.received.gifts_cents == before.received.gifts_cents - 5000
    assert after.refunds_cents == before.refunds_cents - 700
    assert (before.gifts - 1, before.givers - 1) == (after.gifts, after.givers)
    assert before.contributions == after.contributions


def undo(context: Context, kind: EntryKind) -> None:
    """Reverse the first entry of a kind."""
    with context.store.read() as work:
        found = next(iter(work.journal.entries(EntryQuery(kinds=(kind,)))))
    reverse_entry(context, found.id, why="Mistake")


def test_other_income_has_its_own_line(place: Path) -> None:
    """Income other than contributions and grants is listed separately."""
    context = copy_of(make_year, place)
    with context.store.write() as work:
        work.book_settings.put_account("income:interest", kind="income", meaning="Interest")
    post_entry(
        context,
        JournalEntry(
            day=context.today(),
            kind=EntryKind.MANUAL,
            description="Interest",
            postings=merged(
                [Posting(BANK, Fund.OTHER, 42), Posting("income:interest", Fund.OTHER, -42)]
            ),
        ),
    )

    assert impact_report(context, YEAR).received.other_cents == 42


def test_money_given_up_is_not_waited_for(place: Path) -> None:
    """From the day of its release, money is neither held nor queued."""
    context = copy_of(make_year, place)
    before = impact_report(context, YEAR)
    release_commitment(context, "prop_01", cents=None, why="Done")
    after = impact_report(context, YEAR).proposals[0]

    assert (after.held_cents, after.queued_cents, after.released_cents) == (0, 0, 4000)
    assert impact_report(context, YEAR, before.books.size) == before


def test_a_withdrawn_vote_has_no_count_and_is_not_open(place: Path) -> None:
    """A withdrawn vote is listed, and counts neither as decided nor as open."""
    context = copy_of(make_year, place)
    withdraw_proposal(context, "prop_02", reason="Sold")

    assert [
        (p.id, p.status, p.vote)
        for p in impact_report(context, YEAR).proposals
        if p.id != "prop_01"
    ] == [("prop_02", "withdrawn", None)]
    report = voting_report(context, YEAR)
    assert ([r.id for r in report.decided], [r.id for r in report.open]) == (["prop_01"], [])


def test_a_payee_without_content_is_named_by_its_account(place: Path) -> None:
    """An old payout is listed even if its payee has no page."""
    context = copy_of(make_year, place)
    spent = ("expenses:donations:school-desks", "expenses:grants:shelves")
    for account in spent:
        post_entry(
            context,
            JournalEntry(
                day=context.today(),
                kind=EntryKind.DISBURSEMENT,
                description="Payment",
                postings=(Posting(account, Fund.PROJECTS, 10), Posting(BANK, Fund.PROJECTS, -10)),
                note="Asked for",
            ),
        )

    titles = [p.title for p in impact_report(context, YEAR).disbursements[-2:]]
    assert set(titles) == {"School desks", "A roof for the readers"}


FAQ = {"id": "why", "question": "Why?", "answer": "Because."}


def test_content_counts_from_the_second_of_its_change(place: Path) -> None:
    """Content published at the report's instant is included; a second later it is not."""
    context = make_organisation(place)
    at = context.now()
    add_item(context, "faqs", FAQ, published=True)
    clock_of(context).set(at + timedelta(hours=1))

    with context.store.read() as work:
        found = [
            [item.id for item in items_at(work, "faqs", at + timedelta(seconds=seconds))]
            for seconds in (-1, 0, 1)
        ]

    assert found == [[], ["why"], ["why"]]
