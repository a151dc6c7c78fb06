"""Drafting, changing, opening, withdrawing, importing and exporting proposals."""

from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
import yaml

from jara.domain.errors import Conflict, IllegalTransition, InvalidInput
from jara.domain.publiclog import canonical
from jara.domain.publiclog.leaves import content_bytes
from jara.domain.voting.proposal import ProposalStatus
from jara.records.voting import ProposalRecord
from jara.services.content import list_items
from jara.services.context import Context
from jara.services.projects.funding import fund_proposal
from jara.services.proposals.lifecycle import (
    draft_proposal,
    edit_proposal,
    export_proposals,
    import_proposals,
    put_to_vote,
    withdraw_proposal,
)
from jara.services.proposals.views import list_proposals, show_proposal
from tests.harness import DATA, clock_of
from tests.services.ballots.voting_world import PROPOSAL, add_member, open_vote, vote

CLEAN = {key: value for key, value in PROPOSAL.items() if key != "id"}


def test_a_draft_gets_id_and_slug(context: Context) -> None:
    """Without names, a draft gets a new id and the title's slug; a second one gets a number."""
    first, second = draft_proposal(context, CLEAN), draft_proposal(context, CLEAN)

    assert first.proposal.id.startswith("prop_")
    assert [first.proposal.slug, second.proposal.slug] == ["clean-water", "clean-water-2"]
    assert not first.proposal.is_public


def test_ids_and_slugs_are_taken_once(context: Context) -> None:
    """No two proposals share an id or a slug."""
    draft_proposal(context, {**PROPOSAL, "slug": "wells"})

    with pytest.raises(Conflict, match="Proposal 'prop_01' already"):
        draft_proposal(context, PROPOSAL)
    with pytest.raises(Conflict, match="slug 'wells'"):
        draft_proposal(context, {**CLEAN, "slug": "wells"})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"goal": 5}, "unknown key 'goal'"),
        ({"id": "../x"}, "'../x' is not an id"),
        ({"fundingGoalCents": None, "fundingGoal": True}, "'fundingGoal' is True"),
        ({"fundingGoalCents": None}, "has no 'fundingGoalCents'"),
        ({"fundingGoalCents": None, "fundingGoal": "1.005"}, "'1.005' is not an amount"),
        ({"endDate": None, "endsInDays": -1}, "'endsInDays' is -1"),
        ({"endDate": None, "summary": ""}, "has no 'endDate' and no 'summary'"),
        ({"endDate": "soon"}, "'soon' is not an end of a vote"),
        ({"budgetList": [{"amount": 5}]}, "has no 'description'"),
        ({"submitters": [5]}, "must be a list of items with keys"),
        ({"budgetList": ["10.00"]}, "'budgetList'"),
        ({"budgetList": {"amount": "10.00"}}, "'budgetList'"),
    ],
)
def test_errors_name_the_wrong_key(context: Context, changes: dict[str, Any], message: str) -> None:
    """The first wrong field is named with its value, and nothing is stored."""
    with pytest.raises(InvalidInput, match=message.replace(".", r"\.")):
        draft_proposal(context, {**PROPOSAL, **changes})

    assert export_proposals(context) == []


@pytest.mark.parametrize("blank", [None, ""])
def test_dollars_and_days_are_read(context: Context, blank: str | None) -> None:
    """A goal may be written in dollars, an end as a number of days beside a blank date."""
    document = {**PROPOSAL, "fundingGoalCents": None, "fundingGoal": "1,457.50"}
    record = draft_proposal(
        context, {**document, "endDate": blank, "endsInDays": 30, "metrics": None}
    )

    assert record.proposal.goal_cents == 145_750
    assert record.proposal.ends_text == "2026-12-20"
    assert record.proposal.text["metrics"] == []


def test_a_draft_can_be_changed(context: Context) -> None:
    """Fields that are not given stay; the audit log has the old and new values."""
    draft_proposal(context, PROPOSAL)
    changes = {"fundingGoal": 20, "endsInDays": 3, "slug": "wells", "metrics": ["a", "b"]}
    record = edit_proposal(context, "prop_01", changes)
    assert isinstance(record, ProposalRecord)
    with context.store.read() as work:
        act = work.operations.audit()[-1]

    assert (record.proposal.goal_cents, record.proposal.ends_text, record.proposal.slug) == (
        2000,
        "2026-11-23",
        "wells",
    )
    assert record.proposal.text["summary"] == "Three boreholes for three villages."
    assert (act.action, act.before["slug"]) == ("proposals.edit", "clean-water")


