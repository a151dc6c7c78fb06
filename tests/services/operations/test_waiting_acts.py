"""What becomes of acts that wait, while the organisation goes on."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from jara.domain.books.account import Fund
from jara.domain.books.fund_policy import FundPolicy
from jara.domain.control.state import Limits
from jara.records.operations import Approval
from jara.services.approvals import drop_impossible, list_approvals
from jara.services.books.policies import set_policy
from jara.services.context import Context
from jara.services.operations.approved_acts import HANDLERS, list_approval_documents, show_approval
from jara.services.operations.control import set_limits
from jara.services.operations.daily_run import daily_steps, run_daily
from jara.services.operations.operators import add_operator, remove_operator
from tests.fakes.operators import acting, approve_as, public, waits
from tests.harness import clock_of
from tests.services.ballots.voting_world import add_member
from tests.services.news.news_world import Mailbox
from tests.services.operations.controlled_world import (
    LIMIT_CENTS,
    grant,
    make_controlled,
    verify,
    waiting_grant,
)

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
