"""Sample content is removed completely, and nothing else is."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from jara.domain.books.account import Fund
from jara.domain.books.spending import Spending, grant_entry, spending_entry
from jara.domain.content.kinds import KINDS
from jara.domain.content.values import SLUG_MAX
from jara.domain.field_report import ReportState
from jara.domain.organisation import PaymentMode
from jara.domain.reports.parts import ReportPeriod
from jara.domain.voting.proposal import ProposalStatus
from jara.services.books.policies import list_fixed_costs
from jara.services.books.posting import Books
from jara.services.content import edit_item, import_items
from jara.services.context import Context
from jara.services.field.partners import list_links, make_link, revoke_links
from jara.services.field.publishing import list_reports, show_report
from jara.services.proposals.closing import close_due_votes
from jara.services.reports.impact import impact_report
from jara.services.samples.seeding import Removed, remove_samples, seed_content, seed_proposals
from tests.harness import clock_of, make_organisation
from tests.services.giving.giving_year import WELLS
from tests.services.samples.demonstration_stage_setup import seed_files


def shown(context: Context) -> list[str]:
    """Return the ids of everything on the website."""
    with context.store.read() as work:
        return [i.id for kind in KINDS for i in work.content.all(kind, published_only=True)]


def test_samples_are_removed_and_nothing_else(place: Path) -> None:
    """Own items stay; a second removal does nothing; seeding restores the samples."""
    context = make_organisation(place)
    files = seed_files()
    seed_content(context, files)
    import_items(context, "projects", [WELLS])
    real = replace(context, payment_mode=PaymentMode.LIVE)

    removed = remove_samples(real, files.fixed_costs)

    assert shown(context) == ["wells", "first-water"]
    assert list_fixed_costs(context) == []
    assert removed[-1] == Removed("proposals", 1)
    with context.store.read() as work:
        (record,) = work.proposals.all()
    assert ProposalStatus.WITHDRAWN is record.proposal.status
    assert {one.removed + one.kept for one in remove_samples(real, files.fixed_costs)} == {0}
    seed_content(context, files)
    assert len(shown(context)) > 40


def test_no_report_names_a_removed_sample_vote(place: Path) -> None:
    """The public log keeps it; open data and the report of the year have nothing of it."""
    context = make_organisation(place)
    files = seed_files()
    seed_content(context, files)
    today = context.today()
    period = ReportPeriod(today, today)
    assert len(impact_report(context, period).proposals) == 1
    remove_samples(context, files.fixed_costs)

    assert impact_report(context, period).proposals == ()


def test_what_was_removed_is_added_again(place: Path) -> None:
    """The counts equal the first ones, and a withdrawn proposal gets a new vote."""
    context = make_organisation(place)
    files = seed_files()
    first = seed_content(context, files)
    remove_samples(context, files.fixed_costs)

    assert first == seed_content(context, files)
    assert {(one.added, one.changed) for one in seed_content(context, files)} == {(0, 0)}
    with context.store.read() as work:
        votes = {r.proposal.slug: r.proposal.status.value for r in work.proposals.all()}
    (document,) = files.proposals
    slug = document["slug"]
    assert votes == {slug: "withdrawn", f"{slug}-2": "open"}


def test_a_draft_that_was_removed_comes_back_as_a_draft(place: Path) -> None:
    """After each removal the draft comes back under the next free number."""
    context = make_organisation(place)
    (document,) = seed_files().proposals
    for _ in range(3):
        seed_proposals(context, [{**document, "status": "draft", "slug": "b" * SLUG_MAX}])
        remove_samples(context)

    with context.store.read() as work:
        found = sorted((r.proposal.id, r.proposal.slug[-3:]) for r in work.proposals.all())
    assert found == [("beekeeping", "bbb"), ("beekeeping-2", "b-2"), ("beekeeping-3", "b-3")]


def test_what_was_changed_or_decided_stays(place: Path) -> None:
    """A cost with a new amount is the operator's own, and a decided vote is in the public log."""
    context = make_organisation(place)
    files = seed_files()
    seed_proposals(context, files.proposals)
    clock_of(context).set(datetime(2027, 2, 1, tzinfo=UTC))
    close_due_votes(context)
    cost, *_ = files.fixed_costs
    own = {**cost, "amountCents": 123}
    seed_content(context, files._replace(content={}, fixed_costs=[own]))

    removed = remove_samples(context, files.fixed_costs)

    assert removed[-2:] == [Removed("fixed-costs", 0, 1), Removed("proposals", 0, 1)]


def test_only_unused_unchanged_samples_are_deleted(place: Path) -> None:
    """What was paid, also through another's account, or was changed is hidden; the rest is gone."""
    context = make_organisation(place)
    files = seed_files()
    seed_content(context, files)
    edit_item(context, "faqs", "minimum", {"answer": "<p>Ours.</p>"})
    with context.store.write() as work:
        projects = work.content.all("projects")
        paid = projects[0]
        Books(context, work).post(
            grant_entry(context.today(), {Fund.PROJECTS: 100}),
        )
        spending = Spending(str(paid.doc["account"]), Fund.PROJECTS, 100)
        Books(context, work).post(spending_entry(context.today(), spending, available_cents=100))
    remove_samples(context, files.fixed_costs)

    with context.store.read() as work:
        left = {kind: [i.slug for i in work.content.all(kind)] for kind in KINDS}
    assert {kind: slugs for kind, slugs in left.items() if slugs} == {
        "projects": [paid.slug],
        "donations": ["two-boreholes-and-a-standpipe-network"],
        "faqs": ["minimum"],
    }
    assert shown(context) == []
    assert {one.removed for one in remove_samples(context, files.fixed_costs)} == {0}


def test_sample_partners_are_seeded_once_and_removed(place: Path) -> None:
    """One report waits for an operator, two became updates; a link of one's own stays."""
    context = make_organisation(place)
    files = seed_files()
    seed_content(context, files)
    waiting, *others = list_reports(context, undecided_only=True)
    shown_photos = show_report(context, waiting.id).photos
    published = [
        show_report(context, row.id).published
        for row in list_reports(context, undecided_only=False)
        if row.state is ReportState.PUBLISHED
    ]

    assert (waiting.state, waiting.photos, others) == (ReportState.WAITING, 1, [])
    assert [photo.data for photo in shown_photos] == [one.data for one in files.photos.values()]
    assert [one and one["sample"] for one in published] == [True, True]
    assert [(one.state, one.reports) for one in list_links(context)] == [("sample", 3)]
    own = make_link(context, "Maji Safi")
    assert {one.kind: one.removed for one in remove_samples(context)}["partners"] == 1
    assert list_reports(context, undecided_only=False) == []
    assert [one.id for one in list_links(context)] == [own.link.id]
    assert revoke_links(context, "Maji Safi")


def test_a_sample_partner_without_own_links_goes_whole(place: Path) -> None:
    """Nothing of it is left, and seeding brings it back."""
    context = make_organisation(place)
    files = seed_files()
    seed_content(context, files)
    remove_samples(context, files.fixed_costs)

    with context.store.read() as work:
        assert work.field.partners() == []
    seed_content(context, files)
    assert len(list_reports(context, undecided_only=False)) == 3