def test_an_edit_without_a_change_leaves_no_trace(context: Context) -> None:
    """An edit without a change is not recorded."""
    before = draft_proposal(context, PROPOSAL)
    with context.store.read() as work:
        acts = len(work.operations.audit())

    assert edit_proposal(context, "prop_01", {"title": "Clean water"}) == before
    with context.store.read() as work:
        assert acts == len(work.operations.audit())


def test_an_id_stays_and_a_slug_is_unique(context: Context) -> None:
    """An edit cannot change the id or use another proposal's slug."""
    draft_proposal(context, PROPOSAL)
    draft_proposal(context, {**CLEAN, "slug": "wells"})

    with pytest.raises(Conflict, match="id of the proposal 'prop_01' cannot be changed"):
        edit_proposal(context, "prop_01", {"id": "other"})
    with pytest.raises(Conflict, match="slug 'wells'"):
        edit_proposal(context, "prop_01", {"slug": "wells"})


def test_opening_fixes_the_text_in_the_log(context: Context) -> None:
    """The leaf has the hash of the text, the end, the rule and the goal; the key is created."""
    open_vote(context)
    with context.store.read() as work:
        record = work.proposals.find("prop_01")
        leaf = canonical.decode(work.log.leaf(record.opened_index or 0).body)

    assert context.vault.ballot_key("prop_01") is not None
    assert leaf == {
        "content_hash": sha256(content_bytes(record.proposal)).hexdigest(),
        "ends": "2026-12-01T00:00:00Z",
        "goal_cents": 500,
        "proposal": "prop_01",
        "rule": {"den": 2, "num": 1, "of": "roll"},
        "t": "jara/v1/proposal_open",
        "translations": {},
    }
    with pytest.raises(Conflict, match="is open and its text is fixed"):
        edit_proposal(context, "prop_01", {"title": "Other water"})
    with pytest.raises(IllegalTransition):
        put_to_vote(context, "prop_01")


def test_a_vote_that_would_be_over_is_not_opened(context: Context) -> None:
    """With an end in the past, no key, leaf or status is written."""
    draft_proposal(context, {**PROPOSAL, "endDate": "2026-11-19"})

    with pytest.raises(InvalidInput, match="which is past"):
        put_to_vote(context, "prop_01")
    assert context.vault.ballot_key("prop_01") is None


def test_withdrawing_an_open_vote_is_in_the_log(context: Context) -> None:
    """The withdrawal of an open vote is public, that of a draft is not."""
    open_vote(context)
    draft_proposal(context, {**CLEAN, "id": "draft"})
    withdrawn = withdraw_proposal(context, "prop_01", reason="The site was sold")
    assert isinstance(withdrawn, ProposalRecord)
    with context.store.read() as work:
        size = work.log.size()
        leaf = canonical.decode(work.log.leaf(withdrawn.closed_index or 0).body)
    draft = withdraw_proposal(context, "draft", reason="Not needed")
    assert isinstance(draft, ProposalRecord)

    assert leaf == {
        "ballots": 0,
        "last_index": size - 2,
        "proposal": "prop_01",
        "reason": "The site was sold",
        "t": "jara/v1/proposal_withdraw",
    }
    assert (draft.closed_index, draft.proposal.status) == (None, ProposalStatus.WITHDRAWN)
    with context.store.read() as work:
        assert size == work.log.size()


def test_export_then_import_changes_nothing(context: Context) -> None:
    """A file that was exported can be imported at any time."""
    import_proposals(context, yaml.safe_load((DATA / "past-proposals.yaml").read_text("utf-8")))
    open_vote(context)
    before = export_proposals(context)
    report = import_proposals(context, before)

    assert tuple(map(len, (report.created, report.changed, report.unchanged))) == (
        0,
        0,
        len(before),
    )
    assert export_proposals(context) == before


