"""What a waiting act shows, and what becomes of it while the organisation goes on."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from jara.domain.books.account import Fund
from jara.domain.books.fund_policy import FundPolicy
from jara.domain.content.kinds import PROJECTS
from jara.domain.control.state import BrokenControl, Limits
from jara.domain.publiclog.leaves import LeafType, shared_act_leaf
from jara.domain.voting.tally import RuleChange, VoteRule
from jara.records.operations import Approval
from jara.services.approvals import drop_impossible, list_approvals
from jara.services.authority import read_control
from jara.services.books.bookkeeping import post_entry, reverse_entry
from jara.services.books.policies import set_policy
from jara.services.books.verification import verify_books
from jara.services.content import add_item
from jara.services.context import Context, Rules
from jara.services.operations.approved_acts import (
    HANDLERS,
    describe_values,
    list_approval_documents,
    show_approval,
)
from jara.services.operations.control import set_limits
from jara.services.operations.daily_run import daily_steps, run_daily
from jara.services.operations.diagnosis_setup import Level
from jara.services.operations.operators import add_operator, remove_operator
from jara.services.operations.years import close_year, open_year
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from jara.services.proposals.vote_rules import set_rule
from tests.fakes.operators import acting, approve_as, enrol, public, waits
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import add_member
from tests.services.books.entry_writing import an_entry
from tests.services.books.ledger_builders import give, pass_proposal
from tests.services.news.news_world import Mailbox
from tests.services.operations.controlled_world import (
    LIMIT_CENTS,
    grant,
    make_controlled,
    verify,
    waiting_grant,
)
from tests.services.operations.doctor import found, look

WEIGHTS = {Fund.PROJECTS: 60, Fund.STAFF: 20, Fund.MARKETING: 10, Fund.OTHER: 10}


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation with keys and a limit of $10."""
    return make_controlled(place)


def key_of_another(context: Context) -> Approval:
    """Ask twice to enrol a key; approve one of the two."""
    first, second = (
        waits(add_operator(acting(context, "ada"), "zoe", key=public("zoe"))) for _ in range(2)
    )
    approve_as(context, first, "ben")
    return second


def removal_of_somebody_who_left(context: Context) -> Approval:
    """Ask twice to remove an operator; approve one of the two."""
    first, second = (
        waits(remove_operator(acting(context, "ada"), "kit", why="moved on")) for _ in range(2)
    )
    approve_as(context, first, "ben")
    return second


def policy_of_a_past_day(context: Context) -> Approval:
    """Ask for a split from a day on, and let that day come."""
    member = add_member(context, "ama")
    with context.store.write() as work:
        work.members.update(member._replace(email_confirmed=True))
    policy = FundPolicy(date(2027, 3, 1), WEIGHTS, WEIGHTS)
    waiting = waits(set_policy(acting(context, "kit"), policy, why="voted"))
    clock_of(context).advance(days=150)
    return waiting


def payout_of_somebody_who_left(context: Context) -> Approval:
    """Ask for a payout, and remove the key of who asked."""
    waiting = waiting_grant(context)
    approve_as(context, remove_operator(acting(context, "ada"), "kit", why="moved on"), "ben")
    return waiting


def payout_that_was_changed(context: Context) -> Approval:
    """Ask for a payout, and change its payee in the database."""
    waiting = waiting_grant(context)
    changed = waiting._replace(payload={**waiting.payload, "slug": "mallory"})
    with context.store.write() as work:
        work.operations.put_approval(changed)
    return changed


IMPOSSIBLE: dict[str, tuple[Callable[[Context], Approval], str]] = {
    "enrolled": (key_of_another, "is or was enrolled"),
    "removed": (removal_of_somebody_who_left, "'kit' is not an operator"),
    "too late": (policy_of_a_past_day, "2027-03-01"),
    "left": (payout_of_somebody_who_left, "is not enrolled now"),
    "changed": (payout_that_was_changed, "is not what 'kit' signed"),
}


