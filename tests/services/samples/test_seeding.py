"""Sample content: added once, marked, translated, removed completely."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from jara.domain.books.account import Fund
from jara.domain.books.spending import Spending, grant_entry, spending_entry
from jara.domain.content.fields import Field, Form
from jara.domain.content.kinds import KINDS, PROPOSAL
from jara.domain.content.translations import ORIGINAL, in_language, text_fields
from jara.domain.content.values import SLUG_MAX
from jara.domain.errors import InvalidInput
from jara.domain.field_report import ReportState
from jara.domain.language import Language
from jara.domain.organisation import PaymentMode
from jara.domain.reports.parts import ReportPeriod
from jara.domain.voting.proposal import ProposalStatus
from jara.services.books.policies import list_fixed_costs
from jara.services.books.posting import Books
from jara.services.content import edit_item, import_items, remove_item
from jara.services.context import Context
from jara.services.field.partners import list_links, make_link, revoke_links
from jara.services.field.publishing import list_reports, show_report
from jara.services.proposals.closing import close_due_votes
from jara.services.reports.impact import impact_report
from jara.services.samples.field import seed_partner
from jara.services.samples.seeding import (
    CONTENT_KINDS,
    Removed,
    Seeded,
    SeedFiles,
    remove_samples,
    seed_content,
    seed_fixed_costs,
    seed_proposals,
)
from tests.fakes.turns import taking_turns
from tests.harness import clock_of, make_organisation
from tests.services.giving.giving_year import WELLS
from tests.services.samples.demonstration_stage_setup import demo_files, seed_files

COST = {"id": "post", "name": "Postage", "amountCents": 900, "validFrom": "2026-01-01"}


@pytest.fixture
def files(context: Context) -> SeedFiles:
    """The documents of data/, which are loaded into the organisation."""
    files = seed_files()
    seed_content(context, files)
    return files


def test_samples_speak_of_the_organisation_by_its_own_name(context: Context) -> None:
    """Nothing that is loaded into an organisation of another name says Jara."""
    context = replace(context, rules=context.rules._replace(organisation="Asante"))

    seed_content(context, seed_files())

    with context.store.read() as work:
        texts = [str(item.doc) for kind in CONTENT_KINDS for item in work.content.all(kind)]
    assert any("Who runs Asante?" in text for text in texts)
    assert [text for text in texts if "Jara" in text] == []


def test_everything_is_loaded_and_marked_as_sample(context: Context) -> None:
    """Each file of data/ has its items on the site, and each item says that it is a sample."""
    files = seed_files()

    seeded = {one.kind: one for one in seed_content(context, files)}

    assert set(seeded) == {*CONTENT_KINDS, "updates", "partners", "fixed-costs", "proposals"}
    assert (seeded["projects"].added, seeded["updates"].added) == (9, 7)
    assert len(files.content["donations"]) == seeded["donations"].added == 7
    with context.store.read() as work:
        for kind in (*CONTENT_KINDS, "updates"):
            assert all(item.doc["sample"] is True for item in work.content.all(kind)), kind
        (proposal,) = work.proposals.all()
        assert work.journal.count() == 0
        assert list(work.members.all()) == []
    assert proposal.proposal.is_sample
    assert ProposalStatus.OPEN is proposal.proposal.status
    days = proposal.proposal.ends_at - context.now()
    assert timedelta(days=30) <= days <= timedelta(days=31)


def test_costs_have_the_language_of_the_organisation(place: Path) -> None:
    """Their names are in the open books, also of a French organisation."""
    english = make_organisation(place)
    context = replace(english, rules=english.rules._replace(language=Language("fr")))
    seed_fixed_costs(context, [{**COST, "fr": "Comptabilité"}])

    with context.store.read() as work:
        assert [line.cost.name for line in work.book_settings.fixed_costs()] == ["Comptabilité"]


def test_partners_have_the_language_of_the_organisation(place: Path) -> None:
    """A French organisation has a French partner, who reports in French."""
    english = make_organisation(place)
    context = replace(english, rules=english.rules._replace(language=Language("fr")))
    seed_content(context, seed_files())

    with context.store.read() as work:
        (partner,) = work.field.partners()
        (waiting,) = work.field.reports(undecided_only=True)
        texts = [partner.name, waiting.title, waiting.body]
    assert partner.language == Language("fr")
    assert texts[0] == "Visima Vyetu"  # as its list says beside the name, a sample
    assert "premier jour" in texts[1]
    assert "recompté" in texts[2]


def test_a_changed_cost_is_changed(context: Context) -> None:
    """An item with a known id gets the new values."""
    seed_fixed_costs(context, [COST])

    assert seed_fixed_costs(
        context, [{**COST, "amountCents": 1000, "validTo": "2026-12-31"}]
    ) == Seeded("fixed-costs", changed=1)


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        ({"name": None, "id": "x"}, "has no 'amountCents'"),
        ({**COST, "validFrom": "soon"}, "Invalid fixed cost"),
        ({**COST, "amountCents": None}, "Invalid fixed cost"),
    ],
)
def test_a_broken_cost_is_refused(place: Path, broken: dict[str, Any], complaint: str) -> None:
    """A missing or invalid value is named."""
    with pytest.raises(InvalidInput, match=complaint):
        seed_fixed_costs(make_organisation(place), [broken])


def test_only_an_open_proposal_is_opened(context: Context) -> None:
    """Other proposals stay drafts."""
    (document,) = seed_files().proposals

    seed_proposals(context, [{**document, "status": "draft"}])

    (record,) = context.store.read_once().proposals.all()
    assert ProposalStatus.DRAFT is record.proposal.status


def test_files_may_be_missing(place: Path) -> None:
    """A folder with a single file loads that file."""
    files = seed_files()._replace(content={}, proposals=[], fixed_costs=[COST])

    assert sum(one.added for one in seed_content(make_organisation(place), files)) == 1


@pytest.mark.parametrize("lacking", ["id", "project", "name", "language"])
def test_a_broken_partner_is_refused(context: Context, lacking: str) -> None:
    """The missing value is named, and nothing of the partner is added."""
    files = seed_files()
    (document,) = files.partners
    broken = {name: value for name, value in document.items() if name != lacking}

    with pytest.raises(InvalidInput, match=f"A sample partner has no '{lacking}'"):
        seed_content(context, files._replace(partners=[broken]))
    assert list_links(context) == []


def test_a_partner_with_a_wrong_value_is_refused(context: Context) -> None:
    """A consent that YAML reads as a truth is a usual one: without quotes, yes is no text."""
    files = seed_files()
    (document,) = files.partners
    broken = {**document, "reports": [{**document["reports"][-1], "consent": True}]}

    with pytest.raises(InvalidInput, match="Invalid sample partner: True"):
        seed_content(context, files._replace(partners=[broken]))
    assert list_links(context) == []


def test_a_sample_report_without_its_update_is_left_out(context: Context) -> None:
    """An operator removed the update; the other reports are added."""
    files = seed_files()
    seed_content(context, files._replace(partners=[]))
    remove_item(context, "updates", "second-tank")
    (document,) = files.partners

    assert seed_partner(context, document, files.photos)
    titles = {one.title for one in list_reports(context, undecided_only=False)}
    assert titles == {"Water at 62 m!", "The committee had its first training day"}


def shown(context: Context) -> list[str]:
    """Return the ids of everything on the website."""
    with context.store.read() as work:
        return [i.id for kind in KINDS for i in work.content.all(kind, published_only=True)]


def test_samples_are_removed_and_nothing_else(context: Context, files: SeedFiles) -> None:
    """Own items stay; a second removal does nothing; seeding restores the samples."""
    import_items(context, "projects", [WELLS])
    real = replace(context, payment_mode=PaymentMode.LIVE)

    removed = remove_samples(real, files.fixed_costs)

    assert shown(context) == ["wells", "first-water"]
    assert list_fixed_costs(context) == []
    assert removed[-1] == Removed("proposals", 1)
    (record,) = context.store.read_once().proposals.all()
    assert ProposalStatus.WITHDRAWN is record.proposal.status
    assert {one.removed + one.kept for one in remove_samples(real, files.fixed_costs)} == {0}
    seed_content(context, files)
    assert len(shown(context)) > 40


def test_no_report_names_a_removed_sample_vote(context: Context, files: SeedFiles) -> None:
    """The public log keeps it; open data and the report of the year have nothing of it."""
    today = context.today()
    period = ReportPeriod(today, today)
    assert len(impact_report(context, period).proposals) == 1
    remove_samples(context, files.fixed_costs)

    assert impact_report(context, period).proposals == ()


def test_removed_samples_can_be_added_again(context: Context) -> None:
    """The counts equal the first ones, and a withdrawn proposal gets a new vote."""
    files = seed_files()
    first = seed_content(context, files)
    remove_samples(context, files.fixed_costs)

    assert context.store.read_once().field.partners() == []
    assert first == seed_content(context, files)
    assert {(one.added, one.changed) for one in seed_content(context, files)} == {(0, 0)}
    with context.store.read() as work:
        votes = {r.proposal.slug: r.proposal.status.value for r in work.proposals.all()}
    (document,) = files.proposals
    slug = document["slug"]
    assert votes == {slug: "withdrawn", f"{slug}-2": "open"}


def test_a_draft_that_was_removed_comes_back_as_a_draft(context: Context) -> None:
    """After each removal the draft comes back under the next free number."""
    (document,) = seed_files().proposals
    for _ in range(3):
        seed_proposals(context, [{**document, "status": "draft", "slug": "b" * SLUG_MAX}])
        remove_samples(context)

    with context.store.read() as work:
        found = sorted((r.proposal.id, r.proposal.slug[-3:]) for r in work.proposals.all())
    assert found == [("beekeeping", "bbb"), ("beekeeping-2", "b-2"), ("beekeeping-3", "b-3")]


@pytest.mark.parametrize("number", range(1, 6))
def test_a_load_that_was_killed_is_completed_by_the_next(context: Context, number: int) -> None:
    """A vote that the samples open does not stay a draft, wherever the kill comes."""
    files = seed_files()

    def kill() -> None:
        raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        seed_proposals(taking_turns(context, number, kill), files.proposals)
    seed_proposals(context, files.proposals)

    with context.store.read() as work:
        (record,) = work.proposals.all()
    assert record.proposal.status is ProposalStatus.OPEN


def test_changed_or_decided_samples_stay(context: Context) -> None:
    """A cost with a new amount is the operator's own, and a decided vote is in the public log."""
    files = seed_files()
    seed_proposals(context, files.proposals)
    clock_of(context).set(datetime(2027, 2, 1, tzinfo=UTC))
    close_due_votes(context)
    cost, *_ = files.fixed_costs
    own = {**cost, "amountCents": 123}
    seed_content(context, files._replace(content={}, fixed_costs=[own]))

    removed = remove_samples(context, files.fixed_costs)

    assert removed[-2:] == [Removed("fixed-costs", 0, 1), Removed("proposals", 0, 1)]