def test_the_sample_proposals_come_in_once(context: Context) -> None:
    """A number of days counts from the first import, so a second import changes nothing."""
    documents = yaml.safe_load((DATA / "proposals.yaml").read_text("utf-8"))
    first = import_proposals(context, documents)
    clock_of(context).advance(days=1)
    second = import_proposals(context, documents)

    assert first.created == second.unchanged == ("beekeeping",)
    with context.store.read() as work:
        assert work.proposals.find("beekeeping").proposal.is_sample


def test_an_import_is_whole_or_not_at_all(context: Context) -> None:
    """One document that is wrong keeps the others out as well."""
    with pytest.raises(InvalidInput):
        import_proposals(context, [PROPOSAL, {"title": "Only a title"}])

    assert export_proposals(context) == []


def test_an_import_changes_drafts_alone(context: Context) -> None:
    """A draft takes the file's text; an open vote is refused."""
    draft_proposal(context, PROPOSAL)
    changed = {**PROPOSAL, "title": "Cleaner water"}

    assert import_proposals(context, [changed]).changed == ("prop_01",)
    put_to_vote(context, "prop_01")
    with pytest.raises(Conflict, match="text is fixed"):
        import_proposals(context, [PROPOSAL])


def test_proposals_are_shown_with_their_counts(context: Context) -> None:
    """The view has the exported fields, the counts and, once decided, the result."""
    open_vote(context)
    vote(context, add_member(context, "ada"))
    draft_proposal(context, {**CLEAN, "id": "draft"})
    shown, draft = list_proposals(context)

    assert shown == show_proposal(context, "prop_01")
    assert (
        shown["votes"],
        shown["upvotePercentage"],
        shown["downvotePercentage"],
        shown["openedAt"],
    ) == (1, 100.0, 0.0, "2026-11-20T12:00:00Z")
    assert "result" not in shown
    assert "openedAt" not in draft
    assert list_proposals(context, ProposalStatus.DRAFT) == [draft]


def test_a_vote_that_is_over_stands_below_those_that_run(context: Context) -> None:
    """Votes open for voting come first, even if an ended one is not closed yet."""
    for name, end in (("soon", "2026-11-21"), ("late", "2026-12-24")):
        draft_proposal(context, {**CLEAN, "id": name, "endDate": end})
        put_to_vote(context, name)
    assert [one["id"] for one in list_proposals(context)] == ["soon", "late"]

    clock_of(context).advance(days=3)

    assert [one["id"] for one in list_proposals(context)] == ["late", "soon"]


def test_only_a_passed_proposal_is_funded(context: Context) -> None:
    """An open vote and a draft cannot be funded."""
    open_vote(context)

    with pytest.raises(IllegalTransition, match="cannot become funded"):
        fund_proposal(context, "prop_01")
    assert list_items(context, "projects") == []


def country_of(record: ProposalRecord) -> tuple[str, str]:
    """Return the name and the code of a proposal's country."""
    text = record.proposal.text
    return text["country"], text["countryCode"]


def test_the_country_is_settled(context: Context) -> None:
    """A draft gets name and code from the list; a pair that disagrees is refused."""
    record = draft_proposal(context, {**PROPOSAL, "country": "uk", "countryCode": ""})
    assert country_of(record) == ("United Kingdom", "GB")
    edited = edit_proposal(context, record.proposal.id, {"country": "ivory coast"})
    assert isinstance(edited, ProposalRecord)
    assert country_of(edited) == ("Côte d’Ivoire", "CI")

    for wrong in ({"country": "Togo", "countryCode": "GH"}, {"countryCode": "GH"}):
        with pytest.raises(InvalidInput, match="correct one of them"):
            edit_proposal(context, record.proposal.id, wrong)
    with pytest.raises(InvalidInput, match="did you mean Tanzania"):
        draft_proposal(context, {**PROPOSAL, "id": "other", "country": "Tanzanai"})


def test_with_limits_a_vote_says_nowhere_where_to_send_money(context: Context) -> None:
    """All members get its text by email."""
    draft = draft_proposal(context, {**CLEAN, "summary": "Send it to DE89 3704 0044 0532 0130 00."})
    governed = replace(context, rules=context.rules._replace(approval_cents=10_000))

    with pytest.raises(Conflict, match="says where to send money"):
        put_to_vote(governed, draft.proposal.id)
    assert put_to_vote(context, draft.proposal.id).opened_index is not None