@pytest.mark.parametrize(("make", "reason"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_an_impossible_act_leaves_the_list_by_itself(
    context: Context, make: Callable[[Context], Approval], reason: str
) -> None:
    """The list says why; the daily run refuses it, once, and nothing else changes."""
    waiting = make(context)
    with context.store.read() as work:
        before = (work.log.size(), work.journal.count())

    (listed,) = list_approval_documents(context)
    assert reason in listed["impossible"]
    assert show_approval(context, waiting.id)["impossible"] == listed["impossible"]
    steps = daily_steps(clockwork=None, sender=Mailbox())
    (result,) = run_daily(
        acting(context, "scheduler"), [one for one in steps if one.name == "approvals"]
    )

    assert result.message == f"{waiting.id} is no longer possible: {listed['impossible']}"
    assert list_approvals(context) == []
    with context.store.read() as work:
        assert (work.log.size(), work.journal.count()) == before
        assert [one.why for one in work.operations.audit(action="approvals.fail")] == [
            listed["impossible"]
        ]


def test_what_may_pass_is_no_obstacle(context: Context) -> None:
    """A payout for which the money is missing today goes on waiting."""
    waiting = waiting_grant(context, cents=50_000)
    spent = waiting_grant(context, cents=40_000)
    approve_as(context, spent, "ben")

    assert [one["impossible"] for one in list_approval_documents(context)] == [""]
    assert drop_impossible(acting(context, "scheduler"), HANDLERS) == []
    assert list_approvals(context) == [waiting]


def test_lower_limits_change_nothing_that_is_done_or_waits(
    context: Context, tmp_path: Path
) -> None:
    """What was below the limit stays, and what waits needs as many people as then in force."""
    small = grant(context, "kit", LIMIT_CENTS - 1)
    waiting = waiting_grant(context)
    lower = set_limits(acting(context, "ada"), Limits(100, 100, 2, 100), why="voted")
    approve_as(context, lower, "ben")

    approve_as(context, waiting, "ben")

    assert not isinstance(small, Approval)
    assert list_approvals(context) == []
    assert verify(context, tmp_path)[0] == 0


def test_what_waits_needs_as_many_people_as_the_limits_of_now(
    context: Context, tmp_path: Path
) -> None:
    """Limits that ask for three people ask it of what waits too; without limits two are enough."""
    waiting = waiting_grant(context)
    three = set_limits(acting(context, "ada"), Limits(LIMIT_CENTS, approvals=3), why="voted")
    approve_as(context, three, "ben")

    approve_as(context, waiting, "ben")
    assert [one.state for one in list_approvals(context)] == ["waiting"]
    approve_as(context, waiting, "ada")

    none = set_limits(acting(context, "ada"), Limits(), why="voted")
    other = waiting_grant(context)
    approve_as(context, none, "ben")
    approve_as(context, other, "ben")
    assert list_approvals(context) == []
    assert verify(context, tmp_path)[0] == 0


PHOTO = "a" * 64


@pytest.fixture
def funded(place: Path) -> Context:
    """Money, a passed proposal, and a limit of $10."""
    context = make_organisation(place, rules=Rules(approval_cents=1000))
    give(context, 100_000)
    pass_proposal(context, 5000)
    return context


def shown(context: Context, waiting: object) -> dict[str, object]:
    """Return the details of an approval."""
    assert isinstance(waiting, Approval)
    return show_approval(context, waiting.id)


def test_a_payout_shows_payee_vote_and_evidence(funded: Context) -> None:
    """They are shown before approval, whether or not the project is on the site."""
    payment = Disbursement(Payee.PROJECTS, "wells", 1000, proposal="prop_wells", note="first")
    waiting = disburse(funded, payment)
    before = shown(funded, waiting)
    step = {"id": "drill", "title": "Drilling", "date": "2026-12-01", "costCents": 5000}
    add_item(
        funded,
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

    after = shown(funded, waiting)

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


def test_a_grant_and_an_entry_show_their_postings(funded: Context) -> None:
    """An act without a vote shows none; the list shows no salt."""
    grant = shown(funded, disburse(funded, Disbursement(Payee.GRANTS, "school", 1000)))
    entry = shown(funded, post_entry(funded, an_entry()))

    assert "proposal" not in grant
    assert (grant["about"], entry["about"]) == ("school", "expenses:operations")
    assert len(entry["postings"]) == 2  # type: ignore[arg-type] # a list
    listed = list_approval_documents(funded)
    about = sorted((one["about"], one["cents"], one["preparedBy"]) for one in listed)
    assert about == [("expenses:operations", 1250, "tester"), ("school", 1000, "tester")]
    assert not any("salt" in one["payload"] for one in listed)


def test_an_approval_of_a_reversal_shows_opposite_postings(funded: Context) -> None:
    """The postings of the entry are shown with the opposite sign."""
    given = give(funded, 2000, "2")

    reversal = shown(funded, reverse_entry(funded, given.id, why="typo"))

    assert (reversal["why"], reversal["date"]) == ("typo", None)
    assert {"account": "assets:stripe", "fund": "projects", "cents": -1600} in list(
        reversal["postings"]  # type: ignore[call-overload] # a list of documents
    )


def test_approvals_of_years_keys_limits_and_rules_show_the_change(context: Context) -> None:
    """Acts on years, keys, limits and the vote rule show the change and the number of approvers."""
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
        "draws": [["assets:bank", 15000], ["assets:cash", 100]],
        "date": None,
        "value": {"details": "Box 5", "iban": "", "takes_euro": False, "feeCents": 50},
        "wish": "0:90000",
        "because": "it takes out $5.00, and $5.00 is the limit",
        "why": "voted",
        "cents": 0,
        "salt": "00",
    }

    assert describe_values(payload) == {
        "limit": "$0.05",
        "day limit": "none",
        "roles": "admin, editor",
        "weights": "staff 6, other 4",
        "draws": "assets:bank $150.00, assets:cash $1.00",
        "date": "the day of the approval",
        "value": "details Box 5, takes euro no, fee $0.50",
    }


def test_the_doctor_sees_who_has_keys(funded: Context) -> None:
    """Reported are missing keys, keys, too few people, and a log changed by a foreign program."""
    assert Level.WARNING is found(look(funded), "operators")[0]
    enrol(funded, tester="admin")
    ours = [result for result in look(funded) if result.name == "operators"]
    assert [result.level for result in ours] == [Level.OK, Level.WARNING, Level.WARNING]
    assert ours[0].message == "Enrolled keys: 1, of 1 operators."
    assert "Only the key of tester may change keys and limits" in ours[1].message
    assert "The daily run has no key" in ours[2].message
    assert "need 2 people, and 1 may approve" in found(look(funded), "approvals")[1]
    add_operator(acting(funded, "tester"), "ben", key=public("ben"))
    daily = add_operator(
        acting(funded, "tester"), "scheduler", key=public("daily"), roles=("scheduler",)
    )
    approve_as(funded, daily, "ben")
    ours = [result for result in look(funded) if result.name == "operators"]
    assert [result.level for result in ours] == [Level.OK, Level.WARNING]
    assert "Only the key of tester" in ours[1].message
    spare = add_operator(acting(funded, "tester"), "eve", key=public("eve"), roles=("admin",))
    approve_as(funded, spare, "ben")
    ours = [result for result in look(funded) if result.name == "operators"]
    assert [result.level for result in ours] == [Level.OK]
    assert "approvals" not in {result.name for result in look(funded)}

    with funded.store.write() as work:
        leaf = shared_act_leaf(LeafType.CONTROL_POLICY, "0" * 64, Limits().document(), [])
        work.log.append(leaf)

    assert Level.ERROR is found(look(funded), "operators")[0]
    assert "approvals" not in {result.name for result in look(funded)}
    assert "control" in {one.check for one in verify_books(funded).findings}
    with funded.store.read() as work, pytest.raises(BrokenControl):
        read_control(funded, work)