def test_only_unused_unchanged_samples_are_deleted(context: Context, files: SeedFiles) -> None:
    """What was paid, also through another's account, or was changed is hidden; the rest is gone."""
    edit_item(context, "faqs", "minimum", {"answer": "<p>Ours.</p>"})
    with context.store.write() as work:
        projects = work.content.all("projects")
        paid = projects[0]
        Books(context, work).post(grant_entry(context.today(), {Fund.PROJECTS: 100}))
        spending = Spending(str(paid.doc["account"]), Fund.PROJECTS, 100)
        Books(context, work).post(spending_entry(context.today(), spending, available_cents=100))
    remove_samples(context, files.fixed_costs)

    left = {kind: [i.slug for i in context.store.read_once().content.all(kind)] for kind in KINDS}
    assert {kind: slugs for kind, slugs in left.items() if slugs} == {
        "projects": [paid.slug],
        "donations": ["two-boreholes-and-a-standpipe-network"],
        "faqs": ["minimum"],
    }
    assert shown(context) == []
    assert {one.removed for one in remove_samples(context, files.fixed_costs)} == {0}


def test_sample_partners_are_seeded_once_and_removed(context: Context, files: SeedFiles) -> None:
    """One report waits for an operator, two became updates; a link of one's own stays."""
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
    own = make_link(context, "Visima Vyetu")
    assert {one.kind: one.removed for one in remove_samples(context)}["partners"] == 1
    assert list_reports(context, undecided_only=False) == []
    assert [one.id for one in list_links(context)] == [own.link.id]
    assert revoke_links(context, "Visima Vyetu")


FRENCH = Language("fr")
SAME_IN_FRENCH = {"4"}
FILES = demo_files()
DOCUMENTS: list[tuple[tuple[Field, ...], Mapping[str, Any]]] = [
    *((KINDS[kind].fields, one) for kind, listed in FILES.seed.content.items() for one in listed),
    *((PROPOSAL.fields, one) for one in (*FILES.seed.proposals, *FILES.past_proposals)),
]


@pytest.mark.parametrize(
    ("fields", "document"), DOCUMENTS, ids=[one.get("id", one.get("title")) for _, one in DOCUMENTS]
)
def test_every_text_has_its_french(fields: tuple[Field, ...], document: Mapping[str, Any]) -> None:
    """A reader of French gets no sample text in English."""
    assert list(untranslated(fields, in_language(fields, document, FRENCH))) == []


def untranslated(fields: Iterable[Field], shown: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts that a reader gets in their original language."""
    for field in text_fields(fields):
        value = shown.get(field.name)
        if field.form is Form.ITEMS:
            for item in value or []:
                yield from untranslated(field.fields, item)
        elif value and field.is_translatable and field.name not in shown.get(ORIGINAL, {}):
            yield from {str(value)} - SAME_IN_FRENCH
