"""An approved act that is killed between two transactions goes on with the next approval."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import date

import pytest

from jara.records.operations import Approval
from jara.services.approvals import APPROVED, INTERRUPTED_AFTER, list_approvals
from jara.services.context import Context
from jara.services.giving.deaths import record_death
from jara.services.giving.pledging import stop_for_member
from jara.services.members.accounts import find_member
from jara.services.members.operators import erase_by_operator, remove_address
from tests.fakes.operators import acting, approve_as, enrol
from tests.fakes.turns import taking_turns
from tests.harness import clock_of
from tests.services.ballots.voting_world import open_vote
from tests.services.giving.joiners import EMAIL, join


class KilledError(BaseException):
    """The process is gone."""


ACTS: dict[str, Callable[[Context], object]] = {
    "erased": lambda context: erase_by_operator(context, find_member(context, EMAIL), why="x"),
    "no address": lambda context: remove_address(context, find_member(context, EMAIL), why="x"),
    "died": lambda context: record_death(
        context, find_member(context, EMAIL), died_on=date(2026, 11, 19), why="x"
    ),
    "canceled": lambda context: stop_for_member(
        context, "pledges.cancel", find_member(context, EMAIL), why="x"
    ),
    "paused": lambda context: stop_for_member(
        context, "pledges.pause", find_member(context, EMAIL), why="x"
    ),
}


def kill() -> None:
    """End the process."""
    raise KilledError


@pytest.mark.parametrize("number", range(1, 10))
@pytest.mark.parametrize("name", ACTS)
def test_it_is_approved_in_the_end(context: Context, name: str, number: int) -> None:
    """Wherever it was cut off, also after its last transaction."""
    context = replace(context, rules=context.rules._replace(approval_cents=500))
    member = join(context).member
    with context.store.write() as work:
        work.members.update(member._replace(email_confirmed=True))
    open_vote(context)
    enrol(context, ada="admin", ben="approver")
    waiting = ACTS[name](acting(context, "ada"))
    assert isinstance(waiting, Approval)

    with suppress(KilledError):
        approve_as(taking_turns(context, number, kill), waiting, "ben")
    clock_of(context).advance(seconds=INTERRUPTED_AFTER.total_seconds() + 1)
    (act,) = list_approvals(context, include_decided=True)
    if act.state != APPROVED:
        approve_as(context, waiting, "ben")

    (act,) = list_approvals(context, include_decided=True)
    assert act.state == APPROVED
