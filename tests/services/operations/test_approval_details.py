"""An approval shows everything that it would do."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from jara.domain.content.kinds import PROJECTS
from jara.domain.control.state import BrokenControl, Limits
from jara.domain.publiclog.leaves import LeafType, shared_act_leaf
from jara.domain.voting.tally import RuleChange, VoteRule
from jara.records.operations import Approval
from jara.services.authority import read_control
from jara.services.books.bookkeeping import post_entry, reverse_entry
from jara.services.books.verification import verify_books
from jara.services.content import add_item
from jara.services.context import Context, Rules
from jara.services.operations.approved_acts import (
    describe_values,
    list_approval_documents,
    show_approval,
)
from jara.services.operations.control import set_limits
from jara.services.operations.diagnosis_setup import Level
from jara.services.operations.operators import add_operator, remove_operator
from jara.services.operations.years import close_year, open_year
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from jara.services.proposals.vote_rules import set_rule
from tests.fakes.operators import acting, approve_as, enrol, public
from tests.harness import make_organisation
from tests.services.books.entry_writing import an_entry
from tests.services.books.ledger_builders import give, pass_proposal
from tests.services.operations.controlled_world import make_controlled, waiting_grant
from tests.services.operations.doctor import found, look

PHOTO = "a" * 64


@pytest.fixture
def context(place: Path) -> Context:
    """Money, a passed proposal, and a limit of $10."""
    context = make_organisation(place, rules=Rules(approval_cents=1000))
    give(context, 100_000)
    pass_proposal(context, 5000)
    return context


def shown(context: Context, waiting: object) -> dict[str, object]:
    """Return the details of an approval."""
    assert isinstance(waiting, Approval)
    return show_approval(context, waiting.id)


def test_a_payout_shows_payee_vote_and_evidence(context: Context) -> None:
    """They are shown before approval, whether or not the project is on the site."""
    payment = Disbursement(Payee.PROJECTS, "wells", 1000, proposal="prop_wells", note="first")
    waiting = disburse(context, payment)
    before = shown(context, waiting)
    step = {"id": "drill", "title": "Drilling", "date": "2026-12-01", "costCents": 5000}
    add_item(
        context,
        PROJECTS,
        {
            "id": "wells",
            "title": "Wells",
            "status": "Planning",
            "category": "water",
            "proposal": "prop_wells",
            "milestones": [{**step, "images": [f"/media/{PHOTO}.png"]}],
        },
    )

    after = shown(context, waiting)

    assert (before["milestones"], before["about"], before["why"]) == ([], "wells", "first")
    assert (after["project"], after["paidCents"], after["needed"]) == ("Wells", 0, 2)
    assert after["postings"] == [
        {"account": "expenses:projects:wells", "fund": "committed", "cents": 1000},
        {"account": "assets:bank", "fund": "committed", "cents": -1000},
    ]
    assert {"id": "prop_wells", "status": "passed", "heldCents": 5000}.items() <= dict(
        after["proposal"]  # type: ignore[call-overload] # a document
    ).items()
    assert [
        file["sha256"]
        for step in after["milestones"]  # type: ignore[attr-defined] # a list of documents
        for file in step["evidence"]
    ] == [PHOTO]


def test_a_grant_and_an_entry_show_their_postings(context: Context) -> None:
    """An act without a vote shows none."""
    grant = shown(context, disburse(context, Disbursement(Payee.GRANTS, "school", 1000)))
    entry = shown(context, post_entry(context, an_entry()))

    assert "proposal" not in grant
    assert (grant["about"], entry["about"]) == ("school", "expenses:operations")
    assert len(entry["postings"]) == 2  # type: ignore[arg-type] # a list
    about = [one["about"] for one in list_approval_documents(context)]
    assert sorted(about) == ["expenses:operations", "school"]


def test_an_approval_of_a_reversal_shows_opposite_postings(context: Context) -> None:
    """The postings of the entry are shown with the opposite sign."""
    given = give(context, 2000, "2")

    reversal = shown(context, reverse_entry(context, given.id, why="typo"))

    assert (reversal["why"], reversal["date"]) == ("typo", None)
    assert {"account": "assets:stripe", "fund": "projects", "cents": -1600} in list(
        reversal["postings"]  # type: ignore[call-overload] # a list of documents
    )


def test_approvals_of_years_keys_limits_and_rules_show_the_change(place: Path) -> None:
    """Acts on years, keys, limits and the vote rule show the change and the number of approvers."""
    context = make_controlled(place)
    close_year(acting(context, "kit"), 2025)

    year = shown(context, open_year(acting(context, "kit"), 2025, why="late bill"))
    key = shown(context, add_operator(acting(context, "ada"), "zoe", key=public("zoe")))
    gone = shown(context, remove_operator(acting(context, "ada"), "eve"))
    limits = shown(context, set_limits(acting(context, "ada"), Limits(5), why="voted"))
    change = RuleChange(date(2026, 12, 1), VoteRule(2, 3))
    rule = shown(context, set_rule(acting(context, "kit"), change, why="voted"))

    assert (year["about"], year["needed"]) == ("year 2025", 2)
    assert (key["about"], key["roles"]) == ("zoe", ["approver", "bookkeeper", "editor"])
    assert gone["about"] == "eve"
    assert limits["about"] == "approvals 2, limit $0.05"
    words = "2/3 or more of changemakers vote yes"
    assert (rule["about"], rule["from"]) == (f"{words}, from 2026-12-01", "2026-12-01")
    assert rule["rule"] == words
    assert [one["operator"] for one in limits["signatures"]] == ["ada"]  # type: ignore[attr-defined] # a list


def test_values_are_said_in_words() -> None:
    """Amounts are in dollars, lists and tables in one line, and an unset value is none."""
    payload = {
        "limit_cents": 5,
        "day_limit_cents": None,
        "roles": ["admin", "editor"],
        "weights": {"staff": 6, "other": 4},
        "why": "voted",
        "cents": 0,
        "salt": "00",
    }

    assert describe_values(payload) == {
        "limit": "$0.05",
        "day limit": "none",
        "roles": "admin, editor",
        "weights": "staff 6, other 4",
    }


def test_the_doctor_sees_who_has_keys(context: Context) -> None:
    """Reported are missing keys, keys, too few people, and a log changed by a foreign program."""
    assert Level.WARNING is found(look(context), "operators")[0]
    enrol(context, tester="admin")
    ours = [result for result in look(context) if result.name == "operators"]
    assert [result.level for result in ours] == [Level.OK, Level.WARNING, Level.WARNING]
    assert ours[0].message == "Enrolled keys: 1, of 1 operators."
    assert "Only the key of tester may change keys and limits" in ours[1].message
    assert "The daily run has no key" in ours[2].message
    assert "need 2 people, and 1 may approve" in found(look(context), "approvals")[1]
    add_operator(acting(context, "tester"), "ben", key=public("ben"))
    daily = add_operator(
        acting(context, "tester"), "scheduler", key=public("daily"), roles=("scheduler",)
    )
    approve_as(context, daily, "ben")
    ours = [result for result in look(context) if result.name == "operators"]
    assert [result.level for result in ours] == [Level.OK, Level.WARNING]
    assert "Only the key of tester" in ours[1].message
    spare = add_operator(acting(context, "tester"), "eve", key=public("eve"), roles=("admin",))
    approve_as(context, spare, "ben")
    ours = [result for result in look(context) if result.name == "operators"]
    assert [result.level for result in ours] == [Level.OK]
    assert "approvals" not in {result.name for result in look(context)}

    with context.store.write() as work:
        leaf = shared_act_leaf(LeafType.CONTROL_POLICY, "0" * 64, Limits().document(), [])
        work.log.append(leaf)

    assert Level.ERROR is found(look(context), "operators")[0]
    assert "approvals" not in {result.name for result in look(context)}
    assert "control" in {one.check for one in verify_books(context).findings}
    with context.store.read() as work, pytest.raises(BrokenControl):
        read_control(context, work)


def test_a_waiting_act_is_listed_until_it_is_decided(place: Path) -> None:
    """The list does not show the salt of the entry."""
    context = make_controlled(place)
    waiting = waiting_grant(context)

    (listed,) = list_approval_documents(replace(context))

    assert (listed["id"], listed["preparedBy"], listed["cents"]) == (waiting.id, "kit", 1000)
    assert "salt" not in listed["payload"]
